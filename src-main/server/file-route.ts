import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** Files for those who have a ticket, which nobody guesses: a link or a `<video>` brings no token along. @param paths with a `:ticket` */
export function addFileRoute(
  app: FastifyInstance,
  paths: readonly string[],
  give: (request: Request) => Promise<Response>,
): void {
  for (const path of paths)
    app.get(path, { config: { access: 'public' } }, async ({ headers, url, method }, reply) => {
      const { range } = headers;
      const asked = new Request(new URL(url, 'http://node'), { method, headers: range === undefined ? {} : { range } });
      const { status, headers: told, body } = await give(asked);
      reply.code(status).headers(Object.fromEntries(told));
      return reply.send(body ? Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]) : undefined);
    });
}
