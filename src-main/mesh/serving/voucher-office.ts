import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { TaskSet } from '../../base/task-set.ts';
import { TokenBucket } from '../../base/token-bucket.ts';
import type { WorkerCredits } from '../../credits/credits.ts';
import type { InferenceMessage, VoucherMessage, VouchMessage } from '../inference/messages.ts';
import { PROTOCOL_VERSION } from '../transport/envelope.ts';
import type { MeshNetwork } from '../transport/network.ts';
import type { Peer } from '../transport/peer.ts';

/** Vouchers that one client is signed a second, and at once: each is a signature and a write to disk. */
const PACE = { perSecond: 3, burst: 12 };
/** What it asks for beyond that, and is refused: so much is forgiven a second, and at once. */
const EXCESS = { perSecond: 5, burst: 50 };
/** Clients whose pace is remembered, connected or not. */
const CLIENTS = 1_024;

export interface VoucherOfficeOptions {
  network: MeshNetwork<InferenceMessage>;
  credits: Pick<WorkerCredits, 'vouch'>;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
  log: Logger;
}

/** Signs vouchers for those who have served this node, whether or not it serves anybody itself: see credits/voucher.ts. */
export class VoucherOffice {
  readonly #options: VoucherOfficeOptions;
  readonly #now: () => number;
  readonly #clients = new LRUCache<string, { pace: TokenBucket; excess: TokenBucket }>({ max: CLIENTS });
  readonly #tasks = new TaskSet();
  #unfollow = () => {};
  #closed = false;

  constructor(options: VoucherOfficeOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  open(): void {
    this.#unfollow = this.#options.network.follow((peer) => this.#attach(peer));
  }

  /** Waits for the books. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#unfollow();
    await this.#tasks.ended();
  }

  #attach(peer: Peer<InferenceMessage>): void {
    peer.onMessage((message) => {
      if (message.type === 'vouch' && !this.#closed) this.#asked(peer, message);
    });
  }

  #asked(peer: Peer<InferenceMessage>, asked: VouchMessage): void {
    const { pace, excess } = this.#client(peer.id);
    if (pace.take(1, this.#now())) void this.#tasks.add(this.#vouch(peer, asked));
    else if (excess.take(1, this.#now())) answer(peer, asked, { refused: 'too many' });
    else peer.offend('too many vouchers', 'asked for without end');
  }

  async #vouch(peer: Peer<InferenceMessage>, asked: VouchMessage): Promise<void> {
    const { kind, worker, credits } = asked;
    try {
      const voucher = await this.#options.credits.vouch({ kind, worker, client: peer.id, credits });
      answer(peer, asked, voucher ? { voucher } : { refused: 'not owed' });
    } catch (error) {
      this.#options.log.error({ err: error, peer: peer.id }, 'a voucher could not be signed');
      answer(peer, asked, { refused: 'failed' });
    }
  }

  #client(id: string) {
    const known = this.#clients.get(id);
    if (known) return known;
    const now = this.#now();
    const pace = new TokenBucket(PACE.perSecond, PACE.burst, now);
    const client = { pace, excess: new TokenBucket(EXCESS.perSecond, EXCESS.burst, now) };
    this.#clients.set(id, client);
    return client;
  }
}

function answer(
  peer: Peer<InferenceMessage>,
  { requestId }: VouchMessage,
  said: Pick<VoucherMessage, 'voucher'> | Pick<VoucherMessage, 'refused'>,
): void {
  peer.send({ v: PROTOCOL_VERSION, type: 'voucher', requestId, ...said });
}
