import type { Readable } from 'node:stream';
import type { Words } from '../../../src-preload/contract/saying.ts';
import type { RunEnd } from '../../store/learning/learning-run-store.ts';

/** What feedback of programs asks of those who have adapters, and of those who learn. Both may be missing on a node. */

/** A new adapter, which changes nothing yet. */
export interface NewAdapter {
  name: string;
  rank: number;
  /** The adapter's change is scaled by `alpha / rank`. */
  alpha: number;
  /** Names of the matrices that it changes. Default: all that can be. */
  modules?: string[];
}

/** Versions of adapters, by their ids and by the names that stand for them. */
export interface AdapterPort {
  /** Ids and names that begin so, sorted, each once. */
  list(prefix: string): Promise<string[]>;
  /** @returns id of its first version @throws BAD_REQUEST for a name that is taken or bad; ENGINE_UNAVAILABLE without a model */
  init(wanted: NewAdapter): Promise<string>;
  /** @returns whether there was one */
  remove(ref: string): Promise<boolean>;
  /** Name of the adapter that a version's id, or a name, means. @throws ADAPTER_NOT_FOUND */
  resolve(ref: string): Promise<string>;
  /** Its files as a zip. Reading it to its end clears up, and so does destroying it, also before anything was read. @throws ADAPTER_NOT_FOUND */
  export(ref: string): Promise<Readable>;
}

/** What came of learning from some feedback. */
export interface RunOutcome {
  /** Id of the run. */
  run: string;
  state: RunEnd;
  /** Id of the version that is in use now; null: the model as it is. */
  version: string | null;
  /** Why it was not accepted, for a person. */
  reason?: Words;
  /** Figures of the last step, and of the verdict: `total_loss`, `grad_norm` and the like. */
  figures: Record<string, number>;
  /** Milliseconds of computing, and of writing what came of it. */
  trainingMs: number;
  savingMs: number;
}

export interface RunPort {
  /** Why nothing can be learnt here now, for a person; undefined where something can. */
  hindrance(): Words | undefined;
  /** There is feedback that waits, and nobody for it. */
  added(): void;
  /**
   * Learns from this feedback in a run of its own, at once; resolves when that has ended. What is learnt already is told of again. Aborting the signal
   * ends the waiting, not the run.
   * @throws LEARNING_BUSY when its turn does not come in time; NOT_RUNNING when nothing can be learnt now; BAD_REQUEST for what was withdrawn
   */
  learn(feedback: readonly number[], signal: AbortSignal): Promise<RunOutcome>;
}
