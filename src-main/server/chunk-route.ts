import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { CHUNK_KEY_HEADER, CHUNK_PATH } from '../../src-preload/contract/focus-limits.ts';

/**
 * Chunks of recordings, as bytes. Who hands them over is asked twice: the page has to be let in, as for the contract’s WebSocket, and bring the recording’s
 * own key. The body is not read before that.
 */
export async function addChunkRoute(
  app: FastifyInstance,
  takeChunk: (request: Request) => Promise<Response>,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/octet-stream', (_request, body, done) => done(null, body));
    scope.post(CHUNK_PATH, { config: { access: 'socket' } }, async ({ headers, url, raw }, reply) => {
      const key = headers[CHUNK_KEY_HEADER];
      const asked = new Request(new URL(url, 'http://node'), {
        method: 'POST',
        headers: typeof key === 'string' ? { [CHUNK_KEY_HEADER]: key } : {},
        body: Readable.toWeb(raw) as ReadableStream<Uint8Array>,
        duplex: 'half',
      });
      const answer = await takeChunk(asked);
      reply.code(answer.status).type('application/json');
      return answer.text();
    });
  });
}
