import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setImmediate as aTurn, setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { backOffMs } from '../../base/back-off.ts';
import { Changes } from '../../base/changes.ts';
import type { Signer, Verify } from '../../base/signing.ts';
import { ignoring } from '../../base/swallowed.ts';
import { TaskSet } from '../../base/task-set.ts';
import type { Lease } from '../../store/results/leases.ts';
import type { ResultsDb } from '../../store/results/results-db.ts';
import type { SignedResult } from '../../store/results/signed-result.ts';
import { storable } from '../answer-text.ts';
import { type Challenge, pose } from '../challenge.ts';
import { askedIn, type Environment } from '../environment.ts';
import { judgedOf, MOST_MODEL } from '../judged.ts';
import { signResult } from '../result.ts';
import { AskingPace } from './asking-pace.ts';
import { type Answered, ask, type Examined, judge, type Patience, type Rest } from './examine.ts';
import { type ListMiners, type Miner, NotReached } from './miner.ts';
import { type Begun, MinerTallies } from './miner-tallies.ts';
import { RunLeases } from './run-leases.ts';
import { type Pair, Sampler } from './sampler.ts';
import { SetAside } from './set-aside.ts';

export interface RunSettings extends Patience {
  /** What is asked, each with its level. */
  environments: readonly { environment: Environment; level: string }[];
  /** Challenges that are asked at once, of all miners and of one. */
  concurrency: number;
  perMiner: number;
  /** Questions that one miner is asked in an hour; further tries of one are not counted. */
  perHour: number;
  /** Results that count: of so many days, and of these validators beside oneself. */
  days: number;
  /** Results that are kept: of so many days, or of those that count where these are more. */
  keepDays: number;
  trust: readonly string[];
}

export interface ValidatorRunOptions {
  /** Opened when they are needed: where their server is away, the run waits for it. */
  results: Pick<ResultsDb, 'open' | 'leases' | 'list' | 'means' | 'deleteBefore'>;
  miners: ListMiners;
  /** Read anew for each challenge. */
  settings: () => RunSettings;
  /** What a lease of an earlier life may be of. */
  environmentOf: (name: string) => Environment | undefined;
  signer: Signer;
  /** How signatures of challenges are checked that others began. */
  verify: Verify;
  /** Milliseconds that what is being asked has, once the run is to end. Default 10,000. */
  graceMs?: number;
  /** It begins nothing more that could bring an answer beyond so many. Default: no bound. */
  mostAnswers?: number | undefined;
  /** How often miners are looked for, and results of others counted. Default 5,000 and 1,200,000 ms. */
  minersMs?: number;
  countMs?: number;
  /** How often what others did not end is looked for, milliseconds. Default 5,000. */
  lapsedMs?: number;
  /**
   * How long a challenge may take; after that it is anybody’s. Default: its tries with the pauses between them, and three minutes to judge it. While its
   * answer waits to be judged, that goes on.
   */
  leaseMs?: number;
  /** 0 ≤ x < 1. Default Math.random. */
  random?: () => number;
  /** Unix milliseconds. Default: Date.now, and for leases the clock of the database. */
  now?: () => number;
  log: Logger;
}

/** For judging, beside the time for the answer: programs of strangers run for a while. */
const JUDGING_MS = 180_000;
/** Answers that are kept until they are judged, for each place to ask: of the run, and of a miner, which has with those that it is asked twice as many. */
const JUDGED_FOR_EACH = 2;
/** Until something else is looked for where nobody can be asked. */
const IDLE_MS = 1_000;
const AFTER_FAILURE = { firstMs: 1_000, longestMs: 60_000 };
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

/** How a run stands. */
export interface RunState {
  /** Unix milliseconds. */
  since: number;
  inFlight: number;
  answered: number;
  /** Questions that brought no answer, and those that never reached their miner. */
  failed: number;
  notReached: number;
  /** Challenges of others, or of an earlier life, that were taken over. */
  takenOver: number;
  /** Miners that were asked as often as they may be, for now. */
  atBound: number;
  /** What keeps it from going on; it tries again by itself. */
  trouble: QuarryError | null;
  /** When it went on last, and when it last tried to, Unix milliseconds. */
  beatAt: number;
  triedAt: number;
  miners: readonly Miner[];
}

