import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { TaskSet } from '../../base/task-set.ts';
import type { ClientCredits } from '../../credits/credits.ts';
import { VOUCHER_MS, VOUCHER_SKEW_MS } from '../../credits/standing/vouchers.ts';
import { MAX_VOUCHERS, type Voucher, voucherBytes } from '../../credits/voucher.ts';
import type { InferenceMessage, VoucherMessage, VouchMessage } from '../inference/messages.ts';
import { PROTOCOL_VERSION } from '../transport/envelope.ts';
import { verify } from '../transport/identity.ts';
import type { MeshNetwork } from '../transport/network.ts';
import type { Peer } from '../transport/peer.ts';

/** How long a request waits for vouchers, in milliseconds: whoever has not answered by then is not waited for. */
const VOUCHERS_MS = 1_000;
/** A voucher that is worth bringing along is good for so long yet, in milliseconds. */
const LEAST_LEFT_MS = 60_000;
/** Questions that may still be answered, and workers for whom vouchers that came too late are kept. */
const ASKED = 256;
const WORKERS = 256;

type Wish = Pick<VouchMessage, 'kind' | 'worker' | 'credits'>;

interface Asked {
  peer: Peer<InferenceMessage>;
  wish: Wish;
  /** Somebody waits for it. */
  resolve: ((voucher: Voucher | undefined) => void) | undefined;
}

export interface VoucherPurseOptions {
  network: MeshNetwork<InferenceMessage>;
  /** This node's id. */
  client: string;
  credits: Pick<ClientCredits, 'vouched'>;
  /** Milliseconds that a request waits. Default 1,000. */
  patienceMs?: number | undefined;
  /** Somebody who was asked has vouched; or has said no, nothing in time, or what is no voucher. */
  onAsked: (by: string, vouched: boolean) => void;
  now: () => number;
  log: Logger;
}

/** Asks those whom this node has served to vouch for it, and keeps what they have signed until it is brought to its worker. */
export class VoucherPurse {
  readonly #options: VoucherPurseOptions;
  readonly #asked = new LRUCache<string, Asked>({ max: ASKED });
  /** By worker: what came too late, or came back. */
  readonly #kept = new LRUCache<string, Voucher[]>({ max: WORKERS });
  readonly #tasks = new TaskSet();
  #unfollow = () => {};

  constructor(options: VoucherPurseOptions) {
    this.#options = options;
  }

  open(): void {
    this.#unfollow = this.#options.network.follow(
      (peer) => this.#attach(peer),
      (peer) => this.#left(peer),
    );
  }

  /** Waits for the books. */
  async close(): Promise<void> {
    this.#unfollow();
    for (const { peer } of [...this.#asked.values()]) this.#left(peer);
    await this.#tasks.ended();
  }

  /** What there is for a worker without asking anybody: it is handed out once. */
  take(worker: string): Voucher[] {
    const kept = this.#kept.get(worker) ?? [];
    this.#kept.delete(worker);
    return kept.filter((voucher) => this.#isInTime(voucher));
  }

  /** Takes vouchers back that their worker has not looked at, for another time. */
  keep(worker: string, vouchers: readonly Voucher[]): void {
    const kept = [...(this.#kept.get(worker) ?? []), ...vouchers].slice(-MAX_VOUCHERS);
    if (kept.length > 0) this.#kept.set(worker, kept);
  }

  /** Asks peers at once for parts of what they owe. @returns what came in time; what comes later is kept */
  async claims(
    worker: string,
    shares: readonly { by: string; credits: number }[],
    signal: AbortSignal,
  ): Promise<Voucher[]> {
    const asked = shares.map(({ by, credits }) => this.#ask(by, { kind: 'claim', worker, credits }, signal));
    return (await Promise.all(asked)).filter((voucher) => voucher !== undefined);
  }

  /** Asks a peer for its word. */
  async word(worker: string, by: string, credits: number, signal: AbortSignal): Promise<Voucher[]> {
    const voucher = await this.#ask(by, { kind: 'word', worker, credits }, signal);
    return voucher ? [voucher] : [];
  }

  #ask(by: string, wish: Wish, signal: AbortSignal): Promise<Voucher | undefined> {
    const peer = this.#options.network.peers.get(by);
    if (!peer || signal.aborted) return Promise.resolve(undefined);
    const requestId = randomBytes(16).toString('hex');
    const { promise, resolve } = Promise.withResolvers<Voucher | undefined>();
    const asked: Asked = { peer, wish, resolve };
    const giveUp = () => {
      asked.resolve = undefined;
      resolve(undefined);
    };
    const tooLate = () => {
      this.#options.onAsked(by, false);
      giveUp();
    };
    const timer = setTimeout(tooLate, this.#options.patienceMs ?? VOUCHERS_MS);
    signal.addEventListener('abort', giveUp, { once: true });
    this.#asked.set(requestId, asked);
    peer.send({ v: PROTOCOL_VERSION, type: 'vouch', requestId, ...wish });
    return promise.finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    });
  }

  #attach(peer: Peer<InferenceMessage>): void {
    peer.onMessage((message) => {
      if (message.type === 'voucher') this.#answered(peer, message);
    });
  }

  #left(peer: Peer<InferenceMessage>): void {
    for (const [requestId, asked] of this.#asked.entries()) {
      if (asked.peer !== peer) continue;
      this.#nothing(requestId, asked);
    }
  }

  #nothing(requestId: string, { peer, resolve }: Asked): void {
    this.#asked.delete(requestId);
    this.#options.onAsked(peer.id, false);
    resolve?.(undefined);
  }

  #answered(peer: Peer<InferenceMessage>, { requestId, voucher }: VoucherMessage): void {
    const asked = this.#asked.get(requestId);
    if (asked?.peer !== peer) return;
    const fault = voucher && this.#faultOf(voucher, asked);
    if (fault) peer.offend(fault, 'voucher');
    // A clock that is wrong is no offence, and the worker would not take it.
    if (!voucher || fault || !this.#isInTime(voucher)) {
      this.#nothing(requestId, asked);
      return;
    }
    this.#asked.delete(requestId);
    this.#options.onAsked(peer.id, true);
    void this.#tasks.add(this.#got(voucher, asked));
  }

  /** Writes down that who vouches owes so much less, and hands the voucher to who waits for it. */
  async #got(voucher: Voucher, asked: Asked): Promise<void> {
    const { kind, by, worker, credits } = voucher.body;
    try {
      if (kind === 'claim') await this.#options.credits.vouched(by, worker, credits);
    } catch (error) {
      this.#options.log.error({ err: error, by }, 'a voucher could not be written down');
    }
    if (asked.resolve) asked.resolve(voucher);
    else this.keep(worker, [voucher]);
  }

  #isInTime({ body: { expires } }: Voucher): boolean {
    const now = this.#options.now();
    return expires > now + LEAST_LEFT_MS && expires <= now + VOUCHER_MS + VOUCHER_SKEW_MS;
  }

  #faultOf({ body, sig }: Voucher, { peer, wish }: Asked): 'false claim' | 'wrong signature' | undefined {
    const { kind, by, worker, client, credits } = body;
    const asAsked = kind === wish.kind && worker === wish.worker && credits === wish.credits;
    if (!asAsked || by !== peer.id || client !== this.#options.client) return 'false claim';
    return verify(by, voucherBytes(body), sig) ? undefined : 'wrong signature';
  }
}
