import { QuarryError } from '../../src-preload/contract/errors.ts';
import { type Said, say } from '../../src-preload/contract/saying.ts';
import { ignoring } from './ignoring.ts';

/** How this browser stands with the server. */
export interface Session {
  loggedIn: boolean;
  /** Whether there is a token to log in with; if not, a link is the only way in. */
  hasToken: boolean;
  /** Whether commands are typed as in a checkout, too. */
  inCheckout: boolean;
}

export async function readSession(): Promise<Session> {
  const response = await fetch('/session', { cache: 'no-store' });
  return (await response.json()) as Session;
}

/** @throws QuarryError with what to tell the person */
export async function logIn(token: string): Promise<void> {
  const response = await fetch('/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  if (response.ok) return;
  const body = (await response.json().catch(ignoring('an answer that is no JSON says by its status what happened'))) as
    | { error?: { message?: string; said?: Said } }
    | undefined;
  const { message, said } = body?.error ?? {};
  throw new QuarryError({
    code: response.status === 429 ? 'RATE_LIMIT' : 'UNAUTHORIZED',
    message: message ?? say('login.answered', { status: String(response.status) }),
    ...(message && said && { said }),
  });
}

/** The server forgets this browser, and so does this page what was typed in it; it is as it was until it is loaded again. */
export async function logOut(): Promise<void> {
  sessionStorage.clear();
  await fetch('/session', { method: 'DELETE' });
}
