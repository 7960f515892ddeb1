import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { NO_SCORE } from '../../../../src-main/credits/score/score.ts';
import type { LogShelf } from '../../../../src-main/mesh/scores/log-shelf.ts';
import { ScoreAuditor } from '../../../../src-main/mesh/scores/score-auditor.ts';
import { ScoreBoard } from '../../../../src-main/mesh/scores/score-board.ts';
import type { ScoreUpdate, ScoreVerify } from '../../../../src-main/mesh/scores/score-messages.ts';
import type { Db } from '../../../../src-main/store/database.ts';
import { ScoreStore } from '../../../../src-main/store/mesh/scores.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';
import { testLog } from '../../../support/mesh-node.ts';
import { until } from '../../../support/until.ts';

const id = (number: number) => number.toString(16).padStart(64, '0');
const NOW = Date.UTC(2026, 10, 20);
/** Witnesses that never dealt with anyone, from here on: as many as are kept of each worker. */
const STRANGERS = 1_000_000;
const KEPT = 8;

const said = { v: 2 as const, id: '0'.repeat(32), ts: 1, sig: 'b'.repeat(128) };
const claim = (worker: number, seq: number): ScoreUpdate => ({
  ...said,
  ...{ type: 'score-update', from: id(worker), workerId: id(worker), total: 10 * seq, seq },
  ...{ receiptsRoot: 'c'.repeat(64), logKey: id(worker) },
});
const statement = (witness: number, worker: number): ScoreVerify => ({
  ...said,
  ...{ type: 'score-verify', from: id(witness), claim: claim(worker, 1) },
});

/** So many workers are followed, and strangers bear witness to each. */
async function fill(db: Db, workers: number): Promise<void> {
  const words = JSON.stringify(statement(1, 2)).replaceAll(id(1), 'WITNESS').replaceAll(id(2), 'WORKER');
  const state = JSON.stringify(NO_SCORE);
  await sql`
    WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${workers})
    INSERT INTO score_logs
    SELECT printf('%064x', n), printf('%064x', n), 1, ${state}, NULL, ${NOW} FROM number`.execute(db);
  await sql`
    WITH RECURSIVE place(k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM place WHERE k + 1 < ${KEPT}),
      said(worker, witness) AS (
        SELECT worker, printf('%064x', ${STRANGERS} + ${KEPT} * (row_number() OVER (ORDER BY worker)) + k)
        FROM score_logs, place)
    INSERT INTO score_witnesses
    SELECT worker, witness, replace(replace(${words}, 'WITNESS', witness), 'WORKER', worker) FROM said`.execute(db);
}

/** How often a peer that says all that it can has this node ask its database, where so many workers are followed. */
async function asked(workers: number): Promise<number> {
  const db = await memoryDatabase();
  await fill(db, workers);
  let reads = 0;
  const counted = new Proxy(new ScoreStore(db), {
    get(store, name: keyof ScoreStore) {
      if (!/^(save|put|remove|together)/.test(name)) reads++;
      return store[name].bind(store);
    },
  });
  const board = new ScoreBoard({ store: counted, self: id(0), now: () => NOW, log: testLog });
  await board.open();
  const shelf = {
    take: async () => ({ rewritten: false, root: async () => 'c'.repeat(64) }),
    drop: async () => {},
  } as unknown as LogShelf;
  const options = { blockTimeoutMs: 1, onProven: () => {}, onWitnessed: () => {}, log: testLog };
  const auditor = new ScoreAuditor({ board, store: counted, shelf, now: () => NOW, ...options });
  onTestFinished(async () => {
    await auditor.close();
    await board.close();
    await db.destroy();
  });
  reads = 0;
  for (let number = 0; number < 100; number++) {
    auditor.claim(claim(500_000 + number, 1), id(7));
    auditor.claim({ ...claim(500_000 + number, 1), logKey: id(number) }, id(7)); // of another log than before
  }
  const known = board.follow(id(1), id(1));
  known.claim = claim(1, 1);
  for (let number = 0; number < 100; number++) auditor.statement(statement(700_000 + number, 1), id(7));
  await until(() => expect(auditor.waiting).toBe(0));
  expect(board.marks()).toEqual([]);
  return reads;
}

it('what a peer says costs what it says, however many workers are followed', async () => {
  const reads = await asked(1);
  expect(reads).toBeLessThan(2 * 300);
  expect(await asked(5_000)).toBe(reads);
});
