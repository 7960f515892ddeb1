import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import type { LearningRunStore } from '../../store/learning/learning-run-store.ts';
import { ADAPTER_GGUF } from '../formats/adapter-files.ts';
import { jsonPiece, type RunFiles } from './run-files.ts';
import { type OnProgress, toldProgress } from './told-progress.ts';

/** `quick`: a look in between. */
export type HowClosely = 'quick' | 'full';

/** Measures the model on what it does not learn from, and says whether it became better and nothing worse. */
export interface Examiner<Measures> {
  /**
   * @param adapter path of its GGUF file; undefined: the model as it is
   */
  examine(adapter: string | undefined, how: HowClosely, look: Look<Measures>): Promise<Measures>;
  /** What a quick look would have found where a full one was taken. */
  quickOf(full: Measures): Measures;
  /** What of it people are shown, and is kept with the run for good. */
  shown(measures: Measures): object;
  /** What is read again of a run that goes on has to fit it. */
  schema: z.ZodType<Measures>;
  judge(before: Measures, after: Measures, how: HowClosely): Judgement;
}

export interface Look<Measures> {
  signal: AbortSignal;
  /** What was found before the run, where that is over. */
  before?: Measures | undefined;
  /** Told after each question, and how many there are. */
  onAnswer?: ((done: number, of: number) => void) | undefined;
}

export interface Judgement {
  /** Better, and nothing worse. */
  accepted: boolean;
  /** Better in what was wanted: where it is not accepted, something else became worse. */
  gained: boolean;
  /** Share of answers that are as wanted, 0–1. */
  share: number;
  reasons: readonly Saying[];
}

export interface LooksPorts<Measures> {
  store: Pick<LearningRunStore, 'set' | 'addStep'>;
  files: RunFiles;
  examiner: Examiner<Measures>;
  /** Writes a weaker form of what a trainer saved into a folder that is not there yet. @param strength share of the change that is left */
  weaken(from: string, to: string, strength: number): Promise<void>;
  onProgress?: OnProgress | undefined;
  signal: AbortSignal;
}

/** What was looked at, `strength`: see {@link LooksPorts.weaken}. */
export type Found<Measures> = Judgement & { after: Measures; strength: number };

/**
 * Where enough was learnt and something else was lost, weaker forms are looked at: the first in between, both at the end. Seen of SmolLM2-135M, «no emoji», after
 * 16 steps: 20 of 20 held-out questions and 26 of 28 facts at full strength, 18 and 28 at 0.8, 16 and 28 at 0.6; after 8 steps 18 and 24, 18 and 26, 16 and 27.
 */
const WEAKER = [0.8, 0.6];

/** Looks of a run at what it has saved. What was found is written down with the step. */
export class Looks<Measures> {
  readonly #options: LooksPorts<Measures> & { run: string; steps: number };

  /** @param options `run`: its id; `steps`: how many it does at the most */
  constructor(options: LooksPorts<Measures> & { run: string; steps: number }) {
    this.#options = options;
  }

  /** At what the run starts from, once. @param adapter see {@link Examiner.examine} */
  async before(adapter: string | undefined): Promise<Measures> {
    const { files, examiner, store, run } = this.#options;
    const before = await files.once(jsonPiece('before', examiner.schema), () => this.#examine(adapter, 'full'));
    await store.addStep(run, 0, { full: examiner.shown(before) }); // what is found later is shown beside it
    return before;
  }

  /** At full strength; where that learnt enough and lost something, weaker. */
  async at(step: number, before: Measures): Promise<Found<Measures>> {
    const whole = await this.#lookAtWhole(step, before);
    if (whole.accepted || !whole.gained) return whole;
    const { files, weaken } = this.#options;
    for (const strength of this.#isLast(step) ? WEAKER : WEAKER.slice(0, 1)) {
      const folder = files.step(step, strength);
      await rm(folder, { recursive: true, force: true }); // of before a kill
      await weaken(files.step(step), folder, strength);
      const found = await this.#lookClosely(step, strength, before);
      if (found.accepted || !found.gained) return found.accepted ? found : whole;
    }
    return whole;
  }

  /** Closely only where a quick look finds nothing wrong, or there will be no other. */
  async #lookAtWhole(step: number, before: Measures): Promise<Found<Measures>> {
    const { run, examiner, store, files } = this.#options;
    const isLast = this.#isLast(step);
    if (isLast) await store.set(run, { state: 'evaluating' });
    const adapter = adapterIn(files.step(step));
    const quick = await this.#examine(adapter, 'quick', before);
    const first = examiner.judge(examiner.quickOf(before), quick, 'quick');
    await store.addStep(run, step, { quick: examiner.shown(quick), reasons: first.reasons });
    if (!first.accepted && !isLast) return { ...first, after: quick, strength: 1 };
    return await this.#lookClosely(step, 1, before);
  }

  async #lookClosely(step: number, strength: number, before: Measures): Promise<Found<Measures>> {
    const { run, examiner, store, files } = this.#options;
    const after = await this.#examine(adapterIn(files.step(step, strength)), 'full', before);
    const judged = examiner.judge(before, after, 'full');
    const weaker = strength < 1 ? [say('learning.weaker', { percent: Math.round(100 * strength) })] : [];
    const found = { ...judged, reasons: [...judged.reasons, ...weaker], after, strength };
    if (found.accepted || strength === 1)
      await store.addStep(run, step, { full: examiner.shown(after), reasons: found.reasons });
    return found;
  }

  async #examine(adapter: string | undefined, how: HowClosely, before?: Measures): Promise<Measures> {
    const { examiner, signal, onProgress } = this.#options;
    const work = (onAnswer: (done: number, of: number) => void) =>
      examiner.examine(adapter, how, { signal, before, onAnswer });
    return await toldProgress('looking', onProgress, work);
  }

  #isLast(step: number): boolean {
    return step >= this.#options.steps;
  }
}

/** Where a trainer has saved what the engine takes. */
export function adapterIn(folder: string): string {
  return join(folder, ADAPTER_GGUF);
}
