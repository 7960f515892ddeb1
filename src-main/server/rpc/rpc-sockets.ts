import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { ApiError } from '../failures/api-error.ts';
import { CLOSE_CODES, RpcSocket, type RpcSocketLimits, type RpcSocketOptions } from './rpc-socket.ts';

export interface RpcLimits extends RpcSocketLimits {
  /** Most WebSockets at a time. Default 64. */
  sockets: number;
  /** Most bytes of a message that a WebSocket brings. Default 1 MiB. */
  socketMessageBytes: number;
  /** Milliseconds between two pings; a WebSocket that lets one pass without a sign of life is cut off. Default 30,000. */
  pingMs: number;
}

export const DEFAULT_RPC_LIMITS: RpcLimits = {
  sockets: 64,
  socketMessageBytes: 1 << 20,
  socketCalls: 256,
  socketBufferBytes: 16 << 20,
  pingMs: 30_000,
};

/** Milliseconds that a page gets to say goodbye when the server closes. */
const GOODBYE_MS = 300;

/** All WebSockets of a server. A resource. */
export class RpcSockets {
  readonly #limits: RpcLimits;
  readonly #log: Logger;
  readonly #open = new Map<WebSocket, RpcSocket>();
  #heartbeat: NodeJS.Timeout | undefined;

  constructor(limits: RpcLimits, log: Logger) {
    this.#limits = limits;
    this.#log = log;
  }

  /** @throws ApiError 503 when no more may be opened */
  checkRoom(): void {
    if (this.#open.size < this.#limits.sockets) return;
    const message = `There are ${this.#open.size} open pages already. Close one, and try again.`;
    throw new ApiError(503, { message, code: 'too_many_sockets', retryAfterSeconds: 10 });
  }

  /** Serves the contract on a WebSocket until it closes. */
  add(socket: WebSocket, by: Pick<RpcSocketOptions, 'handler' | 'allowed' | 'caller'>): void {
    this.#open.set(socket, new RpcSocket(socket, { ...by, limits: this.#limits, log: this.#log }));
    socket.once('close', () => this.#remove(socket));
    // In a turn of its own: after a pause of this process what came meanwhile is heard first.
    this.#heartbeat ??= setInterval(() => setImmediate(() => this.#beat()), this.#limits.pingMs);
  }

  /** Closes those whose login has ended. */
  recheck(): void {
    for (const socket of this.#open.values()) socket.recheck();
  }

  /** Closes all with 1001; cuts off those that do not answer. Idempotent. */
  async close(): Promise<void> {
    const sockets = [...this.#open.keys()];
    const gone = sockets.map((socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())));
    for (const socket of sockets) socket.close(CLOSE_CODES.closing, 'The server is closing.');
    const cutOff = setTimeout(() => {
      for (const socket of sockets) socket.terminate();
    }, GOODBYE_MS);
    await Promise.all(gone);
    clearTimeout(cutOff);
  }

  #beat(): void {
    this.recheck();
    for (const socket of this.#open.values()) socket.ping();
  }

  #remove(socket: WebSocket): void {
    this.#open.delete(socket);
    if (this.#open.size > 0) return;
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
  }
}
