import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import type { WantedModel } from '../wanted-model.ts';
import { type ByteRange, type ByteSource, SourceError, type SourceInfo } from './byte-source.ts';
import type { HttpClient } from './http-client.ts';
import type { HttpAnswer } from './http-exchange.ts';
import { connectionError } from './http-refusal.ts';

/** Connections for one file. More gain little, and servers begin to mind. */
const PARALLEL = 4;

/** One source for each address, in their order; «(2)» tells a second one on the same host. */
export function httpSources({ urls, typed }: Pick<WantedModel, 'urls' | 'typed'>, client: HttpClient): HttpSource[] {
  const hosts: string[] = [];
  return urls.map((text) => {
    const url = new URL(text);
    hosts.push(url.host);
    const count = hosts.filter((host) => host === url.host).length;
    return new HttpSource(url, client, { name: count > 1 ? `${url.host} (${count})` : url.host, typed });
  });
}

/** A file on a web server, read in ranges where the server knows ranges. */
export class HttpSource implements ByteSource {
  readonly kind = 'http';
  readonly name: string;
  readonly #url: URL;
  readonly #client: Pick<HttpClient, 'get'>;
  readonly #typed: boolean;
  #info: SourceInfo = {};
  #knowsRanges = true;
  /** Ends every read; there from open to close. */
  #reads: AbortController | undefined;

  /**
   * @param options.name for people. Default: the host
   * @param options.typed whether a person typed the address. Default: no
   */
  constructor(
    url: URL,
    client: Pick<HttpClient, 'get'>,
    { name = url.host, typed = false }: { name?: string | undefined; typed?: boolean | undefined } = {},
  ) {
    this.#typed = typed;
    this.#url = url;
    this.#client = client;
    this.name = name;
  }

  get parallel(): number {
    return this.#knowsRanges ? PARALLEL : 1;
  }

  async open(signal: AbortSignal): Promise<SourceInfo> {
    const answer = await this.#client.get(this.#url, { range: 'bytes=0-0' }, signal, this.#typed);
    answer.drop();
    const content = contentRange(answer);
    // An answer to a range of an empty file: 416 with «bytes */0».
    if (answer.status === 416 && content?.total !== 0) throw this.#nonsense(say('download.noFirstByte'));
    if (answer.status === 206 && content?.total === undefined) throw this.#nonsense(say('download.noLength'));
    this.#knowsRanges = answer.status === 206;
    const about = { validator: validatorOf(answer), changedAt: changedAt(answer) };
    this.#info = { bytes: content?.total ?? contentLength(answer), ...about };
    this.#reads ??= new AbortController();
    return this.#info;
  }

  async *read(range: ByteRange, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    const closed = this.#reads?.signal;
    if (!closed) throw this.#notOpen();
    let answer: HttpAnswer | undefined;
    try {
      const ending = AbortSignal.any([signal, closed]);
      answer = await this.#client.get(this.#url, this.#rangeHeaders(range), ending, this.#typed);
      const position = this.#check(answer, range);
      yield* cut(answer.body(), range.start - position, range.end - range.start);
    } catch (error) {
      signal.throwIfAborted();
      if (closed.aborted) throw this.#notOpen();
      throw error instanceof SourceError ? error : connectionError(answer?.url.host ?? this.#url.host, error);
    } finally {
      answer?.drop();
    }
  }

  /** Every connection belongs to a `read`, and ends with it. */
  async close(): Promise<void> {
    this.#reads?.abort();
    this.#reads = undefined;
  }

  #rangeHeaders({ start, end }: ByteRange): Record<string, string> {
    if (!this.#knowsRanges) return {};
    const { validator } = this.#info;
    const range = `bytes=${start}-${end - 1}`;
    return validator === undefined ? { range } : { range, 'if-range': validator };
  }

  /** @returns where in the file the answer's body begins */
  #check(answer: HttpAnswer, { start, end }: ByteRange): number {
    const { 'content-encoding': encoding = 'identity' } = answer.headers;
    if (encoding !== 'identity') throw this.#nonsense(say('download.encoded', { encoding }));
    const content = contentRange(answer);
    const length = answer.status === 200 ? contentLength(answer) : content?.total;
    const validator = validatorOf(answer);
    const isOther =
      answer.status === 416 ||
      (length !== undefined && length !== this.#info.bytes) ||
      (validator !== undefined && this.#info.validator !== undefined && validator !== this.#info.validator);
    if (isOther) throw new SourceError('changed', say('download.changed', { name: this.name }));
    if (answer.status === 200) return 0; // it knows no ranges, or does not heed them
    if (!content || content.start !== start || content.end > end) throw this.#nonsense(say('download.otherBytes'));
    return start;
  }

  #notOpen(): SourceError {
    return new SourceError('lost', say('download.closed'));
  }

  #nonsense(what: Saying): SourceError {
    return new SourceError('gone', say('download.sent', { name: this.name, what }));
  }
}

/** Leaves out the first `skip` bytes, and whatever comes after `length` more. */
async function* cut(chunks: AsyncIterable<Buffer>, skip: number, length: number): AsyncGenerator<Buffer> {
  let [toSkip, left] = [skip, length];
  for await (const chunk of chunks) {
    const piece = chunk.subarray(toSkip, toSkip + left);
    toSkip = Math.max(0, toSkip - chunk.length);
    left -= piece.length;
    if (piece.length > 0) yield piece;
    if (left === 0) return;
  }
}

interface ContentRange {
  start: number;
  end: number;
  /** Length of the whole file; undefined where the server does not say. */
  total: number | undefined;
}

/** RFC 9110, 14.4: `bytes 0-9/100`, `bytes 0-9/*`; of a 416 `bytes *\/100`, which gives an empty range. */
function contentRange({ status, headers }: HttpAnswer): ContentRange | undefined {
  if (status !== 206 && status !== 416) return undefined;
  const [, , first, last, total] =
    /^bytes ((\d{1,15})-(\d{1,15})|\*)\/(\d{1,15}|\*)$/.exec(headers['content-range'] ?? '') ?? [];
  if (total === undefined || (status === 206) !== (first !== undefined)) return undefined;
  const range = { start: Number(first ?? 0), end: Number(last ?? -1) + 1 };
  return { ...range, total: total === '*' ? undefined : Number(total) };
}

function contentLength({ headers }: HttpAnswer): number | undefined {
  const { 'content-length': length = '' } = headers;
  return /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}

function changedAt({ headers }: HttpAnswer): number | undefined {
  return Date.parse(headers['last-modified'] ?? '') || undefined;
}

/** What changes when the file does, fit for If-Range: a strong ETag, else the date. */
function validatorOf({ headers }: HttpAnswer): string | undefined {
  const { etag, 'last-modified': modified } = headers;
  const validator = etag?.startsWith('"') ? etag : modified;
  return validator === undefined || validator.length > 1_000 ? undefined : validator;
}
