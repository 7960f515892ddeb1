import { type RawBuilder, sql } from 'kysely';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toRow } from '../../../../src-main/credits/books/receipt-row.ts';
import { type CreditBook, openCreditBook } from '../../../../src-main/credits/ledger/credit-book.ts';
import { type VoucherBody, voucherBytes } from '../../../../src-main/credits/voucher.ts';
import { type Identity, verify } from '../../../../src-main/mesh/transport/identity.ts';
import type { EntryKind } from '../../../../src-main/store/credits/entry-kinds.ts';
import { appendEntry, balanceOf, type NewEntry } from '../../../../src-main/store/credits/ledger.ts';
import { keepVoucher } from '../../../../src-main/store/credits/vouchers.ts';
import {
  type CreditNode,
  DAY,
  NOON,
  nextRequestId,
  openCreditNode,
  oweTo,
  signedReceipt,
  testIdentity,
} from '../../../support/credit-nodes.ts';
import { ask, liveOn, tamperWith } from '../../../support/live-ledger.ts';

const client = testIdentity(2);
let node: CreditNode;
beforeEach(async () => {
  node = await openCreditNode(1);
});
afterEach(() => node.close());

const live = () => liveOn(node);

/** The same books by another process, after the one before died. */
async function reopen(): Promise<CreditBook> {
  const options = { db: node.db, identity: node.identity, verify, now: () => node.clock.now };
  return await openCreditBook({ ...options, log: pino({ level: 'silent' }) });
}

const tamper = (...statements: RawBuilder<unknown>[]) => tamperWith(node.db, ...statements);

