import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claim } from '../../../../src-main/credits/books/accounts.ts';
import { ClientBook } from '../../../../src-main/credits/books/client-book.ts';
import { broughtPostings } from '../../../../src-main/credits/books/postings.ts';
import { receiptFault } from '../../../../src-main/credits/books/receipt-check.ts';
import { veiled } from '../../../../src-main/credits/books/voices.ts';
import type { Observed, Served } from '../../../../src-main/credits/credits.ts';
import { openCreditBook } from '../../../../src-main/credits/ledger/credit-book.ts';
import { receiptBytes, type WorkerReceipt } from '../../../../src-main/credits/receipt.ts';
import { Debtors } from '../../../../src-main/credits/standing/debtors.ts';
import { verify } from '../../../../src-main/mesh/transport/identity.ts';
import { appendEntry, balanceOf, findEntry } from '../../../../src-main/store/credits/ledger.ts';
import {
  type CreditNode,
  DAY,
  NOON,
  nextRequestId,
  observed,
  openCreditNode,
  served,
  signedReceipt,
} from '../../../support/credit-nodes.ts';

let node: CreditNode;
let worker: CreditNode;
beforeEach(async () => {
  node = await openCreditNode(2);
  worker = await openCreditNode(1);
});
afterEach(async () => {
  await node.close();
  await worker.close();
});

/** A reserved request, what the worker bills for it, and what this node saw. */
async function serve(over: { work?: Partial<Served>; seen?: Partial<Observed> } = {}) {
  const requestId = nextRequestId();
  await node.book.client.open({ requestId, worker: worker.identity.id, maxTokens: 512 });
  const work = served({ client: node.identity.id, requestId, ...over.work });
  const seen = observed({ ...work, ...over.seen } as Served, worker.identity.id, over.seen);
  return { requestId, bill: worker.book.worker.bill(work), seen };
}

/** This node serves the worker, which should owe it so much from then on. */
async function owe(credits: number): Promise<void> {
  const { completionTokens, ...over } = { completionTokens: (credits - 1) * 256, requestId: nextRequestId() };
  const receipt = signedReceipt(node.identity, worker.identity, { ...over, completionTokens });
  await node.book.worker.settle(receipt);
}

const sums = async () => {
  const { available, reserved, spent } = await node.book.summary();
  const claims = await balanceOf(node.db, claim(worker.identity.id));
  const entries = await node.db.selectFrom('ledger_entries').select('seq').execute();
  return { available, reserved, spent, claims, entries: entries.length };
};
const NOTHING = { available: 0, reserved: 0, spent: 0, claims: 0, entries: 0 };

describe('a request', () => {
  it('is noted with what it may cost, in memory alone; whether it is served is the worker’s to say', async () => {
    await node.book.client.open({ requestId: nextRequestId(), worker: worker.identity.id, maxTokens: 256 * 99 });
    expect(await sums()).toEqual({ ...NOTHING, reserved: 100 });
  });

  it('leaves no entry when it ends without a pledge', async () => {
    const { requestId } = await serve();
    await node.book.client.release(requestId, { by: 'client', code: 'WORKER_LOST' });
    expect(await sums()).toEqual(NOTHING);
  });

  it('is opened once under an id', async () => {
    const { requestId, bill, seen } = await serve();
    const again = () => node.book.client.open({ requestId, worker: worker.identity.id, maxTokens: 1 });
    await expect(again()).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await node.book.client.countersign(bill, seen);
    await expect(again()).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect((await sums()).reserved).toBe(0);
  });
});

