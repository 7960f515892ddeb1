import { expect, it } from 'vitest';
import { benchCompetition } from '../../src-main/bench/competition/competition.ts';
import type { BenchRow } from '../../src-main/bench/row.ts';

it('the door of a competition is asked, signed and not, beside a bare server that says the same', async () => {
  const rows: BenchRow[] = [];
  for await (const event of benchCompetition({ runs: 1, requests: 30, only: 'door' }))
    if (event.type === 'row') rows.push(event.row);
  expect(rows.filter(({ unit }) => unit === 'requests/s').map((row) => row.case)).toEqual([
    'open route, GET /rounds/current',
    'signed question, GET /submissions',
    'signed commitment, POST /commitments',
  ]);
  for (const { ours, peer, runs } of rows) {
    expect(ours).toBeGreaterThan(0);
    expect(peer).toBeGreaterThan(0);
    expect([runs.ours.length, runs.peer.length]).toEqual([1, 1]);
  }
});
