import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { Recording } from '../../../../src-preload/contract/focus.ts';
import { APPEALABLE } from '../../../../src-preload/contract/focus-limits.ts';
import type { Rating, RatingEvent, RatingStep, Verdict } from '../../../../src-preload/contract/focus-score.ts';
import { say, told, type Words, wordsOf } from '../../../../src-preload/contract/saying.ts';
import type { Changes } from '../../../base/changes.ts';
import type { Signer } from '../../../base/signing.ts';
import { ignoring } from '../../../base/swallowed.ts';
import { Turns } from '../../../base/turns.ts';
import type { FocusScoreStore, StoredVerdict } from '../../../store/focus/focus-scores.ts';
import type { Judge } from './model/judge.ts';
import { type KeyFrames, MOST_KEY_FRAMES } from './model/key-frames.ts';
import type { Drawn, FocusTask } from './model/questions.ts';
import type { Boost } from './model/score-by-model.ts';
import { Unscored } from './model/unscored.ts';
import { Newness, type NewnessOptions } from './newness.ts';
import { keptWords, ratingOf, readWords, rowsOf } from './rating-record.ts';
import {
  type AskedModel,
  type Outcome,
  type RecordingScore,
  type RecordingToScore,
  scoreRecording,
} from './score-recording.ts';
import { signScore } from './signed-score.ts';
import { nextState, type StateEvent } from './states.ts';

/** What is asked of the library of recordings. Each throws BAD_REQUEST for one that is not there. */
export interface RatedRecordings {
  get(id: string): Promise<Recording>;
  /** Its seconds, and what the rules say of them. @throws the signal’s reason */
  byRules(id: string, signal: AbortSignal): Promise<Pick<RecordingToScore, 'seconds' | 'byRules'>>;
  /** The last link of its chain, 64 hex. */
  content(id: string): Promise<string>;
}

export interface RatingsOptions extends NewnessOptions {
  store: FocusScoreStore;
  recordings: RatedRecordings;
  /** Who would be asked now, or why nobody can be. */
  judge: (recording: string) => { judge: Judge } | Extract<AskedModel, { lack: unknown }>;
  keyFrames: KeyFrames;
  signer: Signer;
  changes: Changes;
  draw: () => Drawn;
  /** Whether a boost may lift a score above 1. Default: no. */
  beyondOne?: () => boolean;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
}

/** One recording that is being scored. */
interface Work {
  step: RatingStep;
  readonly off: AbortController;
  readonly done: Promise<void>;
}

/** What recordings of this computer are worth: they are scored one after the other, and a kill amid it leaves a draft. */
export class Ratings {
  readonly #options: RatingsOptions;
  readonly #underWay = new Map<string, Work>();
  readonly #turns = new Turns();

  constructor(options: RatingsOptions) {
    this.#options = options;
  }

  /** What was being scored when the node ended is a draft again, and says so. */
  async open(): Promise<void> {
    const { store } = this.#options;
    for (const id of await store.inState('scoring')) {
      await this.#settle(id, 'unscored', say('focusScore.unscored.killed'));
    }
  }

