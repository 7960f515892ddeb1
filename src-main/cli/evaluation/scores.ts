import type { EvaluationScore } from '../../../src-preload/contract/evaluation-scores.ts';
import { percent, table } from '../terminal/output.ts';
import type { Columns } from './columns.ts';

/** QUASAR’s scores with what they are; nothing where one was not measured. */
export const SCORES: Columns<EvaluationScore> = [
  ['score', ({ name }) => name.text],
  ['value', ({ value }) => value],
  ['what it is', ({ is }) => is.text],
  ['what it came from', ({ from }) => from.text],
];

/** For a terminal. */
export function scoresTable(scores: readonly EvaluationScore[]): string {
  const rows = scores.map((score) => [score.name.text, valueText(score), score.is.text, score.from.text]);
  return table(['SCORE', 'VALUE', 'WHAT IT IS', 'WHAT IT CAME FROM'], rows, WIDTHS);
}

function valueText({ score, value }: EvaluationScore): string {
  if (value === null) return '–';
  return score === 'speed' ? `${value.toFixed(1)}/s` : percent(value);
}

/** Sentences are broken, so that the table fits 100 columns. */
const WIDTHS = [13, 10, 38, 38];
