/** What strangers get without having served anybody here. */
export interface GiftRule {
  /** Credits that one prefix may have had and not yet been forgiven. */
  most: number;
  /** Credits a day by which that falls. */
  perDay: number;
}

/** Enough to try things out, never enough to live on. */
export const DEFAULT_GIFTS: GiftRule = { most: 20, perDay: 10 };

interface Level {
  credits: number;
  /** Unix milliseconds. */
  at: number;
}

const DAY_MS = 86_400_000;

/**
 * What network prefixes of strangers (/24, /48: see base/network-prefix.ts) have been given. A key costs nothing, a prefix does: so the
 * prefix has a bucket, and all its keys share it. What is counted is what was used, after the answer; until then it is set aside.
 */
export class Gifts {
  readonly #rule: Readonly<GiftRule>;
  readonly #levels: Map<string, Level>;
  readonly #held = new Map<string, number>();

  constructor(rule: GiftRule, levels: Iterable<readonly [prefix: string, level: Level]> = []) {
    this.#rule = rule;
    this.#levels = new Map(levels);
  }

  /** Credits that a prefix has had, less what time has forgiven. */
  level(prefix: string, now: number): number {
    const known = this.#levels.get(prefix);
    if (!known) return 0;
    const credits = known.credits - (Math.max(0, now - known.at) / DAY_MS) * this.#rule.perDay;
    if (credits > 0) return credits;
    this.#levels.delete(prefix);
    return 0;
  }

  /** Whole credits that a prefix may be given now. */
  left(prefix: string, now: number): number {
    return Math.max(0, Math.floor(-this.#over(prefix, 0, now)));
  }

  /** Forgets prefixes that time has forgiven. */
  prune(now: number): void {
    for (const prefix of [...this.#levels.keys()]) this.level(prefix, now);
  }

  /** Sets credits aside for a request. @returns false, and does nothing, when its prefix has had too many */
  hold(prefix: string, credits: number, now: number): boolean {
    if (this.#over(prefix, credits, now) > 0) return false;
    this.#held.set(prefix, (this.#held.get(prefix) ?? 0) + credits);
    return true;
  }

  /** Ends a {@link hold}: `given` was used, the rest was not. */
  settle(prefix: string, held: number, given: number, now: number): void {
    const left = (this.#held.get(prefix) ?? 0) - held;
    if (left > 0) this.#held.set(prefix, left);
    else this.#held.delete(prefix);
    if (given > 0) this.#levels.set(prefix, { credits: this.level(prefix, now) + given, at: now });
  }

  /** Milliseconds until a request of so many credits fits; undefined when it never will. */
  waitMs(prefix: string, credits: number, now: number): number | undefined {
    const { most, perDay } = this.#rule;
    if (credits > most || perDay <= 0) return undefined;
    return Math.ceil((Math.max(0, this.#over(prefix, credits, now)) / perDay) * DAY_MS);
  }

  /** Credits by which a request would be too much. */
  #over(prefix: string, credits: number, now: number): number {
    return this.level(prefix, now) + (this.#held.get(prefix) ?? 0) + credits - this.#rule.most;
  }
}
