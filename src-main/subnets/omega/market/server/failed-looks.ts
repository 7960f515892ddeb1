import { QuarryError } from '../../../../../src-preload/contract/errors.ts';
import { BucketMap } from '../../../../base/token-bucket.ts';
import { Problem } from './problem.ts';

/** Of one coldkey: so often at once, and as often again in a day. An honest buyer has one or two for a purchase, of which there are 50 a day. */
export const MOST_FAILED_LOOKS = 100;
const A_SECOND = MOST_FAILED_LOOKS / 86_400;
/** Coldkeys of which that is remembered. */
const BUCKETS = 16_384;

/** How often somebody had the market look at the chain for nothing. Whoever has done so too often waits before the chain is asked again. */
export class FailedLooks {
  readonly #buckets = new BucketMap(BUCKETS);
  readonly #now: () => number;

  /** @param now Unix milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Runs a look.
   * @param coldkey of who has it looked: hotkeys are many and cheap
   * @throws Problem RATE_LIMIT; what the look throws
   */
  async count(coldkey: string, look: () => Promise<void>): Promise<void> {
    const now = this.#now();
    const bucket = this.#buckets.get(coldkey, A_SECOND, MOST_FAILED_LOOKS, now);
    const retryAfterMs = bucket ? bucket.waitMs(1, now) : 1_000 / A_SECOND;
    if (!bucket || retryAfterMs > 0)
      throw new Problem('RATE_LIMIT', 'Too many payments were told that are none.', { retryAfterMs });
    await look().catch((error: unknown) => {
      if (isForNothing(error)) bucket.spend(1, this.#now());
      throw error;
    });
  }
}

/** Where the chain did not answer, that is nobody’s fault. */
function isForNothing(error: unknown): boolean {
  if (!(error instanceof Problem)) return false;
  return error.code !== 'UNAVAILABLE' || (error.cause instanceof QuarryError && !error.cause.retryable);
}
