import { SharedWork } from '../../../base/shared-work.ts';
import type { Figure } from '../../../server/figures.ts';
import type { Report } from '../report.ts';
import type { LearningPart } from './learning.ts';
import type { LearningRunsPart } from './learning-runs.ts';

/** @param runs undefined on a node that does not learn: feedback may wait there all the same */
export function learningReport(learning: Pick<LearningPart, 'feedback'>, runs: LearningRunsPart | undefined): Report {
  const feedback: Figure = {
    name: 'quarry_learning_feedback',
    help: 'Feedback by state: waiting to be learnt, taken by a run, put aside after failures.',
    label: 'state',
    read: () => learning.feedback(),
  };
  if (!runs) return { figures: [feedback] };
  // All figures of a look at the metrics are read at once.
  const looks = new SharedWork<Awaited<ReturnType<LearningRunsPart['outcomes']>>>();
  const outcomes = async (of: 'runs' | 'seconds') => {
    const found = await looks.take('outcomes', () => runs.outcomes());
    return Object.fromEntries(Object.entries(found).map(([outcome, figures]) => [outcome, figures[of]]));
  };
  return {
    figures: [
      feedback,
      {
        name: 'quarry_learning_running',
        help: '1 while this node learns.',
        read: async () => Number((await runs.now()).state === 'learning'),
      },
      {
        name: 'quarry_learning_runs_total',
        help: 'Runs that have ended, by outcome.',
        kind: 'total',
        label: 'outcome',
        read: () => outcomes('runs'),
      },
      {
        name: 'quarry_learning_seconds_total',
        help: 'Seconds for which runs that have ended computed, by outcome.',
        kind: 'total',
        label: 'outcome',
        read: () => outcomes('seconds'),
      },
    ],
  };
}
