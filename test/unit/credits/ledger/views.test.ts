import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { midnights } from '../../../../src-main/base/days.ts';
import { LOOK_EVERY_MS } from '../../../../src-main/credits/books/unsigned.ts';
import { type Receipt, receiptBytes } from '../../../../src-main/credits/receipt.ts';
import { LATE_MS } from '../../../../src-main/credits/score/score.ts';
import {
  type CreditNode,
  DAY,
  NOON,
  nextRequestId,
  observed,
  openCreditNode,
  oweTo,
  served,
  testIdentity,
} from '../../../support/credit-nodes.ts';
import { until } from '../../../support/until.ts';

const client = testIdentity(2);
let node: CreditNode;
beforeEach(async () => {
  node = await openCreditNode(1, { friends: true }); // clients never run out
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await node.close();
});

async function reserve(maxTokens = 256): Promise<string> {
  const requestId = nextRequestId();
  await node.book.worker.fund({ requestId, client: client.id, host: '127.0.0.1', maxTokens, vouchers: [] });
  return requestId;
}

function receipt(requestId: string, over = {}): Receipt {
  const bill = node.book.worker.bill(served({ client: client.id, requestId, servedAt: node.clock.now, ...over }));
  return { ...bill, clientSig: client.sign(receiptBytes(bill.body)) };
}

async function serve(over = {}): Promise<string> {
  const requestId = await reserve();
  await node.book.worker.settle(receipt(requestId, over));
  return requestId;
}

/** Asks another node, and pays 2 credits. @param seed whom */
async function pay(seed = 3): Promise<void> {
  const worker = await openCreditNode(seed, { clock: node.clock });
  const requestId = nextRequestId();
  await node.book.client.open({ requestId, worker: worker.identity.id, maxTokens: 256 });
  const work = served({ client: node.identity.id, requestId, servedAt: node.clock.now });
  await node.book.client.countersign(worker.book.worker.bill(work), observed(work, worker.identity.id));
  await worker.close();
}

describe('pending', () => {
  it('is what was served and nobody has signed for yet', async () => {
    const pending = async () => (await node.book.summary()).pending;
    const [running, failed, signed, owed] = [await reserve(), await reserve(), await reserve(), await reserve(512)];
    expect(await pending()).toEqual({ requests: 0, credits: 0, points: 0 });
    await node.book.worker.release({ client: client.id, requestId: failed }, 'ENGINE_CRASHED');
    const countersigned = receipt(signed);
    receipt(owed);
    expect(await pending()).toEqual({ requests: 2, credits: 2 + 3, points: 20 });
    await node.book.worker.settle(countersigned);
    expect(await pending()).toEqual({ requests: 1, credits: 3, points: 10 });
    await node.book.worker.release({ client: client.id, requestId: running }, 'CANCELLED');
    expect(await pending()).toEqual({ requests: 1, credits: 3, points: 10 });
  });

  it('ends when nobody is going to sign any more', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const aged = await openCreditNode(4);
      const requestId = nextRequestId();
      await aged.book.worker.fund({ requestId, client: client.id, host: '127.0.0.1', maxTokens: 256, vouchers: [] });
      aged.book.worker.bill(served({ client: client.id, requestId }));
      aged.clock.now += LATE_MS + 1;
      vi.advanceTimersByTime(LOOK_EVERY_MS);
      await until(async () => expect((await aged.book.summary()).pending.requests).toBe(0));
      await aged.close();
    } finally {
      vi.useRealTimers();
    }
  });

  it('does not count what this node owes to others', async () => {
    await node.book.client.open({ requestId: nextRequestId(), worker: client.id, maxTokens: 256 });
    expect((await node.book.summary()).pending).toEqual({ requests: 0, credits: 0, points: 0 });
  });
});

describe('the summary', () => {
  it('has the points of seven days, and where the tier begins', async () => {
    for (const daysAgo of [7, 6, 0]) {
      node.clock.now = NOON - daysAgo * DAY;
      await serve();
    }
    expect(await node.book.summary()).toMatchObject({ earnedToday: 10, earnedWeek: 20, points: 35, tierFrom: 1 });
    node.clock.now += DAY;
    expect(await node.book.summary()).toMatchObject({ earnedToday: 0, earnedWeek: 10, tier: 'bronze' });
  });
});

describe('who owes whom', () => {
  const page = { limit: 20, offset: 0 };

  it('lists who owes this node something, and what of that is in reach', async () => {
    const other = testIdentity(5).id;
    await serve();
    expect(node.book.debtors(page, (peer) => peer === client.id)).toEqual({
      peers: [{ peer: client.id, owes: 2, inReach: true }],
      total: 1,
      owes: 2,
      inReach: 2,
    });
    expect(node.book.debtors(page, (peer) => peer === other)).toMatchObject({
      peers: [{ inReach: false }],
      inReach: 0,
    });
    const unknown = node.book.debtors(page);
    expect([unknown.peers[0]?.inReach, unknown.inReach]).toEqual([undefined, undefined]);
    expect(node.book.debtors({ limit: 1, offset: 1 })).toMatchObject({ peers: [], total: 1, owes: 2 });
  });

  it('says what this node owes in all, and what two owe each other', async () => {
    await serve();
    await pay();
    const worker = testIdentity(3).id;
    expect(node.book.trusted(page)).toMatchObject({ peers: [{ peer: worker, owed: 2 }], total: 1, owed: 2 });
    expect(await node.book.summary()).toMatchObject({ available: 2, owed: 2, spent: 2 });
    expect(node.book.between(worker)).toEqual({ owes: 0, owed: 2 });
    expect(node.book.between(client.id)).toEqual({ owes: 2, owed: 0 });
  });

  it('counts what has come back of all that others owed, and not what was served to this node in advance', async () => {
    await pay();
    expect((await node.book.summary()).gifts.back).toBe(0);
    await serve();
    await pay(2);
    expect(await node.book.summary()).toMatchObject({ available: 0, spent: 4, gifts: { back: 2 } });
  });

  it('among friends, puts nobody into a tier for what it is owed: points decide there', async () => {
    await pay();
    expect(node.book.trusted(page).peers).toMatchObject([{ owed: 2, tier: 'newcomer' }]);
    expect(await node.book.summary()).toMatchObject({ rule: 'witnessed' });
    const miner = await openCreditNode(6);
    await oweTo(miner, testIdentity(3), 8);
    expect(miner.book.trusted(page).peers).toMatchObject([{ owed: 8, tier: 'silver' }]);
    expect(await miner.book.summary()).toMatchObject({ rule: 'claims', owed: 8 });
    await miner.close();
  });
});