describe('what the worker should owe this node', () => {
  it('is what this node has served it, and is drawn where the worker says so', async () => {
    await owe(5);
    expect([node.book.client.owedBy(worker.identity.id), (await sums()).available]).toEqual([5, 5]);
    const given = await serve({ seen: { funds: 'gift' } });
    await node.book.client.countersign(given.bill, given.seen);
    expect(await sums()).toMatchObject({ available: 5, spent: 2, claims: 2 });
    for (const left of [3, 1, 0]) {
      const { bill, seen } = await serve({ seen: { funds: 'claim' } });
      await node.book.client.countersign(bill, seen);
      expect(node.book.client.owedBy(worker.identity.id)).toBe(left);
    }
    expect(await sums()).toMatchObject({ available: 0, spent: 8, claims: 8 });
    expect(await node.book.verify()).toMatchObject({ ok: true });
  });

  it('is taken for less at the worker’s word, never for more, and is so after a restart', async () => {
    await owe(5);
    for (const said of [9, 3, 4, 2.5, -1]) await node.book.client.corrected(worker.identity.id, said);
    expect(node.book.client.owedBy(worker.identity.id)).toBe(0);
    await owe(4);
    await node.book.client.corrected(worker.identity.id, 3);
    const book = await openCreditBook({ ...node, verify, now: () => NOON, log: pino({ level: 'silent' }) });
    expect(book.client.owedBy(worker.identity.id)).toBe(3);
    await book.close();
    expect(await node.book.verify()).toMatchObject({ ok: true });
  });

  it('moves with a voucher, as far as the other one owed it', async () => {
    await owe(5);
    const other = 'e'.repeat(64);
    await node.book.client.vouched(worker.identity.id, other, 3);
    await node.book.client.vouched(worker.identity.id, other, 3);
    await node.book.client.vouched(worker.identity.id, other, 3);
    expect([node.book.client.owedBy(worker.identity.id), node.book.client.owedBy(other)]).toEqual([0, 5]);
    expect(await sums()).toMatchObject({ available: 5 });
    expect(await node.book.verify()).toMatchObject({ ok: true });
  });

  it('is numbered on from the last voucher that was brought, without a look at all of them', async () => {
    await owe(5);
    const [by, other] = [worker.identity.id, 'e'.repeat(64)];
    const postings = broughtPostings(by, other, 1);
    const key = `brought:${by}:000000041`;
    await node.db
      .transaction()
      .execute((trx) => appendEntry(trx, { at: NOON, kind: 'standing', key, memo: other, postings }));
    await node.book.client.vouched(by, other, 1);
    expect(await findEntry(node.db, `brought:${by}:000000042`)).toBeDefined();
  });

  describe('is looked for in a worker’s terms', () => {
    const salt = '0'.repeat(32);
    const takes = (name: string, by = salt) => ({ salt: by, voices: [veiled(by, name)] });
    function open(debtors: number) {
      const clock = { now: NOON };
      const owing = Array.from({ length: debtors }, (_, number) => [`peer ${number}`, debtors - number] as const);
      const options = { dues: { debtors: new Debtors(new Map(owing)) }, now: () => clock.now };
      return { clock, book: new ClientBook(options as unknown as ConstructorParameters<typeof ClientBook>[0]) };
    }

    it('of those who are there, however many are away that owe more', () => {
      const { book } = open(1_000);
      const there = ['peer 998', 'peer 999', 'stranger'];
      expect(book.waysTo('worker', takes('peer 999'), there)).toEqual(['peer 999']);
      expect(book.waysTo('other', takes('peer 0'), there)).toEqual([]);
      expect(book.waysTo('third', takes('stranger'), there)).toEqual([]);
    });

    it('by one list for 20 s, whatever the worker says', () => {
      const { clock, book } = open(2);
      const there = new Set(['peer 0', 'peer 1']);
      const other = takes('peer 1', '1'.repeat(32));
      expect(book.waysTo('worker', takes('peer 0'), there)).toEqual(['peer 0']);
      clock.now += 19_999;
      expect(book.waysTo('worker', other, there)).toEqual(['peer 0']);
      expect(book.waysTo('another', other, there)).toEqual(['peer 1']);
      clock.now++;
      expect(book.waysTo('worker', other, there)).toEqual(['peer 1']);
      expect(book.waysTo('worker', { salt, voices: [] }, there)).toEqual([]);
      clock.now -= DAY;
      expect(book.waysTo('worker', takes('peer 0'), there)).toEqual(['peer 0']);
    });
  });

  it('shows whom to ask for a voucher to another worker, by the words of that alone', async () => {
    await owe(5);
    const third = await openCreditNode(3);
    const terms = worker.book.worker.terms(node.identity.id, '203.0.113.7');
    expect([terms.owed, terms.voices, terms.salt]).toEqual([0, [], expect.stringMatching(/^[0-9a-f]{32}$/)]);
    // The third owes the worker something: it takes the worker's vouchers.
    const { bill, seen } = await askOf(third);
    await third.book.client.countersign(bill, seen);
    const takes = third.book.worker.terms(node.identity.id, '203.0.113.7');
    expect(takes.voices).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/)]);
    const there = [node, worker, third].map(({ identity }) => identity.id);
    expect(node.book.client.waysTo(third.identity.id, takes, there)).toEqual([worker.identity.id]);
    expect(node.book.client.waysTo(worker.identity.id, takes, there)).toEqual([]);
    expect(third.book.client.waysTo(worker.identity.id, takes, there)).toEqual([]);
    await third.close();
  });
});

/** The worker serves somebody. */
async function askOf(client: CreditNode) {
  const requestId = nextRequestId();
  await client.book.client.open({ requestId, worker: worker.identity.id, maxTokens: 512 });
  const work = served({ client: client.identity.id, requestId });
  return { bill: worker.book.worker.bill(work), seen: observed(work, worker.identity.id) };
}

