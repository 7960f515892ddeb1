import type { Logger } from 'pino';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Saying, say, sentence } from '../../../src-preload/contract/saying.ts';
import { type BackOff, backOffMs } from '../../base/back-off.ts';
import { Changes } from '../../base/changes.ts';
import type { LearningRunStore } from '../../store/learning-run-store.ts';
import type { RunRow } from '../../store/learning-runs.ts';
import type { RunSettings } from './run-settings.ts';

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
  store: Pick<LearningRunStore, 'begin' | 'unfinished' | 'waiting' | 'end'>;
  /** Learns what a run has taken. @param rest see `LearnPorts.rest` */
  learn: (run: RunRow, how: { rest: (signal: AbortSignal) => Promise<void>; signal: AbortSignal }) => Promise<void>;
  conditions: Conditions;
  when: () => LearnWhen;
  /** Of a run that begins now. */
  settings: (name: string) => RunSettings;
  newId: () => string;
  log: Logger;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
  /** Milliseconds for which a run keeps its memory while others use the computer. Default 30,000. */
  graceMs?: number;
  /** How long a run waits that was put off: see {@link Later}. Default from half a minute to five minutes. */
  again?: BackOff;
}

/** `waiting`: for feedback, or for time. `held`: something went wrong, or a person stopped it; it begins again with new feedback or when it is asked to. */
export type QueueState = 'waiting' | 'learning' | 'paused' | 'held';

export interface QueueView {
  state: QueueState;
  /** What it waits for. */
  why: readonly Saying[];
  /** Of the run that is under way. */
  run: string | undefined;
}

/** How much feedback one run takes: CLaaS, B3. */
const MOST_FEEDBACK = 4;
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
class Cancelled extends Error {}

/** Learns one thing after the other, while this computer has time for it and nobody stops it. A resource. */
export class LearningQueue {
  readonly #options: LearningQueueOptions;
  readonly #changes = new Changes();
  readonly #closing = new AbortController();
  #unsubscribe: () => void = () => undefined;
  #going: Promise<void> | undefined;
  #current: { run: RunRow; stop: AbortController } | undefined;
  #state: QueueState = 'waiting';
  /** Somebody asked for it: what speaks against it does not count until it has learnt. */
  #asked = false;
  /** What the run that is next was put off for, and how often in a row. */
  #later: Saying | undefined;
  #putOffs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LearningQueueOptions) {
    this.#options = options;
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
    this.#current?.stop.abort(new SetAside('closing'));
    await this.#going;
  }

  view(): QueueView {
    const why = this.#state === 'waiting' ? this.#against() : [];
    return { state: this.#state, why, run: this.#current?.run.id };
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
    this.#current?.stop.abort(new SetAside('paused'));
    this.#changes.tell();
  }

  /** Ends the run that is under way, or that waits to go on; its feedback waits again. @throws NOT_RUNNING where there is none */
  async cancel(): Promise<void> {
    const [unfinished] = await this.#options.store.unfinished();
    if (!unfinished) throw new QuarryError({ code: 'NOT_RUNNING', message: say('learning.noRun') });
    this.#asked = false;
    this.#later = undefined;
    this.#state = 'held';
    if (this.#current) this.#current.stop.abort(new Cancelled());
    else await this.#end(unfinished, 'cancelled');
    this.#changes.tell();
  }

  async #work(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const { count } = this.#changes;
      const run = await this.#next().catch((error: unknown) => this.#options.log.error({ err: error }, 'learning'));
      if (run) await this.#learn(run);
      else await this.#changes.after(count, signal);
    }
  }

  /** What to do now, if there is anything and nothing speaks against it. */
  async #next(): Promise<RunRow | undefined> {
    if (this.#state !== 'waiting' || this.#against().length > 0) return undefined;
    const { store, settings, newId, now = Date.now } = this.#options;
    const [unfinished] = await store.unfinished();
    if (unfinished) return unfinished;
    const [name] = await store.waiting();
    if (name === undefined) {
      this.#asked = false;
      return undefined;
    }
    const run = { id: newId(), name, created_at: now(), settings: JSON.stringify(settings(name)) };
    return await store.begin(run, MOST_FEEDBACK);
  }

  #against(): readonly Saying[] {
    const { conditions, when } = this.#options;
    if (this.#later) return [this.#later];
    if (this.#asked || when() === 'always') return [];
    return when() === 'asked' ? [say('learning.whenAsked')] : conditions.against();
  }

  async #learn(run: RunRow): Promise<void> {
    const { learn, log } = this.#options;
    const stop = new AbortController();
    this.#current = { run, stop };
    if (this.#state !== 'waiting' || this.#closing.signal.aborted) stop.abort(new SetAside('not any more'));
    else this.#state = 'learning';
    try {
      await learn(run, { rest: (signal) => this.#rest(signal), signal: stop.signal });
      this.#putOffs = 0;
    } catch (error) {
      const reason: unknown = stop.signal.aborted ? stop.signal.reason : error;
      if (reason instanceof Cancelled) await this.#end(run, 'cancelled');
      else if (reason instanceof Later) this.#putOff(reason.why);
      else if (!(reason instanceof SetAside)) await this.#failed(run, error);
    } finally {
      this.#current = undefined;
      if (this.#state === 'learning') this.#state = 'waiting';
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
    this.#state = 'held';
    await this.#end(run, 'failed', error);
  }

  async #end(run: RunRow, state: 'cancelled' | 'failed', error?: unknown): Promise<void> {
    const { store, now = Date.now, log } = this.#options;
    const told = error === undefined ? {} : { error: JSON.stringify(QuarryError.from(error).toJSON()) };
    await store
      .end(run.id, state, { ...told, ended_at: now() })
      .catch((err: unknown) => log.error({ err, run: run.id }, 'learning: its end could not be kept'));
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
