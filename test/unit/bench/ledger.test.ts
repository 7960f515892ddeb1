import { expect, it } from 'vitest';
import { benchLedger } from '../../../src-main/bench/ledger.ts';

it('a long ledger is measured row by row, and its proof holds', async () => {
  const rows = [];
  for await (const event of benchLedger({ entries: 500, day: 40, runs: 1 }))
    if (event.type === 'row') rows.push(event.row);
  expect(rows.map(({ case: what, goal }) => [what, goal])).toEqual([
    ['start with 500 entries', '≤ 2'],
    ['evidence of an achievement, 500 receipts', '≤ 20'],
    ['proof of 40 receipts after 500 entries', '≤ 10'],
    ['proof of 40 receipts after 500 entries: processor time', '≤ 10'],
    ['proof of 40 receipts after 500 entries: more memory', '≤ 200'],
    ['proof of 40 receipts after 500 entries: event loop p99', '≤ 20'],
  ]);
  expect(rows.every(({ ours }) => Number.isFinite(ours))).toBe(true);
});
