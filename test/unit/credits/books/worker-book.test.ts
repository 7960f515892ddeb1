import { afterEach, describe, expect, it, vi } from 'vitest';
import { LOOK_EVERY_MS } from '../../../../src-main/credits/books/unsigned.ts';
import { UNSIGNED_MS } from '../../../../src-main/credits/books/worker-book.ts';
import { openCreditBook } from '../../../../src-main/credits/ledger/credit-book.ts';
import { pledgeBytes } from '../../../../src-main/credits/pledge.ts';
import type { Receipt } from '../../../../src-main/credits/receipt.ts';
import { receiptBytes } from '../../../../src-main/credits/receipt.ts';
import { DEFAULT_GIFTS } from '../../../../src-main/credits/standing/gifts.ts';
import { verify } from '../../../../src-main/mesh/transport/identity.ts';
import { appendEntry, balanceOf } from '../../../../src-main/store/credits/ledger.ts';
import type { ErrorCode } from '../../../../src-preload/contract/errors.ts';
import {
  type CreditNode,
  nextRequestId,
  openCreditNode,
  oweTo,
  served,
  signedReceipt,
  testIdentity,
} from '../../../support/credit-nodes.ts';
import { testLog } from '../../../support/mesh-node.ts';

const { most: MOST, perDay: PER_DAY } = DEFAULT_GIFTS;
const HOST = '203.0.113.7';
const DAY = 86_400_000;

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

/** What the worker's ledger says of the client: what it owes it, what that has had, and what was given away. */
async function accounts(node: CreditNode, id = client.id) {
  const of = (account: string) => balanceOf(node.db, account);
  return { claim: await of(`claim:${id}`), had: await of(`client:${id}:spent`), given: 0 - (await of('issue:gift')) };
}

const entries = async ({ db }: CreditNode) => (await db.selectFrom('ledger_entries').select('kind').execute()).length;

const gift = (node: CreditNode, host = HOST) => node.book.worker.terms(client.id, host).gift;

async function fund(
  node: CreditNode,
  maxTokens: number,
  over: { id?: string; requestId?: string; host?: string } = {},
) {
  const { id = client.id, requestId = nextRequestId(), host = HOST } = over;
  const funding = await node.book.worker.fund({ requestId, client: id, host, maxTokens, vouchers: [] });
  return { requestId, funding };
}

const release = (node: CreditNode, requestId: string, code: ErrorCode = 'CANCELLED', asked?: { streamed: number }) =>
  node.book.worker.release({ client: client.id, requestId }, code, asked);

/** The same books by another process, after the one before died. */
async function reopen(node: CreditNode) {
  const { db, identity, clock } = node;
  return await openCreditBook({ db, identity, verify, now: () => clock.now, log: testLog });
}

async function pledge(node: CreditNode, requestId: string, credits: number): Promise<void> {
  const said = { requestId, client: client.id, promptHash: 'a'.repeat(64), credits };
  const sig = client.sign(pledgeBytes({ ...said, worker: node.identity.id }));
  await node.book.worker.keepPledge({ ...said, sig });
}

const owe = (node: CreditNode, credits: number) => oweTo(node, client, credits);

/** The receipt that both would sign for this work. */
function receiptFor(node: CreditNode, requestId: string, over = {}): Receipt {
  const bill = node.book.worker.bill(served({ client: client.id, requestId, ...over }));
  return { ...bill, clientSig: client.sign(receiptBytes(bill.body)) };
}

