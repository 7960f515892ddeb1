import { PROTOCOL_VERSION } from '../transport/envelope.ts';
import type { Peer } from '../transport/peer.ts';
import type { CallMessage } from './messages.ts';

/** A domain of this program and the same on another of the owner's nodes speak with each other. */
export interface FleetCall {
  /** The other node: its id, and what it is called. */
  readonly node: string;
  readonly name: string;
  /**
   * Says something; nothing happens when the call is over. What the other side cannot read at once waits, some megabytes at the most: whoever says much
   * waits for answers.
   * @param message JSON of less than 64 KiB
   * @throws PROTOCOL when it is longer
   */
  send(message: object): void;
  /** What the other side says: unchecked JSON, of 64 KiB at the most. Attach it in the turn in which the call came or was begun. */
  onMessage(listener: (message: unknown) => void): void;
  /**
   * Told once, when the other side has hung up or is gone; at once when that is so already. Not when this side hangs up.
   * @param listener `forGood`: they are not paired any more
   */
  onClose(listener: (forGood: boolean) => void): void;
  /** Hangs up. Idempotent. */
  close(): void;
}

export interface CallOptions {
  id: string;
  /** Whether this node began it. */
  isOurs: boolean;
  peer: Peer<CallMessage>;
  name: string;
  onEnd: () => void;
}

export class Call implements FleetCall {
  readonly id: string;
  readonly isOurs: boolean;
  readonly node: string;
  readonly name: string;
  readonly #peer: Peer<CallMessage>;
  readonly #onEnd: () => void;
  #listener: (message: unknown) => void = () => undefined;
  #onClose: (forGood: boolean) => void = () => undefined;
  #state: 'open' | 'ended' | 'closed' = 'open';
  #forGood = false;

  constructor({ id, isOurs, peer, name, onEnd }: CallOptions) {
    this.id = id;
    this.isOurs = isOurs;
    this.node = peer.id;
    this.name = name;
    this.#peer = peer;
    this.#onEnd = onEnd;
  }

  send(message: object): void {
    if (this.#state === 'open') this.#peer.send({ v: PROTOCOL_VERSION, type: 'call-say', id: this.id, message });
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#listener = listener;
  }

  onClose(listener: (forGood: boolean) => void): void {
    this.#onClose = listener;
    if (this.#state === 'ended') listener(this.#forGood);
  }

  close(): void {
    if (this.#state !== 'open') return;
    this.#state = 'closed';
    this.#onEnd();
    this.#peer.send({ v: PROTOCOL_VERSION, type: 'call-end', id: this.id });
  }

  /** The other side has said something. */
  take(message: unknown): void {
    if (this.#state === 'open') this.#listener(message);
  }

  /** The other side has hung up, or is gone. @param forGood they are not paired any more */
  end(forGood: boolean): void {
    if (this.#state !== 'open') return;
    this.#state = 'ended';
    this.#forGood = forGood;
    this.#onEnd();
    this.#onClose(forGood);
  }
}
