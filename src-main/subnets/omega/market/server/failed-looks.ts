import { QuarryError } from '../../../../../src-preload/contract/errors.ts';
import { BucketMap } from '../../../../base/token-bucket.ts';
import { Problem } from './problem.ts';

/** Of one coldkey: so often at once, and as often again in a day. An honest buyer has one or two for a purchase, of which there are 50 a day. */
export const MOST_FAILED_LOOKS = 100;
const A_SECOND = MOST_FAILED_LOOKS / 86_400;
/** Coldkeys, and orders, of which that is remembered. */
const BUCKETS = 16_384;

/** How often somebody had the market look at the chain for nothing. Whoever has done so too often waits before the chain is asked again. */
export class FailedLooks {
  readonly #buckets = new BucketMap(BUCKETS);
  /** What was told last of an order, and was not final yet; the oldest first. */
  readonly #early = new Map<string, string>();
  readonly #now: () => number;

  /** @param now Unix milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Runs a look. That a payment is not final yet costs one the first time: a chain that stands still is not the fault of who asks again.
   * @param coldkey of who has it looked: hotkeys are many and cheap
   * @param payment for which order, and which one is told
   * @throws Problem RATE_LIMIT; what the look throws
   */
  async count(coldkey: string, payment: { order: string; told: string }, look: () => Promise<void>): Promise<void> {
    const now = this.#now();
    const bucket = this.#buckets.get(coldkey, A_SECOND, MOST_FAILED_LOOKS, now);
    const retryAfterMs = bucket ? bucket.waitMs(1, now) : 1_000 / A_SECOND;
    if (!bucket || retryAfterMs > 0)
      throw new Problem('RATE_LIMIT', 'Too many payments were told that are none.', { retryAfterMs });
    await look().catch((error: unknown) => {
      if (isForNothing(error) && !this.#isToldAgain(payment, error)) bucket.spend(1, this.#now());
      throw error;
    });
  }

  #isToldAgain({ order, told }: { order: string; told: string }, error: unknown): boolean {
    if (!(error instanceof Problem) || error.code !== 'TOO_EARLY') return false;
    const isSame = this.#early.get(order) === told;
    this.#early.delete(order);
    this.#early.set(order, told);
    const [oldest] = this.#early.keys();
    if (this.#early.size > BUCKETS && oldest !== undefined) this.#early.delete(oldest);
    return isSame;
  }
}

/** Where the chain did not answer, that is nobody’s fault. */
function isForNothing(error: unknown): boolean {
  if (!(error instanceof Problem)) return false;
  return error.code !== 'UNAVAILABLE' || (error.cause instanceof QuarryError && !error.cause.retryable);
}
