import type { RunStateView } from '../../../src-preload/contract/validator-run.ts';
import { counted } from '../terminal/output.ts';

/** «120 answers · 6 unanswered · 6 not reached»: what there is none of is left out, but for answers. */
export function outcomesText({
  answered,
  failed,
  notReached,
}: Pick<RunStateView, 'answered' | 'failed' | 'notReached'>): string {
  const parts = [
    counted(answered, 'answer'),
    ...(failed > 0 ? [`${failed} unanswered`] : []),
    ...(notReached > 0 ? [`${notReached} not reached`] : []),
  ];
  return parts.join(' · ');
}
