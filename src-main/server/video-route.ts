import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { FOCUS_VIDEO_PATH, STRIP_NAME } from '../../src-preload/contract/focus-limits.ts';

/** Videos of recordings and small pictures of them, in ranges of bytes. A ticket lets in, which nobody guesses: a `<video>` brings no token along. */
export function addVideoRoute(app: FastifyInstance, giveVideo: (request: Request) => Promise<Response>): void {
  const paths = [`${FOCUS_VIDEO_PATH}/:ticket`, `${FOCUS_VIDEO_PATH}/:ticket/${STRIP_NAME}`];
  for (const path of paths)
    app.get(path, { config: { access: 'public' } }, async ({ headers, url, method }, reply) => {
      const { range } = headers;
      const asked = new Request(new URL(url, 'http://node'), { method, headers: range === undefined ? {} : { range } });
      const { status, headers: told, body } = await giveVideo(asked);
      reply.code(status).headers(Object.fromEntries(told));
      return reply.send(body ? Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]) : undefined);
    });
}
