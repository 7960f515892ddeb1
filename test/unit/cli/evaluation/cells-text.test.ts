import { expect, it } from 'vitest';
import { cellsTable } from '../../../../src-main/cli/evaluation/cells-text.ts';
import type { EvaluationCellView } from '../../../../src-preload/contract/evaluation.ts';

const cell = (variant: string): EvaluationCellView => ({
  ...{ suite: 'needle', variant, length: 500, asked: 1, answered: 1, score: 1, band: 'early', depth: 0.2 },
  ...{ firstMs: 1, totalMs: 2, promptTokensPerSecond: 3 },
});

it('has a row for each depth, from the beginning of a text to its end', () => {
  const alphabetical = ['date, beginning', 'date, early', 'date, end', 'date, late', 'date, middle', 'fact, end'];
  const rows = cellsTable(alphabetical.map(cell)).split('\n').slice(1, 7);
  expect(rows.map((row) => /needle: (\S+ \S+)/.exec(row)?.[1])).toEqual([
    ...['date, beginning', 'date, early', 'date, middle', 'date, late', 'date, end', 'fact, end'],
  ]);
});
