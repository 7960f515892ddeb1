import type { EvaluationAnswerView, EvaluationCellView } from '../../../src-preload/contract/evaluation.ts';

/** What stands in a place of a table; nothing where that is not known. */
export type Cell = string | number | null;
/** Heads of columns, and what stands in them of each row. */
export type Columns<Row> = readonly (readonly [head: string, of: (row: Row) => Cell])[];

/** Of what came of all questions of one kind, one length and one depth. Scores are 0–1, times milliseconds. */
export const CELLS: Columns<EvaluationCellView> = [
  ['suite', ({ suite }) => suite],
  ['variant', ({ variant }) => variant],
  ['length', ({ length }) => length],
  ['band', ({ band }) => band],
  ['asked', ({ asked }) => asked],
  ['answered', ({ answered }) => answered],
  ['score', ({ answered, score }) => (answered > 0 ? score / answered : null)],
  ['depth', ({ depth }) => depth],
  ['firstMs', ({ firstMs }) => firstMs],
  ['totalMs', ({ totalMs }) => totalMs],
  ['promptTokensPerSecond', ({ promptTokensPerSecond }) => promptTokensPerSecond],
];

/** Of each question. */
export const ANSWERS: Columns<EvaluationAnswerView> = [
  ['text', ({ text }) => text],
  ['question', ({ question }) => question],
  ['suite', ({ suite }) => suite],
  ['variant', ({ variant }) => variant],
  ['length', ({ length }) => length],
  ['words', ({ words }) => words],
  ['depth', ({ depth }) => depth],
  ['score', ({ answer, score }) => (answer === null ? null : score)],
  ['answer', ({ answer }) => answer],
  ['error', ({ error }) => error?.message ?? null],
  ['promptTokens', ({ promptTokens }) => promptTokens],
  ['cachedTokens', ({ cachedTokens }) => cachedTokens],
  ['answerTokens', ({ answerTokens }) => answerTokens],
  ['firstMs', ({ firstMs }) => firstMs],
  ['totalMs', ({ totalMs }) => totalMs],
  ['at', ({ at }) => new Date(at).toISOString()],
];
