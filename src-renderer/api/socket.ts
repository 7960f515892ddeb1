import { RPCLink } from '@orpc/client/websocket';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import type { Channel } from './connection.ts';
import { ignoring } from './ignoring.ts';

/** The contract over a WebSocket to the server that this page came from. */
export async function openSocket(onLost: () => void): Promise<Channel> {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  const socket = new WebSocket(`${scheme}://${location.host}/rpc/ws`);
  const link = new RPCLink({ websocket: socket });
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve(), { once: true });
    socket.addEventListener('close', () => reject(new Error('The server did not take the connection.')), {
      once: true,
    });
  });
  socket.addEventListener('close', onLost, { once: true });
  return { link, close: () => socket.close() };
}

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
    | { error?: { message?: string } }
    | undefined;
  throw new QuarryError({
    code: response.status === 429 ? 'RATE_LIMIT' : 'UNAUTHORIZED',
    message: body?.error?.message ?? `The server answered ${response.status}.`,
  });
}

export async function logOut(): Promise<void> {
  await fetch('/session', { method: 'DELETE' });
  location.reload();
}
