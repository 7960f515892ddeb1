import type { Said } from '../../../src-preload/contract/saying.ts';
export type CheckStatus = 'ok' | 'warn' | 'fail' | 'skip';

/** What one check of `quarry doctor` found. */
export interface CheckResult {
  name: string;
  status: CheckStatus;
  /** One sentence for a person. */
  found: string;
  /** What to do about it, one or two sentences; absent when there is nothing to do. */
  advice?: string;
  /** What the two are worded from. */
  said?: Said;
}
