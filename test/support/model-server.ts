import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Transform } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { LocalServer } from './local-server.ts';

/** A web server with Hugging Face's paths (`/OWNER/NAME/resolve/REVISION/FILE`) that has one file, and knows ranges. */
export class ModelServer extends LocalServer {
  /** The `Range` headers that came, in order. */
  readonly ranges: string[] = [];
  /** Pieces are sent so many milliseconds apart; 0: as fast as they go. */
  delayMs = 0;
  readonly #path: string;

  constructor(path: string) {
    super((request, response) => void this.#answer(request, response));
    this.#path = path;
  }

  get url(): string {
    return this.origin;
  }

  async #answer({ url = '', headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    const { size } = await stat(this.#path);
    if (!/\.gguf(\?|$)/.test(url)) return void response.writeHead(404).end();
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
    const [start, end] = [Number(first ?? 0), Math.min(size - 1, last ? Number(last) : size - 1)];
    if (headers.range) this.ranges.push(headers.range);
    response.writeHead(first === undefined ? 200 : 206, {
      'content-length': end - start + 1,
      ...(first !== undefined && { 'content-range': `bytes ${start}-${end}/${size}` }),
      'accept-ranges': 'bytes',
      etag: '"one"',
    });
    const paced = new Transform({
      transform: async (chunk, _encoding, done) => {
        if (this.delayMs > 0) await sleep(this.delayMs, undefined, { ref: false });
        done(null, chunk);
      },
    });
    createReadStream(this.#path, { start, end }).pipe(paced).pipe(response);
  }
}
