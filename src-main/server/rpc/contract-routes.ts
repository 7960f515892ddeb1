import type { AnyRouter } from '@orpc/server';
import { RPCHandler } from '@orpc/server/fastify';
import { StandardRPCHandler } from '@orpc/server/standard';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../../src-preload/contract/caller.ts';
import type { Access } from '../access/access.ts';
import type { SessionCookie } from '../access/session-cookie.ts';
import type { Sessions } from '../access/sessions.ts';
import { ApiError } from '../failures/api-error.ts';
import type { ContractHandler } from './rpc-socket.ts';
import type { RpcSockets } from './rpc-sockets.ts';

/** Where pages open the contract's WebSocket. */
export const RPC_SOCKET_PATH = '/rpc/ws';

export interface ContractRoutes {
  router: AnyRouter;
  access: Access;
  sessions: Sessions;
  cookie: SessionCookie;
  sockets: RpcSockets;
}

/** Serves the contract: to programs over HTTP, under `/rpc`; to the screens over a WebSocket, which also carries live data. */
export function addContract(app: FastifyInstance, { router, access, sessions, cookie, sockets }: ContractRoutes): void {
  const http = new RPCHandler(router);
  app.all('/rpc/*', { onRequest: checkCall }, async (request, reply) => {
    const { matched } = await http.handle(request, reply, { prefix: '/rpc', context: callerOf(request) });
    if (!matched) reply.callNotFound();
  });

  const handler: ContractHandler = new StandardRPCHandler(router, {});
  app.route({
    method: 'GET',
    url: RPC_SOCKET_PATH,
    config: { access: 'socket' },
    preHandler: async (request) => {
      if (request.ws) sockets.checkRoom();
    },
    handler: (_request, reply) => {
      reply.header('upgrade', 'websocket');
      throw new ApiError(426, { message: 'This address speaks WebSocket only.', code: 'upgrade_required' });
    },
    wsHandler: (socket, request) => {
      const lasts = allowed(request);
      sockets.add(socket, { handler, allowed: lasts, caller: { ...callerOf(request), lasts } });
    },
  });

  const callerOf = (request: FastifyRequest): Caller => ({
    confidential: access.isConfidential(request),
    ofAccount: access.isOfAccount(request),
  });

  /** A login may end while its page is open; a token is checked once. */
  function allowed(request: FastifyRequest): () => boolean {
    const id = cookie.read(request);
    return access.hasBearer(request) ? () => true : () => sessions.isLive(id);
  }
}

/**
 * A call is a POST of JSON and nothing else: every other verb, and every other kind of body, is one that some page elsewhere can
 * make a browser send without asking first.
 * @throws ApiError 405, 415
 */
async function checkCall({ method, headers }: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (method !== 'POST') {
    reply.header('allow', 'POST');
    throw new ApiError(405, { message: 'The contract is called with POST.', code: 'method_not_allowed' });
  }
  if (!/^application\/json *(;|$)/i.test(headers['content-type'] ?? '')) {
    throw new ApiError(415, { message: 'The contract is called with JSON.', code: 'unsupported_media_type' });
  }
}
