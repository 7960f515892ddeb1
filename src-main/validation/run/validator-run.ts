import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setImmediate as aTurn } from 'node:timers/promises';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { waitAfter } from '../../base/back-off.ts';
import { Changes } from '../../base/changes.ts';
import { ignoring } from '../../base/swallowed.ts';
import { TaskSet } from '../../base/task-set.ts';
import type { Lease } from '../../store/results/leases.ts';
import { Challenges } from './challenges.ts';
import type { Miner } from './miner.ts';
import type { MinerTallies } from './miner-tallies.ts';
import { RunLeases } from './run-leases.ts';
import { RunLooks } from './run-looks.ts';
import { RunMemory, type RunState } from './run-memory.ts';
import { AFTER_FAILURE, leaseMsOf, type ValidatorRunOptions } from './run-options.ts';

/** Until something else is looked for where nobody can be asked. */
const IDLE_MS = 1_000;

/**
 * Asks miners challenges, on and on, and keeps what came of each. Everything that it has begun is in the database: killed at any moment, it loses no
 * result, and what it was asking is asked again, by itself or by another validator that shares the database. A resource that is used once.
 */
export class ValidatorRun {
  readonly #options: ValidatorRunOptions;
  readonly #leases: RunLeases;
  readonly #memory: RunMemory;
  readonly #looks: RunLooks;
  readonly #challenges: Challenges;
  readonly #running = new TaskSet();
  /** Told when a place is free. */
  readonly #freed = new Changes();
  readonly #stopping = new AbortController();
  readonly #aborting = new AbortController();
  #loop: Promise<void> | undefined;

  constructor(options: ValidatorRunOptions) {
    this.#options = options;
    const { results, signer, verify, lapsedMs = 5_000, now: clock, random = Math.random, log } = options;
    const leases = new RunLeases({
      ...{ leases: results.leases, signer, verify, lapsedMs, clock, log },
      trust: () => options.settings().trust,
      leaseMs: () => leaseMsOf(options),
    });
    const memory = new RunMemory(random, clock ?? Date.now);
    const needs = { options, leases, memory };
    this.#leases = leases;
    this.#memory = memory;
    this.#looks = new RunLooks({ ...needs, signal: this.#stopping.signal });
    this.#challenges = new Challenges({ ...needs, aborting: this.#aborting.signal, onFreed: () => this.#freed.tell() });
  }

  get state(): RunState {
    return { ...this.#memory.state, inFlight: this.#running.size };
  }

  get tallies(): MinerTallies {
    return this.#memory.tallies;
  }

  /** Questions, by the model that the miner says it has. */
  get askedByModel(): Record<string, number> {
    return this.#memory.askedByModel;
  }

  /** Begins. Idempotent. */
  open(): void {
    this.#loop ??= this.#go();
  }

  /** Begins nothing more, waits a while for what is being asked, and gives up what has not ended then. Idempotent. */
  async close(): Promise<void> {
    this.#stopping.abort();
    const grace = AbortSignal.timeout(this.#options.graceMs ?? 10_000);
    // The loop ends when all has that was begun, also what it was beginning just now.
    await Promise.race([this.#loop, once(grace, 'abort')]);
    this.#aborting.abort(new QuarryError({ code: 'CANCELLED', message: say('request.cancelled') }));
    await this.#loop;
    await this.#running.ended();
    await this.#looks.ended();
  }

  async #go(): Promise<void> {
    const { signal } = this.#stopping;
    let failures = 0;
    while (!signal.aborted) {
      const { count } = this.#freed;
      try {
        const begun = await this.#step();
        this.#memory.beat();
        this.#memory.note({ trouble: null });
        failures = 0;
        if (begun)
          await aTurn(); // SQLite answers in this very turn: everybody else would never get one
        else await this.#freed.after(count, signal, IDLE_MS);
      } catch (error) {
        this.#memory.note({ trouble: QuarryError.from(error) });
        this.#options.log.warn({ err: error }, 'the validator cannot go on for now');
        await waitAfter(++failures, AFTER_FAILURE, signal);
      }
    }
    await this.#giveBack().catch(ignoring('it lapses by itself'));
  }

  /** @returns whether a challenge was begun */
  async #step(): Promise<boolean> {
    await this.#looks.look();
    const { settings, mostAnswers = Number.POSITIVE_INFINITY } = this.#options;
    if (this.#memory.answered + this.#running.size >= mostAnswers) return false;
    if (this.#memory.tallies.count('inFlight') >= settings().concurrency) return false;
    const free = this.#memory.free(settings());
    const lease = (await this.#takeOver(free)) ?? (await this.#begin(free));
    if (!lease) return false;
    const miner = free.find(({ id }) => id === lease.miner);
    if (miner)
      this.#running.add(this.#challenges.ask(lease, miner)).then(() => this.#freed.tell(), ignoring('it was logged'));
    return true;
  }

  /** What others did not end comes first: its miner is asked nothing new until then. */
  async #takeOver(free: readonly Miner[]): Promise<Lease | undefined> {
    const lease = await this.#leases.takeOver(free);
    if (lease) this.#memory.tookOver();
    return lease;
  }

  async #begin(free: readonly Miner[]): Promise<Lease | undefined> {
    const { environments } = this.#options.settings();
    const { sampler, pace, unjudged } = this.#memory;
    const judged = environments.filter(({ environment }) => !unjudged.has(environment.name, performance.now()));
    const names = judged.map(({ environment }) => environment.name);
    const others = free.filter(({ id }) => !this.#leases.isOwed(id));
    const pair = sampler.pick(
      names,
      others.map(({ id }) => id),
    );
    const chosen = environments.find(({ environment }) => environment.name === pair?.environment);
    if (!pair || !chosen) return undefined;
    const { environment, level } = chosen;
    const seed = randomBytes(32).toString('hex');
    const lease = await this.#leases.begin({ ...pair, version: environment.version, level, seed });
    sampler.asked(pair);
    pace.asked(pair.miner, performance.now());
    return lease;
  }

  async #giveBack(): Promise<void> {
    await this.#running.ended();
    await this.#leases.release();
  }
}
