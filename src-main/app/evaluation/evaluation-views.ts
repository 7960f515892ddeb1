import type { z } from 'zod';
import type { ErrorView } from '../../../src-preload/contract/error-schema.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import {
  type EvaluationAnswerView,
  type EvaluationCellView,
  type EvaluationView,
  evaluationStateSchema,
  keptPlanSchema,
} from '../../../src-preload/contract/evaluation.ts';
import { say, told } from '../../../src-preload/contract/saying.ts';
import { errorView } from '../../base/error-view.ts';
import { keptError, keptJson } from '../../base/kept-json.ts';
import type { EvaluationAnswerRow, EvaluationCell, EvaluationRow } from '../../store/evaluations.ts';

export type KeptPlan = z.infer<typeof keptPlanSchema>;

const DAMAGED = say('evaluations.damaged');
/** Shown in place of one that cannot be read: so it is told of, and can be removed. */
const NO_PLAN: KeptPlan = {
  target: { kind: 'local' },
  suites: ['?'],
  lengths: [500],
  samples: 1,
  ownTexts: false,
  seed: '?',
};

/** @throws INTERNAL where it cannot be read any more */
export function planOf(kept: string): KeptPlan {
  const plan = keptJson(kept, keptPlanSchema);
  if (!plan) throw damaged();
  return plan;
}

const damaged = () => new QuarryError({ code: 'INTERNAL', message: DAMAGED });

/** An evaluation, as people look at it; where something of it cannot be read any more, it says so. */
export function evaluationView({ plan: kept, error: failure, ...row }: EvaluationRow): EvaluationView {
  const { id, created_at: createdAt, ended_at: endedAt, model, sha256, texts, done, seconds } = row;
  const plan = keptJson(kept, keptPlanSchema);
  const state = plan && evaluationStateSchema.safeParse(row.state).data;
  const about = { id, createdAt, endedAt, model, sha256, texts, done, seconds };
  const error = errorOf(failure);
  if (!plan || !state)
    return {
      ...about,
      state: 'failed',
      plan: plan ?? NO_PLAN,
      secondsLeft: null,
      ...{ error: error ?? errorView(damaged()), remark: null },
    };
  const remark = plan.isBuiltIn ? told({ text: say('evaluations.builtIn') }) : null;
  return { ...about, state, plan, secondsLeft: secondsLeft(row, plan), error, remark };
}

function errorOf(kept: string | null): ErrorView | null {
  return kept === null ? null : keptError(kept, DAMAGED);
}

/** By the tokens that were asked so far: texts that are longer take longer. Null before the first is done, and where it does not run. */
function secondsLeft(
  { state, texts, done, seconds }: Pick<EvaluationRow, 'state' | 'texts' | 'done' | 'seconds'>,
  { lengths }: KeptPlan,
): number | null {
  if (state !== 'running' || done === 0) return null;
  // Each length has as many texts, the short ones are first.
  const ascending = [...new Set(lengths)].toSorted((one, other) => one - other);
  const each = texts / ascending.length;
  const sum = (count: number) =>
    ascending.reduce((before, length, at) => before + length * Math.min(each, Math.max(0, count - at * each)), 0);
  return (seconds * (sum(texts) - sum(done))) / sum(done);
}

export function cellView({ promptTokens, promptMs, ...cell }: EvaluationCell): EvaluationCellView {
  const isTold = promptTokens > 0 && promptMs > 0;
  return { ...cell, promptTokensPerSecond: isTold ? (1_000 * promptTokens) / promptMs : null };
}

export function answerView({ evaluation: _, error, ...row }: EvaluationAnswerRow): EvaluationAnswerView {
  const {
    prompt_tokens: promptTokens,
    cached_tokens: cachedTokens,
    answer_tokens: answerTokens,
    first_ms: firstMs,
    total_ms: totalMs,
    ...same
  } = row;
  const counts = { promptTokens, cachedTokens, answerTokens, firstMs, totalMs };
  return { ...same, ...counts, error: errorOf(error) };
}
