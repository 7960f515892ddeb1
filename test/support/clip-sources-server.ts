import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { LocalServer } from './local-server.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures/clips/sources');

/** A recorded answer of an API. */
export function recorded(name: string): string {
  return readFileSync(join(FIXTURES, name), 'utf8');
}

/** What a server says to a path: JSON, or a file that is served with ranges; undefined: 404. */
export type Reply = { json: string } | { file: Buffer; etag?: string | null; modified?: string };
export type Replies = (url: URL, origin: string) => Reply | undefined;
/** Instead of the next answer. @returns true where it has answered */
export type Quirk = (request: IncomingMessage, response: ServerResponse, origin: string) => boolean | undefined;

/** A web server that says what an API has said, and each answer as badly as it is told to. */
export class SourceServer extends LocalServer {
  readonly asked: { path: string; headers: IncomingMessage['headers'] }[] = [];
  /** One for each answer, the next one first. */
  readonly quirks: Quirk[] = [];
  /** Bytes of files that are sent at a time, and milliseconds between; undefined: as fast as it goes. */
  trickle: { bytes: number; ms: number } | undefined;
  /** From this byte of a file on nothing more comes, until whoever reads it lets go; undefined: all of it comes. */
  stallsAt: number | undefined;

  /** What it says is told later, when its origin is known. */
  replies: Replies = () => undefined;

  constructor() {
    super((request, response) => {
      this.asked.push({ path: request.url ?? '', headers: request.headers });
      if (this.quirks.shift()?.(request, response, this.origin)) return;
      const reply = this.replies(new URL(request.url ?? '/', this.origin), this.origin);
      if (!reply) response.writeHead(404, { 'content-length': 0 }).end();
      else if ('json' in reply) sendJson(response, reply.json);
      else void this.#sendFile(request, response, reply);
    });
  }

  /** Those that asked for bytes of a file, and not only for what there is. */
  get reads(): string[] {
    return this.asked
      .map(({ headers }) => headers.range ?? '')
      .filter((range) => range !== '' && range !== 'bytes=0-0');
  }

  async #sendFile(
    { headers }: IncomingMessage,
    response: ServerResponse,
    { file, etag = '"1"', modified }: { file: Buffer; etag?: string | null; modified?: string },
  ): Promise<void> {
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
    const isStale = headers['if-range'] !== undefined && headers['if-range'] !== etag;
    const isPart = first !== undefined && !isStale;
    const [start, end] = isPart
      ? [Number(first), Math.min(file.length, Number(last || file.length) + 1)]
      : [0, file.length];
    response.writeHead(isPart ? 206 : 200, {
      'content-type': 'video/mp4',
      'content-length': end - start,
      ...(etag !== null && { etag }),
      ...(modified !== undefined && { 'last-modified': modified }),
      ...(isPart && { 'content-range': `bytes ${start}-${end - 1}/${file.length}` }),
    });
    response.setMaxListeners(0);
    const { bytes = file.length, ms = 0 } = this.trickle ?? {};
    const until = Math.min(end, this.stallsAt ?? end);
    for (let at = start; at < until && !response.destroyed; at += bytes) {
      if (!response.write(file.subarray(at, Math.min(until, at + bytes))))
        await Promise.race([once(response, 'drain'), once(response, 'close')]);
      if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
    }
    if (until === end) response.end();
  }
}

export function sendJson(response: ServerResponse, json: string): true {
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(json),
  });
  response.end(json);
  return true;
}
