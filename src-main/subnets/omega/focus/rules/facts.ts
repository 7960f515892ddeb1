import type { ActivitySecond, ChainCheck } from '../../../../../src-preload/contract/focus.ts';
import type { Saying } from '../../../../../src-preload/contract/saying.ts';

/** What rules look at: of the picture, how much of it changed, and roughly how it looked, second by second. */
export interface FocusFacts {
  /** Milliseconds without the pauses. */
  activeMs: number;
  /** When it began, Unix milliseconds, by the clock that its chunks were taken by. */
  startedAt: number;
  /** As they were taken, one for each chunk. */
  seconds: readonly ActivitySecond[];
  chain: Pick<ChainCheck, 'chunks' | 'brokenAt'>;
  /** Recordings that there are already. Default: none. */
  known?: readonly Known[];
}

/** A recording that another one is compared with. */
export interface Known {
  title: string;
  seconds: readonly ActivitySecond[];
}

/** What a rule found. `unknown`: this computer does not tell what the rule asks for; that speaks neither for it nor against it. */
export interface Finding {
  outcome: 'passed' | 'failed' | 'unknown';
  reason: Saying;
}

/** As rules are given them: `seconds`, also those of what is known, are real ones. See {@link everySecond}. */
export interface RuleFacts extends FocusFacts {
  chunks: readonly ActivitySecond[];
}

export type Rule = (facts: RuleFacts) => Finding;

export const passed = (reason: Saying): Finding => ({ outcome: 'passed', reason });
export const failed = (reason: Saying): Finding => ({ outcome: 'failed', reason });
export const unknown = (reason: Saying): Finding => ({ outcome: 'unknown', reason });