describe('verifying', () => {
  it('proves a ledger on which everything happened', async () => {
    await live();
    expect(await node.book.verify()).toEqual({
      ok: true,
      entries: expect.any(Number),
      receipts: 13,
      openReservations: 1,
      problems: [],
    });
  });

  it('proves an empty ledger', async () => expect(await node.book.verify()).toMatchObject({ ok: true, receipts: 0 }));

  it('proves a ledger while it is being written', async () => {
    await live();
    const [report] = await Promise.all([node.book.verify(), ...Array.from({ length: 5 }, () => ask(node))]);
    expect(report.problems).toEqual([]);
  });

  it('proves a ledger where one key had a prompt read for nothing and another paid under the same request id', async () => {
    const [{ worker }, requestId] = [node.book, nextRequestId()];
    await oweTo(node, client, 4);
    const asked = { requestId, host: '203.0.113.7', maxTokens: 256, vouchers: [] };
    await worker.fund({ ...asked, client: client.id });
    await worker.release({ client: client.id, requestId }, 'CANCELLED', { streamed: 0 });
    const other = testIdentity(3);
    await worker.fund({ ...asked, client: other.id });
    await worker.settle(signedReceipt(node.identity, other, { requestId, servedAt: node.clock.now }));
    expect(await node.book.verify()).toMatchObject({ ok: true, problems: [] });
  });

  it.each<[string, RawBuilder<unknown>[], RegExp]>([
    ['an entry that was edited', [sql`UPDATE ledger_entries SET at = at + 1 WHERE seq = 3`], /entry 3 was changed/],
    [
      'a posting that was edited',
      [sql`UPDATE postings SET amount = amount * 2 WHERE entry = 3`],
      /entry 3 was changed/,
    ],
    ['an entry that was removed', [sql`DELETE FROM ledger_entries WHERE seq = 5`], /entry 5 is missing/],
    [
      'the last entry that was removed',
      [
        sql`DELETE FROM postings WHERE entry = (SELECT max(seq) FROM ledger_entries)`,
        sql`DELETE FROM ledger_entries WHERE seq = (SELECT max(seq) FROM ledger_entries)`,
      ],
      /is recorded as the last/,
    ],
    [
      'an entry that does not balance',
      [sql`DELETE FROM postings WHERE entry = 3 AND amount < 0`],
      /3 does not balance/,
    ],
    [
      'a balance that was edited',
      [sql`UPDATE balances SET balance = 1000000 WHERE account = 'own:spent'`],
      /own:spent is kept as 1000000/,
    ],
    ['a reservation that was dropped', [sql`DELETE FROM reservations`], /open, but belongs to no request/],
    [
      'a reservation that nobody booked',
      [sql`INSERT INTO reservations VALUES ('client', ${'f'.repeat(32)}, 'x', 5, 1)`],
      /reservation 1 is kept, but not open/,
    ],
    [
      'a receipt that is kept under another client',
      [sql`UPDATE receipts SET client = ${'9'.repeat(64)} WHERE role = 'worker'`],
      /kept as that of another request/,
    ],
    ['points that were raised', [sql`UPDATE receipts SET counted = counted + 1`], /the rules give 10/],
    [
      'a body that was edited',
      [sql`UPDATE receipts SET body = replace(body, '"tiny"', '"huge"') WHERE role = 'worker'`],
      /was changed after it was signed/,
    ],
    ['a body that is no JSON', [sql`UPDATE receipts SET body = 'x'`], /is malformed/],
    [
      'a signature that was replaced',
      [sql`UPDATE receipts SET client_sig = worker_sig WHERE role = 'worker'`],
      /client’s signature is wrong/,
    ],
    [
      'a receipt that was removed',
      [sql`DELETE FROM receipts WHERE role = 'client'`],
      /12 receipts are kept, 13 are booked/,
    ],
    [
      'a receipt that was never booked',
      [
        sql`INSERT INTO receipts SELECT 'x', role, 'y', worker, client, day, 0, NULL, 0, body, worker_sig, client_sig
           FROM receipts LIMIT 1`,
      ],
      /14 receipts are kept, 13 are booked/,
    ],
    [
      'a score that was edited',
      [sql`UPDATE own_score SET state = replace(state, '"fast":12', '"fast":99')`],
      /score that is kept/,
    ],
    [
      'points that were added to a day',
      [sql`UPDATE own_sums SET points = points + 1 WHERE begins = (SELECT MIN(begins) FROM own_sums)`],
      /sums that are kept of the own history/,
    ],
    [
      'a day without an entry',
      [sql`INSERT INTO own_sums VALUES (900000, ${NOON - 9 * DAY}, 5, 1, 0)`],
      /sums that are kept of the own history/,
    ],
    ['a score that is no JSON', [sql`UPDATE own_score SET state = 'x'`], /score that is kept/],
    [
      'an achievement that was added',
      [sql`INSERT INTO achievements VALUES ('veteran', 0, 150, 1, '[]')`],
      /achievements/,
    ],
  ])('finds %s', async (_, statements, problem) => {
    await live();
    await tamper(...statements);
    const report = await node.book.verify();
    expect(report.ok).toBe(false);
    expect(report.problems.join('\n')).toMatch(problem);
  });
});

