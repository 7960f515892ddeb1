import type { StandardRPCHandler } from '@orpc/server/standard';
import { createServerPeerHandleRequestFn } from '@orpc/server/standard-peer';
import { type EncodedMessage, ServerPeer } from '@orpc/standard-server-peer';
import type { Logger } from 'pino';
import { type RawData, WebSocket } from 'ws';
import type { Caller } from '../../../src-preload/contract/caller.ts';
import { isRpcFrame } from './rpc-frame.ts';

/** Whatever takes calls to the contract's implementation. */
export type ContractHandler = StandardRPCHandler<Caller>;

/** Why the server closes a WebSocket. */
export const CLOSE_CODES = {
  closing: 1001,
  binary: 1003,
  refused: 1008,
  /** The login that opened it has ended. */
  loggedOut: 4401,
} as const;

export interface RpcSocketLimits {
  /** Most calls and streams of a WebSocket at a time. Default 256. */
  socketCalls: number;
  /** Most bytes that wait for the reader of a WebSocket; more, and it is cut off. Default 16 MiB. */
  socketBufferBytes: number;
}

export interface RpcSocketOptions {
  handler: ContractHandler;
  limits: RpcSocketLimits;
  /** Whether whoever opened it may still use it. */
  allowed: () => boolean;
  caller: Caller;
  log: Logger;
}

/**
 * The contract over one WebSocket. Each message waits until the one before it has left this process, so a page that reads slowly
 * slows its own streams down; one that reads nothing is cut off. Its streams end with it.
 */
export class RpcSocket {
  readonly #socket: WebSocket;
  readonly #options: RpcSocketOptions;
  readonly #peer: ServerPeer;
  readonly #handle: ReturnType<typeof createServerPeerHandleRequestFn>;
  /** Whether something came since the last ping. */
  #alive = true;

  constructor(socket: WebSocket, options: RpcSocketOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#peer = new ServerPeer((message) => this.#send(message));
    this.#handle = createServerPeerHandleRequestFn(options.handler, { context: options.caller });
    socket.on('message', (data, isBinary) => void this.#receive(data, isBinary));
    socket.on('pong', () => this.#hear());
    socket.once('close', () => this.#peer.close());
  }

  /** Asks the other side for a sign of life. One that gave none since the last time is cut off. */
  ping(): void {
    if (this.#alive) this.#socket.ping();
    else this.#socket.terminate();
    this.#alive = false;
  }

  /** Closes it if whoever opened it may not use it any more. */
  recheck(): void {
    if (!this.#options.allowed()) this.#socket.close(CLOSE_CODES.loggedOut, 'The login has ended.');
  }

  async #receive(data: RawData, isBinary: boolean): Promise<void> {
    this.#hear();
    // What was on its way when the socket was closed.
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    if (isBinary) return this.#socket.close(CLOSE_CODES.binary, 'Messages are text.');
    const text = data.toString();
    if (!isRpcFrame(text)) return this.#socket.close(CLOSE_CODES.refused, 'This message is no call of the contract.');
    if (this.#peer.length >= this.#options.limits.socketCalls) {
      return this.#socket.close(CLOSE_CODES.refused, 'Too many calls at a time.');
    }
    await this.#peer
      .message(text, this.#handle)
      .catch((err: unknown) => this.#options.log.debug({ err }, 'call failed'));
  }

  /** Resolves when the operating system has it, or never will. @throws when the socket is closed, which ends a stream */
  async #send(message: EncodedMessage): Promise<void> {
    if (this.#socket.bufferedAmount > this.#options.limits.socketBufferBytes) this.#socket.terminate();
    if (this.#socket.readyState !== WebSocket.OPEN) throw new Error('The WebSocket is closed.');
    const { promise, resolve } = Promise.withResolvers<void>();
    // By way of the event loop: a stream that is never out of events must not keep everybody else from their turn.
    this.#socket.send(message, () => setImmediate(resolve));
    await promise;
  }

  #hear(): void {
    this.#alive = true;
  }
}
