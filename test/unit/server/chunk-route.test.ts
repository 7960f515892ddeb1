import { connect } from 'node:net';
import { expect, it, vi } from 'vitest';
import { ignoring } from '../../../src-main/base/swallowed.ts';
import { notLive } from '../../../src-main/focus/focus-problems.ts';
import { chunkRoad } from '../../../src-main/focus/recording/chunk-road.ts';
import { CHUNK_KEY_HEADER, CHUNK_PATH, MAX_CHUNK_BYTES } from '../../../src-preload/contract/focus-limits.ts';
import { LOCAL_TOKEN, openServer } from '../../support/server-harness.ts';

const take = vi.fn(async (_: string, { chunk }: { chunk: number }) => ({ nextChunk: chunk + 1, ended: null }));
const recorder = {
  take,
  checkKey(token: string) {
    if (token !== 'right') throw notLive();
  },
};
const ENDLESS = 1 << 30;
/** What lies between two programs of one computer, and what is looked at at most. */
const BUFFERED = 64 << 20;

const headOf = (headers: Record<string, string>) => {
  const all = { host: '127.0.0.1', 'content-type': 'application/octet-stream', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${CHUNK_PATH}?part=0&chunk=0&activeMs=1000&motion=1 HTTP/1.1\r\n${lines.join('')}\r\n`;
};

/** Sends a head, and after it pieces for as long as the other side takes them. @returns what it said, and how much it took */
async function sent(headers: Record<string, string>, { chunked = false } = {}) {
  const { url } = await openServer({ takeChunk: (request) => chunkRoad(recorder, request) });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let [answer, bytes] = ['', 0];
  socket.on('data', (data) => (answer += data));
  socket.on('error', ignoring('it is cut off while it sends'));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(headOf(headers));
  const piece = Buffer.alloc(1 << 20);
  const framed = chunked
    ? Buffer.concat([Buffer.from(`${(1 << 20).toString(16)}\r\n`), piece, Buffer.from('\r\n')])
    : piece;
  while (!socket.destroyed && bytes < ENDLESS) {
    bytes += piece.length;
    if (!socket.write(framed)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
  }
  await closed;
  return { answer, bytes };
}

const bearer = { authorization: `Bearer ${LOCAL_TOKEN}` };
const right = { ...bearer, [CHUNK_KEY_HEADER]: 'right' };

it.each([
  ['with a wrong key', { ...bearer, [CHUNK_KEY_HEADER]: 'wrong' }],
  ['too large', right],
  ['of nobody', { [CHUNK_KEY_HEADER]: 'right' }],
  ['of another kind', { ...right, 'content-type': 'text/plain' }],
])('ends the connection of a chunk %s that goes on and on, and reads no more of it', async (_, headers) => {
  const told = await sent({ ...headers, 'content-length': String(ENDLESS) });
  const streamed = await sent({ ...headers, 'transfer-encoding': 'chunked' }, { chunked: true });
  for (const { answer, bytes } of [told, streamed]) {
    expect(bytes).toBeLessThan(BUFFERED);
    if (answer) expect(answer).toMatch(/^HTTP\/1\.1 4\d\d [\s\S]*\r\nconnection: close\r\n/i);
  }
  expect(take).not.toHaveBeenCalled();
});

it('says why a chunk is refused that was sent whole, and goes on with the connection', async () => {
  const { url } = await openServer({ takeChunk: (request) => chunkRoad(recorder, request) });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let heard = '';
  socket.on('data', (data) => (heard += data));
  const body = Buffer.alloc(MAX_CHUNK_BYTES);
  const length = { 'content-length': String(body.length) };
  for (const [key, status] of [
    ['wrong', 401],
    ['right', 200],
  ] as const) {
    heard = '';
    socket.write(headOf({ ...bearer, ...length, [CHUNK_KEY_HEADER]: key }));
    socket.write(body);
    await expect.poll(() => heard).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(heard).not.toMatch(/connection: close/i);
  }
  expect(take).toHaveBeenCalledTimes(1);
  socket.destroy();
});
