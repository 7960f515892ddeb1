import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_ALLOWANCE } from '../../../../src-main/credits/books/allowance.ts';
import { receiptFault } from '../../../../src-main/credits/books/receipt-check.ts';
import type { Observed, Served } from '../../../../src-main/credits/credits.ts';
import { openCreditBook } from '../../../../src-main/credits/ledger/credit-book.ts';
import { receiptBytes, type WorkerReceipt } from '../../../../src-main/credits/receipt.ts';
import { verify } from '../../../../src-main/mesh/transport/identity.ts';
import {
  type CreditNode,
  DAY,
  NOON,
  nextRequestId,
  observed,
  openCreditNode,
  served,
} from '../../../support/credit-nodes.ts';

const { grant: GRANT } = DEFAULT_ALLOWANCE;

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
  const seen = observed({ ...work, ...over.seen } as Served, worker.identity.id, { maxTokens: 512, ...over.seen });
  return { requestId, bill: worker.book.worker.bill(work), seen };
}

describe('a reservation', () => {
  it('is taken from the node’s own grant', async () => {
    await node.book.client.open({ requestId: nextRequestId(), worker: worker.identity.id, maxTokens: 512 });
    expect(await node.book.summary()).toMatchObject({ available: GRANT - 3, reserved: 3, spent: 0 });
  });

  it('is refused when the credits are used up', async () => {
    const greedy = { requestId: nextRequestId(), worker: worker.identity.id, maxTokens: 256 * 20 };
    await expect(node.book.client.open(greedy)).rejects.toMatchObject({ code: 'NO_CREDIT' });
  });

  it('given back is there to spend again', async () => {
    const { requestId } = await serve();
    await node.book.client.release(requestId, 'WORKER_LOST');
    expect(await node.book.summary()).toMatchObject({ available: GRANT, reserved: 0 });
  });
});

describe('countersigning', () => {
  it('pays the cost and gives back the rest', async () => {
    const { bill, seen } = await serve({ work: { completionTokens: 200 } });
    const receipt = await node.book.client.countersign(bill, seen);
    expect(receiptFault(receipt, verify)).toBeUndefined();
    expect(await node.book.summary()).toMatchObject({ available: GRANT - 2, reserved: 0, spent: 2 });
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
    ['more tokens than were asked for', { completionTokens: 513 }, {}],
    ['less time than the answer streamed', { processingMs: 400 }, { streamMs: 4_000, elapsedMs: 4_200 }],
    ['more time than passed', { processingMs: 9_000 }, { elapsedMs: 500, streamMs: 0 }],
    ['a first token after the end', { firstTokenMs: 401 }, {}],
    ['another hour', { servedAt: served({ client: '', requestId: '' }).servedAt + 3_600_000 }, {}],
    ['another client', { client: 'd'.repeat(64) }, {}],
  ])('refuses a bill that claims %s, and then owes nothing', async (_, work, seen) => {
    const { bill, seen: saw } = await serve({ work, seen });
    await expect(node.book.client.countersign(bill, saw)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(await node.book.summary()).toMatchObject({ available: GRANT, reserved: 0, spent: 0 });
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

  it('refuses a bill that nothing was set aside for', async () => {
    const { bill, seen, requestId } = await serve();
    await node.book.client.release(requestId, 'CANCELLED');
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
    const { bill, seen } = await serve();
    await node.book.client.countersign(bill, seen);
    const all = await node.book.entries({ limit: 10 });
    expect(all.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['pay', 1],
      ['reserve', -3],
      ['allowance', GRANT],
    ]);
    expect(await node.book.entries({ limit: 1, before: all[0]?.seq })).toEqual([all[1]]);
  });
});
