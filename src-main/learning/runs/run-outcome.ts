import { say, type Words, wordsOf } from '../../../src-preload/contract/saying.ts';
import { type LearningStep, RUN_ENDS } from '../../store/learning/learning-run-store.ts';
import type { RunRow } from '../../store/learning/learning-runs.ts';
import type { RunOutcome } from '../feedback/ports.ts';
import { type KeptStep, keptStep, measuresOf, runError, type ShownVerdict, verdictOf } from './run-views.ts';

/**
 * What came of a run that has ended, for the program that waits for it. What was learnt and undone since is not in use: it counts as rolled back.
 * @param inUse ids of the version that answers now and of those that it was learnt on from, the newest first; empty: the model as it is
 */
export function outcomeOf(row: RunRow, steps: readonly LearningStep[], inUse: readonly string[]): RunOutcome {
  const end = RUN_ENDS.find((known) => known === row.state);
  if (!end) throw new Error(`Run ${row.id} has not ended.`);
  const kept = steps.map(keptStep);
  const verdict = verdictOf(row);
  const isInUse = end === 'accepted' && row.version !== null && inUse.includes(row.version);
  const state = end === 'accepted' && !isInUse ? 'rolled-back' : end;
  const reason = isInUse ? undefined : reasonOf(row, verdict);
  return {
    ...{ run: row.id, state, version: isInUse ? row.version : (inUse[0] ?? null) },
    ...(reason !== undefined && { reason }),
    figures: { ...trained(kept), ...found(verdict) },
    trainingMs: Math.round(row.seconds * 1_000),
    savingMs: kept.reduce((sum, { savingMs = 0 }) => sum + savingMs, 0),
  };
}

function reasonOf(row: RunRow, verdict: ShownVerdict): Words | undefined {
  if (row.state === 'accepted') return say('learning.inUseNoMore', { version: row.version ?? '' });
  if (row.state === 'cancelled') return say('learning.cancelled');
  if (row.error !== null) return wordsOf(runError(row.error), 'message');
  return verdict.reasons[0];
}

/** The last step's figures by the names of CLaaS (B4), and how much was computed. */
function trained(steps: readonly KeptStep[]): Record<string, number> {
  const taken = steps.filter(({ loss }) => loss !== undefined); // the model as it was is looked at, too
  const last = taken.at(-1);
  if (!last) return {};
  const figures = {
    ...{ total_loss: last.loss, distill_loss: last.distillLoss, kl_reg: last.klLoss, grad_norm: last.gradNorm },
    ...{ mean_is_ratio: last.isRatio, clip_fraction: last.clipFraction },
    tokens_processed: taken.reduce((sum, { tokens = 0 }) => sum + tokens, 0),
    steps: taken.length,
  };
  return onlyNumbers(figures);
}

/** What was measured before and after. */
function found(verdict: ShownVerdict): Record<string, number> {
  const [before, after] = [verdict.before, verdict.after].map((measured) => measured && measuresOf(measured));
  return onlyNumbers({
    ...{ compliance_before: before?.compliance, compliance: after?.compliance },
    ...{ capability_before: before?.capability, capability: after?.capability },
  });
}

function onlyNumbers(figures: Record<string, number | undefined>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(figures).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
