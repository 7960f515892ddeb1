import type { Logger } from 'pino';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Saying, say, sentence, wordsOf } from '../../../src-preload/contract/saying.ts';
import { type BackOff, backOffMs } from '../../base/back-off.ts';
import { Changes } from '../../base/changes.ts';
import { Turns } from '../../base/turns.ts';
import type { FeedbackGroup, LearningRunStore } from '../../store/learning/learning-run-store.ts';
import type { RunRow } from '../../store/learning/learning-runs.ts';
import { OutOfDate } from './begun-from.ts';
import type { RunSettings } from './run-settings.ts';
import { WantedFeedback } from './wanted-feedback.ts';

/** When this node learns: by itself when it has time, always at once, or when it is asked to. */
export type LearnWhen = 'idle' | 'always' | 'asked';

/** Whether this computer has time to learn. */
export interface Conditions {
  /** What speaks against it now; empty: nothing. */
  against(): readonly Saying[];
  /** @returns what ends that */
  subscribe(listener: () => void): () => void;
}

export interface LearningQueueOptions {
  store: Pick<LearningRunStore, 'begin' | 'unfinished' | 'waiting' | 'end' | 'get' | 'runOf'>;
  /** Learns what a run has taken. @param rest see `LearnPorts.rest` */
  learn: (run: RunRow, how: { rest: (signal: AbortSignal) => Promise<void>; signal: AbortSignal }) => Promise<void>;
  conditions: Conditions;
  when: () => LearnWhen;
  /** Of a run that begins now. */
  settings: (group: FeedbackGroup) => RunSettings;
  /** Told when a run has come to its end without having been learnt: nothing of its work is needed any more. */
  onGivenUp: (id: string) => Promise<void>;
  newId: () => string;
  log: Logger;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
  /** Milliseconds for which a run keeps its memory while others use the computer. Default 30,000. */
  graceMs?: number;
  /** How long a run waits that was put off: see {@link Later}. Default from half a minute to five minutes. */
  again?: BackOff;
  /** Milliseconds for which whoever wants something learnt waits for his turn. Default 120,000. */
  turnMs?: number;
}

/** `waiting`: for feedback, or for time. `held`: something went wrong, or a person stopped it; it begins again with new feedback or when it is asked to. */
export type QueueState = 'waiting' | 'learning' | 'paused' | 'held';

export interface QueueView {
  state: QueueState;
  /** What it waits for, or why it is held, if that is known. */
  why: readonly Saying[];
  /** Of the run that is under way. */
  run: string | undefined;
}

/** How much feedback one run takes: CLaaS, B3. */
export const MOST_FEEDBACK = 4;
const GRACE_MS = 30_000;
const AGAIN: BackOff = { firstMs: 30_000, longestMs: 300_000 };

/** A run wants something that is not there now, and may be there later: it is tried again from what it has saved. */
export class Later extends Error {
  readonly why: Saying;

  constructor(why: Saying) {
    super(sentence(why));
    this.why = why;
  }
}

/** Why a run is left for now. It goes on later from what it has saved. */
class SetAside extends Error {}
/** … and is next again. */
class Interrupted extends SetAside {}

/** Whether a run that was left for this goes on before all others. */
function isNext(reason: unknown): boolean {
  return reason instanceof Interrupted || reason instanceof OutOfDate;
}

/** Learns one thing after the other, while this computer has time for it and nobody stops it. A resource. */
export class LearningQueue {
  readonly #options: LearningQueueOptions;
  readonly #changes = new Changes();
  readonly #closing = new AbortController();
  readonly #turns = new Turns();
  /** How many wait for a turn between runs. */
  #interruptions = 0;
  #unsubscribe: () => void = () => undefined;
  #going: Promise<void> | undefined;
  /** `isCancelled`: whatever it was stopped for before. */
  #current: { run: RunRow; stop: AbortController; isCancelled: boolean } | undefined;
  #state: QueueState = 'waiting';
  /** What went wrong before there was a run. */
  #trouble: Saying | undefined;
  /** Somebody asked for it: what speaks against it does not count until it has learnt. */
  #asked = false;
  /** What the run that is next was put off for, and how often in a row. */
  #later: Saying | undefined;
  #putOffs = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Learnt before all else. */
  readonly #wanted: WantedFeedback;
  /** The run that somebody waits for: nothing speaks against it either. */
  #awaited: string | undefined;

  constructor(options: LearningQueueOptions) {
    this.#options = options;
    this.#wanted = new WantedFeedback(options.turnMs);
  }

