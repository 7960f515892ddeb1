import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isCheckout } from '../../base/installation.ts';
import { ApiError } from '../failures/api-error.ts';
import type { Access } from './access.ts';
import type { EntryCodes } from './entry-codes.ts';
import type { SessionCookie } from './session-cookie.ts';
import type { Sessions } from './sessions.ts';

export interface SessionRoutes {
  access: Access;
  codes: EntryCodes;
  sessions: Sessions;
  cookie: SessionCookie;
  /** A session has ended before its time. */
  onEnd: () => void;
}

/** What `/session` says. */
interface SessionState {
  /** Whether this browser may use the contract now. */
  loggedIn: boolean;
  /** Whether there is a token to log in with; if not, a link is the only way in. */
  hasToken: boolean;
  /** Whether commands are typed as in a checkout, too. */
  inCheckout: boolean;
}

const PUBLIC = { config: { access: 'public' } } as const;
const LOGIN = { ...PUBLIC, bodyLimit: 4_096 };
/** To ask for its head would use the code up. */
const ENTRY = { ...PUBLIC, exposeHeadRoute: false };
const loginSchema = z.strictObject({ token: z.string().max(512) });
const entrySchema = z.object({ code: z.string().max(100) });

/** Where the code of a link is brought. */
export const ENTRY_PATH = '/enter';
/** What the screens are opened with by a link that opens nothing. */
const LINK_OVER = '/?link=over';

/**
 * The ways in for browsers: by a link whose code works once, or by the token, which they send once. Both give a cookie. It opens
 * the contract's WebSocket to pages of this origin, and nothing else: programs send a token with every request instead.
 */
export function addSessionRoutes(
  app: FastifyInstance,
  { access, codes, sessions, cookie, onEnd }: SessionRoutes,
): void {
  const stands = (loggedIn: boolean): SessionState => ({
    loggedIn,
    hasToken: access.hasToken,
    inCheckout: isCheckout(),
  });

  app.get('/session', PUBLIC, (request, reply): SessionState => {
    reply.header('cache-control', 'no-store');
    return stands(sessions.isLive(cookie.read(request)));
  });

  app.post('/session', LOGIN, async (request, reply): Promise<SessionState> => {
    const id = cookie.read(request);
    access.checkLogin(request, tokenOf(request.body), sessions.isLive(id) ? id : undefined);
    await end(request);
    cookie.write(reply, await sessions.start());
    return stands(true);
  });

  app.delete('/session', PUBLIC, async (request, reply: FastifyReply): Promise<SessionState> => {
    cookie.clear(reply);
    await end(request);
    return stands(false);
  });

  // The answer leads away at once: the code stays in no address bar, history or referrer.
  app.get(ENTRY_PATH, ENTRY, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (isGuess(request))
      throw new ApiError(503, { message: 'This address is not loaded before somebody asks for it.' });
    const code = entrySchema.safeParse(request.query).data?.code ?? '';
    const entered = codes.take(code);
    if (sessions.isLive(cookie.read(request))) return reply.redirect('/', 303);
    if (entered) {
      cookie.write(reply, await sessions.start());
      return reply.redirect('/', 303);
    }
    access.countGuess(request, code);
    return reply.redirect(LINK_OVER, 303);
  });

  async function end(request: FastifyRequest): Promise<void> {
    const id = cookie.read(request);
    if (id === undefined) return;
    const ended = sessions.end(id);
    onEnd();
    await ended;
  }
}

/** Browsers load what somebody might open next. */
function isGuess({ headers }: FastifyRequest): boolean {
  return /\bprefetch\b/i.test(`${headers['sec-purpose']} ${headers.purpose}`);
}

/** @throws ApiError 400 when the body is no login */
function tokenOf(body: unknown): string {
  const { data } = loginSchema.safeParse(body);
  if (data) return data.token;
  throw new ApiError(400, { message: 'A login is «{"token": "…"}» and nothing else.', param: 'token' });
}