/**
 * Asks miners challenges, on and on, and keeps what came of each. Everything that it has begun is in the database: killed at any moment, it loses no
 * result, and what it was asking is asked again, by itself or by another validator that shares the database. A resource that is used once.
 */
export class ValidatorRun {
  readonly #options: ValidatorRunOptions;
  readonly #random: () => number;
  readonly #now: () => number;
  readonly #leases: RunLeases;
  readonly #sampler: Sampler;
  /** From the first look on as the settings say. */
  readonly #pace = new AskingPace(1);
  readonly #running = new TaskSet();
  /** Told when a place is free. */
  readonly #freed = new Changes();
  readonly #stopping = new AbortController();
  readonly #aborting = new AbortController();
  readonly tallies = new MinerTallies();
  /** Environments whose answers could not be judged lately: what is asked may cost, and nothing comes of it. */
  readonly #unjudged = new SetAside({ firstMs: 2_000, longestMs: 300_000 });
  /** Miners that did not answer lately. */
  readonly #silent = new SetAside({ firstMs: 5_000, longestMs: 600_000 });
  readonly #askedByModel = new Map<string, number>();
  #state: RunState;
  readonly #lookedAt = { ...NEVER };
  /** Old results that are being forgotten: the first time there may be millions, and miners are asked meanwhile. */
  #forgetting: Promise<unknown> | undefined;
  #loop: Promise<void> | undefined;

