import { EventEmitter } from 'node:events';
import type { z } from 'zod';
import type { Side } from '../../../src-preload/contract/mesh.ts';
import { TokenBucket } from '../../base/token-bucket.ts';
import type { Connection } from './connection.ts';
import { PROTOCOL_VERSION } from './envelope.ts';
import type { Offence } from './guards/ban-list.ts';
import { DEFAULT_LIMITS } from './guards/limits.ts';
import type { Link } from './link.ts';
import { type Hello, pingSchema, pongSchema, VALIDATOR_CAP } from './messages.ts';

interface PeerEvents<M> {
  message: [M];
  /** The peer reads again after {@link Peer.send} returned false. */
  drain: [];
  close: [string];
}

/** Another node on one network, after its hello. `M` is the union of messages that this network carries. */
export class Peer<M extends { type: string }> extends EventEmitter<PeerEvents<M>> {
  /** The node's id, 64 hex: its key in the Noise handshake. */
  readonly id: string;
  readonly hello: Hello;
  /** Milliseconds by which the peer's clock was ahead of ours when its hello came, by its own word. */
  readonly clockOffsetMs: number;
  /** Where the connection comes from: proven by the hello. */
  readonly host: string;
  /** Shared by the networks that both nodes take part in; Hypercore replication may ride on its `mux`. */
  readonly connection: Connection;
  /**
   * How many frames may be sent without a thought: half of what a peer takes by default. Whoever streams asks it, and
   * joins pieces when it says no.
   */
  readonly pace: TokenBucket;
  /** Milliseconds of the last ping's way there and back; undefined until the first one returned. */
  rttMs: number | undefined;
  readonly #link: Link;
  readonly #schema: z.ZodType<M>;
  readonly #now: () => number;
  readonly #onClose: (reason: string) => void;
  readonly #onOffence: (offence: Offence, detail: string) => void;
  readonly #onFault: (offence: Offence, detail: string) => void;
  readonly #onUseful: () => void;
  #ping: { nonce: number; sentAt: number } | undefined;
  #pings = 0;
  /** The peer's last ping, which is answered when it reads again. */
  #unanswered: number | undefined;
  #isWanted: (frame: Record<string, unknown>) => boolean = () => true;
  #closed = false;

