import type { Channel } from '../../../src-main/learning/training/remote/channel.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';

/** Something that one side says to the other. */
export interface Said {
  from: 'asker' | 'host';
  message: Record<string, unknown>;
}

/** A way between two nodes in memory: what is said comes in later turns, as JSON, and can be looked at, changed, lost and cut off. */
export class Wire {
  readonly said: Said[] = [];
  /** Looks at what is said before it comes. @returns what comes instead; undefined: nothing */
  between: (said: Said) => object | undefined = ({ message }) => message;
  /** Whether a new channel can be opened. */
  isUp = true;
  readonly #take: (channel: Channel) => void;
  #ends: End[] = [];

  /** @param take the host's side takes a channel */
  constructor(take: (channel: Channel) => void) {
    this.#take = take;
  }

  /** How many channels are open. */
  get open(): number {
    return this.#ends.filter(({ isOpen }) => isOpen).length / 2;
  }

  dial(): Channel {
    if (!this.isUp) throw new QuarryError({ code: 'NOT_RUNNING', message: 'away', retryable: true });
    const [asker, host] = [new End(this, 'asker'), new End(this, 'host')];
    asker.other = host;
    host.other = asker;
    this.#ends.push(asker, host);
    this.#take(host);
    return asker;
  }

  /** The connection breaks off: both sides are told. @param forGood they are not paired any more */
  cut(forGood = false): void {
    for (const end of this.#ends.splice(0)) end.gone(forGood);
  }
}

class End implements Channel {
  readonly node: string;
  readonly name: string;
  other: End | undefined;
  isOpen = true;
  readonly #wire: Wire;
  readonly #side: Said['from'];
  #onMessage: (message: unknown) => void = () => undefined;
  #onClose: (forGood: boolean) => void = () => undefined;

  constructor(wire: Wire, side: Said['from']) {
    this.#wire = wire;
    this.#side = side;
    this.node = side === 'asker' ? 'b'.repeat(64) : 'a'.repeat(64);
    this.name = side === 'asker' ? 'PC' : 'Laptop';
  }

  send(message: object): void {
    if (!this.isOpen) return;
    const said = { from: this.#side, message: JSON.parse(JSON.stringify(message)) };
    this.#wire.said.push(said);
    const comes = this.#wire.between(said);
    if (comes) setImmediate(() => this.other?.hear(comes));
  }

  hear(message: object): void {
    if (this.isOpen) this.#onMessage(message);
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#onMessage = listener;
  }

  onClose(listener: (forGood: boolean) => void): void {
    this.#onClose = listener;
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    setImmediate(() => this.other?.gone());
  }

  gone(forGood = false): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.#onClose(forGood);
  }
}
