import type { Terms, WorkerCredits } from '../../credits/credits.ts';
import { MAX_VOICES } from '../../credits/voucher.ts';
import { type InferenceMessage, MAX_CREDITS } from '../inference/messages.ts';
import { PROTOCOL_VERSION } from '../transport/envelope.ts';
import type { Peer } from '../transport/peer.ts';

/** Fewest milliseconds between two terms for one client. */
const GAP_MS = 1_000;
/** Milliseconds after which all hear it again: whose vouchers are taken changes without them, and gifts are forgiven with time. */
const BEAT_MS = 60_000;

interface Client {
  sentAt: number;
  soon: NodeJS.Timeout | undefined;
}

/** Tells clients what this worker owes them and would give them, and whose vouchers it takes: when they come, when that changes, and every minute. */
export class TermsSender {
  readonly #credits: Pick<WorkerCredits, 'terms'>;
  readonly #now: () => number;
  readonly #clients = new Map<Peer<InferenceMessage>, Client>();
  #beat: NodeJS.Timeout | undefined;

  constructor(options: { credits: Pick<WorkerCredits, 'terms'>; now: () => number }) {
    this.#credits = options.credits;
    this.#now = options.now;
  }

  open(): void {
    this.#beat = setInterval(() => this.#touchAll(), BEAT_MS);
  }

  /** A peer has come: one that asks is told. */
  met(peer: Peer<InferenceMessage>): void {
    if (!peer.sides.includes('client')) return;
    this.#clients.set(peer, { sentAt: Number.NEGATIVE_INFINITY, soon: undefined });
    this.touch(peer);
  }

  /** Something has changed for a client: it hears of it now, or as soon as the gap since the last time allows. */
  touch(peer: Peer<InferenceMessage>): void {
    const client = this.#clients.get(peer);
    if (!client || client.soon) return;
    const waitMs = client.sentAt + GAP_MS - this.#now();
    if (waitMs <= 0) this.#send(peer, client);
    else client.soon = setTimeout(() => this.#send(peer, client), Math.min(waitMs, GAP_MS));
  }

  left(peer: Peer<InferenceMessage>): void {
    clearTimeout(this.#clients.get(peer)?.soon);
    this.#clients.delete(peer);
  }

  close(): void {
    clearInterval(this.#beat);
    for (const peer of [...this.#clients.keys()]) this.left(peer);
  }

  #touchAll(): void {
    for (const peer of this.#clients.keys()) this.touch(peer);
  }

  #send(peer: Peer<InferenceMessage>, client: Client): void {
    client.soon = undefined;
    client.sentAt = this.#now();
    peer.send({ v: PROTOCOL_VERSION, type: 'terms', ...bounded(this.#credits.terms(peer.id, peer.host)) });
  }
}

function bounded({ owed, gift, salt, voices }: Terms): Terms {
  const within = (credits: number) => Math.min(MAX_CREDITS, Math.max(0, credits));
  return { owed: Math.floor(within(owed)), gift: within(gift), salt, voices: voices.slice(0, MAX_VOICES) };
}
