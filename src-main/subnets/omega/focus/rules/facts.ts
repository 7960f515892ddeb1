import type { ActivitySecond, ChainCheck } from '../../../../../src-preload/contract/focus.ts';
import type { Saying } from '../../../../../src-preload/contract/saying.ts';

/** What rules look at: of the picture, how much of it changed, and roughly how it looked, second by second. */
export interface FocusFacts {
  /** Milliseconds without the pauses. */
  activeMs: number;
  seconds: readonly ActivitySecond[];
  chain: ChainCheck;
  /** Recordings that there are already. Default: none. */
  known?: readonly { title: string; seconds: readonly ActivitySecond[] }[];
}

/** What a rule found. `unknown`: this computer does not tell what the rule asks for; that speaks neither for it nor against it. */
export interface Finding {
  outcome: 'passed' | 'failed' | 'unknown';
  reason: Saying;
}

export type Rule = (facts: FocusFacts) => Finding;

export const passed = (reason: Saying): Finding => ({ outcome: 'passed', reason });
export const failed = (reason: Saying): Finding => ({ outcome: 'failed', reason });
export const unknown = (reason: Saying): Finding => ({ outcome: 'unknown', reason });
