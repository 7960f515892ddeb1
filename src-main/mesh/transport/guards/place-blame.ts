import { LRUCache } from 'lru-cache';
import { backOffMs } from '../../../base/back-off.ts';
import { DecayingWeights } from '../../../base/decaying-weights.ts';
import { isLocalNetwork, networkPrefix } from '../../../base/network-prefix.ts';
import { BAN_AT, HALF_LIFE_MS, OFFENCES, type Offence } from './ban-list.ts';

/**
 * How much of an offence's weight falls on the host, and on its network prefix. One key alone never gets its host banned: it
 * is banned itself at 100, which leaves less than 50 on the host, and by the time that its ban is over half of that is gone.
 * It takes three keys at least, and nine for a prefix: one bad neighbour behind a shared address shuts nobody out.
 */
const SHARE = { host: 1 / 4, prefix: 1 / 16 };
/** Offences that an honest node commits where it is set up wrongly, maybe with all others of its office: the key's alone. */
const OWN_FAULT: ReadonlySet<Offence> = new Set(['no hello', 'wrong proof']);
/** Shorter than a node's own ban, and forgotten with the process: addresses get other owners. */
const BAN = { firstMs: 600_000, longestMs: 3_600_000 };
const MAX_PLACES = 10_000;

/** Which hosts and networks offences came from. Who banned keys are is the ban list's to say; keys cost nothing, addresses do. */
export class PlaceBlame {
  readonly #now: () => number;
  readonly #weights = new DecayingWeights(HALF_LIFE_MS, MAX_PLACES);
  readonly #bans = new LRUCache<string, { until: number; times: number }>({ max: MAX_PLACES });

  constructor(now: () => number) {
    this.#now = now;
  }

  report(host: string, offence: Offence): void {
    if (OWN_FAULT.has(offence)) return;
    this.#weigh(host, OFFENCES[offence] * SHARE.host);
    if (!isLocalNetwork(host)) this.#weigh(networkPrefix(host), OFFENCES[offence] * SHARE.prefix);
  }

  /** Whether newcomers from there are refused now. */
  isBanned(host: string): boolean {
    return [host, networkPrefix(host)].some((place) => this.#isShut(place));
  }

  #isShut(place: string): boolean {
    return (this.#bans.peek(place)?.until ?? 0) > this.#now();
  }

  #weigh(place: string, weight: number): void {
    const now = this.#now();
    if (this.#isShut(place)) return; // what those do who are still in makes it no longer
    if (this.#weights.add(place, weight, now) < BAN_AT) return;
    this.#weights.forget(place);
    const times = (this.#bans.peek(place)?.times ?? 0) + 1;
    this.#bans.set(place, { until: now + backOffMs(times, BAN), times });
  }
}
