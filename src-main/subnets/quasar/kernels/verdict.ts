import type { Saying } from '../../../../src-preload/contract/saying.ts';

/** What can be wrong with a kernel. */
export const KERNEL_FAULTS = [
  /** The file is larger than is allowed. */
  'too-large',
  /** It is no WebAssembly, or uses more of it than is allowed. */
  'not-a-module',
  /** Functions too many or too large to be compiled in good time. */
  'too-complex',
  /** It wants something of its host. */
  'imports',
  /** `memory` or `step` is not there, or is something else. */
  'exports',
  /** Its memory is declared otherwise than is allowed, or it changed its size. */
  'memory',
  /** It ended with an error of its own. */
  'traps',
  /** It took longer than is allowed. */
  'late',
  /** The process that it ran in ended. */
  'died',
  /** It wrote where it was not to write. */
  'tampers',
  /** Its numbers are not those that were asked for. */
  'wrong',
] as const;
export type KernelFault = (typeof KERNEL_FAULTS)[number];

/** A number, and what JSON has none for. */
export type Shown = number | 'NaN' | 'Infinity' | '-Infinity';

/** The first number that was wrong. */
export type WrongPlace = {
  /** What was tried: a kind of case, or `measured` for a run that was timed. */
  kind: string;
  /** How many were tried before it. */
  number: number;
  dk: number;
  dv: number;
  /** Tokens of the chunks up to this one. */
  chunks: number[];
  where: 'out' | 'state';
  /** The token in the chunk (`out`), or the key channel (`state`). */
  row: number;
  /** The value channel; null where all of a row were looked at together. */
  column: number | null;
  expected: Shown;
  got: Shown;
};

/** Why a kernel is not taken. */
export interface KernelRefusal {
  right: false;
  fault: KernelFault;
  reason: Saying;
  /** Where the fault is `wrong`. */
  place?: WrongPlace | undefined;
}

/** How much faster than the baseline: above 1 is faster. The interval has the true median in 95 of 100 cases. */
export interface SpeedRatio {
  median: number;
  low: number;
  high: number;
  pairs: number;
}

/** A kernel that computes what it is to compute, and how fast. Tokens a second are medians over full chunks. */
export interface KernelSpeed {
  right: true;
  ratio: SpeedRatio;
  tokensPerSecond: number;
  baselineTokensPerSecond: number;
}

export type KernelVerdict = KernelRefusal | KernelSpeed;

/** Of a kernel that was only checked. The error is the largest that was seen, as a share of what is tolerated. */
export type KernelCheck = KernelRefusal | { right: true; cases: number; worstError: number };
