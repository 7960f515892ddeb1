import type { EvaluationCellView } from './evaluation.ts';

/** What came of the questions of some cells together. */
export type CellSum = Pick<
  EvaluationCellView,
  'asked' | 'answered' | 'score' | 'firstMs' | 'totalMs' | 'promptTokensPerSecond'
>;

/** Cells together: each counts as much as it has answers, and of reading as much as that took. */
export function summedCells(cells: readonly CellSum[]): CellSum {
  const sum = (of: (cell: CellSum) => number) => cells.reduce((before, cell) => before + of(cell), 0);
  const mean = (value: (cell: CellSum) => number | null, weight: (cell: CellSum) => number) => {
    const known = cells.filter((cell) => value(cell) !== null);
    const weights = known.reduce((before, cell) => before + weight(cell), 0);
    return weights > 0 ? known.reduce((before, cell) => before + (value(cell) ?? 0) * weight(cell), 0) / weights : null;
  };
  const answered = (cell: CellSum) => cell.answered;
  return {
    asked: sum(({ asked }) => asked),
    answered: sum(answered),
    score: sum(({ score }) => score),
    firstMs: mean(({ firstMs }) => firstMs, answered),
    totalMs: mean(({ totalMs }) => totalMs, answered),
    promptTokensPerSecond: mean(
      (cell) => cell.promptTokensPerSecond,
      (cell) => cell.answered * (cell.firstMs ?? 0),
    ),
  };
}

/** The share of its answers that are right, 0–1; undefined where there is none. */
export function accuracyOf({ answered, score }: Pick<CellSum, 'answered' | 'score'>): number | undefined {
  return answered > 0 ? score / answered : undefined;
}

/** All lengths of some cells, rising. */
export function lengthsOf(cells: readonly Pick<EvaluationCellView, 'length'>[]): number[] {
  return [...new Set(cells.map(({ length }) => length))].toSorted((one, other) => one - other);
}
