import { create } from 'zustand';
import type { EvaluationTarget } from '../../../../src-preload/contract/evaluation.ts';
import type { OptimiserStart } from '../../../../src-preload/contract/optimiser.ts';
import { USUAL } from '../../../../src-preload/contract/optimiser-numbers.ts';

/** What somebody is about to start; it outlives a change of tab. */
export interface StartDraft extends Omit<OptimiserStart, 'source'> {
  /** Empty: the baseline. */
  source: string;
}

export const useStartDraft = create<StartDraft>(() => ({ target: { kind: 'local' }, ...USUAL, source: '' }));

export const changeStart = (changes: Partial<StartDraft>) => useStartDraft.setState(changes);

/** Whether it is said who writes. */
export function namesWriter(target: EvaluationTarget): boolean {
  return target.kind !== 'address' || /^https?:$/.test(URL.parse(target.url)?.protocol ?? '');
}

/** What main is asked. */
export function wishOf({ source, ...plan }: StartDraft): OptimiserStart {
  return { ...plan, ...(source.trim() !== '' && { source }) };
}
