import { EventEmitter } from 'node:events';
import type { MessagePortMain } from 'electron';
import { channel } from './channel.ts';

const ports = new Map<string, DoublePort>();

channel.hear('port-message', ({ port, data }) => ports.get(port)?.deliver(data));
channel.hear('port-close', ({ port }) => ports.get(port)?.end());

/** A message port whose other end is in the page. Keeps what comes in until it is started, as Electron's does. */
export class DoublePort extends EventEmitter implements Pick<MessagePortMain, 'postMessage' | 'start' | 'close'> {
  readonly #id: string;
  #waiting: string[] | undefined = [];
  #closed = false;

  constructor(id: string) {
    super();
    this.#id = id;
    ports.set(id, this);
  }

  postMessage(data: unknown): void {
    if (typeof data !== 'string') throw new TypeError('The double carries text only.');
    if (!this.#closed) channel.send({ type: 'port-message', port: this.#id, data });
  }

  start(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const data of waiting) this.emit('message', { data, ports: [] });
  }

  close(): void {
    if (!this.#closed) channel.send({ type: 'port-close', port: this.#id });
    this.end();
  }

  deliver(data: string): void {
    if (this.#waiting) this.#waiting.push(data);
    else this.emit('message', { data, ports: [] });
  }

  /** As in Electron, whichever side ended it, and from within the call that did. */
  end(): void {
    if (this.#closed) return;
    this.#closed = true;
    ports.delete(this.#id);
    this.emit('close');
  }
}
