import type { MINER_KINDS } from '../../../src-preload/contract/validator-names.ts';

/** What is asked of a miner, and for how long one waits. */
export interface Question {
  prompt: string;
  /** Tokens of the answer, at most. */
  maxTokens: number;
  /** Milliseconds for all of it. */
  timeoutMs: number;
  signal: AbortSignal;
}

/** Somebody that can be asked, by whatever way. */
export interface Miner {
  /** As results name it: the key that it is known by, or what stands for one. */
  readonly id: string;
  readonly kind: (typeof MINER_KINDS)[number];
  /** What it says that it runs. */
  readonly model: string;
  readonly revision: string;
  /** Its number on its subnet, and the block since which it is there; null for those that are on none. */
  readonly uid: number | null;
  readonly block: number | null;
  /** @returns the answer; what is too long to be judged may be cut off @throws QuarryError where none comes */
  ask(question: Question): Promise<string>;
}

/** Those who can be asked now. @throws where that cannot be told */
export type ListMiners = (signal: AbortSignal) => Promise<readonly Miner[]>;
