import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request, as the server saw it. */
export interface Asked {
  path: string;
  /** As in `bytes=START-LAST`. */
  range: { start: number; last: number } | undefined;
  headers: IncomingHttpHeaders;
}

/** What is wrong with an answer. Without any of it, the file is served as RFC 9110 has it. */
export interface Quirk {
  /** Answered instead of the file. */
  status?: number;
  headers?: Record<string, string>;
  /** Another file. */
  content?: Buffer;
  /** `null`: none. Default `"1"`. */
  etag?: string | null;
  ignoreRange?: boolean;
  /** Chunked, so that nobody knows how long it is. */
  withoutLength?: boolean;
  /** Cuts the connection after so many bytes of the body. */
  dropAfter?: number;
  /** Sends nothing more after so many bytes of the body, and waits. */
  stallAfter?: number;
  /** Place in the file whose byte is not as it should be. */
  flipByte?: number;
}

/** A web server on this machine that serves one file at every path, as badly as it is told to. */
export class UnrulyServer {
  readonly asked: Asked[] = [];
  /** What is wrong with the answer to this request; the first one has number 0. */
  quirk: (asked: Asked, number: number) => Quirk | undefined = () => undefined;
  /** How many there have been. */
  connections = 0;
  readonly #answers = new Set<ServerResponse>();
  readonly #content: Buffer;
  readonly #server = createServer((request, response) => {
    const { url: path = '/', headers } = request;
    const [, start, last] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
    const range = start === undefined ? undefined : { start: Number(start), last: last ? Number(last) : Infinity };
    const asked = { path, range, headers };
    this.asked.push(asked);
    this.#answers.add(response);
    response.once('close', () => this.#answers.delete(response));
    this.#answer(asked, this.quirk(asked, this.asked.length - 1) ?? {}, response);
  });

  constructor(content: Buffer) {
    this.#content = content;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Requests for more than the first byte, by which a client finds out what there is. */
  get reads(): Asked[] {
    return this.asked.filter(({ range }) => range?.last !== 0);
  }

  /** Answers that are not at their end. */
  get answering(): number {
    return this.#answers.size;
  }

  /** Cuts the connections of all answers that are not at their end: whoever waits for them need not find out by waiting. */
  cut(): void {
    for (const answer of this.#answers) answer.destroy();
  }

  async open(): Promise<this> {
    this.#server.on('connection', () => {
      this.connections++;
    });
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #answer(asked: Asked, quirk: Quirk, response: ServerResponse): void {
    const content = quirk.content ?? this.#content;
    const etag = quirk.etag === undefined ? '"1"' : quirk.etag;
    const ifRange = asked.headers['if-range'];
    const range = quirk.ignoreRange || (ifRange !== undefined && ifRange !== etag) ? undefined : asked.range;
    if (etag !== null) response.setHeader('etag', etag);
    if (range && range.start >= content.length) {
      response.writeHead(416, { 'content-range': `bytes */${content.length}`, ...quirk.headers }).end();
    } else if (quirk.status !== undefined) {
      response.writeHead(quirk.status, { 'content-length': 2, ...quirk.headers }).end('no');
    } else {
      const start = range?.start ?? 0;
      const end = Math.min(content.length, (range?.last ?? Infinity) + 1);
      if (!quirk.withoutLength) response.setHeader('content-length', end - start);
      if (range) response.setHeader('content-range', `bytes ${start}-${end - 1}/${content.length}`);
      response.writeHead(range ? 206 : 200, quirk.headers);
      this.#send(flipped(content, quirk.flipByte).subarray(start, end), quirk, response);
    }
  }

  #send(body: Buffer, { dropAfter, stallAfter }: Quirk, response: ServerResponse): void {
    const stop = dropAfter ?? stallAfter;
    if (stop === undefined || stop >= body.length) return void response.end(body);
    response.flushHeaders();
    response.write(body.subarray(0, stop), () => {
      // A cut connection may swallow what was sent just before.
      if (dropAfter !== undefined) setTimeout(() => response.destroy(), 20);
    });
  }
}

function flipped(content: Buffer, at: number | undefined): Buffer {
  if (at === undefined) return content;
  const copy = Buffer.from(content);
  copy[at] = (copy[at] ?? 0) ^ 0xff;
  return copy;
}
