import { DecayingWeights } from '../../../base/decaying-weights.ts';
import { networkPrefix } from '../../../base/network-prefix.ts';
import { TokenBucket } from '../../../base/token-bucket.ts';

/** Milliseconds in which what a host and its network had counts half. */
const HALF_LIFE_MS = 2_000;
const MAX_PLACES = 10_000;
/** The part of what may come at once that each of the two leaves to others, when it has had as much lately. */
const LEFT = 1 / 4;

/**
 * How many handshakes of strangers are taken, of all together. A host that had many lately leaves a part of what may come at once to
 * others, and so does its network: one of them alone can take all that comes in, but never the last.
 *
 * Whoever calls says himself where from. Many names are many hosts here, as long as it is not proven who is there.
 */
export class Knocks {
  readonly #left: TokenBucket;
  readonly #burst: number;
  readonly #had = new DecayingWeights(HALF_LIFE_MS, MAX_PLACES);

  /** @param now milliseconds */
  constructor(perSecond: number, burst: number, now: number) {
    this.#left = new TokenBucket(perSecond, burst, now);
    this.#burst = burst;
  }

  /** Somebody knocks. @param host where he says that he is @returns whether he may come in */
  take(host: string, now: number): boolean {
    const places = [`host ${host}`, networkPrefix(host)];
    const kept = places.reduce((sum, place) => sum + Math.min(this.#had.of(place, now), this.#burst * LEFT), 0);
    if (this.#left.waitMs(1 + Math.min(kept, this.#burst - 1), now) > 0) return false;
    this.#left.spend(1, now);
    for (const place of places) this.#had.add(place, 1, now);
    return true;
  }
}
