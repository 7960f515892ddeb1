import { createORPCClient } from '@orpc/client';
import { RPCLink as PortLink } from '@orpc/client/message-port';
import { RPCLink as SocketLink } from '@orpc/client/websocket';
import { expect, it } from 'vitest';
import { say } from '../../../src-preload/contract/saying.ts';
import { toQuarryError } from '../../../src-renderer/api/errors.ts';
import { until } from '../../support/until.ts';

type Asking = { node: { status(): Promise<unknown> } };

/** A socket that takes every word, and answers none. */
class MuteSocket extends EventTarget {
  readyState = 1;
  sent = 0;

  send(): void {
    this.sent++;
  }
}

const LOST = { code: 'NOT_RUNNING', retryable: true, said: { message: say('login.connectionLost') } };

const failureOf = (asked: Promise<unknown>) => asked.then(() => undefined, toQuarryError);

it('a connection that ends amid a question is lost in words of Quarry, and so is one that had ended', async () => {
  const socket = new MuteSocket();
  const client = createORPCClient<Asking>(new SocketLink({ websocket: socket as unknown as WebSocket }));
  const failure = failureOf(client.node.status());
  await until(() => expect(socket.sent).toBe(1));
  socket.readyState = 3;
  socket.dispatchEvent(new Event('close'));
  expect(await failure).toMatchObject(LOST);
  expect(await failureOf(client.node.status())).toMatchObject(LOST);
});

it('so is the port of the desktop window', async () => {
  const { port1, port2 } = new MessageChannel();
  const client = createORPCClient<Asking>(new PortLink({ port: port1 }));
  const failure = failureOf(client.node.status());
  port1.start();
  await new Promise((resolve) => port2.once('message', resolve));
  port2.close();
  expect(await failure).toMatchObject(LOST);
});

it('what else has no name keeps its words', () => {
  const error = new Error('The server did not take the connection.');
  expect(toQuarryError(error)).toMatchObject({ code: 'NOT_RUNNING', message: error.message, retryable: true });
});
