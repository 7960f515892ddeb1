import type { Readable } from 'node:stream';

/** What the HTTP API for learning asks of the node. Errors are QuarryErrors. */

/** How a program wants its feedback to be learnt. */
export interface WantedTraining {
  learningRate: number;
  alpha: number;
  isClip: number;
  maxGradNorm: number;
  klRegWeight: number;
  teacherTopK: number;
}

export interface WantedLearning {
  /** Name of an adapter, or id of a version. */
  adapter: string;
  items: readonly { completion?: string | undefined; response: string; feedback: string }[];
  training: WantedTraining;
  /** Whether it is learnt before the answer. */
  wait: boolean;
  /** What is sent twice with the same key counts once. */
  key?: string | undefined;
}

/** What came of it. */
export interface Learnt {
  /** Ids of the feedback. */
  feedback: number[];
  /** Absent where it waits. */
  outcome?: {
    run: string;
    state: 'accepted' | 'rolled-back' | 'failed' | 'cancelled';
    version: string | null;
    /** Why it was not accepted. */
    reason?: string;
    figures: Record<string, number>;
    trainingMs: number;
    savingMs: number;
  };
}

export interface LearningDoor {
  learn(wanted: WantedLearning, signal: AbortSignal): Promise<Learnt>;
  /** Ids and names of adapters that begin so, sorted, each once. */
  list(prefix: string): Promise<string[]>;
  /** @returns id of its first version */
  init(wanted: { name: string; rank: number; alpha: number; modules?: string[] }): Promise<string>;
  /** @returns whether there was one */
  remove(ref: string): Promise<boolean>;
  /** A zip, which is destroyed where nobody waits for it any more. @throws ADAPTER_NOT_FOUND */
  export(ref: string): Promise<Readable>;
  /** Names of the model that adapters are made for here. */
  bases(): string[];
  /** Why nothing can be learnt now, as a sentence; undefined where something can. */
  hindrance(): string | undefined;
}
