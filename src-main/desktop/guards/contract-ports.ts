import type { AnyRouter } from '@orpc/server';
import { StandardRPCHandler } from '@orpc/server/standard';
import { createServerPeerHandleRequestFn } from '@orpc/server/standard-peer';
import { ServerPeer } from '@orpc/standard-server-peer';
import type { IpcMainEvent, MessagePortMain } from 'electron';
import type { Caller } from '../../../src-preload/contract/caller.ts';
import type { App } from '../../app/app.ts';
import { isRpcFrame } from '../../server/rpc/rpc-frame.ts';
import { APP_ORIGIN } from './origin.ts';

/** The channel on which a page hands over its end of the contract. */
export const CONTRACT_CHANNEL = 'quarry:contract';

/** A page needs one; what asks for more has gone wrong, or means no good. */
const MAX_PORTS = 8;

/** Calls and streams of one page at a time; the busiest screen has a dozen. */
const MAX_CALLS = 100;
/** Far more than any call of the contract carries. */
const MAX_MESSAGE_CHARS = 8 * 1024 * 1024;
/** As much of a node as serves the contract. */
export interface ServedNode extends Pick<App, 'log'> {
  readonly contract: AnyRouter;
}

/** Whoever keeps a node that may be replaced. */
export interface ServedHost {
  readonly app: ServedNode | undefined;
  on(event: 'open' | 'close', listener: (app: ServedNode) => void): this;
  off(event: 'open' | 'close', listener: (app: ServedNode) => void): this;
}

/** Serves the contract to pages. A port that comes before the node is open waits for it. A resource. */
export class ContractPorts {
  readonly #host: ServedHost;
  readonly #ports = new Set<MessagePortMain>();

  constructor(host: ServedHost) {
    this.#host = host;
  }

  open(): void {
    this.#host.on('open', this.#onOpen).on('close', this.#closeAll);
  }

  close(): void {
    this.#host.off('open', this.#onOpen).off('close', this.#closeAll);
    this.#closeAll();
  }

  /** For `ipcMain`: takes the port that a page sends, if the page is ours and sends exactly one. */
  readonly accept = (event: IpcMainEvent): void => {
    const [port] = event.ports;
    if (!isTrusted(event) || event.ports.length !== 1 || !port || this.#ports.size >= MAX_PORTS) {
      for (const unwanted of event.ports) unwanted.close();
      return;
    }
    this.#ports.add(port);
    port.once('close', () => this.#ports.delete(port));
    // Until it is served, a port keeps what comes in.
    if (this.#host.app) serveContract(this.#host.app, port);
  };

  readonly #onOpen = (app: ServedNode): void => {
    for (const port of this.#ports) serveContract(app, port);
  };

  /** The pages see their ports close, and connect again. */
  readonly #closeAll = (): void => {
    for (const port of this.#ports) port.close();
    this.#ports.clear();
  };
}

/** Whether the app's own page sent it, from its main frame. */
function isTrusted({ senderFrame, sender }: IpcMainEvent): boolean {
  return senderFrame !== null && senderFrame === sender.mainFrame && senderFrame.origin === APP_ORIGIN;
}

/** Serves the contract on a node's behalf over one message port, until either side closes it. */
function serveContract(app: ServedNode, port: MessagePortMain): void {
  const peer = new ServerPeer((message) => port.postMessage(message));
  const context: Caller = { confidential: true, ofAccount: true };
  const handle = createServerPeerHandleRequestFn(new StandardRPCHandler(app.contract, {}), { context });
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