describe('an entry that keeps every rule of the journal is found out', () => {
  const [own, other] = ['own:available', 'issue:points'];
  const free = { [own]: 500, [other]: -500 };
  const scored = { ...free, 'score:earned': 500, 'score:issued': -500 };

  it.each<[string, Omit<NewEntry, 'at'>, RegExp]>([
    [
      'a payment without a receipt',
      { kind: 'earn', key: 'earn:x', postings: free },
      /payment \(earn\) without a receipt/,
    ],
    ['a payment of this node without one', { kind: 'pay', key: 'pay:x', postings: {} }, /\(pay\) without a receipt/],
    ['a bonus that nobody knows', { kind: 'bonus', key: 'bonus:x', postings: scored }, /nothing to show .* \(bonus\)/],
    ['a bonus that is too large', { kind: 'bonus', key: 'bonus:veteran', postings: scored }, /wrong amounts \(bonus\)/],
    [
      'an allowance out of another account',
      { kind: 'allowance', key: 'allowance:own:9', postings: free },
      /wrong amounts \(allowance\)/,
    ],
    [
      'an allowance of another holder',
      { kind: 'allowance', key: 'allowance:client:x:9', postings: { [own]: 5, 'issue:allowance': -5 } },
      /wrong amounts \(allowance\)/,
    ],
    [
      'a standing of another client',
      { kind: 'standing', key: 'standing:x:5', postings: { [own]: 5, 'issue:standing:x': -5 } },
      /wrong amounts \(standing\)/,
    ],
    ['a release of nothing', { kind: 'release', key: 'release:x', postings: free }, /nothing to show .* \(release\)/],
    ['a penalty that pays', { kind: 'penalty', key: 'penalty:x', postings: scored }, /wrong amounts \(penalty\)/],
  ])('when it is %s', async (_, entry, problem) => {
    await live();
    await node.db.transaction().execute((trx) => appendEntry(trx, { at: NOON, ...entry }));
    expect((await node.book.verify()).problems.join('\n')).toMatch(problem);
  });

  it.each<[string, number, RegExp]>([
    ['less than its receipt counts for', 2, /wrong amounts \(earn\)/],
    ['a charge above the cost', 7, /was charged 7 credits/],
  ])('when it books %s', async (_, charged, problem) => {
    await live();
    const receipt = signedReceipt(node.identity, client, { servedAt: node.clock.now });
    const row = toRow(receipt, 'worker', { counted: 10, reason: null, charged });
    const postings = { [`client:${client.id}:spent`]: charged, 'issue:gift': -charged };
    await node.db.transaction().execute(async (trx) => {
      await trx.insertInto('receipts').values(row).execute();
      await appendEntry(trx, { at: NOON, kind: 'earn', key: `earn:${row.id}`, receiptId: row.id, postings });
    });
    expect((await node.book.verify()).problems.join('\n')).toMatch(problem);
  });

  describe('when it is', () => {
    const banker = testIdentity(7); // it has served the node, which owes it 2 credits
    const SERIAL = 'c'.repeat(32);
    type Change = { body?: Partial<VoucherBody>; signer?: Identity; key?: string; sum?: number; without?: boolean };

    async function voucherEntry(what: 'voucher' | 'taken', { body, signer, key, sum, without }: Change = {}) {
      const parties =
        what === 'taken'
          ? { by: banker.id, worker: node.identity.id, client: client.id }
          : { by: node.identity.id, worker: client.id, client: banker.id };
      const whole = { kind: 'claim' as const, credits: 2, serial: SERIAL, expires: NOON, ...parties, ...body };
      const by = signer ?? (what === 'taken' ? banker : node.identity);
      const voucher = { body: whole, sig: by.sign(voucherBytes(whole)) };
      const moved = sum ?? 2;
      const others =
        what === 'taken'
          ? { [`claim:${client.id}`]: moved, [`moved:${client.id}`]: moved, 'issue:moved': -moved }
          : { [`vouched:${banker.id}`]: moved, [`owes:${client.id}`]: -moved, 'issue:served': moved };
      const entry: NewEntry = {
        at: NOON,
        kind: 'standing',
        key: key ?? (what === 'taken' ? `taken:${banker.id}:${SERIAL}` : `voucher:${SERIAL}`),
        postings: { [`claim:${banker.id}`]: -moved, ...others },
      };
      await node.db.transaction().execute(async (trx) => {
        const seq = await appendEntry(trx, entry);
        if (!without) await keepVoucher(trx, seq, voucher);
      });
      return (await node.book.verify()).problems;
    }

    it.each(['voucher', 'taken'] as const)('not found out with a true %s', async (what) => {
      await live();
      expect(await voucherEntry(what)).toEqual([]);
    });

    it.each<[string, 'voucher' | 'taken', Change, RegExp]>([
      ['a claim moved without a voucher', 'taken', { without: true }, /nothing to show .* \(standing\)/],
      ['a claim drawn without one', 'voucher', { without: true }, /nothing to show .* \(standing\)/],
      ['a voucher that its owner has not signed', 'taken', { signer: client }, /voucher that is not genuine/],
      ['a voucher that this node has not signed', 'voucher', { signer: client }, /voucher that is not genuine/],
      ['a voucher to another worker', 'taken', { body: { worker: banker.id } }, /voucher that is not genuine/],
      ['a voucher of another', 'voucher', { body: { by: client.id } }, /voucher that is not genuine/],
      ['a voucher under another serial', 'taken', { key: 'taken:x:y' }, /nothing to show/],
      ['a voucher for less', 'taken', { sum: 1 }, /wrong amounts \(standing\)/],
      ['a voucher for one who owes nothing', 'voucher', { body: { client: client.id } }, /wrong amounts \(standing\)/],
      ['a word that moves a claim', 'taken', { body: { kind: 'word' } }, /wrong amounts \(standing\)/],
    ])('found out: %s', async (_, what, change, problem) => {
      await live();
      expect((await voucherEntry(what, change)).join('\n')).toMatch(problem);
    });

    it.each<[string, RawBuilder<unknown>, RegExp]>([
      ['lost', sql`DELETE FROM vouchers`, /nothing to show .* \(standing\)/],
      ['signed anew', sql`UPDATE vouchers SET sig = ${'d'.repeat(128)}`, /voucher that is not genuine/],
      ['changed', sql`UPDATE vouchers SET expires = expires + 1`, /voucher that is not genuine/],
      ['made larger', sql`UPDATE vouchers SET credits = credits + 1`, /wrong amounts \(standing\)/],
      ['of another kind', sql`UPDATE vouchers SET kind = 'gift'`, /voucher that is not genuine/],
      [
        'kept with an entry that is none',
        sql`INSERT INTO vouchers SELECT entry - 1, kind, by, worker, client, credits, serial, expires, sig FROM vouchers`,
        /voucher that is not genuine/,
      ],
    ])('found out: a voucher that was %s', async (_, statement, problem) => {
      await live();
      await voucherEntry('taken');
      await tamper(statement);
      expect((await node.book.verify({ full: true })).problems.join('\n')).toMatch(problem);
    });

    it('kept with a voucher that nobody can change or take away', async () => {
      await live();
      await voucherEntry('taken');
      for (const statement of [sql`DELETE FROM vouchers`, sql`UPDATE vouchers SET credits = 1`])
        await expect(statement.execute(node.db)).rejects.toThrow(/vouchers is append-only/);
    });

    it.each<[string, Omit<NewEntry, 'at'>, RegExp]>([
      [
        'a part that nobody has pledged',
        {
          kind: 'release',
          key: `part:client:${banker.id}:${SERIAL}`,
          postings: {
            [`claim:${banker.id}`]: 500,
            [`issue:service:${banker.id}`]: -500,
            'own:spent': 500,
            'issue:given': -500,
          },
        },
        /nothing to show .* \(release\)/,
      ],
      [
        'a gift of a claim',
        { kind: 'standing', key: 'standing:x:5', postings: { [`claim:${client.id}`]: 500, 'issue:gift': -500 } },
        /wrong amounts \(standing\)/,
      ],
      [
        'something under a key that says nothing',
        { kind: 'standing', key: 'gift', postings: { [`claim:${client.id}`]: 500, 'issue:gift': -500 } },
        /nothing to show .* \(standing\)/,
      ],
      [
        'a penalty under the key of something else',
        { kind: 'penalty', key: 'bonus:polyglot', postings: { 'score:earned': -1, 'score:issued': 1 } },
        /nothing to show .* \(penalty\)/,
      ],
      [
        'a correction that adds',
        {
          kind: 'standing',
          key: `corrected:${client.id}:1`,
          postings: { [`owes:${client.id}`]: 5, 'issue:served': -5 },
        },
        /wrong amounts \(standing\)/,
      ],
    ])('found out: %s', async (_, entry, problem) => {
      await live();
      await node.db.transaction().execute((trx) => appendEntry(trx, { at: NOON, ...entry }));
      expect((await node.book.verify()).problems.join('\n')).toMatch(problem);
    });
  });

  it('when it is of a kind that nobody knows', async () => {
    await live();
    await sql`PRAGMA ignore_check_constraints = ON`.execute(node.db);
    const gift = { at: NOON, kind: 'gift' as EntryKind, key: 'gift:1', postings: free };
    await node.db.transaction().execute((trx) => appendEntry(trx, gift));
    expect((await node.book.verify()).problems.join('\n')).toMatch(/unknown kind, gift/);
  });
});

