import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { ignoring } from '../../base/swallowed.ts';
import type { Lease } from '../../store/results/leases.ts';
import { type Challenge, pose } from '../challenge.ts';
import { type Answered, ask, judge, type Rest } from './examine.ts';
import { type Miner, NotReached } from './miner.ts';
import type { Begun } from './miner-tallies.ts';
import { ResultKeeping } from './result-keeping.ts';
import type { RunLeases } from './run-leases.ts';
import type { RunMemory } from './run-memory.ts';
import { JUDGING_MS, leaseMsOf, type ValidatorRunOptions } from './run-options.ts';

export interface ChallengesNeeds {
  options: Pick<ValidatorRunOptions, 'settings' | 'environmentOf' | 'signer' | 'leaseMs' | 'random' | 'now' | 'log'>;
  leases: RunLeases;
  memory: RunMemory;
  /** Gives up what has not ended. */
  aborting: AbortSignal;
  /** Told when a miner may be asked something else. */
  onFreed: () => void;
}

/** Why a challenge is not judged to its end. */
const LOST = new QuarryError({ code: 'CANCELLED', message: say('request.cancelled') });

/** Asks a miner one challenge, from its lease to its result: each ends with one, or with none and a reason that is told. */
export class Challenges {
  readonly #needs: ChallengesNeeds;
  readonly #keeping: ResultKeeping;

  constructor(needs: ChallengesNeeds) {
    this.#needs = needs;
    const { leases, memory, options } = needs;
    const { signer, now = Date.now } = options;
    this.#keeping = new ResultKeeping({ leases, signer, now, onTrouble: (trouble) => memory.note({ trouble }) });
  }

  /** Never throws. */
  async ask(lease: Lease, miner: Miner): Promise<void> {
    const { options, leases, memory, aborting } = this.#needs;
    const begun = memory.tallies.begin(miner.id);
    try {
      await this.#examine(lease, miner, begun);
    } catch (error) {
      if (aborting.aborted) return; // it is given back as a whole
      memory.unjudged.add(lease.environment, QuarryError.from(error), performance.now());
      options.log.warn({ err: error, environment: lease.environment, miner: miner.id }, 'a challenge came to nothing');
      await leases.drop(lease).catch(ignoring('it lapses by itself'));
    } finally {
      begun.end();
    }
  }

  async #examine(lease: Lease, miner: Miner, begun: Begun): Promise<void> {
    const { options, leases, memory, aborting, onFreed } = this.#needs;
    const { environmentOf, settings, log, random = Math.random } = options;
    const environment = environmentOf(lease.environment);
    if (environment?.version !== lease.version || !environment.levels.includes(lease.level)) {
      log.info({ environment: lease.environment, version: lease.version }, 'a challenge that nobody can pose any more');
      return leases.drop(lease);
    }
    const challenge = await pose(environment, lease.level, lease.seed);
    if (leases.isTakenOver(lease)) {
      if (await leases.hasEnded(lease, challenge.id)) return leases.drop(lease);
      memory.pace.asked(miner.id, performance.now()); // what is not asked is not counted: it may be there a thousand times
    }
    // Nobody works on it when it is anybody’s again.
    const signal = AbortSignal.any([aborting, AbortSignal.timeout(leaseMsOf(options))]);
    const answered = await ask(challenge, miner, settings(), { signal, random, rest: this.#restOf(miner) });
    if (answered.error instanceof NotReached) return this.#notReached(lease, miner, answered.error);
    begun.judge();
    onFreed(); // its miner may be asked something else
    await this.#judge(lease, miner, challenge, answered);
  }

  /** What it asks for itself, by any of its questions. */
  #restOf({ id }: Miner): Rest {
    const { pace } = this.#needs.memory;
    return {
      wants: (ms) => pace.rest(id, ms, performance.now()),
      leftMs: () => pace.restMs(id, performance.now()),
    };
  }

  /** That tells nothing of it, so there is no result; it is left alone for a while. */
  async #notReached(lease: Lease, { id, model }: Miner, error: NotReached): Promise<void> {
    const { options, leases, memory } = this.#needs;
    options.log.debug({ err: error, miner: id }, 'a miner could not be reached');
    await leases.drop(lease);
    memory.count(lease, { id, model }, { answer: null, score: 0, error });
  }

  async #judge(lease: Lease, miner: Miner, challenge: Challenge, answered: Answered): Promise<void> {
    const { options, memory } = this.#needs;
    const { signal, end } = this.#hold(lease);
    const { environment, miner: id } = lease;
    const isLost = () => options.log.info({ environment, miner: id }, 'somebody else has taken a challenge over');
    try {
      const examined = await judge(challenge, answered, { party: miner.id, signal });
      if (await this.#keeping.keep(lease, miner, challenge.id, examined, signal)) memory.count(lease, miner, examined);
      else isLost();
    } catch (error) {
      if (error !== LOST) throw error;
      isLost();
    } finally {
      end();
    }
  }

  /** Keeps a challenge from becoming anybody’s. @returns a signal that ends with the run, and where somebody else has taken it all the same */
  #hold(lease: Lease): { signal: AbortSignal; end: () => void } {
    const lost = new AbortController();
    const { end } = this.#needs.leases.hold(lease, JUDGING_MS, () => lost.abort(LOST));
    return { signal: AbortSignal.any([this.#needs.aborting, lost.signal]), end };
  }
}
