import type { QuarryError } from '../../../src-preload/contract/errors.ts';
import { told, wordsOf } from '../../../src-preload/contract/saying.ts';
import type { RunStateView } from '../../../src-preload/contract/validator-run.ts';

/** An error as it is told beside what it keeps from going on; null where there is none. */
export function faultOf(error: QuarryError | null | undefined): RunStateView['fault'] {
  return error ? told({ text: wordsOf(error, 'message') }) : null;
}
