import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { ApiError } from './api-error.ts';
import type { ServerLimits } from './ports.ts';
import { CLOSE_CODES, type ContractHandler, RpcSocket } from './rpc-socket.ts';

/** Milliseconds that a page gets to say goodbye when the server closes. */
const GOODBYE_MS = 300;

/** All WebSockets of a server. A resource. */
export class RpcSockets {
  readonly #limits: ServerLimits;
  readonly #log: Logger;
  readonly #open = new Map<WebSocket, RpcSocket>();
  #heartbeat: NodeJS.Timeout | undefined;

  constructor(limits: ServerLimits, log: Logger) {
    this.#limits = limits;
    this.#log = log;
  }

  /** @throws ApiError 503 when no more may be opened */
  checkRoom(): void {
    if (this.#open.size < this.#limits.sockets) return;
    const message = `There are ${this.#open.size} open pages already. Close one, and try again.`;
    throw new ApiError(503, { message, code: 'too_many_sockets', retryAfterSeconds: 10 });
  }

  /** Serves the contract on a WebSocket until it closes. `allowed`: whether whoever opened it may still use it. */
  add(socket: WebSocket, handler: ContractHandler, allowed: () => boolean): void {
    this.#open.set(socket, new RpcSocket(socket, { handler, limits: this.#limits, allowed, log: this.#log }));
    socket.once('close', () => this.#remove(socket));
    this.#heartbeat ??= setInterval(() => this.#beat(), this.#limits.pingMs);
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