  constructor(options: ValidatorRunOptions) {
    this.#options = options;
    this.#random = options.random ?? Math.random;
    this.#now = options.now ?? Date.now;
    const { results, signer, verify, lapsedMs = 5_000, now: clock, log } = options;
    this.#leases = new RunLeases({
      ...{ leases: results.leases, signer, verify, lapsedMs, clock, log },
      trust: () => options.settings().trust,
      leaseMs: () => this.#leaseMs(),
    });
    this.#sampler = new Sampler(this.#random);
    const since = this.#now();
    const none = { inFlight: 0, answered: 0, failed: 0, notReached: 0, takenOver: 0, atBound: 0, miners: [] };
    this.#state = { ...none, trouble: null, since, beatAt: since, triedAt: since };
  }

  get state(): RunState {
    const { trouble, miners } = this.#state;
    const now = performance.now();
    const atBound = miners.filter(({ id }) => this.#pace.isAtBound(id, now)).length;
    return { ...this.#state, trouble: trouble ?? this.#unjudged.error, inFlight: this.#running.size, atBound };
  }

  /** Questions, by the model that the miner says it has. */
  get askedByModel(): Record<string, number> {
    return Object.fromEntries(this.#askedByModel);
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
    await this.#forgetting;
  }

  async #go(): Promise<void> {
    const { signal } = this.#stopping;
    let failures = 0;
    while (!signal.aborted) {
      const { count } = this.#freed;
      try {
        const begun = await this.#step();
        this.#beat();
        this.#note({ trouble: null });
        failures = 0;
        if (begun)
          await aTurn(); // SQLite answers in this very turn: everybody else would never get one
        else await this.#freed.after(count, signal, IDLE_MS);
      } catch (error) {
        this.#note({ trouble: QuarryError.from(error) });
        this.#options.log.warn({ err: error }, 'the validator cannot go on for now');
        await pauseOr(signal, backOffMs(++failures, AFTER_FAILURE));
      }
    }
    await this.#giveBack().catch(ignoring('it lapses by itself'));
  }

  /** @returns whether a challenge was begun */
  async #step(): Promise<boolean> {
    await this.#look();
    const { settings, mostAnswers = Number.POSITIVE_INFINITY } = this.#options;
    if (this.#state.answered + this.#running.size >= mostAnswers) return false;
    if (this.tallies.count('inFlight') >= settings().concurrency) return false;
    const free = this.#free();
    const lease = (await this.#takeOver(free)) ?? (await this.#begin(free));
    if (!lease) return false;
    const miner = free.find(({ id }) => id === lease.miner);
    if (miner) this.#running.add(this.#ask(lease, miner)).then(() => this.#freed.tell(), ignoring('it was logged'));
    return true;
  }

  /**
   * Whom one may ask now: who was asked as often as may be is not, who was silent is left alone for a while, and those of whom nothing is known take half of the places at most. Whose answers
   * take long to judge waits for that; where there are many of these, whoever has one.
   */
  #free(): Miner[] {
    const { concurrency, perMiner, perHour } = this.#options.settings();
    const now = performance.now();
    this.#pace.set(perHour, now);
    const isNew = (id: string) => this.tallies.read(id).heardAt === null && !this.#sampler.hasResults(id);
    const isDoubtful = ({ id }: Miner) => isNew(id) || this.#silent.knows(id);
    const doubtful = this.#state.miners.filter(isDoubtful);
    const taken = doubtful.reduce((sum, { id }) => sum + this.tallies.read(id).inFlight, 0);
    const mayTry = taken < Math.max(1, concurrency / 2);
    const isFull = this.tallies.count('judging') >= JUDGED_FOR_EACH * concurrency;
    return this.#state.miners.filter((miner) => {
      if (!this.#pace.mayAsk(miner.id, now)) return false;
      const { inFlight, judging } = this.tallies.read(miner.id);
      if (inFlight + judging >= JUDGED_FOR_EACH * perMiner || (isFull && judging > 0)) return false;
      if (!isDoubtful(miner)) return inFlight < perMiner;
      return mayTry && !this.#silent.has(miner.id, now) && inFlight < (this.#silent.knows(miner.id) ? 1 : perMiner);
    });
  }

  /** Who is there, and how many results there are: now and then, not for each challenge. */
  async #look(): Promise<void> {
    await this.#options.results.open();
    const { minersMs = 5_000, countMs = 1_200_000, miners, results, settings } = this.#options;
    if (this.#isDue('miners', minersMs)) {
      const there = await miners(this.#stopping.signal);
      this.#state = { ...this.#state, miners: there };
      this.#forgetOthers(there);
      this.#pace.forget(performance.now());
      this.#looked('miners');
    }
    if (!this.#forgetting && this.#isDue('old', FORGET_EVERY_MS)) this.#forgetting = this.#forget();
    if (!this.#isDue('counts', countMs)) return;
    const now = this.#now();
    if (this.#lookedAt.counts === Number.NEGATIVE_INFINITY) await this.#goOnFromEarlier();
    await this.#leases.forgetOlderThan(FORGOTTEN_AFTER_MS);
    const { days, perHour, trust, environments } = settings();
    const counted = { asked: environments.map(askedIn), signers: [this.#options.signer.id, ...trust] };
    const mostAsked = perHour * HOURS_A_DAY * days * counted.signers.length;
    this.#sampler.takeOver(await results.means(Math.max(0, now - days * DAY_MS), counted), mostAsked);
    this.#looked('counts');
  }

  /** Ids are anybody’s: what is known of those who are gone would grow for good. */
  #forgetOthers(there: readonly Miner[]): void {
    const ids = new Set(there.map(({ id }) => id));
    this.tallies.keepOnly(there);
    this.#silent.keepOnly(ids);
    this.#sampler.keepOnly(ids);
  }

  /** Gives back what an earlier life was asking, and does not begin with everything that miners may be asked at once. */
  async #goOnFromEarlier(): Promise<void> {
    await this.#giveBack();
    const { results, settings, signer } = this.#options;
    this.#pace.set(settings().perHour, performance.now());
    const since = Math.max(0, Math.floor(this.#now() - this.#pace.memoryMs));
    this.#pace.takeOver(await results.list.lately(since, signer.id), performance.now());
  }

  async #forget(): Promise<void> {
    const { results, settings, log } = this.#options;
    const { days, keepDays } = settings();
    const before = Math.max(0, this.#now() - Math.max(days, keepDays) * DAY_MS);
    try {
      const forgotten = await results.deleteBefore(before, this.#stopping.signal);
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

  /** What others did not end comes first: its miner is asked nothing new until then. */
  async #takeOver(free: readonly Miner[]): Promise<Lease | undefined> {
    const lease = await this.#leases.takeOver(free);
    if (lease) this.#state = { ...this.#state, takenOver: this.#state.takenOver + 1 };
    return lease;
  }

  async #begin(free: readonly Miner[]): Promise<Lease | undefined> {
    const { environments } = this.#options.settings();
    const judged = environments.filter(({ environment }) => !this.#unjudged.has(environment.name, performance.now()));
    const names = judged.map(({ environment }) => environment.name);
    const others = free.filter(({ id }) => !this.#leases.isOwed(id));
    const pair = this.#sampler.pick(
      names,
      others.map(({ id }) => id),
    );
    const chosen = environments.find(({ environment }) => environment.name === pair?.environment);
    if (!pair || !chosen) return undefined;
    const { environment, level } = chosen;
    const seed = randomBytes(32).toString('hex');
    const lease = await this.#leases.begin({ ...pair, version: environment.version, level, seed });
    this.#sampler.asked(pair);
    this.#pace.asked(pair.miner, performance.now());
    return lease;
  }

  #leaseMs(): number {
    const { timeoutMs, retries } = this.#options.settings();
    const { leaseMs } = this.#options;
    if (leaseMs !== undefined) return leaseMs;
    return (timeoutMs + AFTER_FAILURE.longestMs) * (retries + 1) + JUDGING_MS;
  }

  async #ask(lease: Lease, miner: Miner): Promise<void> {
    const begun = this.tallies.begin(miner.id);
    const { log } = this.#options;
    try {
      await this.#examine(lease, miner, begun);
    } catch (error) {
      if (this.#aborting.signal.aborted) return; // it is given back as a whole
      this.#unjudged.add(lease.environment, QuarryError.from(error), performance.now());
      log.warn({ err: error, environment: lease.environment, miner: miner.id }, 'a challenge came to nothing');
      await this.#leases.drop(lease).catch(ignoring('it lapses by itself'));
    } finally {
      begun.end();
    }
  }

  async #examine(lease: Lease, miner: Miner, begun: Begun): Promise<void> {
    const { environmentOf, settings, log } = this.#options;
    const environment = environmentOf(lease.environment);
    if (environment?.version !== lease.version || !environment.levels.includes(lease.level)) {
      log.info({ environment: lease.environment, version: lease.version }, 'a challenge that nobody can pose any more');
      return this.#leases.drop(lease);
    }
    const challenge = await pose(environment, lease.level, lease.seed);
    if (this.#leases.isTakenOver(lease)) {
      if (await this.#leases.hasEnded(lease, challenge.id)) return this.#leases.drop(lease);
      this.#pace.asked(miner.id, performance.now()); // what is not asked is not counted: it may be there a thousand times
    }
    // Nobody works on it when it is anybody’s again.
    const signal = AbortSignal.any([this.#aborting.signal, AbortSignal.timeout(this.#leaseMs())]);
    const answered = await ask(challenge, miner, settings(), {
      signal,
      random: this.#random,
      rest: this.#restOf(miner),
    });
    if (answered.error instanceof NotReached) return this.#notReached(lease, miner, answered.error);
    begun.judge();
    this.#freed.tell(); // its miner may be asked something else
    await this.#judge(lease, miner, challenge, answered);
  }

  /** What it asks for itself, by any of its questions. */
  #restOf({ id }: Miner): Rest {
    return {
      wants: (ms) => this.#pace.rest(id, ms, performance.now()),
      leftMs: () => this.#pace.restMs(id, performance.now()),
    };
  }

  /** That tells nothing of it, so there is no result; it is left alone for a while. */
  async #notReached(lease: Lease, { id, model }: Miner, error: NotReached): Promise<void> {
    this.#options.log.debug({ err: error, miner: id }, 'a miner could not be reached');
    await this.#leases.drop(lease);
    this.#count(lease, { id, model }, { answer: null, score: 0, error });
  }

  async #judge(lease: Lease, miner: Miner, challenge: Challenge, answered: Answered): Promise<void> {
    const { signal, end } = this.#hold(lease);
    const { environment, miner: id } = lease;
    const isLost = () => this.#options.log.info({ environment, miner: id }, 'somebody else has taken a challenge over');
    try {
      const examined = await judge(challenge, answered, { party: miner.id, signal });
      if (await this.#keep(lease, miner, challenge.id, examined, signal)) this.#count(lease, miner, examined);
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
    const { end } = this.#leases.hold(lease, JUDGING_MS, () => lost.abort(LOST));
    return { signal: AbortSignal.any([this.#aborting.signal, lost.signal]), end };
  }

  /** Where the database is away for a moment, it waits for it. */
  async #keep(
    lease: Lease,
    { id, model, revision, uid, block }: Miner,
    challengeId: string,
    { answer, score, reason, error, attempts, latencyMs }: Examined,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { environment, version: environmentVersion, level, seed } = lease;
    const posed = { environment, environmentVersion, level, seed, challengeId };
    const asked = { miner: id, model, revision, uid, block };
    const outcome = { answer, score, reason, error: error?.message ?? null, attempts, latencyMs };
    const about = judgedOf(posed, asked, outcome, this.#now());
    try {
      return await this.#end(lease, signResult(about, this.#options.signer), signal);
    } catch (failure) {
      if (QuarryError.from(failure).code !== 'BAD_REQUEST') throw failure;
      // What a stranger says in a way that cannot be kept is no answer: else it had none that is bad.
      const bare = { answer: null, score: 0, reason: null, success: false, error: UNKEPT, model: '', revision: '' };
      return this.#end(lease, signResult({ ...about, ...bare }, this.#options.signer), signal);
    }
  }

  async #end(lease: Lease, result: SignedResult, signal: AbortSignal): Promise<boolean> {
    for (let failures = 1; ; failures++) {
      try {
        return await this.#leases.end(lease, result);
      } catch (failure) {
        if (!QuarryError.from(failure).retryable || signal.aborted) throw failure;
        this.#note({ trouble: QuarryError.from(failure) });
        await pauseOr(signal, backOffMs(failures, AFTER_FAILURE));
      }
    }
  }

  #count(
    pair: Pair,
    { id, model }: Pick<Miner, 'id' | 'model'>,
    { answer, score, error }: Pick<Examined, 'answer' | 'score' | 'error'>,
  ): void {
    const named =
      this.#askedByModel.has(model) || this.#askedByModel.size < MOST_NAMED ? storable(model, MOST_MODEL) : 'others';
    this.#askedByModel.set(named, (this.#askedByModel.get(named) ?? 0) + 1);
    if (error) {
      this.tallies.failed(id, error);
      this.#silent.add(id, error, performance.now());
    } else {
      this.tallies.answered(id, score, this.#now());
      this.#silent.delete(id);
    }
    if (answer === null) this.#sampler.failed(pair);
    else this.#sampler.answered(pair);
    if (answer !== null) this.#unjudged.delete(pair.environment);
    const { answered, failed, notReached } = this.#state;
    this.#beat();
    if (answer !== null) this.#note({ answered: answered + 1 });
    else this.#note(error instanceof NotReached ? { notReached: notReached + 1 } : { failed: failed + 1 });
  }

  async #giveBack(): Promise<void> {
    await this.#running.ended();
    await this.#leases.release();
  }

  #beat(): void {
    this.#state = { ...this.#state, beatAt: this.#now() };
  }

  #note(change: Partial<RunState>): void {
    this.#state = { ...this.#state, ...change, triedAt: this.#now() };
  }
}

/** Waits, or until the signal ends that. */
const pauseOr = (signal: AbortSignal, ms: number) =>
  pause(ms, undefined, { signal }).catch(ignoring('whoever waits looks at the signal'));

/** Why a challenge is not judged to its end. */
const LOST = new QuarryError({ code: 'CANCELLED', message: say('request.cancelled') });
const UNKEPT = 'What it said cannot be kept.';
/** Models that are counted by name. */
const MOST_NAMED = 100;
