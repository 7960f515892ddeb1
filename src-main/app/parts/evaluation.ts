import { dataPath } from '../../base/data-folder.ts';
import { EvaluationStore } from '../../store/evaluations.ts';
import { EvaluationDesk } from '../evaluation/evaluation-desk.ts';
import { type ExamineeNeeds, openExaminee } from '../evaluation/examinees.ts';
import type { Core } from './core.ts';

/** How much of long texts models use; every node can find out. */
export type EvaluationPart = EvaluationDesk;

export async function openEvaluation(
  { config, db, log, onDrain }: Core,
  needs: ExamineeNeeds,
): Promise<EvaluationPart> {
  const desk = new EvaluationDesk({
    store: new EvaluationStore(db),
    openExaminee: (target, signal) => openExaminee(needs, target, signal),
    folder: dataPath(config.dataDir, 'texts'),
    log,
  });
  await desk.open();
  onDrain(() => desk.close());
  return desk;
}