describe('days', () => {
  it('have their points, requests and payments, today last', async () => {
    node.clock.now = NOON - 2 * DAY;
    await serve();
    node.clock.now = NOON;
    await pay();
    for (let count = 0; count < 21; count++) await serve(); // the last one is over the cap
    const days = await node.book.days(4);
    expect(days.map(({ points, requests, spent }) => [points, requests, spent])).toEqual([
      [0, 0, 0],
      [10 + 5, 1, 0],
      [0, 0, 0],
      [20 * 10 + 20, 21, 2],
    ]);
    expect(days.map(({ at }) => at)).toEqual(midnights(NOON, 4));
  });

  it.each(['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/St_Johns'])(
    'begin and end to the millisecond at midnight in %s',
    async (zone) => {
      vi.stubEnv('TZ', zone);
      const [yesterday = 0, today = 0] = midnights(NOON, 2);
      for (const at of [yesterday - 1, yesterday, today - 1, today]) {
        node.clock.now = at;
        await serve();
      }
      node.clock.now = NOON;
      expect((await node.book.days(3)).map(({ requests }) => requests)).toEqual([1, 2, 1]);
      expect(await node.book.summary()).toMatchObject({ earnedToday: 10, served: 4 });
    },
  );
});

describe('the sources of points', () => {
  it('add up to the points, and say what did not count', async () => {
    await serve({ processingMs: 4_000, promptChars: 60, resultChars: 50 }); // 1 + 1 + 1
    await serve({ processingMs: 400, promptChars: 160, resultChars: 400 }); // 5 + 3 + 2
    const failed = await reserve();
    await node.book.worker.release({ client: client.id, requestId: failed }, 'ENGINE_CRASHED');
    const sources = await node.book.sources();
    const none = { pairCap: 0, tooOld: 0 };
    expect(sources).toEqual({ speed: 6, complexity: 4, quality: 3, bonuses: 5, penalties: -1, uncounted: none });
    expect((await node.book.summary()).points).toBe(6 + 4 + 3 + 5 - 1);
  });

  it('go on from where they were read last', async () => {
    for (let count = 0; count < 19; count++) await serve();
    const [first] = await Promise.all([node.book.sources(), node.book.sources()]);
    expect(first).toMatchObject({ speed: 19 * 5, uncounted: { pairCap: 0 } });
    await serve();
    await serve();
    await serve({ servedAt: NOON - LATE_MS - 1 });
    const sources = await node.book.sources();
    expect(sources).toMatchObject({ speed: 20 * 5, uncounted: { pairCap: 10, tooOld: 10 } });
    const { speed, complexity, quality, bonuses, penalties } = sources;
    expect(speed + complexity + quality + bonuses + penalties).toBe((await node.book.summary()).points);
  });
});

describe('what was served', () => {
  it('is listed newest first, without any text', async () => {
    const first = await serve({ completionTokens: 12 });
    const second = await serve({ model: 'other' });
    await pay();
    const last = {
      requestId: second,
      at: NOON,
      client: client.id,
      model: 'other',
      promptTokens: 40,
      completionTokens: 100,
      processingMs: 400,
      points: 10,
    };
    expect(await node.book.served(10)).toEqual([
      last,
      { ...last, requestId: first, model: 'tiny', completionTokens: 12 },
    ]);
    expect(await node.book.served(1)).toEqual([last]);
  });
});

describe('watching', () => {
  it('tells how long the ledger is, and whenever it has grown', async () => {
    const seq = async () => (await node.db.selectFrom('ledger_head').select('seq').executeTakeFirstOrThrow()).seq;
    const watch = node.book.watch();
    expect(await watch.next()).toEqual({ done: false, value: { seq: await seq() } });
    await serve();
    await serve();
    const now = await seq();
    expect(await watch.next()).toEqual({ done: false, value: { seq: now } }); // once for both
    const next = watch.next();
    await serve();
    expect((await next).value?.seq).toBeGreaterThan(now);
    await watch.return();
  });

  it.each(['its signal', 'the book'])('ends with %s, also while it waits', async (what) => {
    const interrupt = new AbortController();
    const watch = node.book.watch(interrupt.signal);
    await watch.next();
    const next = watch.next();
    if (what === 'the book') await node.book.close();
    else interrupt.abort();
    expect(await next).toEqual({ done: true, value: undefined });
  });
});
