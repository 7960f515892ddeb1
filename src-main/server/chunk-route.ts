import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { CHUNK_KEY_HEADER, CHUNK_PATH, MAX_CHUNK_BYTES } from '../../src-preload/contract/focus-limits.ts';

/**
 * Chunks of recordings, as bytes. Who hands them over is asked twice: the page has to be let in, as for the contract’s WebSocket, and bring the recording’s
 * own key. Nothing of the body is kept before that. A connection on which more was sent than is read ends with the answer.
 */
export async function addChunkRoute(
  app: FastifyInstance,
  takeChunk: (request: Request) => Promise<Response>,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/octet-stream', (_request, body, done) => done(null, body));
    scope.addHook('onSend', async ({ raw }, reply) => {
      if (!(await isReadToItsEnd(raw))) reply.header('connection', 'close');
    });
    scope.post(CHUNK_PATH, { config: { access: 'socket' } }, async ({ headers, url, raw }, reply) => {
      const told = [CHUNK_KEY_HEADER, 'content-length'].map((name) => [name, headers[name]]);
      const asked = new Request(new URL(url, 'http://node'), {
        method: 'POST',
        headers: Object.fromEntries(told.filter(([, value]) => typeof value === 'string')),
        body: ReadableStream.from<Uint8Array>(piecesOf(raw)),
        duplex: 'half',
      });
      const answer = await takeChunk(asked);
      reply.code(answer.status).type('application/json');
      return answer.text();
    });
  });
}

/** Who stops reading leaves the connection as it is: the answer goes by it. */
const piecesOf = (raw: IncomingMessage): AsyncIterable<Uint8Array> => raw.iterator({ destroyOnReturn: false });

/**
 * Reads what is left of a body that was refused, as much as a chunk may have, and throws it away: who is cut off while it sends, as a browser does, never
 * hears why.
 * @returns whether that was all
 */
async function isReadToItsEnd(raw: IncomingMessage): Promise<boolean> {
  if (raw.readableEnded) return true;
  if (raw.destroyed || Number(raw.headers['content-length'] ?? 0) > MAX_CHUNK_BYTES) return false;
  let bytes = 0;
  try {
    for await (const piece of piecesOf(raw)) {
      bytes += piece.length;
      if (bytes > MAX_CHUNK_BYTES) return false;
    }
    return true;
  } catch {
    return false; // whoever sent it is gone
  }
}
