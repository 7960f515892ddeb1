import type { LearningNow, LearningRunView } from '../../../src-preload/contract/learning-runs.ts';

/** How learning stands, in a line. */
export function stateText({ state, why, run }: Pick<LearningNow, 'state' | 'why' | 'run'>): string {
  const waits = why.map(({ text }) => text).join(' ');
  if (!run) return [state, waits].filter(Boolean).join(': ');
  const steps =
    run.state === 'training' || run.state === 'evaluating' ? `, step ${run.step} of at most ${run.steps}` : '';
  return [`${run.id} ${run.state}${steps}`, waits].filter(Boolean).join(': ');
}

/** What came of a run, why, and what can be done. */
export function outcomeText(run: LearningRunView): string {
  const reasons = run.reasons.map(({ text }) => `  ${text}`);
  return [headOf(run), ...reasons, ...nextOf(run).map((line) => `  ${line}`)].join('\n');
}

function headOf({ state, version, error }: LearningRunView): string {
  switch (state) {
    case 'accepted':
      return `Learnt: ${version}.`;
    case 'rolled-back':
      return 'Not learnt: what came of it was not better, and is not in use.';
    case 'failed':
      return `Failed: ${error?.message ?? 'it is not known why'}`;
    case 'cancelled':
      return 'Cancelled. Its feedback waits again.';
    default:
      return `Not over yet: it is ${state}. «quarry learn status» shows how far it is.`;
  }
}

function nextOf({ state, error, feedback }: LearningRunView): string[] {
  if (state === 'rolled-back') return waysOn(feedback);
  if (state !== 'failed') return [];
  const waits = 'Its feedback waits again; after the same failure three times it is put aside.';
  return error?.hint === undefined ? [waits] : [error.hint, waits];
}

/** After a run that was not better: by saying more, or once something else is different. */
function waysOn(feedback: LearningRunView['feedback']): string[] {
  const more =
    'To teach it all the same, say it of a few more answers, as exactly as you can: «at most two sentences» teaches more than «shorter».';
  const rejected = feedback.filter(({ state }) => state === 'rejected').map(({ id }) => id);
  if (rejected.length === 0) return [more];
  return [more, `To try the same once more, with what waits then: quarry learn feedback retry ${rejected.join(' ')}`];
}
