import type { Logger } from 'pino';
import type { ClientCredits } from '../../credits/credits.ts';
import { MAX_VOUCHERS, sumOf, type Voucher } from '../../credits/voucher.ts';
import type { InferenceMessage } from '../inference/messages.ts';
import type { MeshNetwork } from '../transport/network.ts';
import type { KnownWorker } from './known-worker.ts';
import { sharesOf } from './means.ts';
import type { OwnClaims } from './own-claims.ts';
import { VoucherPurse } from './voucher-purse.ts';

export interface BroughtVouchersOptions {
  network: MeshNetwork<InferenceMessage>;
  /** This node's id. */
  client: string;
  credits: Pick<ClientCredits, 'vouched'>;
  claims: OwnClaims;
  /** Milliseconds that a request waits for vouchers. Default: as {@link VoucherPurse} has it. */
  patienceMs?: number | undefined;
  now: () => number;
  log: Logger;
}

/** What is brought along to a worker so that it serves a request: what others have signed for this node. */
export class BroughtVouchers {
  readonly #claims: OwnClaims;
  readonly #purse: VoucherPurse;

  constructor({ claims, ...options }: BroughtVouchersOptions) {
    this.#claims = claims;
    this.#purse = new VoucherPurse({ ...options, onAsked: (by, vouched) => claims.asked(by, vouched) });
  }

  open(): void {
    this.#purse.open();
  }

  /** Waits for the books. */
  async close(): Promise<void> {
    await this.#purse.close();
  }

  /**
   * What goes with a request: claims only if they make the price, since the worker takes none of them otherwise. Others wait for more.
   *
   * @param cost credits that the request costs at most
   */
  async gather(worker: KnownWorker, cost: number, signal: AbortSignal): Promise<Voucher[]> {
    const kept = this.#purse.take(worker.id);
    const vouchers = [...kept, ...(await this.#askFor(worker, cost, signal))].slice(-MAX_VOUCHERS);
    const claims = vouchers.filter(({ body }) => body.kind === 'claim');
    if (sumOf(claims) >= cost || this.#claims.missing(worker, cost) === 0) return vouchers;
    this.#purse.keep(worker.id, claims);
    return vouchers.filter(({ body }) => body.kind === 'word');
  }

  /** Takes back what a worker has neither taken nor turned down, for another time. */
  keep(worker: string, vouchers: readonly Voucher[]): void {
    this.#purse.keep(worker, vouchers);
  }

  /** What others let this node have of what the worker owes them; if that is not enough, somebody's word. Not waited for long. */
  async #askFor(worker: KnownWorker, cost: number, signal: AbortSignal): Promise<Voucher[]> {
    const { means } = this.#claims.prospect(worker, cost);
    if (means !== 'vouchers' && means !== 'word') return [];
    const ways = this.#claims.waysTo(worker);
    if (means === 'vouchers') {
      return await this.#purse.claims(worker.id, sharesOf(this.#claims.missing(worker, cost), ways), signal);
    }
    const [friend] = ways;
    return friend ? await this.#purse.word(worker.id, friend.id, cost, signal) : [];
  }
}