describe('rebuilding', () => {
  it('repairs everything that follows from the journal', async () => {
    await live();
    const before = [await node.book.summary(), await node.db.selectFrom('reservations').selectAll().execute()];
    await sql`UPDATE balances SET balance = 7 WHERE balance > 0`.execute(node.db);
    await sql`DELETE FROM reservations`.execute(node.db);
    await sql`DELETE FROM own_score`.execute(node.db);
    await sql`UPDATE own_sums SET points = 7, requests = 7, spent = 7`.execute(node.db);
    expect((await node.book.verify()).ok).toBe(false);
    await node.book.rebuild();
    expect(await node.book.verify()).toMatchObject({ ok: true });
    expect([await node.book.summary(), await node.db.selectFrom('reservations').selectAll().execute()]).toEqual(before);
  });
});

it('rebuilding puts right what decides about requests, too', async () => {
  await live();
  const peer = testIdentity(7).id;
  const owed = (book: CreditBook) => book.worker.terms(peer, '203.0.113.7').owed;
  const { available } = await node.book.summary();
  await sql`UPDATE balances SET balance = 900 WHERE account GLOB 'claim:*' OR account GLOB 'owes:*'`.execute(node.db);
  const reopened = await reopen();
  expect([owed(reopened), (await reopened.summary()).available]).toEqual([900, 900]);
  await reopened.rebuild();
  expect([owed(reopened), (await reopened.summary()).available]).toEqual([2, available]);
  await reopened.close();
});

