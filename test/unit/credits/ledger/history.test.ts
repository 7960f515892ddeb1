import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { receiptBytes } from '../../../../src-main/credits/receipt.ts';
import { appendEntry } from '../../../../src-main/store/credits/ledger.ts';
import type { EntryFilter } from '../../../../src-preload/contract/credits.ts';
import {
  type CreditNode,
  NOON,
  nextRequestId,
  openCreditNode,
  served,
  testIdentity,
} from '../../../support/credit-nodes.ts';

const HOUR = 3_600_000;

const client = testIdentity(2);
let node: CreditNode;
beforeEach(async () => {
  node = await openCreditNode(1, { friends: true }); // clients never run out
});
afterEach(() => node.close());

/** Serves a request, with what both sides sign. */
async function serve(over: Parameters<typeof served>[0] | object = {}): Promise<string> {
  const requestId = nextRequestId();
  await node.book.worker.fund({ requestId, client: client.id, host: '127.0.0.1', maxTokens: 256, vouchers: [] });
  const work = served({ client: client.id, requestId, servedAt: node.clock.now, ...over });
  const bill = node.book.worker.bill(work);
  await node.book.worker.settle({ ...bill, clientSig: client.sign(receiptBytes(bill.body)) });
  return requestId;
}

async function fail(): Promise<void> {
  const requestId = nextRequestId();
  await node.book.worker.fund({ requestId, client: client.id, host: '127.0.0.1', maxTokens: 256, vouchers: [] });
  await node.book.worker.release({ client: client.id, requestId: requestId }, 'ENGINE_CRASHED');
}

/** A history of seven hours: a request an hour, a failure at the end. */
async function live(): Promise<void> {
  for (let hour = 1; hour <= 6; hour++) {
    node.clock.now = NOON + hour * HOUR;
    await serve();
  }
  node.clock.now = NOON + 7 * HOUR;
  await fail();
}

const kinds = async (filter: EntryFilter) =>
  (await node.book.entries({ limit: 100, ...filter })).map(({ kind }) => kind);

describe('the kinds of entries', () => {
  it('are those that there may be, and those of before the claims where there are some', async () => {
    await live();
    const now = ['standing', 'release', 'earn', 'pay', 'bonus', 'penalty'];
    expect((await node.book.kinds()).toSorted()).toEqual(now.toSorted());
    const postings = { 'own:available': 10, 'issue:allowance': -10 };
    await node.db
      .transaction()
      .execute((trx) => appendEntry(trx, { at: NOON, kind: 'allowance', key: 'old', postings }));
    expect((await node.book.kinds()).toSorted()).toEqual([...now, 'allowance'].toSorted());
  });
});

describe('the history', () => {
  it('has what touches the own credits or points, and nothing else', async () => {
    await live();
    const entries = await node.book.entries({ limit: 100 });
    expect(entries.map(({ kind, amount, points }) => [kind, amount, points])).toEqual([
      ['penalty', 0, -1],
      ...Array.from({ length: 5 }, () => ['earn', 2, 10]),
      ['bonus', 0, 5],
      ['earn', 2, 10],
    ]);
    const sum = (key: 'amount' | 'points') => entries.reduce((total, entry) => total + entry[key], 0);
    const { available, points } = await node.book.summary();
    expect([sum('amount'), sum('points')]).toEqual([available, points]);
  });

  it('shows receipts that did not count, with the reason', async () => {
    for (let count = 0; count < 21; count++) await serve();
    const [newest] = await node.book.entries({ limit: 1 });
    expect(newest).toMatchObject({
      kind: 'earn',
      amount: 2,
      points: 0,
      happened: expect.stringMatching(/did not count: too many/),
    });
  });

  it('is filtered by kinds; none means all', async () => {
    await live();
    expect(await kinds({ kinds: ['bonus'] })).toEqual(['bonus']);
    expect(await kinds({ kinds: ['bonus', 'penalty', 'bonus'] })).toEqual(['penalty', 'bonus']);
    expect(await kinds({ kinds: ['no such kind'] })).toEqual([]);
    expect(await kinds({ kinds: [] })).toHaveLength(8);
  });

  it('is filtered by time: from there, and up to but without there', async () => {
    await live();
    const [from, to] = [NOON + 2 * HOUR, NOON + 4 * HOUR];
    const found = await node.book.entries({ limit: 100, from, to });
    expect(found.map(({ at }) => at)).toEqual([NOON + 3 * HOUR, NOON + 2 * HOUR]);
    expect(await kinds({ from: NOON + 7 * HOUR, kinds: ['earn', 'penalty'] })).toEqual(['penalty']);
  });

  it.each([{}, { kinds: ['earn', 'bonus'] }])('has every entry once when it is read in pages (%j)', async (filter) => {
    for (let count = 0; count < 4; count++) await serve(); // all in one millisecond
    const all = await node.book.entries({ limit: 100, ...filter });
    const paged = [];
    for (let before: number | undefined; ; before = paged.at(-1)?.seq) {
      const page = await node.book.entries({ limit: 2, before, ...filter });
      if (page.length === 0) break;
      paged.push(...page);
    }
    expect(paged).toEqual(all);
    expect(await node.book.entries({ limit: 1, before: 0 })).toEqual([]);
    expect(await node.book.entries({ limit: 1, before: 1e9, ...filter })).toEqual(all.slice(0, 1));
  });

  it('is found by index, however it is filtered', async () => {
    for (const where of ['TRUE', `kind = 'earn'`]) {
      const { rows } = await sql<{ detail: string }>`EXPLAIN QUERY PLAN
        SELECT at, seq FROM own_entries WHERE ${sql.raw(where)} AND at >= 1 AND at < 9 AND (at, seq) < (8, 5)
        ORDER BY at DESC, seq DESC LIMIT 50`.execute(node.db);
      expect(rows.map(({ detail }) => detail)).toEqual([expect.stringMatching(/^SEARCH.*COVERING INDEX/)]);
    }
  });
});

