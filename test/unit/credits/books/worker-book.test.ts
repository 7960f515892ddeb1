import { afterEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_ALLOWANCE, REFILL_EVERY_MS } from '../../../../src-main/credits/books/allowance.ts';
import { NEW_CLIENTS_PER_HOUR } from '../../../../src-main/credits/books/newcomers.ts';
import { LOOK_EVERY_MS, UNSIGNED_MS } from '../../../../src-main/credits/books/reservations.ts';
import type { Receipt } from '../../../../src-main/credits/receipt.ts';
import { receiptBytes } from '../../../../src-main/credits/receipt.ts';
import { balanceOf } from '../../../../src-main/store/ledger.ts';
import {
  type CreditNode,
  nextRequestId,
  openCreditNode,
  served,
  signedReceipt,
  testIdentity,
} from '../../../support/credit-nodes.ts';

const { grant: GRANT, refill: REFILL } = DEFAULT_ALLOWANCE;

const client = testIdentity(2);
const nodes: CreditNode[] = [];
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.close();
});

async function openWorker(...args: Parameters<typeof openCreditNode> extends [number, (infer O)?] ? [O?] : never) {
  const node = await openCreditNode(1, args[0]);
  nodes.push(node);
  return node;
}

function balance(node: CreditNode, account: 'available' | 'reserved' | 'spent', id = client.id) {
  return balanceOf(node.db, `client:${id}:${account}`);
}

/** The receipt that both would sign for this work. */
function receiptFor(node: CreditNode, requestId: string, over = {}): Receipt {
  const bill = node.book.worker.bill(served({ client: client.id, requestId, ...over }));
  return { ...bill, clientSig: client.sign(receiptBytes(bill.body)) };
}

describe('a reservation', () => {
  it('is taken from the grant that every newcomer gets', async () => {
    const node = await openWorker();
    const requestId = nextRequestId();
    expect(
      await node.book.worker.fund({ requestId, client: client.id, host: '127.0.0.1', maxTokens: 512, vouchers: [] }),
    ).toMatchObject({ credits: 3 });
    expect(await balance(node, 'available')).toBe(GRANT - 3);
    expect(await balance(node, 'reserved')).toBe(3);
  });

  it('is made once: its id buys no second answer, not even to the same client', async () => {
    const node = await openWorker();
    const request = { requestId: nextRequestId(), client: client.id, host: '127.0.0.1', maxTokens: 512, vouchers: [] };
    const asked = [node.book.worker.fund(request), node.book.worker.fund(request)];
    const [first, second] = await Promise.allSettled(asked);
    expect([first?.status, second?.status]).toEqual(['fulfilled', 'rejected']);
    await expect(node.book.worker.fund(request)).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'requestId' });
    expect(await balance(node, 'reserved')).toBe(3);
  });

  it('is refused under a request id that another client holds', async () => {
    const node = await openWorker();
    const requestId = nextRequestId();
    await node.book.worker.fund({ requestId, client: client.id, host: '127.0.0.1', maxTokens: 1, vouchers: [] });
    const theft = node.book.worker.fund({
      requestId,
      client: testIdentity(3).id,
      host: '127.0.0.1',
      maxTokens: 1,
      vouchers: [],
    });
    await expect(theft).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'requestId' });
  });

  it('is refused for a request that was served before', async () => {
    const node = await openWorker();
    const requestId = nextRequestId();
    await node.book.worker.settle(receiptFor(node, requestId));
    const again = node.book.worker.fund({
      requestId,
      client: client.id,
      host: '127.0.0.1',
      maxTokens: 1,
      vouchers: [],
    });
    await expect(again).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('beyond what is left says when there will be enough', async () => {
    const node = await openWorker();
    const reserve = (maxTokens: number) =>
      node.book.worker.fund({
        requestId: nextRequestId(),
        client: client.id,
        host: '127.0.0.1',
        maxTokens,
        vouchers: [],
      });
    await reserve(256 * 14);
    node.clock.now += 1_000;
    await expect(reserve(256 * 9)).rejects.toMatchObject({ code: 'NO_CREDIT', retryAfterMs: REFILL_EVERY_MS - 1_000 });
    node.clock.now += REFILL_EVERY_MS - 1_000;
    await expect(reserve(256 * 9)).resolves.toMatchObject({ credits: 10 });
  });

  it('beyond what waiting can bring says so', async () => {
    const node = await openWorker();
    const huge = node.book.worker.fund({
      requestId: nextRequestId(),
      client: client.id,
      host: '127.0.0.1',
      maxTokens: 100_000,
      vouchers: [],
    });
    const error = await huge.catch((reason) => reason);
    expect(error).toMatchObject({ code: 'NO_CREDIT', retryable: false });
    expect(error.retryAfterMs).toBeUndefined();
  });

  it('given back is there to spend again, under the same request id too', async () => {
    const node = await openWorker();
    const request = { requestId: nextRequestId(), client: client.id, host: '127.0.0.1', maxTokens: 512, vouchers: [] };
    await node.book.worker.fund(request);
    await node.book.worker.release({ client: client.id, requestId: request.requestId }, 'CANCELLED', 0);
    await node.book.worker.release({ client: client.id, requestId: request.requestId }, 'CANCELLED', 0);
    expect(await balance(node, 'available')).toBe(GRANT);
    await node.book.worker.fund(request);
    expect(await balance(node, 'reserved')).toBe(3);
  });
});

