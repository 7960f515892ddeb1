import { askedIn } from '../environment.ts';
import type { RunLeases } from './run-leases.ts';
import type { RunMemory } from './run-memory.ts';
import type { ValidatorRunOptions } from './run-options.ts';

export interface RunLooksNeeds {
  options: Pick<
    ValidatorRunOptions,
    'results' | 'miners' | 'settings' | 'signer' | 'minersMs' | 'countMs' | 'now' | 'log'
  >;
  leases: RunLeases;
  memory: RunMemory;
  /** Ends what is looked for. */
  signal: AbortSignal;
}

const DAY_MS = 86_400_000;
const HOURS_A_DAY = 24;
/** How often results that are too old are forgotten. */
const FORGET_EVERY_MS = 3_600_000;
/** What nobody has ended for so long is of a miner that is gone. */
const FORGOTTEN_AFTER_MS = 7 * DAY_MS;

/** What is looked at now and then. */
type Looks = 'miners' | 'counts' | 'old';
const NEVER: Record<Looks, number> = {
  miners: Number.NEGATIVE_INFINITY,
  counts: Number.NEGATIVE_INFINITY,
  old: Number.NEGATIVE_INFINITY,
};

/** What a run looks at now and then, not for each challenge: who is there, how many results there are, and which of these are too old. */
export class RunLooks {
  readonly #needs: RunLooksNeeds;
  readonly #now: () => number;
  readonly #lookedAt = { ...NEVER };
  /** Old results that are being forgotten: the first time there may be millions, and miners are asked meanwhile. */
  #forgetting: Promise<unknown> | undefined;

  constructor(needs: RunLooksNeeds) {
    this.#needs = needs;
    this.#now = needs.options.now ?? Date.now;
  }

  /** Looks at what is due. @throws what the database throws, or whoever lists the miners */
  async look(): Promise<void> {
    const { minersMs = 5_000, countMs = 1_200_000, results } = this.#needs.options;
    await results.open();
    if (this.#isDue('miners', minersMs)) await this.#lookForMiners();
    if (!this.#forgetting && this.#isDue('old', FORGET_EVERY_MS)) this.#forgetting = this.#forget();
    if (this.#isDue('counts', countMs)) await this.#countResults();
  }

  /** Waits for what was begun. */
  async ended(): Promise<void> {
    await this.#forgetting;
  }

  async #lookForMiners(): Promise<void> {
    const { options, memory, signal } = this.#needs;
    memory.thereAre(await options.miners(signal));
    this.#looked('miners');
  }

  async #countResults(): Promise<void> {
    const { options, leases, memory } = this.#needs;
    const { results, settings, signer } = options;
    const now = this.#now();
    if (this.#lookedAt.counts === Number.NEGATIVE_INFINITY) await this.#goOnFromEarlier();
    await leases.forgetOlderThan(FORGOTTEN_AFTER_MS);
    const { days, perHour, trust, environments } = settings();
    const counted = { asked: environments.map(askedIn), signers: [signer.id, ...trust] };
    const mostAsked = perHour * HOURS_A_DAY * days * counted.signers.length;
    memory.sampler.takeOver(await results.means(Math.max(0, now - days * DAY_MS), counted), mostAsked);
    this.#looked('counts');
  }

  /** Gives back what an earlier life was asking, and does not begin with everything that miners may be asked at once. */
  async #goOnFromEarlier(): Promise<void> {
    const { options, leases, memory } = this.#needs;
    const { results, settings, signer } = options;
    await leases.release();
    memory.pace.set(settings().perHour, performance.now());
    const since = Math.max(0, Math.floor(this.#now() - memory.pace.memoryMs));
    memory.pace.takeOver(await results.list.lately(since, signer.id), performance.now());
  }

  async #forget(): Promise<void> {
    const { options, signal } = this.#needs;
    const { results, settings, log } = options;
    const { days, keepDays } = settings();
    const before = Math.max(0, this.#now() - Math.max(days, keepDays) * DAY_MS);
    try {
      const forgotten = await results.deleteBefore(before, signal);
      if (forgotten > 0) log.info({ forgotten }, 'old results were forgotten');
    } catch (err) {
      log.warn({ err }, 'old results cannot be forgotten for now');
    }
    this.#looked('old');
    this.#forgetting = undefined;
  }

  #isDue(what: Looks, everyMs: number): boolean {
    return performance.now() - this.#lookedAt[what] >= everyMs;
  }

  #looked(what: Looks): void {
    this.#lookedAt[what] = performance.now();
  }
}
