import { RPCLink } from '@orpc/client/websocket';
import type { Channel } from './connection.ts';

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