describe('strangers', () => {
  it('grow the ledger by so many accounts an hour, and no more', async () => {
    const node = await openWorker();
    const reserve = (number: number) =>
      node.book.worker.fund({
        requestId: nextRequestId(),
        client: testIdentity(number).id,
        host: '127.0.0.1',
        maxTokens: 1,
        vouchers: [],
      });
    const entries = async () => (await node.db.selectFrom('ledger_entries').select('seq').execute()).length;
    await reserve(1_000);
    node.clock.now += 60_000;
    await Promise.all(Array.from({ length: NEW_CLIENTS_PER_HOUR - 1 }, (_, index) => reserve(1_001 + index)));
    const before = await entries();
    await expect(reserve(9_999)).rejects.toMatchObject({ code: 'RATE_LIMIT', retryAfterMs: 59 * 60_000 });
    expect(await entries()).toBe(before);
    await expect(reserve(1_000)).resolves.toMatchObject({ credits: 2 });
    node.clock.now += 59 * 60_000;
    await expect(reserve(9_999)).resolves.toMatchObject({ credits: 2 });
    await expect(reserve(9_998)).rejects.toMatchObject({ code: 'RATE_LIMIT' });
  });
});

describe('the daily refill', () => {
  it('comes for every day that passed, until twenty are there', async () => {
    const node = await openWorker();
    const spend = async (maxTokens: number) => {
      const requestId = nextRequestId();
      await node.book.worker.fund({ requestId, client: client.id, host: '127.0.0.1', maxTokens, vouchers: [] });
      return requestId;
    };
    await spend(256 * 19);
    expect(await balance(node, 'available')).toBe(0);
    node.clock.now += 30 * REFILL_EVERY_MS;
    await node.book.worker.release({ client: client.id, requestId: await spend(0) }, 'CANCELLED', 0);
    expect(await balance(node, 'available')).toBe(2 * REFILL);
  });

  it('does not come to one who has twenty', async () => {
    const node = await openWorker();
    const request = { requestId: nextRequestId(), client: client.id, host: '127.0.0.1', maxTokens: 0, vouchers: [] };
    await node.book.worker.fund(request);
    await node.book.worker.release({ client: client.id, requestId: request.requestId }, 'CANCELLED', 0);
    node.clock.now += 5 * REFILL_EVERY_MS;
    await node.book.worker.fund(request);
    expect(await balance(node, 'available')).toBe(GRANT - 1);
  });
});

describe('a client that the mesh knows to have earned', () => {
  it('may spend what it earned, once', async () => {
    const standing = { points: 100, tier: 'silver' as const };
    const node = await openWorker({ standing: () => standing });
    const touch = async () => {
      const requestId = nextRequestId();
      await node.book.worker.fund({ requestId, client: client.id, host: '127.0.0.1', maxTokens: 0, vouchers: [] });
      await node.book.worker.release({ client: client.id, requestId: requestId }, 'CANCELLED', 0);
      return await balance(node, 'available');
    };
    expect(await touch()).toBe(GRANT + 100);
    expect(await touch()).toBe(GRANT + 100);
    standing.points = 130;
    expect(await touch()).toBe(GRANT + 130);
    standing.points = 0;
    expect(await touch()).toBe(GRANT + 130);
  });
});