describe('a request', () => {
  it('of a stranger is a gift to its network, whatever its keys', async () => {
    const node = await openWorker();
    const { funding } = await fund(node, 512);
    expect(funding).toEqual({
      funds: 'gift',
      tier: 'newcomer',
      client: client.id,
      prefix: '203.0.113.0/24',
      credits: 3,
    });
    expect(gift(node)).toBe(MOST - 3);
    await fund(node, 256 * (MOST - 4), { id: testIdentity(3).id, host: '203.0.113.200' });
    await expect(fund(node, 1, { id: testIdentity(4).id })).rejects.toMatchObject({ code: 'NO_CREDIT' });
    expect((await fund(node, 1, { host: '198.51.100.7' })).funding).toMatchObject({ funds: 'gift' });
  });

  it('of one who has served this node is paid by what it is owed, and ranked by it', async () => {
    const node = await openWorker();
    await owe(node, 9);
    expect(node.book.worker.standing(client.id)).toMatchObject({ tier: 'silver' });
    expect((await fund(node, 512)).funding).toMatchObject({ funds: 'claim', tier: 'silver', credits: 3 });
    expect(node.book.worker.terms(client.id, HOST)).toMatchObject({ owed: 9, gift: MOST });
    expect((await fund(node, 256 * 5)).funding).toMatchObject({ funds: 'claim', tier: 'bronze', credits: 6 });
    expect((await fund(node, 1)).funding).toMatchObject({ funds: 'gift' });
    expect(await accounts(node)).toEqual({ claim: 9, had: 0, given: 0 });
  });

  it('is taken once: its id buys no second answer, not even to the same client', async () => {
    const node = await openWorker();
    const requestId = nextRequestId();
    const [first, second] = await Promise.allSettled([fund(node, 512, { requestId }), fund(node, 512, { requestId })]);
    expect([first?.status, second?.status]).toEqual(['fulfilled', 'rejected']);
    await expect(fund(node, 512, { requestId })).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'requestId' });
    expect(gift(node)).toBe(MOST - 3);
  });

  it('is refused under an id that another client holds', async () => {
    const node = await openWorker();
    const { requestId } = await fund(node, 1);
    const theft = fund(node, 1, { requestId, id: testIdentity(3).id });
    await expect(theft).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'requestId' });
  });

  it('is refused when it was served before', async () => {
    const node = await openWorker();
    const requestId = nextRequestId();
    await node.book.worker.settle(receiptFor(node, requestId));
    await expect(fund(node, 1, { requestId })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('beyond what its network may have says when there will be room', async () => {
    const node = await openWorker();
    const { requestId } = await fund(node, 256 * 14);
    await node.book.worker.settle(receiptFor(node, requestId, { completionTokens: 256 * 14 }));
    const error = await fund(node, 256 * 9).catch((reason) => reason);
    expect(error).toMatchObject({ code: 'NO_CREDIT', retryable: true, retryAfterMs: DAY / 2 });
    expect([error.message, error.hint]).toEqual([
      expect.stringMatching(/owes 0/),
      expect.stringContaining(`${PER_DAY}`),
    ]);
    node.clock.now += DAY / 2;
    expect((await fund(node, 256 * 9)).funding).toMatchObject({ credits: 10 });
  });

  it('beyond what waiting can bring says so', async () => {
    const node = await openWorker();
    const error = await fund(node, 100_000).catch((reason) => reason);
    expect(error).toMatchObject({ code: 'NO_CREDIT', retryable: false });
    expect(error.retryAfterMs).toBeUndefined();
  });

  it('that is cancelled leaves no entry, and its id may be used again', async () => {
    const node = await openWorker();
    await owe(node, 3);
    const before = await entries(node);
    for (const maxTokens of [512, 1_024]) {
      const { requestId } = await fund(node, maxTokens);
      await release(node, requestId);
      await release(node, requestId);
      await fund(node, maxTokens, { requestId });
      await release(node, requestId);
    }
    expect(await entries(node)).toBe(before);
    expect(node.book.worker.terms(client.id, HOST)).toMatchObject({ owed: 3, gift: MOST });
    expect((await fund(node, 512)).funding).toMatchObject({ funds: 'claim' });
  });

  it('of another is not released', async () => {
    const node = await openWorker();
    const { requestId } = await fund(node, 512);
    await node.book.worker.release({ client: testIdentity(3).id, requestId }, 'CANCELLED');
    expect(gift(node)).toBe(MOST - 3);
  });

  it('of anybody is served without limit among friends, in the order of confirmed points', async () => {
    const standing = { points: 100, tier: 'silver' as const };
    const node = await openWorker({ friends: true, standing: () => standing });
    expect((await fund(node, 100_000)).funding).toMatchObject({ funds: 'friend', tier: 'silver' });
    const { requestId } = await fund(node, 256);
    await node.book.worker.settle(receiptFor(node, requestId));
    expect(await accounts(node)).toEqual({ claim: 0, had: 2, given: 2 });
    expect(await node.book.verify()).toMatchObject({ ok: true });
  });
});

describe('a request whose prompt the engine has read and whose client has pledged nothing', () => {
  const READ = { streamed: 0 };

  it('draws one credit from the claim, and nothing that the client would owe', async () => {
    const node = await openWorker();
    await owe(node, 3);
    const { requestId } = await fund(node, 512);
    await release(node, requestId, 'NO_CREDIT', READ);
    await release(node, requestId, 'NO_CREDIT', READ);
    expect(await accounts(node)).toEqual({ claim: 2, had: 1, given: 0 });
    expect(await balanceOf(node.db, `owes:${client.id}`)).toBe(0);
    expect(node.book.worker.terms(client.id, HOST)).toMatchObject({ owed: 2, gift: MOST });
    await expect(fund(node, 1, { requestId })).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'requestId' });
    expect(await node.book.verify()).toMatchObject({ ok: true });
    expect((await reopen(node)).worker.terms(client.id, HOST)).toMatchObject({ owed: 2 });
  });

  it('counts one credit for the network to which it would have been given', async () => {
    const node = await openWorker();
    const { requestId } = await fund(node, 512);
    await release(node, requestId, 'NO_CREDIT', READ);
    expect(gift(node)).toBe(MOST - 1);
    expect(await entries(node)).toBe(0);
  });

  it('costs nothing where the worker takes it back', async () => {
    const node = await openWorker();
    await owe(node, 3);
    for (const reason of ['ENGINE_CRASHED', 'NOT_RUNNING'] as const)
      await release(node, (await fund(node, 512)).requestId, reason, READ);
    expect(await accounts(node)).toEqual({ claim: 3, had: 0, given: 0 });
  });

  it('costs what was pledged where something was', async () => {
    const node = await openWorker();
    await owe(node, 3);
    const { requestId } = await fund(node, 512);
    await pledge(node, requestId, 2);
    await release(node, requestId, 'CANCELLED', READ);
    expect(await accounts(node)).toEqual({ claim: 1, had: 2, given: 0 });
    expect(await node.book.verify()).toMatchObject({ ok: true });
  });

  it.each([
    ['what the client would owe', false, { [`owes:${client.id}`]: 1, 'issue:served': -1 }, /wrong amounts \(release\)/],
    ['a credit of a request that a receipt has paid', true, {}, /nothing to show .* \(release\)/],
  ])('is found when it draws %s', async (_what, paid, more, problem) => {
    const node = await openWorker();
    await owe(node, 9);
    const { requestId } = await fund(node, 512);
    if (paid) await node.book.worker.settle(receiptFor(node, requestId));
    else await release(node, requestId, 'CANCELLED');
    const postings = { [`claim:${client.id}`]: -1, [`client:${client.id}:spent`]: 1, ...more };
    const entry = {
      at: node.clock.now,
      kind: 'release' as const,
      key: `unpledged:${client.id}:${requestId}`,
      requestId,
    };
    await node.db.transaction().execute((trx) => appendEntry(trx, { ...entry, postings }));
    expect((await node.book.verify()).problems.join('\n')).toMatch(problem);
  });
});

