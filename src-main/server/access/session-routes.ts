import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ApiError } from '../failures/api-error.ts';
import type { Access } from './access.ts';
import type { SessionCookie, Sessions } from './sessions.ts';

export interface SessionRoutes {
  access: Access;
  sessions: Sessions;
  cookie: SessionCookie;
  /** A session has ended before its time. */
  onEnd: () => void;
}

/** What `/session` says. */
interface SessionState {
  /** Whether this server asks browsers to log in. */
  needed: boolean;
  /** Whether this browser may use the contract now. */
  loggedIn: boolean;
}

const PUBLIC = { config: { access: 'public' } } as const;
const LOGIN = { ...PUBLIC, bodyLimit: 4_096 };
const loginSchema = z.strictObject({ token: z.string().max(512) });

/**
 * The way in for browsers: they send the token once and get a cookie. It opens the contract's WebSocket to pages of this origin,
 * and nothing else: programs send the token with every request instead.
 */
export function addSessionRoutes(app: FastifyInstance, { access, sessions, cookie, onEnd }: SessionRoutes): void {
  app.get('/session', PUBLIC, (request, reply): SessionState => {
    reply.header('cache-control', 'no-store');
    const loggedIn = !access.needsToken || sessions.isLive(cookie.read(request));
    return { needed: access.needsToken, loggedIn };
  });

  app.post('/session', LOGIN, (request, reply): SessionState => {
    const token = tokenOf(request.body);
    if (access.needsToken) {
      access.checkLogin(request, token);
      end(request);
      cookie.write(reply, sessions.start());
    }
    return { needed: access.needsToken, loggedIn: true };
  });

  app.delete('/session', PUBLIC, (request, reply: FastifyReply): SessionState => {
    end(request);
    cookie.clear(reply);
    return { needed: access.needsToken, loggedIn: !access.needsToken };
  });

  function end(request: FastifyRequest): void {
    const id = cookie.read(request);
    if (id === undefined) return;
    sessions.end(id);
    onEnd();
  }
}

/** @throws ApiError 400 when the body is no login */
function tokenOf(body: unknown): string {
  const { data } = loginSchema.safeParse(body);
  if (data) return data.token;
  throw new ApiError(400, { message: 'A login is «{"token": "…"}» and nothing else.', param: 'token' });
}