describe('a bill', () => {
  it('is priced by what was really used', async () => {
    const node = await openWorker();
    const { body } = node.book.worker.bill(
      served({ client: client.id, requestId: nextRequestId(), completionTokens: 300 }),
    );
    expect(body).toMatchObject({ worker: node.identity.id, points: 10, cost: 3 });
  });
});

describe('settling', () => {
  it('charges the cost, gives back the rest and earns the points', async () => {
    const node = await openWorker();
    const requestId = nextRequestId();
    await node.book.worker.fund({ requestId, client: client.id, host: '127.0.0.1', maxTokens: 2_560, vouchers: [] });
    const outcome = await node.book.worker.settle(receiptFor(node, requestId, { completionTokens: 100 }));
    expect(outcome).toEqual({ points: 10, achievements: ['first-light'], repeated: false });
    expect([await balance(node, 'available'), await balance(node, 'reserved'), await balance(node, 'spent')]).toEqual([
      GRANT - 2,
      0,
      2,
    ]);
    const summary = await node.book.summary();
    expect(summary).toMatchObject({
      available: GRANT + 10 + 5,
      points: 15,
      tier: 'bronze',
      served: 1,
      earnedToday: 15,
    });
  });

  it('twice books once', async () => {
    const node = await openWorker();
    const receipt = receiptFor(node, nextRequestId());
    const [first, second] = await Promise.all([node.book.worker.settle(receipt), node.book.worker.settle(receipt)]);
    expect(first.points).toBe(second.points);
    expect(await node.book.summary()).toMatchObject({ points: 15, served: 1 });
  });

  it('another receipt for the same request is refused', async () => {
    const node = await openWorker();
    const requestId = nextRequestId();
    await node.book.worker.settle(receiptFor(node, requestId));
    const second = node.book.worker.settle(receiptFor(node, requestId, { completionTokens: 200 }));
    await expect(second).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('after a release charges what the client has left', async () => {
    const node = await openWorker();
    const requestId = nextRequestId();
    await node.book.worker.fund({ requestId, client: client.id, host: '127.0.0.1', maxTokens: 256, vouchers: [] });
    await node.book.worker.release({ client: client.id, requestId: requestId }, 'CANCELLED', 0);
    await node.book.worker.fund({
      requestId: nextRequestId(),
      client: client.id,
      host: '127.0.0.1',
      maxTokens: 256 * 18,
      vouchers: [],
    });
    await node.book.worker.settle(receiptFor(node, requestId));
    expect([await balance(node, 'available'), await balance(node, 'spent')]).toEqual([0, 1]);
    expect(await node.book.verify()).toMatchObject({ ok: true });
  });

  it.each([
    ['points', { points: 9 }],
    ['cost', { cost: 1 }],
    ['worker', { worker: testIdentity(9).id }],
    ['client', { client: testIdentity(1).id }],
    ['servedAt', { servedAt: Date.UTC(2027, 0) }, 'receipt.servedAt'], // perhaps by this node's own clock
  ])('refuses a receipt whose %s is wrong, though both signed it', async (_, change, field = 'receipt') => {
    const node = await openWorker();
    const { body } = receiptFor(node, nextRequestId());
    const forged = { ...body, ...change };
    const bytes = receiptBytes(forged);
    const receipt = { body: forged, workerSig: node.identity.sign(bytes), clientSig: client.sign(bytes) };
    await expect(node.book.worker.settle(receipt)).rejects.toMatchObject({ code: 'BAD_REQUEST', field });
  });

  it.each(['workerSig', 'clientSig'] as const)('refuses a receipt whose %s is not of its body', async (which) => {
    const node = await openWorker();
    const receipt = receiptFor(node, nextRequestId());
    const other = signedReceipt(node.identity, client);
    const settled = node.book.worker.settle({ ...receipt, [which]: other[which] });
    await expect(settled).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('books, but counts for nothing, what is over the cap between two keys', async () => {
    const node = await openWorker();
    for (let count = 0; count < 20; count++) await node.book.worker.settle(receiptFor(node, nextRequestId()));
    const { points } = await node.book.summary();
    expect(await node.book.worker.settle(receiptFor(node, nextRequestId()))).toEqual({
      points: 0,
      achievements: [],
      repeated: false,
    });
    expect(await node.book.summary()).toMatchObject({ points, served: 21 });
    expect(await node.book.verify()).toMatchObject({ ok: true, receipts: 21 });
  });

  it('brings a Speed Demon with the ten receipts that show it', async () => {
    const node = await openWorker();
    for (let count = 0; count < 10; count++) await node.book.worker.settle(receiptFor(node, nextRequestId()));
    const achievements = await node.book.achievements();
    expect(achievements.map(({ id }) => id)).toEqual(['first-light', 'speed-demon']);
    expect(achievements[1]).toMatchObject({ title: 'Speed Demon', bonus: 20 });
    expect(new Set(achievements[1]?.evidence).size).toBe(10);
    expect((await node.book.summary()).points).toBe(10 * 10 + 5 + 20);
  });
});

describe('an answer that nobody signs for', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** A node with an answer that was not countersigned; `hour` lets the clock of its timers go on by one. */
  async function openOwed() {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const node = await openWorker();
    const requestId = nextRequestId();
    await node.book.worker.fund({ requestId, client: client.id, host: '127.0.0.1', maxTokens: 256, vouchers: [] });
    const receipt = receiptFor(node, requestId);
    return { node, receipt, hour: () => vi.advanceTimersByTime(LOOK_EVERY_MS) };
  }

  it('gives its credits back when a receipt would be too late, and not before', async () => {
    const { node, hour } = await openOwed();
    node.clock.now += UNSIGNED_MS;
    hour();
    await node.book.worker.release({ client: client.id, requestId: 'none' }, 'CANCELLED', 0); // the writer takes one after the other
    expect(await balance(node, 'reserved')).toBe(2);
    node.clock.now += 1;
    hour();
    await expect.poll(() => balance(node, 'reserved')).toBe(0);
    expect(await balance(node, 'available')).toBe(GRANT);
    expect(await node.book.verify()).toMatchObject({ ok: true, openReservations: 0 });
  });

  it('is still paid for when the receipt comes after that', async () => {
    const { node, receipt, hour } = await openOwed();
    node.clock.now += UNSIGNED_MS + 1;
    hour();
    await expect.poll(() => balance(node, 'reserved')).toBe(0);
    await node.book.worker.settle(receipt);
    expect(await balance(node, 'spent')).toBe(receipt.body.cost);
    expect(await node.book.verify()).toMatchObject({ ok: true, receipts: 1 });
  });

  it('leaves no timer behind when the book is closed', async () => {
    const { node } = await openOwed();
    await node.book.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a failure of the worker', () => {
  async function fail(node: CreditNode, reason: string) {
    const requestId = nextRequestId();
    await node.book.worker.fund({ requestId, client: client.id, host: '127.0.0.1', maxTokens: 0, vouchers: [] });
    await node.book.worker.release({ client: client.id, requestId: requestId }, reason, 0);
  }

  it('costs a point but none of the credits', async () => {
    const node = await openWorker();
    await node.book.worker.settle(receiptFor(node, nextRequestId()));
    await fail(node, 'ENGINE_CRASHED');
    expect(await node.book.summary()).toMatchObject({ points: 14, available: GRANT + 15 });
    expect(await node.book.verify()).toMatchObject({ ok: true });
  });

  it('never takes the total below nothing', async () => {
    const node = await openWorker();
    await fail(node, 'ENGINE_CRASHED');
    expect((await node.book.summary()).points).toBe(0);
    expect(await node.book.verify()).toMatchObject({ ok: true });
  });

  it('is not what a client brings about', async () => {
    const node = await openWorker();
    await node.book.worker.settle(receiptFor(node, nextRequestId()));
    await fail(node, 'CANCELLED');
    expect((await node.book.summary()).points).toBe(15);
  });
});

describe('what the score log publishes', () => {
  it('is every receipt and failure in the order of booking', async () => {
    const node = await openWorker();
    let calls = 0;
    const stop = node.book.onScored(() => calls++);
    const receipt = receiptFor(node, nextRequestId());
    await node.book.worker.settle(receipt);
    const requestId = nextRequestId();
    await node.book.worker.fund({ requestId, client: client.id, host: '127.0.0.1', maxTokens: 0, vouchers: [] });
    await node.book.worker.release({ client: client.id, requestId: requestId }, 'INTERNAL', 0);
    stop();
    const [first, second, ...rest] = await node.book.scored(0, 10);
    expect(first).toMatchObject({ type: 'receipt', receipt });
    expect(second).toMatchObject({ type: 'failure', requestId });
    expect(rest).toEqual([]);
    expect(await node.book.scored(first?.seq ?? 0, 10)).toEqual([second]);
    expect(calls).toBe(2);
  });
});