  constructor(options: {
    connection: Connection;
    hello: Hello;
    clockOffsetMs: number;
    link: Link;
    schema: z.ZodType<M>;
    now: () => number;
    onClose: (reason: string) => void;
    onOffence: (offence: Offence, detail: string) => void;
    onFault: (offence: Offence, detail: string) => void;
    onUseful: () => void;
  }) {
    super();
    this.setMaxListeners(0); // every request in flight listens for `drain` and `close`
    this.id = options.connection.id;
    this.host = options.connection.host;
    this.connection = options.connection;
    this.hello = options.hello;
    this.clockOffsetMs = options.clockOffsetMs;
    this.#link = options.link;
    this.#schema = options.schema;
    this.#now = options.now;
    this.#onClose = options.onClose;
    this.#onOffence = options.onOffence;
    this.#onFault = options.onFault;
    this.#onUseful = options.onUseful;
    this.on('drain', () => this.#answer(this.#unanswered));
    this.pace = new TokenBucket(DEFAULT_LIMITS.framesPerSecond / 2, DEFAULT_LIMITS.frameBurst / 2, options.now());
  }

  /** The sides of a request that the peer takes, by its own word. */
  get sides(): readonly Side[] {
    return this.hello.sides;
  }

  /** Whether its node's role is validator, by its own word. */
  get isValidator(): boolean {
    return this.hello.caps.includes(VALIDATOR_CAP);
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Bytes that wait because the peer reads slowly. */
  get queuedBytes(): number {
    return this.#link.queuedBytes;
  }

  /**
   * Sends a message; one that cannot go out at once waits in a bounded queue.
   *
   * @returns false when the peer is gone or reads too slowly: wait for `drain` before sending much more
   * @throws PROTOCOL when the message is over the network's frame limit
   */
  send(message: M): boolean {
    return this.#link.send(message);
  }

  /** Calls `listener` with every message that passed the schema. Attach it in the turn of the network's `peer` event. */
  onMessage(listener: (message: M) => void): this {
    return this.on('message', listener);
  }

  /**
   * Has frames looked at before the schema reads them, which costs many times as much: one that is not wanted is passed over, and it
   * is an offence when there is no end of those. Attach it in the turn of the network's `peer` event.
   *
   * @param isWanted may take out of a frame what nobody asked for. Whatever it does not know is wanted: the schema refuses it
   */
  screen(isWanted: (frame: Record<string, unknown>) => boolean): void {
    this.#isWanted = isWanted;
  }

  /** Leaves this peer on this network; the connection ends unless another network uses it. */
  close(reason: string): void {
    this.#onClose(reason);
  }

  /** Notes that the peer broke a rule and ends the connection; enough offences ban it. */
  offend(offence: Offence, detail: string): void {
    this.#onOffence(offence, detail);
  }

  /** Notes an offence that is answered rather than ends the connection: it weighs the same, and enough of it bans the peer. */
  blame(offence: Offence, detail: string): void {
    this.#onFault(offence, detail);
  }

  /** Notes that a request was answered and paid for: such a peer keeps its place when places are few. */
  useful(): void {
    this.#onUseful();
  }

  /** Takes a frame of so many bytes from the link. For the network only. */
  receive(frame: unknown, bytes: number): void {
    if (this.#keepsAlive(frame)) return;
    if (typeof frame === 'object' && frame !== null && !this.#isWanted(frame as Record<string, unknown>)) {
      if (!this.connection.budget.mayIdle(bytes)) this.offend('too many frames', 'nobody asked for them');
      return;
    }
    const parsed = this.#schema.safeParse(frame);
    if (parsed.success) this.emit('message', parsed.data);
    else this.offend('protocol error', describe(parsed.error));
  }

  /**
   * Sends a ping, the same again as long as it is not answered: the answer may wait behind a long message of the peer's own, and the
   * peer should hear all the same that this node is there. Returns milliseconds since the peer was last heard. For the network only.
   */
  probe(): number {
    const now = this.#now();
    this.#ping ??= { nonce: this.#pings++, sentAt: now };
    this.#link.send({ v: PROTOCOL_VERSION, type: 'ping', nonce: this.#ping.nonce });
    return now - this.connection.heardAt;
  }

  /** The channel ended. For the network only. */
  end(reason: string): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#link.close();
    this.emit('close', reason);
  }

  /** Answers a ping. Of those that come while the peer does not read only the last one is, when it does again. */
  #answer(nonce: number | undefined): void {
    this.#unanswered = this.queuedBytes > 0 ? nonce : undefined;
    if (nonce !== undefined && this.#unanswered === undefined)
      this.#link.send({ v: PROTOCOL_VERSION, type: 'pong', nonce });
  }

  #keepsAlive(frame: unknown): boolean {
    const type = (frame as { type?: unknown } | null)?.type;
    if (type === 'ping') {
      const ping = pingSchema.safeParse(frame);
      if (ping.success) this.#answer(ping.data.nonce);
      else this.offend('protocol error', describe(ping.error));
      return true;
    }
    if (type === 'pong') {
      const pong = pongSchema.safeParse(frame);
      if (!pong.success) this.offend('protocol error', describe(pong.error));
      else if (pong.data.nonce === this.#ping?.nonce) {
        this.rttMs = this.#now() - this.#ping.sentAt;
        this.#ping = undefined;
      }
      return true;
    }
    return false;
  }
}

/** The first fault of a message, without its content. */
function describe(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue ? `${issue.path.join('.') || 'message'}: ${issue.code}` : 'invalid message';
}