  /** Ends what is under way: those are drafts again. Idempotent. */
  async close(): Promise<void> {
    const works = [...this.#underWay.values()];
    for (const { off } of works) off.abort();
    await Promise.allSettled(works.map(({ done }) => done));
  }

  /** Those that are there. */
  async verdicts(ids: readonly string[]): Promise<Verdict[]> {
    const stored = new Map((await this.#options.store.verdicts(ids)).map((one) => [one.recording, one]));
    const found: Verdict[] = [];
    for (const id of ids) {
      const recording = await this.#options.recordings.get(id).catch(ignoring('it was deleted meanwhile'));
      if (recording) found.push(verdictOf(recording, stored.get(id)));
    }
    return found;
  }

  /** @throws BAD_REQUEST for one that is not there */
  async rating(id: string): Promise<Rating> {
    const { store, recordings } = this.#options;
    const recording = await recordings.get(id);
    const [stored] = await store.verdicts([id]);
    const { payload, signature } = stored ?? {};
    return {
      verdict: verdictOf(recording, stored),
      ...ratingOf(await store.scores(id)),
      appeals: await store.appeals(id),
      signed: payload && signature ? { payload, signature } : null,
    };
  }

  /**
   * Has it scored, unless it is being already, and tells of each step. It goes on when nobody listens any more.
   * @param appeal what is wrong with the score that it has: kept with it, and shown to no model
   * @throws BAD_REQUEST for one that is not there, or cannot be scored as it stands
   */
  async *rate(id: string, signal: AbortSignal, appeal?: string): AsyncGenerator<RatingEvent, void, undefined> {
    if (appeal !== undefined) await this.#keepAppeal(id, appeal);
    const work = this.#underWay.get(id) ?? this.#begin(id);
    let isOver = false;
    work.done.then(
      () => this.#over(() => (isOver = true)),
      () => this.#over(() => (isOver = true)),
    );
    for (let last: RatingStep | undefined; !isOver && !signal.aborted; ) {
      const { count } = this.#options.changes;
      if (work.step !== last) yield { type: 'step', step: work.step };
      last = work.step;
      if (!isOver) await this.#options.changes.after(count, signal, 1_000);
    }
    if (signal.aborted) return;
    await work.done;
    yield { type: 'done', verdict: await this.#verdict(id) };
  }

  /** It is a draft again. Idempotent. */
  async stop(id: string): Promise<void> {
    const work = this.#underWay.get(id);
    work?.off.abort();
    await work?.done.catch(ignoring('whoever had it scored hears of that'));
  }

  /**
   * Before its title or description becomes another: what it was worth was for another task.
   * @throws BAD_REQUEST while it is being scored, and once it was offered
   */
  async beforeChange(id: string, change: Partial<FocusTask>): Promise<void> {
    const recording = await this.#options.recordings.get(id);
    const isOther = (name: keyof FocusTask) => change[name] !== undefined && change[name] !== recording[name];
    const isUnscored = ['recording', 'interrupted', 'draft'].includes(recording.state);
    if (isUnscored || (!isOther('title') && !isOther('description'))) return;
    if (!nextState(recording.state, 'taskChanged')) throw refused(say('focusScore.noChange'));
    await this.#settle(id, 'taskChanged', say('focusScore.unscored.changed'));
  }

  /** @throws BAD_REQUEST where it has no score that could be wrong */
  async #keepAppeal(id: string, note: string): Promise<void> {
    const { store, recordings, now = Date.now } = this.#options;
    const { state } = await recordings.get(id);
    if (!APPEALABLE.includes(state)) throw refused(say('focusScore.noAppeal'), say('focusScore.noAppeal.hint'));
    await store.addAppeal({ recording: id, at: now(), note });
  }

  #over(end: () => void): void {
    end();
    this.#options.changes.tell();
  }

  #begin(id: string): Work {
    const off = new AbortController();
    const work: Work = {
      step: 'waiting',
      off,
      done: this.#turns.take(() => this.#score(id, work)).finally(() => this.#underWay.delete(id)),
    };
    this.#underWay.set(id, work);
    return work;
  }

  async #score(id: string, work: Work): Promise<void> {
    const { recordings, store, log } = this.#options;
    const { signal } = work.off;
    if (signal.aborted) return;
    const recording = await recordings.get(id);
    const to = nextState(recording.state, 'score');
    if (!to || !(await store.move(id, { from: recording.state, to }))) throw refused(say('focusScore.notNow'));
    this.#tell(work, 'rules');
    try {
      const newness = await Newness.of(id, this.#options);
      const looked = await recordings.byRules(id, signal);
      const scored = await scoreRecording(
        {
          ...looked,
          task: recording,
          boost: boostOf(recording, this.#options.beyondOne?.() ?? false),
          model: this.#asked(id, work),
          uniquenessOf: newness && ((kind, text) => newness.place(kind, text, signal)),
        },
        signal,
      );
      await this.#keep(recording, scored);
      // What was refused takes nothing from the next try.
      if (scored.outcome === 'passed') await newness?.keep();
    } catch (error) {
      const isOff = signal.aborted;
      if (!isOff) log.error({ err: error, recording: id }, 'a recording could not be scored');
      await this.#settle(id, 'unscored', say(isOff ? 'focusScore.unscored.stopped' : 'focusScore.unscored.fault'));
      if (!isOff) throw error;
    }
  }

  #asked(id: string, work: Work): AskedModel {
    const { judge, keyFrames, draw } = this.#options;
    const chosen = judge(id);
    if ('lack' in chosen) return chosen;
    const frames = async () => {
      this.#tell(work, 'pictures');
      try {
        return await keyFrames(id, MOST_KEY_FRAMES, work.off.signal);
      } catch (cause) {
        if (work.off.signal.aborted) throw cause;
        const why = wordsOf(QuarryError.from(cause), 'message');
        throw new Unscored(say('focusScore.unscored.notTaken', { why }), { cause });
      }
    };
    return { judge: chosen.judge, draw, frames, onStep: (step) => this.#tell(work, step) };
  }

  async #keep(recording: Recording, scored: RecordingScore): Promise<void> {
    const { recordings, signer, now = Date.now } = this.#options;
    const { id } = recording;
    const at = now();
    const content = await recordings.content(id);
    const signed = signScore({ recording: id, content, task: recording, at }, scored, signer);
    await this.#settle(id, scored.outcome, scored.why, { ...signed, score: scored.score, rows: rowsOf(scored, at) });
  }

  async #settle(
    id: string,
    event: Outcome | Extract<StateEvent, 'taskChanged'>,
    why: Words,
    scored?: { payload: string; signature: string; score: number | null; rows: ReturnType<typeof rowsOf> },
  ): Promise<void> {
    const { store, recordings, changes, now = Date.now } = this.#options;
    const { state } = await recordings.get(id);
    const to = nextState(state, event);
    if (!to) return;
    const { rows = [], ...signed } = scored ?? { score: null, payload: null, signature: null };
    await store.settle({ from: state, to }, { recording: id, why: keptWords(why), at: now(), ...signed }, rows);
    changes.tell();
  }

  #tell(work: Work, step: RatingStep): void {
    work.step = step;
    this.#options.changes.tell();
  }

  async #verdict(id: string): Promise<Verdict> {
    const [stored] = await this.#options.store.verdicts([id]);
    return verdictOf(await this.#options.recordings.get(id), stored);
  }
}

/** What the signed list said of its task when it was begun: what its owner types counts for nothing. */
function boostOf({ task }: Recording, beyondOne: boolean): Boost | undefined {
  return task?.kind === 'boosted' ? { factor: task.multiplier, beyondOne } : undefined;
}

function verdictOf({ id, state }: Recording, stored: StoredVerdict | undefined): Verdict {
  if (!stored) return { id, state, score: null, text: null, at: null };
  const { score, at } = stored;
  return { id, state, score, at, ...told({ text: readWords(stored) }) };
}

function refused(message: Words, hint?: Words): QuarryError {
  return new QuarryError({ code: 'BAD_REQUEST', message, ...(hint && { hint }), field: 'id' });
}