  /** Goes on with what a node before did not end. Idempotent. */
  open(): void {
    if (this.#going) return;
    this.#unsubscribe = this.#options.conditions.subscribe(() => this.#changes.tell());
    this.#going = this.#work();
  }

  /** What is under way is left as it is saved. Idempotent. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    this.#unsubscribe();
    this.#wanted.refuse(notNow(say('learning.setAside')));
    this.#current?.stop.abort(new SetAside('closing'));
    await this.#going;
  }

  view(): QueueView {
    return { state: this.#state, why: this.#why(), run: this.#current?.run.id };
  }

  #why(): readonly Saying[] {
    if (this.#state === 'waiting') return this.#against();
    return this.#state === 'held' && this.#trouble ? [this.#trouble] : [];
  }

  /** There is feedback that was not there. */
  added(): void {
    if (this.#state === 'held') this.#state = 'waiting';
    this.#changes.tell();
  }

  /** Learns now, whatever this computer does. */
  start(): void {
    this.#asked = true;
    this.#later = undefined;
    if (this.#state !== 'learning') this.#state = 'waiting';
    this.#changes.tell();
  }

  /** Until {@link start}. */
  pause(): void {
    this.#asked = false;
    this.#state = 'paused';
    this.#wanted.refuse(notNow(say('learning.setAside')));
    this.#current?.stop.abort(new SetAside('paused'));
    this.#changes.tell();
  }

  /** Ends the run that is under way, or that waits to go on; its feedback waits again. @throws NOT_RUNNING where there is none */
  async cancel(): Promise<void> {
    const [unfinished] = await this.#options.store.unfinished();
    if (!unfinished) throw new QuarryError({ code: 'NOT_RUNNING', message: say('learning.noRun') });
    this.#asked = false;
    this.#later = undefined;
    this.#state = this.#wanted.isEmpty ? 'held' : 'waiting';
    if (this.#current) {
      this.#current.isCancelled = true;
      this.#current.stop.abort(new SetAside('cancelled'));
    } else await this.#end(unfinished, 'cancelled');
    this.#changes.tell();
  }

  /**
   * Learns from this feedback at once, in a run of its own, whatever this computer does; where something else is being learnt, after that.
   * @param signal ends the waiting, not the run
   * @returns the run, which has ended; that of before, where nothing of the feedback waits any more, or where some of it was in vain
   * @throws LEARNING_BUSY when its turn does not come in time; NOT_RUNNING while learning is paused, or when it is stopped; BAD_REQUEST for what was withdrawn
   */
  async learn(feedback: readonly number[], signal: AbortSignal): Promise<RunRow> {
    if (this.#state === 'paused') throw notNow(say('learning.pausedNow'));
    if (this.#closing.signal.aborted) throw notNow(say('learning.setAside'));
    const turn = this.#wanted.turn(feedback, signal);
    this.open();
    this.added();
    const begun = await turn;
    const run = await this.#ended(begun?.id ?? (await this.#takenBefore(feedback)), signal);
    if (run.state !== 'accepted') return run;
    // Some of it may have been in other runs.
    const least = await this.#ended((await this.#options.store.runOf(feedback)) ?? run.id, signal);
    return least.state === 'accepted' ? run : least;
  }

  /** The run that has taken it; it goes on now, where it waits for time. @throws BAD_REQUEST where none has */
  async #takenBefore(feedback: readonly number[]): Promise<string> {
    const { store } = this.#options;
    const run = await store.runOf(feedback);
    if (run === undefined) {
      throw new QuarryError({ code: 'BAD_REQUEST', message: say('learning.waitsNoLonger'), field: 'requests' });
    }
    if ((await store.get(run))?.ended_at === null && this.#state === 'waiting') this.start();
    return run;
  }

  /** Resolves when a run has ended. */
  async #ended(id: string, signal: AbortSignal): Promise<RunRow> {
    for (;;) {
      signal.throwIfAborted();
      const { count } = this.#changes;
      const run = await this.#options.store.get(id);
      if (run && run.ended_at !== null && this.#current?.run.id !== id) return run;
      if (!run || this.#state === 'paused' || this.#closing.signal.aborted) throw notNow(say('learning.setAside'));
      await this.#changes.after(count, signal);
    }
  }

  /** Does something while nothing is learnt: a run that is under way is left as it is saved, and goes on afterwards. @throws what the work throws */
  async between(work: () => Promise<void>): Promise<void> {
    this.#interruptions++;
    this.#current?.stop.abort(new Interrupted('for a moment'));
    try {
      await this.#turns.take(work);
    } finally {
      this.#interruptions--;
      this.#changes.tell();
    }
  }

  async #work(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const { count } = this.#changes;
      const hasLearnt = await this.#turns.take(() => this.#learnNext());
      if (!hasLearnt) await this.#changes.after(count, signal);
    }
  }

  async #learnNext(): Promise<boolean> {
    const run = await this.#next().catch((error: unknown) => this.#cannotBegin(error));
    if (run) await this.#learn(run);
    return run !== undefined;
  }

  #cannotBegin(error: unknown): undefined {
    this.#options.log.error({ err: error }, 'learning cannot begin');
    this.#asked = false;
    this.#trouble = say('learning.cannotBegin', { why: wordsOf(QuarryError.from(error), 'message') });
    this.#state = 'held';
    this.#changes.tell();
  }

  /** What to do now, if there is anything and nothing speaks against it. */
  async #next(): Promise<RunRow | undefined> {
    if (this.#state !== 'waiting' || this.#against().length > 0) return undefined;
    const wanted = await this.#wanted.begin((feedback) => this.#begin(feedback));
    if (wanted) {
      this.#awaited = wanted.id;
      return wanted;
    }
    if (this.#against().length > 0) return undefined; // it was only for what was wanted that nothing did
    const [unfinished] = await this.#options.store.unfinished();
    const run = unfinished ?? (await this.#begin());
    this.#trouble = undefined;
    if (!run) this.#asked = false;
    return run;
  }

  /** @param only feedback of these ids. Default: the oldest of all */
  async #begin(only?: readonly number[]): Promise<RunRow | undefined> {
    const { store, settings, newId, now = Date.now } = this.#options;
    const group = await store.waiting(only);
    if (!group) return undefined;
    const run = { id: newId(), name: group.name, created_at: now(), settings: JSON.stringify(settings(group)) };
    return await store.begin(run, { training: group.training, most: only?.length ?? MOST_FEEDBACK, only });
  }

  #against(): readonly Saying[] {
    const { conditions, when } = this.#options;
    if (this.#later) return [this.#later];
    const isWanted = this.#asked || this.#awaited !== undefined || !this.#wanted.isEmpty;
    if (isWanted || when() === 'always') return [];
    return when() === 'asked' ? [say('learning.whenAsked')] : conditions.against();
  }

  async #learn(run: RunRow): Promise<void> {
    const { learn, log } = this.#options;
    const stop = new AbortController();
    const current = { run, stop, isCancelled: false };
    let goesOn = false;
    this.#current = current;
    if (this.#interruptions > 0) stop.abort(new Interrupted('for a moment'));
    else if (this.#state !== 'waiting' || this.#closing.signal.aborted) stop.abort(new SetAside('not any more'));
    else this.#state = 'learning';
    try {
      await learn(run, { rest: (signal) => this.#rest(signal), signal: stop.signal });
      this.#putOffs = 0;
    } catch (error) {
      const reason: unknown = stop.signal.aborted ? stop.signal.reason : error;
      if (current.isCancelled) await this.#end(run, 'cancelled');
      else if (reason instanceof Later) this.#putOff(reason.why);
      else if (isNext(reason)) goesOn = true;
      else if (!(reason instanceof SetAside)) await this.#failed(run, error);
    } finally {
      this.#current = undefined;
      if (!goesOn) this.#awaited = undefined;
      if (this.#state === 'learning') this.#state = 'waiting';
      this.#changes.tell();
    }
    log.info({ run: run.id }, 'learning: came to rest');
  }

  #putOff(why: Saying): void {
    this.#later = why;
    const again = () => {
      this.#later = undefined;
      this.#changes.tell();
    };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(again, backOffMs(++this.#putOffs, this.#options.again ?? AGAIN)).unref();
  }

  async #failed(run: RunRow, error: unknown): Promise<void> {
    this.#options.log.warn({ err: error, run: run.id }, 'learning failed');
    this.#asked = false;
    this.#putOffs = 0;
    if (this.#state === 'learning') this.#state = this.#wanted.isEmpty ? 'held' : 'waiting';
    await this.#end(run, 'failed', error);
  }

  async #end(run: RunRow, state: 'cancelled' | 'failed', error?: unknown): Promise<void> {
    const { store, onGivenUp, now = Date.now, log } = this.#options;
    const told = error === undefined ? {} : { error: JSON.stringify(QuarryError.from(error).toJSON()) };
    try {
      await store.end(run.id, state, { ...told, ended_at: now() });
      await onGivenUp(run.id);
    } catch (err) {
      log.error({ err, run: run.id }, 'learning: its end could not be kept');
    }
  }

  /** Others need the computer for a moment, often; where they need it for longer, the run frees its memory. */
  async #rest(signal: AbortSignal): Promise<void> {
    const { graceMs = GRACE_MS, now = Date.now } = this.#options;
    const until = now() + graceMs;
    for (let left = graceMs; left > 0; left = until - now()) {
      signal.throwIfAborted();
      const { count } = this.#changes;
      if (this.#against().length === 0) return;
      await this.#changes.after(count, signal, left);
    }
    signal.throwIfAborted();
    if (this.#against().length > 0) throw new SetAside('no time');
  }
}

function notNow(message: Saying): QuarryError {
  return new QuarryError({ code: 'NOT_RUNNING', message });
}
