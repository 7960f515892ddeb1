import { RPCLink } from '@orpc/client/message-port';
import type { Channel } from './connection.ts';

/** Whether this page is shown by the desktop app: it has an origin of its own there. */
export function isDesktop(): boolean {
  return location.protocol === 'quarry-app:';
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/** Whether the node runs on the computer that shows this page, as far as the address tells. */
export function isOnThisComputer(): boolean {
  return isDesktop() || LOOPBACK.includes(location.hostname);
}

/** The contract over a message port that the preload script hands on to main. */
export async function openPort(onLost: () => void): Promise<Channel> {
  const { port1, port2 } = new MessageChannel();
  port1.addEventListener('close', onLost, { once: true });
  const link = new RPCLink({ port: port1 });
  port1.start();
  window.postMessage('quarry:connect', location.origin, [port2]);
  return { link, close: () => port1.close() };
}
