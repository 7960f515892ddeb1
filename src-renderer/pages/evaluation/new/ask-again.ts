import type { EvaluationView } from '../../../../src-preload/contract/evaluation.ts';
import { changeDraft, draftOf } from './draft.ts';

/** Opens the form with all that was asked once. */
export function askAgain({ plan }: Pick<EvaluationView, 'plan'>): void {
  changeDraft(draftOf(plan));
  location.hash = '/evaluation/new';
}
