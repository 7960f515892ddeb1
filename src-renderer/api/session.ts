import { QuarryError } from '../../src-preload/contract/errors.ts';
import { type Said, say } from '../../src-preload/contract/saying.ts';
import { ignoring } from './ignoring.ts';

/** Whether the server wants its token before it talks to this browser. */
export async function hasToLogIn(): Promise<boolean> {
  const response = await fetch('/session', { cache: 'no-store' });
  const { needed, loggedIn } = (await response.json()) as { needed: boolean; loggedIn: boolean };
  return needed && !loggedIn;
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

/** The server forgets this browser; the page is as it was until it is loaded again. */
export async function logOut(): Promise<void> {
  await fetch('/session', { method: 'DELETE' });
}