describe('what a client has had without signing for it', () => {
  it.each([
    ['CANCELLED', 1, 200, 2, 1],
    ['NO_CREDIT', 1, 256, 2, 1],
    ['DEADLINE', 2, 400, 3, 2],
    ['CANCELLED', 3, 512, 3, 3],
    ['CANCELLED', 1, 99_999, 5, 1],
    // Nothing was sent: nothing is owed, but the prompt was read.
    ['CANCELLED', 1, 0, 1, 0],
    // The worker refuses it after all.
    ['BAD_REQUEST', 2, 300, 3, 0],
    ['RATE_LIMIT', 2, 300, 0, 0],
    ['ENGINE_CRASHED', 2, 300, 0, 0],
    // Its own trouble, of which the client hears as of a failure.
    ['DISK_FULL', 2, 300, 0, 0],
    ['PROTOCOL', 2, 300, 0, 0],
  ] as const)(
    'is drawn from its claim all the same: %s, %i pledged, %i tokens',
    async (reason, credits, streamed, had, owes) => {
      const node = await openWorker();
      await owe(node, 9);
      const { requestId } = await fund(node, 1_024);
      await pledge(node, requestId, credits);
      await release(node, requestId, reason, { streamed });
      expect(await accounts(node)).toEqual({ claim: 9 - had, had, given: 0 });
      expect(await balanceOf(node.db, `owes:${client.id}`)).toBe(owes);
      expect(node.book.worker.terms(client.id, HOST).owed).toBe(9 - had);
      expect(await node.book.verify()).toMatchObject({ ok: true });
    },
  );

  it('is nothing where its request still waited, whatever it has pledged', async () => {
    const node = await openWorker();
    await owe(node, 9);
    const { requestId } = await fund(node, 1_024);
    await pledge(node, requestId, 1);
    await release(node, requestId);
    expect(await accounts(node)).toEqual({ claim: 9, had: 0, given: 0 });
  });

  it('is not drawn twice when the receipt comes, and owed by it', async () => {
    const node = await openWorker();
    await owe(node, 9);
    const { requestId } = await fund(node, 1_024);
    await pledge(node, requestId, 2);
    const receipt = receiptFor(node, requestId, { completionTokens: 700 });
    await release(node, requestId, 'DEADLINE');
    expect(await accounts(node)).toEqual({ claim: 5, had: 4, given: 0 });
    expect(await balanceOf(node.db, `owes:${client.id}`)).toBe(2);
    await node.book.worker.settle(receipt);
    await node.book.worker.settle(receipt);
    expect(await accounts(node)).toEqual({ claim: 5, had: 4, given: 0 });
    expect([await balanceOf(node.db, `owes:${client.id}`), node.book.client.owedBy(client.id)]).toEqual([4, 4]);
    expect(await node.book.verify()).toMatchObject({ ok: true, problems: [] });
  });
});

