import type { QuarryError } from '../../../src-preload/contract/errors.ts';
import { storable } from '../answer-text.ts';
import { MOST_MODEL } from '../judged.ts';
import { AskingPace } from './asking-pace.ts';
import type { Examined } from './examine.ts';
import { type Miner, NotReached } from './miner.ts';
import { MinerTallies } from './miner-tallies.ts';
import type { RunSettings } from './run-options.ts';
import { type Pair, Sampler } from './sampler.ts';
import { SetAside } from './set-aside.ts';

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

/** Answers that are kept until they are judged, for each place to ask: of the run, and of a miner, which has with those that it is asked twice as many. */
const JUDGED_FOR_EACH = 2;
/** Models that are counted by name. */
const MOST_NAMED = 100;

/** What a run knows: who is there, how each did since it began, whom and what to leave alone for a while, and how the run itself stands. */
export class RunMemory {
  readonly #now: () => number;
  readonly sampler: Sampler;
  /** From the first look on as the settings say. */
  readonly pace = new AskingPace(1);
  readonly tallies = new MinerTallies();
  /** Environments whose answers could not be judged lately: what is asked may cost, and nothing comes of it. */
  readonly unjudged = new SetAside({ firstMs: 2_000, longestMs: 300_000 });
  /** Miners that did not answer lately. */
  readonly #silent = new SetAside({ firstMs: 5_000, longestMs: 600_000 });
  readonly #askedByModel = new Map<string, number>();
  #state: Omit<RunState, 'inFlight' | 'atBound'>;

  /** @param random 0 ≤ x < 1 @param now Unix milliseconds */
  constructor(random: () => number, now: () => number) {
    this.#now = now;
    this.sampler = new Sampler(random);
    const since = now();
    const none = { answered: 0, failed: 0, notReached: 0, takenOver: 0, miners: [] };
    this.#state = { ...none, trouble: null, since, beatAt: since, triedAt: since };
  }

  get state(): Omit<RunState, 'inFlight'> {
    const { trouble, miners } = this.#state;
    const now = performance.now();
    const atBound = miners.filter(({ id }) => this.pace.isAtBound(id, now)).length;
    return { ...this.#state, trouble: trouble ?? this.unjudged.error, atBound };
  }

  /** Questions that brought an answer. */
  get answered(): number {
    return this.#state.answered;
  }

  /** Questions, by the model that the miner says it has. */
  get askedByModel(): Record<string, number> {
    return Object.fromEntries(this.#askedByModel);
  }

  /** These are there now. Ids are anybody’s: what is known of those who are gone would grow for good. */
  thereAre(miners: readonly Miner[]): void {
    const ids = new Set(miners.map(({ id }) => id));
    this.#state = { ...this.#state, miners };
    this.tallies.keepOnly(miners);
    this.#silent.keepOnly(ids);
    this.sampler.keepOnly(ids);
    this.pace.forget(performance.now());
  }

  /**
   * Whom one may ask now: who was asked as often as may be is not, who was silent is left alone for a while, and those of whom nothing is known take half of the places at most. Whose answers
   * take long to judge waits for that; where there are many of these, whoever has one.
   */
  free({ concurrency, perMiner, perHour }: RunSettings): Miner[] {
    const now = performance.now();
    this.pace.set(perHour, now);
    const isNew = (id: string) => this.tallies.read(id).heardAt === null && !this.sampler.hasResults(id);
    const isDoubtful = ({ id }: Miner) => isNew(id) || this.#silent.knows(id);
    const doubtful = this.#state.miners.filter(isDoubtful);
    const taken = doubtful.reduce((sum, { id }) => sum + this.tallies.read(id).inFlight, 0);
    const mayTry = taken < Math.max(1, concurrency / 2);
    const isFull = this.tallies.count('judging') >= JUDGED_FOR_EACH * concurrency;
    return this.#state.miners.filter((miner) => {
      if (!this.pace.mayAsk(miner.id, now)) return false;
      const { inFlight, judging } = this.tallies.read(miner.id);
      if (inFlight + judging >= JUDGED_FOR_EACH * perMiner || (isFull && judging > 0)) return false;
      if (!isDoubtful(miner)) return inFlight < perMiner;
      return mayTry && !this.#silent.has(miner.id, now) && inFlight < (this.#silent.knows(miner.id) ? 1 : perMiner);
    });
  }

  /** A challenge that somebody else began. */
  tookOver(): void {
    this.#state = { ...this.#state, takenOver: this.#state.takenOver + 1 };
  }

  /** What came of a question, or why nothing did. */
  count(
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
    if (answer === null) this.sampler.failed(pair);
    else this.sampler.answered(pair);
    if (answer !== null) this.unjudged.delete(pair.environment);
    const { answered, failed, notReached } = this.#state;
    this.beat();
    if (answer !== null) this.note({ answered: answered + 1 });
    else this.note(error instanceof NotReached ? { notReached: notReached + 1 } : { failed: failed + 1 });
  }

  /** It went on. */
  beat(): void {
    this.#state = { ...this.#state, beatAt: this.#now() };
  }

  /** It tried to. */
  note(change: Partial<Omit<RunState, 'inFlight' | 'atBound'>>): void {
    this.#state = { ...this.#state, ...change, triedAt: this.#now() };
  }
}
