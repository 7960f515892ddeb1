import type {
  EvaluationAnswerView,
  EvaluationCellView,
  EvaluationRequest,
  EvaluationView,
} from '../../../src-preload/contract/evaluation.ts';
import type { EvaluationAnswerRow, EvaluationCell, EvaluationRow } from '../../store/evaluations.ts';

/** As an evaluation was begun: with its seed. */
export type KeptPlan = Required<EvaluationRequest>;

export const planOf = (kept: string) => JSON.parse(kept) as KeptPlan;

export function evaluationView({ plan: kept, error, ...row }: EvaluationRow): EvaluationView {
  const { id, created_at: createdAt, ended_at: endedAt, state, model, sha256, texts, done, seconds } = row;
  const plan = planOf(kept);
  const about = { id, createdAt, endedAt, state, plan, model, sha256, texts, done, seconds };
  return { ...about, secondsLeft: secondsLeft(row, plan), error: error === null ? null : JSON.parse(error) };
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
  return { ...same, ...counts, error: error === null ? null : JSON.parse(error) };
}
