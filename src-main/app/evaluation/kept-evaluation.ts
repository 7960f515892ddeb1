import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { EvaluationRow, EvaluationStore } from '../../store/evaluations.ts';

/** @throws BAD_REQUEST where there is none */
export async function keptEvaluation(store: Pick<EvaluationStore, 'find'>, id: string): Promise<EvaluationRow> {
  const row = await store.find(id);
  if (row) return row;
  const [message, hint] = [say('evaluations.none', { id }), say('evaluations.list')];
  throw new QuarryError({ code: 'BAD_REQUEST', message, hint });
}