describe('what a network was given', () => {
  it('counts whether or not the client signs', async () => {
    const node = await openWorker();
    const [cancelled, unsigned] = [await fund(node, 1_024), await fund(node, 1_024)];
    await release(node, cancelled.requestId, 'CANCELLED', { streamed: 300 });
    receiptFor(node, unsigned.requestId, { completionTokens: 256 });
    expect([gift(node), node.book.worker.given('203.0.113.0/24')]).toEqual([MOST - 3 - 2, 5]);
    expect(await entries(node)).toBe(0);
  });

  it('counts nothing where the worker itself failed', async () => {
    const node = await openWorker();
    const { requestId } = await fund(node, 1_024);
    await release(node, requestId, 'ENGINE_CRASHED', { streamed: 300 });
    expect(gift(node)).toBe(MOST);
  });

  it('is known after a restart, and forgotten when it is forgiven', async () => {
    const node = await openWorker();
    const { requestId } = await fund(node, 1_024);
    await release(node, requestId, 'CANCELLED', { streamed: 1_024 });
    const reopened = await reopen(node);
    expect(reopened.worker.terms(client.id, HOST).gift).toBe(MOST - 5);
    await reopened.close();
    node.clock.now += DAY;
    await (await reopen(node)).close();
    expect(await node.db.selectFrom('gifts').selectAll().execute()).toEqual([]);
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
  it('uses what the client is owed, gives back the rest and earns the points', async () => {
    const node = await openWorker();
    await owe(node, 15);
    const { requestId } = await fund(node, 2_560);
    const outcome = await node.book.worker.settle(receiptFor(node, requestId, { completionTokens: 100 }));
    expect(outcome).toEqual({ points: 10, achievements: ['first-light'], earned: true, repeated: false });
    expect(await accounts(node)).toEqual({ claim: 13, had: 2, given: 0 });
    expect(node.book.worker.terms(client.id, HOST)).toMatchObject({ owed: 13, gift: MOST });
    expect(await node.book.summary()).toMatchObject({
      available: 2,
      spent: 15,
      points: 15,
      tier: 'bronze',
      served: 1,
      earnedToday: 15,
    });
    expect(await node.book.verify()).toMatchObject({ ok: true });
  });

  it('of a gift makes the client owe what it had', async () => {
    const node = await openWorker();
    const { requestId } = await fund(node, 2_560);
    await node.book.worker.settle(receiptFor(node, requestId, { completionTokens: 100 }));
    expect(await accounts(node)).toEqual({ claim: 0, had: 2, given: 2 });
    expect([gift(node), node.book.client.owedBy(client.id)]).toEqual([MOST - 2, 2]);
    expect(await node.book.summary()).toMatchObject({ available: 2, gifts: { given: 2, most: MOST, perDay: PER_DAY } });
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

  it('after a release takes what the client is owed, else it is given', async () => {
    const node = await openWorker();
    await owe(node, 3);
    for (const claim of [1, 1]) {
      const { requestId } = await fund(node, 256);
      const receipt = receiptFor(node, requestId);
      await release(node, requestId);
      await node.book.worker.settle(receipt);
      expect((await accounts(node)).claim).toBe(claim);
    }
    expect(await accounts(node)).toEqual({ claim: 1, had: 4, given: 2 });
    expect(await node.book.verify()).toMatchObject({ ok: true });
  });

  it('beside a release of the same request charges once', async () => {
    const node = await openWorker();
    await owe(node, 9);
    for (const first of ['settle', 'release']) {
      const { requestId } = await fund(node, 256);
      const receipt = receiptFor(node, requestId);
      const settle = () => node.book.worker.settle(receipt);
      const both = [settle, () => release(node, requestId)];
      await Promise.all((first === 'settle' ? both : both.reverse()).map((one) => one()));
    }
    expect(await accounts(node)).toEqual({ claim: 5, had: 4, given: 0 });
    expect(node.book.worker.terms(client.id, HOST).owed).toBe(5);
    expect((await fund(node, 256 * 4)).funding).toMatchObject({ funds: 'claim' });
  });

  it('beside a release of a request that was pledged for in part charges no more than it cost', async () => {
    const node = await openWorker();
    await owe(node, 3);
    const { requestId } = await fund(node, 512);
    await pledge(node, requestId, 1);
    const receipt = receiptFor(node, requestId, { completionTokens: 512 });
    const settle = () => node.book.worker.settle(receipt);
    await Promise.all([settle(), release(node, requestId), settle()]);
    expect(await accounts(node)).toEqual({ claim: 0, had: 3, given: 0 });
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
      earned: false,
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
    await owe(node, 2);
    const { requestId } = await fund(node, 256);
    const receipt = receiptFor(node, requestId);
    return { node, receipt, hour: () => vi.advanceTimersByTime(LOOK_EVERY_MS) };
  }

  it('has used its credits when a receipt would be too late, and not before', async () => {
    const { node, hour } = await openOwed();
    node.clock.now += UNSIGNED_MS;
    hour();
    await node.book.verify();
    expect((await node.book.summary()).pending).toEqual({ requests: 1, credits: 2, points: 10 });
    node.clock.now += 1;
    hour();
    await expect.poll(async () => (await node.book.summary()).pending.requests).toBe(0);
    expect((await fund(node, 256)).funding).toMatchObject({ funds: 'gift' });
    expect(await accounts(node)).toEqual({ claim: 0, had: 2, given: 0 });
    expect(await balanceOf(node.db, `owes:${client.id}`)).toBe(0);
    expect(await node.book.verify()).toMatchObject({ ok: true, openReservations: 0 });
  });

  it('is still paid for when the receipt comes after that', async () => {
    const { node, receipt, hour } = await openOwed();
    node.clock.now += UNSIGNED_MS + 1;
    hour();
    await expect.poll(async () => (await node.book.summary()).pending.requests).toBe(0);
    await node.book.worker.settle(receipt);
    expect(await accounts(node)).toEqual({ claim: 0, had: 2, given: 0 });
    expect(await node.book.verify()).toMatchObject({ ok: true, receipts: 2 });
  });

  it('is owed nothing for that has no word, though its bill counts tokens', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const node = await openWorker();
    await owe(node, 2);
    const { requestId } = await fund(node, 256);
    await pledge(node, requestId, 1);
    receiptFor(node, requestId, { completionTokens: 16, resultChars: 0 });
    node.clock.now += UNSIGNED_MS + 1;
    vi.advanceTimersByTime(LOOK_EVERY_MS);
    await expect.poll(async () => (await node.book.summary()).pending.requests).toBe(0);
    expect(await balanceOf(node.db, `owes:${client.id}`)).toBe(0);
    expect(await accounts(node)).toMatchObject({ claim: 1, had: 1 });
  });

  it('leaves no timer behind when the book is closed', async () => {
    const { node } = await openOwed();
    await node.book.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a failure of the worker', () => {
  async function fail(node: CreditNode, reason: ErrorCode) {
    const { requestId } = await fund(node, 0);
    await release(node, requestId, reason);
  }

  it('costs a point but none of the credits', async () => {
    const node = await openWorker();
    await node.book.worker.settle(receiptFor(node, nextRequestId()));
    await fail(node, 'ENGINE_CRASHED');
    expect(await node.book.summary()).toMatchObject({ points: 14, available: 2 });
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
    await node.book.worker.release({ client: client.id, requestId: requestId }, 'INTERNAL');
    stop();
    const [first, second, ...rest] = await node.book.scored(0, 10);
    expect(first).toMatchObject({ type: 'receipt', receipt });
    expect(second).toMatchObject({ type: 'failure', requestId });
    expect(rest).toEqual([]);
    expect(await node.book.scored(first?.seq ?? 0, 10)).toEqual([second]);
    expect(calls).toBe(2);
  });
});
