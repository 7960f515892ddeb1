/** The web server's process of `quarry bench download`: one file of so many bytes, the same 8 MiB over and over, from memory. */
import { randomFillSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';

const BLOCK = randomFillSync(Buffer.allocUnsafeSlow(8 << 20));
const PIECE_BYTES = 1 << 20;
const length = Number(process.argv[2]);

const server = createServer((request, response) => {
  const [, start, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  const from = Number(start ?? 0);
  const to = Math.min(length, Number(last || length - 1) + 1);
  response.setHeader('etag', '"bench"');
  response.setHeader('content-length', to - from);
  if (start !== undefined) response.setHeader('content-range', `bytes ${from}-${to - 1}/${length}`);
  response.writeHead(start === undefined ? 200 : 206);
  pipeline(pieces(from, to), response).catch(() => response.destroy()); // the client has gone
});

function* pieces(from: number, to: number): Generator<Buffer> {
  for (let at = from; at < to; ) {
    const offset = at % BLOCK.length;
    const piece = BLOCK.subarray(offset, Math.min(offset + PIECE_BYTES, offset + to - at));
    at += piece.length;
    yield piece;
  }
}

server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit());
