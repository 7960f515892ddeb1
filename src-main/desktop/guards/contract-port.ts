import { StandardRPCHandler } from '@orpc/server/standard';
import { createServerPeerHandleRequestFn } from '@orpc/server/standard-peer';
import { ServerPeer } from '@orpc/standard-server-peer';
import type { MessagePortMain } from 'electron';
import type { App } from '../../app/app.ts';
import { createRouter } from '../../app/router.ts';
import { isRpcFrame } from '../../server/rpc/rpc-frame.ts';

/** Calls and streams of one page at a time; the busiest screen has a dozen. */
const MAX_CALLS = 100;
/** Far more than any call of the contract carries. */
const MAX_MESSAGE_CHARS = 8 * 1024 * 1024;

/** Serves the contract on a node's behalf over one message port, until either side closes it. */
export function serveContract(app: App, port: MessagePortMain): void {
  const peer = new ServerPeer((message) => port.postMessage(message));
  const handle = createServerPeerHandleRequestFn(new StandardRPCHandler(createRouter(app), {}), { context: {} });
  port.on('message', ({ data }) => {
    if (isCall(data) && peer.length < MAX_CALLS) {
      peer.message(data, handle).catch((err: unknown) => app.log.debug({ err }, 'a call of the window failed'));
    } else {
      port.close(); // no page of ours does that
    }
  });
  port.once('close', () => peer.close());
  port.start();
}

function isCall(data: unknown): data is string {
  return typeof data === 'string' && data.length <= MAX_MESSAGE_CHARS && isRpcFrame(data);
}
