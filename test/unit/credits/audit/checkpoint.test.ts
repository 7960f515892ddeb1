import { type RawBuilder, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signCheckpoint } from '../../../../src-main/credits/audit/checkpoint.ts';
import { type CheckpointRow, putCheckpoint, readCheckpoint } from '../../../../src-main/store/credits/proofs.ts';
import { type CreditNode, DAY, openCreditNode, testIdentity } from '../../../support/credit-nodes.ts';
import { ask, liveOn, tamperWith } from '../../../support/live-ledger.ts';

let node: CreditNode;
beforeEach(async () => {
  node = await openCreditNode(1);
});
afterEach(() => node.close());

const head = async () => (await node.db.selectFrom('ledger_head').select('seq').executeTakeFirstOrThrow()).seq;

async function kept(): Promise<CheckpointRow> {
  const row = await readCheckpoint(node.db);
  if (!row) throw new Error('No checkpoint is kept.');
  return row;
}

const put = (row: CheckpointRow) => node.db.transaction().execute((trx) => putCheckpoint(trx, row));

/** A ledger that was proven, and has grown since. @returns the last entry that was proven */
async function grown(): Promise<number> {
  await liveOn(node, 5);
  expect(await node.book.verify()).toMatchObject({ ok: true });
  const proven = await head();
  await liveOn(node, 3);
  return proven;
}

describe('a proof', () => {
  it('goes on from where the last one ended, and comes to what reading everything gives', async () => {
    const proven = await grown();
    const resumed = await node.book.verify();
    expect(resumed).toEqual({
      ok: true,
      entries: await head(),
      receipts: 10,
      openReservations: 2,
      problems: [],
      provenBefore: proven,
    });
    const reached = JSON.parse((await kept()).body);
    const { provenBefore, ...all } = resumed;
    expect(await node.book.verify({ full: true })).toEqual(all);
    expect(JSON.parse((await kept()).body)).toEqual({ ...reached, fullAt: expect.any(Number) });
  });

  it('goes on again and again, also where nothing was booked, and while it is written', async () => {
    let proven = await grown();
    for (let times = 0; times < 3; times++) {
      const [report] = await Promise.all([node.book.verify(), ask(node), ask(node)]);
      expect(report).toMatchObject({ ok: true, provenBefore: proven });
      proven = report.entries;
    }
    expect(await node.book.verify()).toMatchObject({ ok: true, provenBefore: proven });
    const last = await head();
    expect(await node.book.verify()).toMatchObject({ ok: true, provenBefore: last, entries: last });
  });

  it('reads everything when that was long ago', async () => {
    const proven = await grown();
    expect(await node.book.verify({ fullAfterMs: 30 * DAY })).toMatchObject({ provenBefore: proven });
    node.clock.now += 30 * DAY;
    expect(await node.book.verify({ fullAfterMs: 30 * DAY })).not.toHaveProperty('provenBefore');
    expect(await node.book.verify({ fullAfterMs: 30 * DAY })).toMatchObject({ provenBefore: await head() });
  });

  it.each<[string, RawBuilder<unknown>[], RegExp]>([
    [
      'an entry',
      [sql`UPDATE ledger_entries SET at = at + 1 WHERE seq = (SELECT MAX(seq) - 4 FROM ledger_entries)`],
      /was changed/,
    ],
    [
      'a receipt’s points',
      [
        sql`UPDATE receipts SET counted = counted + 1 WHERE rowid = (SELECT MAX(rowid) FROM receipts WHERE role = 'worker')`,
      ],
      /the rules give/,
    ],
    [
      'a signature',
      [sql`UPDATE receipts SET client_sig = worker_sig WHERE rowid = (SELECT MAX(rowid) FROM receipts)`],
      /signature is wrong/,
    ],
    [
      'a receipt that was never booked',
      [
        sql`INSERT INTO receipts SELECT 'x', role, 'y', worker, client, day, 0, NULL, 0, body, worker_sig, client_sig
           FROM receipts LIMIT 1`,
      ],
      /11 receipts are kept, 10 are booked/,
    ],
    ['the own history', [sql`DELETE FROM own_entries WHERE seq = (SELECT MAX(seq) FROM own_entries)`], /own history/],
    [
      'what a day adds up to',
      [sql`UPDATE own_sums SET spent = spent + 1 WHERE begins = (SELECT MAX(begins) FROM own_sums)`],
      /sums that are kept/,
    ],
    [
      'the list of scored events',
      [sql`DELETE FROM scored_events WHERE seq = (SELECT MAX(seq) FROM scored_events)`],
      /own history/,
    ],
    [
      'what shows achievements',
      [sql`UPDATE counted_receipts SET model = 'x' WHERE seq = (SELECT MAX(seq) FROM counted_receipts)`],
      /own history/,
    ],
    ['a reservation', [sql`DELETE FROM reservations`], /open, but belongs to no request/],
    ['the score', [sql`UPDATE own_score SET state = replace(state, '"fast":8', '"fast":99')`], /score that is kept/],
    ['an achievement', [sql`INSERT INTO achievements VALUES ('veteran', 0, 150, 1, '[]')`], /achievements/],
  ])('that goes on finds what was changed in what came since: %s', async (_, statements, problem) => {
    const proven = await grown();
    await tamperWith(node.db, ...statements);
    const report = await node.book.verify();
    expect(report).toMatchObject({ ok: false, provenBefore: proven });
    expect(report.problems.join('\n')).toMatch(problem);
    expect(await node.book.verify()).toEqual(report); // it is not forgotten
  });

  it('reads everything where any balance is not what it was, and names it', async () => {
    await grown();
    await tamperWith(node.db, sql`UPDATE balances SET balance = balance + 5 WHERE account = 'issue:gift'`);
    const report = await node.book.verify();
    expect(report).not.toHaveProperty('provenBefore');
    expect(report.problems).toEqual([expect.stringMatching(/^the balance of issue:gift is kept as/)]);
    expect(await readCheckpoint(node.db)).toBeUndefined(); // what was proven before does not count any more
  });

  it('reads everything where a posting is not what was booked', async () => {
    await grown();
    await tamperWith(
      node.db,
      sql`UPDATE postings SET amount = amount * 2 WHERE entry = (SELECT MAX(entry) FROM postings)`,
    );
    const report = await node.book.verify();
    expect(report).not.toHaveProperty('provenBefore');
    expect(report.problems.join('\n')).toMatch(/was changed/);
  });

  it('reads what was proven before only when it is asked to', async () => {
    await grown();
    await tamperWith(node.db, sql`UPDATE ledger_entries SET at = at + 1 WHERE seq = 3`);
    expect(await node.book.verify()).toMatchObject({ ok: true });
    expect((await node.book.verify({ full: true })).problems.join()).toMatch(/entry 3 was changed/);
  });
});