describe('countersigning', () => {
  it('pays the cost: the worker may have so much of this node', async () => {
    const { bill, seen } = await serve({ work: { completionTokens: 200 } });
    const receipt = await node.book.client.countersign(bill, seen);
    expect(receiptFault(receipt, verify)).toBeUndefined();
    expect(await node.book.summary()).toMatchObject({ available: 0, reserved: 0, spent: 2 });
  });

  it('twice pays once and gives the same receipt', async () => {
    const { bill, seen } = await serve();
    const receipts = await Promise.all([
      node.book.client.countersign(bill, seen),
      node.book.client.countersign(bill, seen),
    ]);
    expect(receipts[1]).toEqual(receipts[0]);
    expect(await node.book.summary()).toMatchObject({ spent: 2 });
  });

  it('is what the worker then books', async () => {
    const { bill, seen } = await serve();
    const receipt = await node.book.client.countersign(bill, seen);
    expect(await worker.book.worker.settle(receipt)).toMatchObject({ points: 10 });
  });

  it.each<[string, Partial<Served>, Partial<Observed>]>([
    ['another prompt', {}, { promptHash: 'c'.repeat(64) }],
    ['a longer prompt than was sent', { promptChars: 200 }, { promptChars: 20 }],
    ['another answer', {}, { resultHash: 'c'.repeat(64) }],
    ['a longer answer than came', { resultChars: 101 }, { resultChars: 100 }],
    ['more tokens than the answer had', { completionTokens: 257 }, { completionTokens: 1 }],
    ['less time than the answer streamed', { processingMs: 400 }, { streamMs: 4_000, elapsedMs: 4_200 }],
    ['more time than passed', { processingMs: 9_000 }, { elapsedMs: 500, streamMs: 0 }],
    ['a first token after the end', { firstTokenMs: 401 }, {}],
    ['another hour', { servedAt: served({ client: '', requestId: '' }).servedAt + 3_600_000 }, {}],
    ['another client', { client: 'd'.repeat(64) }, {}],
  ])('refuses a bill that claims %s, and then owes nothing', async (_, work, seen) => {
    const { bill, seen: saw } = await serve({ work, seen });
    await expect(node.book.client.countersign(bill, saw)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(await sums()).toEqual(NOTHING);
  });

  it('forgives what a slow network adds to the time that the answer streamed', async () => {
    const { bill, seen } = await serve({ seen: { streamMs: 1_800, elapsedMs: 2_000 } });
    await expect(node.book.client.countersign(bill, seen)).resolves.toBeDefined();
  });

  it.each<[string, (bill: WorkerReceipt) => WorkerReceipt]>([
    ['without the worker’s signature', (bill) => ({ ...bill, workerSig: '0'.repeat(128) })],
    ['that is malformed', (bill) => ({ ...bill, body: { ...bill.body, points: 11 } })],
    ['with points of its own making', (bill) => resign({ ...bill.body, points: 1 })],
    ['with a price of its own making', (bill) => resign({ ...bill.body, cost: 1 })],
  ])('refuses a bill %s', async (_, change) => {
    const { bill, seen } = await serve();
    await expect(node.book.client.countersign(change(bill), seen)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('refuses a bill of a request that has ended', async () => {
    const { bill, seen, requestId } = await serve();
    await node.book.client.release(requestId, { by: 'client', code: 'CANCELLED' });
    await expect(node.book.client.countersign(bill, seen)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  const resign = (body: WorkerReceipt['body']) => ({ body, workerSig: worker.identity.sign(receiptBytes(body)) });
});

describe('receipts that the worker has not acknowledged', () => {
  it('wait for it, oldest first, until it does', async () => {
    const [first, second] = [await serve(), await serve()];
    const receipts = [
      await node.book.client.countersign(first.bill, first.seen),
      await node.book.client.countersign(second.bill, second.seen),
    ];
    expect(await node.book.client.unacknowledged(worker.identity.id)).toEqual(receipts);
    await node.book.client.acknowledge(first.requestId);
    await node.book.client.acknowledge(first.requestId);
    expect(await node.book.client.unacknowledged(worker.identity.id)).toEqual([receipts[1]]);
  });

  it('are forgotten when they would count for nothing any more, while the node works', async () => {
    const before = await serve();
    await node.book.client.countersign(before.bill, before.seen);
    node.clock.now += 9 * DAY;
    const { bill, seen } = await serve({ work: { servedAt: node.clock.now } });
    const receipt = await node.book.client.countersign(bill, seen);
    expect(await node.book.client.unacknowledged(worker.identity.id)).toEqual([receipt]);
  });

  it('are for that worker alone', async () => {
    const { bill, seen } = await serve();
    await node.book.client.countersign(bill, seen);
    expect(await node.book.client.unacknowledged('e'.repeat(64))).toEqual([]);
  });
});

describe('opening again', () => {
  it('forgets receipts that no worker came for while they could count', async () => {
    const { bill, seen } = await serve();
    await node.book.client.countersign(bill, seen);
    const reopen = async (days: number) => {
      const options = { db: node.db, identity: node.identity, verify, now: () => NOON + days * DAY };
      const book = await openCreditBook({ ...options, log: pino({ level: 'silent' }) });
      await book.close();
      return await node.book.client.unacknowledged(worker.identity.id);
    };
    expect(await reopen(7)).toHaveLength(1);
    expect(await reopen(9)).toHaveLength(0);
  });
});

describe('the history', () => {
  it('shows what changed the own credits, newest first, in pages', async () => {
    await owe(5);
    const { bill, seen } = await serve();
    await node.book.client.countersign(bill, seen);
    const all = await node.book.entries({ limit: 10 });
    expect(all.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['pay', -2],
      ['bonus', 0],
      ['earn', 5],
    ]);
    expect(await node.book.entries({ limit: 1, before: all[0]?.seq })).toEqual([all[1]]);
  });
});