describe('the own history', () => {
  it('is proven with the ledger, and rebuilt from it', async () => {
    await live();
    await node.book.client.corrected(client.id, 3);
    const kept = () => node.db.selectFrom('own_entries').selectAll().orderBy('seq').execute();
    const before = await kept();
    await sql`UPDATE own_entries SET points = points + 1 WHERE kind = 'bonus'`.execute(node.db);
    await sql`DELETE FROM own_entries WHERE kind = 'penalty'`.execute(node.db);
    const { problems } = await node.book.verify();
    expect(problems).toHaveLength(2);
    expect(problems.join('\n')).toMatch(/own history/);
    await node.book.rebuild();
    expect(await kept()).toEqual(before);
    expect(await node.book.verify()).toMatchObject({ ok: true });
  });
});

describe('CSV', () => {
  const csv = async (filter: EntryFilter = {}) => (await Array.fromAsync(node.book.csv(filter))).join('');

  it('has a head and a line for each entry, oldest first', async () => {
    const requestId = await serve();
    expect(await csv()).toBe(
      [
        'number,time,kind,request,credits,points,happened',
        `1,2026-11-20T12:00:00.000Z,earn,${requestId},2,10,Served ${client.id.slice(0, 8)} on trust`,
        '2,2026-11-20T12:00:00.000Z,bonus,,0,5,First Light',
        '',
      ].join('\n'),
    );
  });

  it('is filtered like the history', async () => {
    await live();
    expect((await csv({ kinds: ['penalty', 'bonus'] })).split('\n').map((line) => line.split(',')[2])).toEqual([
      'kind',
      'bonus',
      'penalty',
      undefined,
    ]);
    expect(await csv({ to: 0 })).toBe('number,time,kind,request,credits,points,happened\n');
  });

  it('has everything once when it takes several pages', async () => {
    await node.db.transaction().execute(async (trx) => {
      const postings = { 'own:available': 1, 'issue:allowance': -1 };
      for (let count = 0; count < 2_100; count++) {
        await appendEntry(trx, { at: NOON + (count % 7), kind: 'allowance', key: `allowance:own:x${count}`, postings });
      }
    });
    const lines = (await csv()).trimEnd().split('\n').slice(1);
    expect(new Set(lines.map((line) => line.split(',')[0])).size).toBe(2_100);
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('keeps a spreadsheet from computing %j', async (memo) => {
    const postings = { 'own:available': 1, 'issue:allowance': -1 };
    await node.db
      .transaction()
      .execute((trx) => appendEntry(trx, { at: NOON, kind: 'release', key: 'x', memo, postings }));
    const line = (await csv({ kinds: ['release'] })).slice('number,time,kind,request,credits,points,happened\n'.length);
    expect(line).toMatch(/^1,[^,]+,release,,1,0,"?'/);
  });
});