describe('a checkpoint is not believed, and everything is read', () => {
  const forged =
    (change: object, by = node.identity) =>
    async () => {
      const body = { ...JSON.parse((await kept()).body), ...change };
      await put(signCheckpoint(body, (bytes) => by.sign(bytes)));
    };
  it.each<[string, () => Promise<void>]>([
    ['when it is no JSON', async () => put({ ...(await kept()), body: '{' })],
    ['when it is endless', async () => put({ ...(await kept()), body: ' '.repeat(5_000_000) })],
    ['when it has another shape', () => forged({ more: 1 })()],
    ['when another node has signed it', () => forged({}, testIdentity(9))()],
    ['when it is another node’s', () => forged({ node: testIdentity(9).id }, testIdentity(9))()],
    [
      'when it was changed',
      async () => put({ ...(await kept()), body: (await kept()).body.replace('"receipts":6', '"receipts":7') }),
    ],
    ['when its signature is no signature', async () => put({ ...(await kept()), sig: 'x' })],
    ['when it is of another ledger', () => forged({ hash: 'a'.repeat(64) })()],
    ['when it is of entries that are not there', () => forged({ seq: 1_000 })()],
    ['when balances were others', () => forged({ balances: 'a'.repeat(64) })()],
  ])('%s', async (_, change) => {
    await grown();
    await change();
    const report = await node.book.verify();
    expect(report).toMatchObject({ ok: true, receipts: 10 });
    expect(report).not.toHaveProperty('provenBefore');
    expect(await node.book.verify()).toMatchObject({ provenBefore: await head() });
  });
});