describe('opening', () => {
  it('gives back what an older Quarry that died had set aside', async () => {
    await live();
    await node.book.client.open({ requestId: nextRequestId(), worker: client.id, maxTokens: 256 });
    const { available } = await node.book.summary();
    const reopened = await reopen();
    expect(await reopened.verify()).toMatchObject({ ok: true, openReservations: 0 });
    expect(await reopened.summary()).toMatchObject({ available, reserved: 0 });
    expect(await balanceOf(node.db, `client:${client.id}:available`)).toBe(2);
    await reopened.close();
  });

  it('works out anew what stands in its way, as when a reservation was added that nobody booked', async () => {
    await live();
    const { available } = await node.book.summary();
    const stray = { role: 'client', request_id: 'f'.repeat(32), peer: 'x', amount: 5, entry: 1 } as const;
    await node.db.insertInto('reservations').values(stray).execute();
    const reopened = await reopen();
    expect(await reopened.verify()).toMatchObject({ ok: true, openReservations: 0 });
    expect(await reopened.summary()).toMatchObject({ available, reserved: 0 });
    await reopened.close();
  });

  it('says what is wrong when the journal itself is damaged', async () => {
    await live();
    await sql`UPDATE ledger_head SET seq = seq - 1`.execute(node.db);
    await expect(reopen()).rejects.toMatchObject({
      code: 'DATABASE_CORRUPT',
      message: expect.stringMatching(/^The ledger is damaged: .*entry/),
      hint: expect.stringContaining('quarry credits rebuild'),
    });
  });
});
