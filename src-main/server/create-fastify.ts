import type { IncomingMessage } from 'node:http';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { TlsPair } from '../http/tls-files.ts';
import { toApiError } from './api-error.ts';
import { notFound } from './openai/routes.ts';
import type { ServerLimits } from './ports.ts';

/** A server without routes, whose failures are all told as OpenAI tells them. */
export function createFastify(
  { bodyBytes, requestTimeoutMs }: ServerLimits,
  { behindProxy, tls }: { behindProxy: boolean; tls: TlsPair | undefined },
): FastifyInstance {
  const http = {
    // Node looks for late requests this often, by itself every 30 s.
    headersTimeout: requestTimeoutMs,
    connectionsCheckingInterval: requestTimeoutMs / 2,
    shouldUpgradeCallback: isWebSocket,
  };
  const app = fastify({
    bodyLimit: bodyBytes,
    requestTimeout: requestTimeoutMs,
    ...(tls ? { https: { ...http, ...tls, handshakeTimeout: requestTimeoutMs } } : { http }),
    // The proxy says who asks; nobody else may.
    trustProxy: behindProxy ? 'loopback' : false,
    forceCloseConnections: 'idle',
    frameworkErrors: (error: Error, _request: FastifyRequest, reply: FastifyReply) => sendError(error, reply),
  }) as unknown as FastifyInstance;
  app.removeContentTypeParser('text/plain');
  app.setErrorHandler((error, _request, reply) => sendError(error, reply));
  app.setNotFoundHandler(notFound);
  return app;
}

/** Some clients offer HTTP/2 by `Upgrade: h2c` with every request: those are served as if they had not. */
function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

function sendError(error: unknown, reply: FastifyReply): void {
  const failure = toApiError(error);
  if (failure.retryAfterSeconds !== undefined) reply.header('retry-after', failure.retryAfterSeconds);
  if (failure.status === 401) reply.header('www-authenticate', 'Bearer');
  reply.code(failure.status).send(failure.toJSON());
}
