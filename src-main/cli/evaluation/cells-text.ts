import type { EvaluationCellView, EvaluationDetails } from '../../../src-preload/contract/evaluation.ts';
import { accuracyOf, lengthsOf, summedCells } from '../../../src-preload/contract/evaluation-cells.ts';
import { DEPTH_BANDS } from '../../../src-preload/contract/evaluation-numbers.ts';
import { tokensText } from '../../../src-preload/contract/token-length.ts';
import { durationText, percent, table } from '../terminal/output.ts';

/** What came of an evaluation, with what has to be known of it. */
export function outcomeText({ cells, remark }: Pick<EvaluationDetails, 'cells' | 'remark'>): string {
  return remark ? `${cellsTable(cells)}\n\n${remark.text}` : cellsTable(cells);
}

/** Scores by kind of question and length: a row each, a column a length; below, how long it took. */
export function cellsTable(cells: readonly EvaluationCellView[]): string {
  const lengths = lengthsOf(cells);
  const kinds = new Map(cells.toSorted(byDepth).map((cell) => [`${cell.suite}: ${cell.variant}`, cell]));
  const rows = [...kinds].map(([name, { suite, variant }]) => [
    cells.some((cell) => cell.suite === suite && cell.variant !== '') ? name : suite,
    ...lengths.map((length) =>
      scoreText(cells.filter((cell) => cell.suite === suite && cell.variant === variant && cell.length === length)),
    ),
  ]);
  const of = (length: number) => cells.filter((cell) => cell.length === length);
  const all = lengths.map((length) => scoreText(of(length)));
  const sums = lengths.map((length) => summedCells(of(length)));
  const first = sums.map(({ firstMs }) => (firstMs === null ? '–' : durationText(firstMs)));
  const speed = sums.map(({ promptTokensPerSecond: each }) => each?.toFixed(0) ?? '–');
  return table(
    ['QUESTIONS', ...lengths.map((length) => tokensText(length))],
    [...rows, ['all', ...all], ['time to the first word', ...first], ['tokens read a second', ...speed]],
  );
}

/** Rows from the beginning of a text to its end, which is how the names of kinds end. */
function byDepth(one: EvaluationCellView, other: EvaluationCellView): number {
  return orderOf(one) < orderOf(other) ? -1 : 1;
}

function orderOf({ suite, variant }: EvaluationCellView): string {
  const depth = DEPTH_BANDS.findIndex((band) => variant.endsWith(`, ${band}`));
  return depth < 0 ? `${suite}: ${variant}` : `${suite}: ${variant.slice(0, variant.lastIndexOf(','))}, ${depth}`;
}

/** «–» where nobody was asked; «no room» where the text was longer than whoever was asked can take. */
function scoreText(cells: readonly EvaluationCellView[]): string {
  const sum = summedCells(cells);
  const accuracy = accuracyOf(sum);
  if (sum.asked === 0) return '–';
  return accuracy === undefined ? 'no room' : percent(accuracy);
}
