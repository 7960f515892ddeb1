import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Voucher } from '../../src-main/credits/voucher.ts';
import { openTestnet, type Testnet } from '../support/testnet.ts';
import { askWith, openTradingNode, PRICE, type TradingNode } from '../support/trading-node.ts';
import { until } from '../support/until.ts';

/*
 * What nodes owe each other, over real connections and on real books: who served whom, who may spend it, and once. Each answer costs two
 * credits, and so does a request for as few tokens.
 */

/** The books make the list of whose vouchers are taken anew after so long. */
const VOICES_MS = 11_000;

let testnet: Testnet;
const nodes: TradingNode[] = [];

beforeAll(async () => {
  testnet = await openTestnet();
});
afterEach(async () => {
  for (const node of nodes.splice(0).reverse()) await node.close();
});
afterAll(() => testnet.close());

async function open(name: string, gifts = { most: 20, perDay: 10 }): Promise<TradingNode> {
  const node = await openTradingNode({ testnet, name, books: { gifts } });
  nodes.push(node);
  await until(() => {
    for (const one of nodes) {
      const others = nodes.filter((other) => other !== one).map(({ id }) => id);
      const known = one.client.workers().flatMap(({ id, status, terms }) => (status && terms ? [id] : []));
      expect(known).toEqual(expect.arrayContaining(others));
    }
  });
  return node;
}

const owes = (node: TradingNode, other: TradingNode) => node.book.worker.terms(other.id, '127.0.0.1').owed;
const expects = (node: TradingNode, of: TradingNode) => node.book.client.owedBy(of.id);
/** What a node has given to the network that all of these are in. */
const given = (node: TradingNode) => node.book.worker.given('127.0.0.0/24');

/** One node asks another, and both have booked it. */
async function served(client: TradingNode, worker: TradingNode): Promise<void> {
  const before = expects(worker, client);
  await client.ask(worker);
  await until(() => expect(expects(worker, client)).toBe(before + PRICE));
}

describe('what a node has served', () => {
  it('is owed to it by whom it served, is spent there once, and then it is a newcomer', async () => {
    const [a, b] = [await open('a'), await open('b')];
    await served(b, a); // by gift: a owes b nothing
    expect([owes(b, a), expects(a, b), owes(a, b)]).toEqual([PRICE, PRICE, 0]);
    expect(given(b)).toBe(0);
    expect(given(a)).toBeCloseTo(PRICE, 2);

    await served(a, b);
    expect([owes(b, a), expects(a, b)]).toEqual([0, 0]);
    expect(given(b)).toBe(0);
    expect(owes(a, b)).toBe(PRICE); // b has served it: that is owed to b now

    await served(a, b);
    expect(given(b)).toBeCloseTo(PRICE, 2);
    for (const { book } of nodes) expect(await book.verify()).toMatchObject({ ok: true });
  });

  it('moves by a voucher to whom that one owes something itself, once', async () => {
    const [b, w] = [await open('b'), await open('w', { most: 3, perDay: 1 })];
    await served(w, b);
    w.clock.aheadMs = VOICES_MS;
    const a = await open('a');
    await served(b, a);
    expect([owes(w, b), owes(b, a), expects(a, b), owes(w, a)]).toEqual([PRICE, PRICE, PRICE, 0]);
    const signed: Voucher[] = [];
    a.network.peers.get(b.id)?.onMessage((message) => {
      if (message.type === 'voucher' && message.voucher) signed.push(message.voucher);
    });

    await served(a, w); // nothing is given: the bucket of its network holds one request, and stays as it is
    expect(signed.map(({ body }) => [body.kind, body.credits])).toEqual([['claim', PRICE]]);
    expect([owes(w, b), owes(b, a), expects(a, b), owes(w, a), expects(a, w)]).toEqual([0, 0, 0, 0, 0]);
    expect(given(w)).toBe(0);

    await served(w, b); // so that what is vouched for would be covered again
    expect(await askWith(a, w.id, signed, false)).toBe('gift');
    expect([owes(w, b), owes(w, a)]).toEqual([PRICE, 0]);
    for (const { book } of nodes) expect(await book.verify()).toMatchObject({ ok: true });
  });

  it('is good for a word of whom it served, when it is spent: then its gift comes before those to strangers', async () => {
    const [b, w] = [await open('b'), await open('w')];
    await served(w, b);
    w.clock.aheadMs = VOICES_MS;
    const a = await open('a');
    await served(b, a);
    await served(a, b);
    const fund = vi.spyOn(w.book.worker, 'fund');
    await a.ask(w);
    expect(await fund.mock.results[0]?.value).toMatchObject({ funds: 'word', tier: 'bronze' });
    expect(owes(w, b)).toBe(PRICE); // a word costs nothing of what is owed
    expect(given(w)).toBeCloseTo(PRICE, 2);
    for (const { book } of nodes) expect(await book.verify()).toMatchObject({ ok: true });
  });

  it('is not vouched away by whom nothing is owed, and the request goes on without', async () => {
    const [b, w] = [await open('b'), await open('w')];
    await served(w, b);
    w.clock.aheadMs = VOICES_MS;
    const a = await open('a');
    await served(b, a);
    await served(a, b);
    // b owes a nothing any more, and a does not know.
    const { owedBy } = a.book.client;
    vi.spyOn(a.book.client, 'owedBy').mockImplementation((id) =>
      id === b.id ? PRICE : owedBy.call(a.book.client, id),
    );
    const asked = vi.spyOn(b.book.vouchers, 'vouch');
    await a.ask(w);
    expect(await asked.mock.results[0]?.value).toBeUndefined();
    expect([owes(w, b), given(w)]).toEqual([PRICE, expect.closeTo(PRICE, 2)]);
  });
});

describe('a newcomer', () => {
  it('is served by gift until its network has had its gifts, and then told when to come back', async () => {
    const worker = await open('w', { most: 5, perDay: 10 });
    const newcomer = await open('n');
    await newcomer.ask();
    await newcomer.ask();
    const refused = await newcomer.ask().catch((error: unknown) => error);
    expect(worker.backend.started).toHaveLength(2);
    expect(given(worker)).toBeGreaterThan(3.99);
    expect(refused).toMatchObject({
      code: 'NO_CREDIT',
      message: expect.stringMatching(
        /^This question may cost 2 credits, .* No worker in reach owes this node that much/,
      ),
      hint: expect.stringContaining('In 3 h at the latest'),
      retryable: true,
    });
    const wait = (refused as { retryAfterMs: number }).retryAfterMs;
    expect(Math.round(wait / 60_000)).toBe(144); // one credit of ten a day
    // Another key from there is no better off.
    const sibling = await open('s');
    await expect(sibling.ask(worker)).rejects.toMatchObject({ code: 'NO_CREDIT' });

    // It serves, and is served at once.
    await served(worker, newcomer);
    await newcomer.ask(worker);
    expect(given(worker)).toBeGreaterThan(3.99);
    expect(given(worker)).toBeLessThanOrEqual(4);
  });

  it('goes where it is given something, rather than where it is not', async () => {
    const [poor, rich] = [await open('p', { most: 1, perDay: 0 }), await open('r')];
    const newcomer = await open('n');
    for (let count = 0; count < 5; count++) await newcomer.ask();
    expect([poor.backend.started.length, rich.backend.started.length]).toEqual([0, 5]);
    await expect(newcomer.ask(poor)).rejects.toMatchObject({
      code: 'NO_CREDIT',
      hint: expect.stringContaining('Ask for a shorter answer'),
      retryable: false,
    });
  });
});
