import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Db } from '../../../../src-main/store/database.ts';
import { type ScoreEntryRow, ScoreStore } from '../../../../src-main/store/mesh/scores.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';

let db: Db;
let store: ScoreStore;
beforeEach(async () => {
  db = await memoryDatabase();
  store = new ScoreStore(db);
});
afterEach(() => db.destroy());

it('of long logs those entries are kept on which something rests', async () => {
  const log = { worker: 'w', log_key: 'k', seq: 60, state: '{}', claim: null, updated_at: 0 };
  // Sixty days, a receipt for each of two clients by turns, every fifth day a failure.
  const entries = Array.from({ length: 60 }, (_, index): ScoreEntryRow => {
    const seq = index + 1;
    const receipt = { request_id: `r${seq}`, client: seq % 2 ? 'a' : 'b', day: seq };
    return {
      worker: 'w',
      seq,
      total: seq,
      counted: 1,
      ...(seq % 5 === 0 ? { request_id: null, client: null, day: null } : receipt),
    };
  });
  entries.push({ worker: 'w', seq: 61, total: 61, counted: 1, request_id: 'r61', client: 'once', day: 3 });
  await store.advance(entries, log);
  expect(await store.trim('w', { after: 0, upTo: 58 }, 50)).toBe(58);
  const kept = await db.selectFrom('score_entries').select('seq').orderBy('seq').execute();
  // Since day 50; the failure that is spoken of still; and whoever came once.
  expect(kept.map(({ seq }) => seq)).toEqual([51, 52, 53, 54, 56, 57, 58, 59, 60, 61]);
  expect(await store.totalAt('w', 60)).toBe(60);
  expect(await store.partners(['a', 'b', 'once', 'nobody'])).toEqual(
    ['a', 'b', 'once'].map((node) => ({ node, partner: 'w' })),
  );
  expect(await store.partners(['w'])).toEqual([
    { node: 'w', partner: 'a' },
    { node: 'w', partner: 'once' },
  ]);
});

it('of a log that has ever more, so many entries are kept: the last ones', async () => {
  const log = (seq: number) => ({ worker: 'w', log_key: 'k', seq, state: '{}', claim: null, updated_at: 0 });
  await store.putLog(log(20_000));
  await sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
    INSERT INTO score_entries SELECT 'w', i, 'r' || i, 'client ' || i, 1, 1, i FROM n`.execute(db);
  const entry = { worker: 'w', day: 1, counted: 1 };
  const more = [20_001, 20_002].map((seq) => ({ ...entry, seq, total: seq, request_id: `r${seq}`, client: `c${seq}` }));
  await store.advance(more, log(20_002));
  const { rows } = await sql`SELECT count(*) AS count, min(seq) AS first FROM score_entries`.execute(db);
  expect(rows).toEqual([{ count: 20_000, first: 3 }]);
});

it('of a client that came long ago and not again, the last receipt is kept', async () => {
  const log = { worker: 'w', log_key: 'k', seq: 3, state: '{}', claim: null, updated_at: 0 };
  const entry = (seq: number, client: string, day: number) => ({
    worker: 'w',
    seq,
    total: seq,
    counted: 1,
    request_id: `r${seq}`,
    client,
    day,
  });
  await store.advance([entry(1, 'a', 1), entry(2, 'a', 2), entry(3, 'b', 90)], log);
  await store.trim('w', { after: 0, upTo: 3 }, 80);
  expect((await db.selectFrom('score_entries').select('seq').orderBy('seq').execute()).map(({ seq }) => seq)).toEqual([
    2, 3,
  ]);
  expect(await store.partners(['a'])).toEqual([{ node: 'a', partner: 'w' }]);
});

it('of long logs some entries are looked at in one go, whatever comes of them', async () => {
  const log = { worker: 'w', log_key: 'k', seq: 2_500, state: '{}', claim: null, updated_at: 0 };
  const failure = { worker: 'w', request_id: null, client: null, day: null, counted: 0, total: 0 };
  for (let from = 0; from < 2_500; from += 500) {
    const entries = Array.from({ length: 500 }, (_, index) => ({ ...failure, seq: from + index + 1 }));
    await store.advance(entries, log);
  }
  const left = async () => (await db.selectFrom('score_entries').select('seq').execute()).length;
  expect(await store.trim('w', { after: 0, upTo: 2_400 }, 1)).toBe(1_024);
  expect(await left()).toBe(2_500 - 1_024);
  expect(await store.trim('w', { after: 1_024, upTo: 2_400 }, 1)).toBe(2_048);
  expect(await store.trim('w', { after: 2_048, upTo: 2_400 }, 1)).toBe(2_400);
  expect(await left()).toBe(100);
});
