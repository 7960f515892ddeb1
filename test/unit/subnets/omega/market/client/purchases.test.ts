import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import pino from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { NO_RECORDINGS } from '../../../../../../src-main/app/market-demo/participant.ts';
import { Changes } from '../../../../../../src-main/base/changes.ts';
import { ignoring } from '../../../../../../src-main/base/swallowed.ts';
import { MarketOrderStore } from '../../../../../../src-main/store/market/market-orders.ts';
import { MarketDesk } from '../../../../../../src-main/subnets/omega/market/client/desk/market-desk.ts';
import type { SentCall } from '../../../../../../src-preload/contract/chain.ts';
import { testSigner } from '../../../../../support/bittensor-signer.ts';
import { memoryDatabase } from '../../../../../support/memory-database.ts';
import { temporaryFolder } from '../../../../../support/quarry-process.ts';
import { SmallDesk } from '../../../../../support/small-desk.ts';
import { BUYER, MARKET_KEY, SELLER, SmallMarket } from '../../../../../support/small-market.ts';
import { until } from '../../../../../support/until.ts';

const signer = await testSigner('//Alice');
const never = new AbortController().signal;
const SOON = { firstMs: 1, longestMs: 5 };
const TERMS = { failures: 5, banMs: 1, locksAtOnce: 3, purchasesADay: 50, maxVideoBytes: 10 ** 9, keepMs: 10 ** 6 };
const YES = { password: 'sesame' };
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

async function opened({ dailyCap = 1 }: { dailyCap?: number } = {}) {
  const market = await new SmallMarket().open();
  const db = await memoryDatabase();
  const { path: folder, remove } = await temporaryFolder();
  const payments = new SmallDesk();
  const choice = { url: market.url, key: MARKET_KEY, wallet: 'main', hotkey: 'default', dailyCap };
  const clock = { now: Date.now() };
  const desks: MarketDesk[] = [];
  /** Another life of the program, with the same disk. */
  const start = async () => {
    const desk = new MarketDesk({
      ...{ store: new MarketOrderStore(db), choice: () => choice, payments, payer: async () => BUYER },
      openHotkey: async () => ({ ...signer, close: async () => {} }),
      recordings: NO_RECORDINGS,
      onSending: async () => {},
      ...{ folder, changes: new Changes(), log: pino({ level: 'silent' }) },
      ...{ now: () => clock.now, between: SOON, looks: { firstMs: 10, longestMs: 20 } },
    });
    desks.push(desk);
    await desk.open();
    return desk;
  };
  onTestFinished(async () => {
    for (const desk of desks) await desk.close();
    await db.destroy();
    await market.close();
    await remove();
  });
  return { market, payments, choice, clock, folder, db, start, store: MarketOrderStore, desk: await start() };
}

async function pay(desk: MarketDesk, purchase: string): Promise<SentCall | undefined> {
  const { id } = await desk.draftPayment(purchase);
  let last: SentCall | undefined;
  for await (const call of desk.pay({ id, ...YES }, never)) last = call;
  return last;
}

const becomes = (desk: MarketDesk, id: string, state: string) =>
  until(async () => {
    const purchase = await desk.purchases.get(id);
    expect(purchase).toMatchObject({ state });
    return purchase;
  });

describe('a purchase', () => {
  it('is locked, paid once a person says so, told to the market once it is final, and fetched', async () => {
    const { market, payments, desk } = await opened();
    const video = market.put('Mending a bicycle', '5000000');
    const bought = await desk.buy(video, '5000000');
    expect(bought).toMatchObject({ state: 'locked', price: '5000000', from: BUYER, to: SELLER, call: null });
    expect(payments.signed).toEqual([]);
    const draft = await desk.draftPayment(bought.id);
    expect(draft).toMatchObject({ moves: '5000000', from: BUYER, action: { to: SELLER, amount: '5000000' } });
    await expect(desk.pay({ id: draft.id, password: 'wrong' }, never).next()).rejects.toMatchObject({
      field: 'password',
    });
    expect(await desk.purchases.get(bought.id)).toMatchObject({ state: 'locked' });
    market.fail(
      'POST /purchases/:id/verify',
      { status: 425, code: 'TOO_EARLY', retryAfter: 1 },
      { status: 503 },
      'cut',
    );
    for await (const _ of desk.pay({ id: draft.id, ...YES }, never));
    const done = await becomes(desk, bought.id, 'fetched');
    expect(await readFile(done.file ?? '')).toEqual(market.videos.get(video)?.file);
    expect(done.call).toMatchObject({ id: 1, block: 11 });
    expect(payments.signed).toHaveLength(1);
    const told = market.asked.filter(({ route }) => route === 'POST /purchases/:id/verify').at(-1);
    expect(JSON.parse(String(told?.body))).toEqual({ block: 11, extrinsic: done.call?.hash });
    expect(await desk.state()).toMatchObject({ spent: '5000000', cap: '1000000000' });
  });

  it('that is asked for twice at once is locked, drafted and paid once', async () => {
    const { market, payments, desk } = await opened();
    const video = market.put('a', '5');
    const [one, other] = await Promise.all([desk.buy(video, '5'), desk.buy(video, '5')]);
    expect(other?.id).toBe(one?.id);
    expect(await desk.purchases.list()).toHaveLength(1);
    expect(market.count('POST /purchases')).toBe(1);
    await pay(desk, one?.id ?? '');
    await becomes(desk, one?.id ?? '', 'fetched');
    await expect(desk.draftPayment(other?.id ?? '')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(payments.signed).toHaveLength(1);
  });

  it('is refused where the market gives it the order of another one, which stays', async () => {
    const { market, desk } = await opened();
    const first = await desk.buy(market.put('a', '5'), '5');
    const [theirs] = market.purchases.values();
    const video = market.put('b', '5');
    market.fail('POST /purchases', JSON.stringify({ ...theirs, video }));
    await expect(desk.buy(video, '5')).rejects.toThrow('the number of another one');
    expect((await desk.purchases.list()).map(({ state }) => state).sort()).toEqual(['locked', 'refused']);
    expect(await desk.purchases.get(first.id)).toMatchObject({ state: 'locked' });
    expect(market.count('POST /purchases/:id/revert')).toBe(0);
  });

  it('is not drafted by the desk’s own draft id, nor sent twice by one draft', async () => {
    const { market, payments, desk } = await opened();
    const { id } = await desk.buy(market.put('a', '5'), '5');
    const draft = await desk.draftPayment(id);
    expect([...payments.drafts.keys()]).not.toContain(draft.id);
    const ways = [desk.pay({ id: draft.id, ...YES }, never), desk.pay({ id: draft.id, ...YES }, never)];
    await Promise.all(
      ways.map(async (way) => {
        for await (const _ of way);
      }),
    );
    expect(payments.signed).toHaveLength(1);
    await expect(desk.draftPayment(id)).rejects.toThrow();
  });

  it('is not paid a second time although its draft was made before the first', async () => {
    const { market, payments, desk } = await opened();
    payments.fate = 'waiting';
    const { id } = await desk.buy(market.put('a', '5'), '5');
    const drafts = [await desk.draftPayment(id), await desk.draftPayment(id)];
    const [first, second] = drafts.map((draft) => desk.pay({ id: draft.id, ...YES }, never).next());
    await first;
    await expect(second).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(payments.signed).toHaveLength(1);
  });

  it('that is looked for while it is paid stays where it is by then', async () => {
    const { market, payments, desk } = await opened();
    const { id } = await desk.buy(market.put('a', '5'), '5');
    const draft = await desk.draftPayment(id);
    const look = Promise.withResolvers<void>();
    const sent = payments.sent.bind(payments);
    const looks = vi
      .spyOn(payments, 'sent')
      .mockImplementationOnce(sent)
      .mockImplementationOnce(async (trace) => {
        await look.promise;
        return sent(trace);
      });
    const second = desk.draftPayment(id);
    for await (const _ of desk.pay({ id: draft.id, ...YES }, never));
    await becomes(desk, id, 'fetched');
    expect(looks).toHaveBeenCalledTimes(2);
    look.resolve();
    await expect(second).rejects.toThrow('paid already');
    expect(await desk.purchases.get(id)).toMatchObject({ state: 'fetched' });
  });

  it('goes on with what was signed although the answer was lost, and pays no more', async () => {
    const { market, payments, desk } = await opened();
    payments.failAfterSigning = new Error('gone');
    payments.fate = 'waiting';
    const { id } = await desk.buy(market.put('a', '5'), '5');
    const draft = await desk.draftPayment(id);
    await desk.pay({ id: draft.id, ...YES }, never).next();
    await becomes(desk, id, 'paying');
    await expect(desk.draftPayment(id)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    payments.settle(1, 'done');
    await becomes(desk, id, 'fetched');
    expect(payments.signed).toHaveLength(1);
  });

  it('whose payment failed in its block is to be paid still; one whose payment nobody knows of is not', async () => {
    const { market, payments, desk } = await opened();
    payments.fate = 'failed';
    const failed = await desk.buy(market.put('a', '5'), '5');
    await pay(desk, failed.id);
    await becomes(desk, failed.id, 'locked');
    payments.fate = 'done';
    await pay(desk, failed.id);
    await becomes(desk, failed.id, 'fetched');
    payments.fate = 'unknown';
    const unknown = await desk.buy(market.put('b', '6'), '6');
    await pay(desk, unknown.id);
    await until(async () => expect((await desk.purchases.get(unknown.id)).error?.message).toContain('Nobody can tell'));
    await expect(desk.draftPayment(unknown.id)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(payments.signed).toHaveLength(3);
  });

  it('of two for the same money to the same seller each has a payment of its own', async () => {
    const { market, payments, desk } = await opened();
    const [one, other] = [await desk.buy(market.put('a', '5'), '5'), await desk.buy(market.put('b', '5'), '5')];
    await pay(desk, one.id);
    await pay(desk, other.id);
    const paid = [await becomes(desk, one.id, 'fetched'), await becomes(desk, other.id, 'fetched')];
    expect(paid.map(({ call }) => call?.id)).toEqual([1, 2]);
    expect(payments.signed).toHaveLength(2);
  });

  it('is not taken for paid by the call of another one that is being signed', async () => {
    const { market, payments, desk } = await opened();
    const [one, other] = [await desk.buy(market.put('a', '5'), '5'), await desk.buy(market.put('b', '5'), '5')];
    const [signed, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    payments.afterSigning = async () => {
      signed.resolve();
      await goOn.promise;
    };
    const paying = pay(desk, one.id);
    await signed.promise;
    const drafting = desk.draftPayment(other.id);
    goOn.resolve();
    await paying;
    const draft = await drafting;
    for await (const _ of desk.pay({ id: draft.id, ...YES }, never));
    const paid = [await becomes(desk, one.id, 'fetched'), await becomes(desk, other.id, 'fetched')];
    expect(paid.map(({ call }) => call?.id)).toEqual([1, 2]);
    const orders = [...market.purchases.keys()].map((order) => `market ${MARKET_KEY}: purchase ${order}`);
    expect(payments.signed.map(({ order }) => order)).toEqual(orders);
  });

  it('goes on with a transfer that a person sent from the wallet’s page, once', async () => {
    const { market, payments, clock, desk } = await opened();
    const [one, other] = [await desk.buy(market.put('a', '5'), '5'), await desk.buy(market.put('b', '5'), '5')];
    const { id } = await payments.draft({ wallet: 'main', to: SELLER, amount: '5' });
    for await (const _ of payments.send({ id, ...YES, order: 'by hand' }, never));
    Object.assign(payments.signed[0] ?? {}, { order: null });
    await expect(desk.draftPayment(one.id)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await becomes(desk, one.id, 'fetched');
    await desk.draftPayment(other.id);
    clock.now += market.lockMs + 60_000;
    await becomes(desk, other.id, 'expired');
  });

  it('is refused where the market says another price, payer or chain than ours, and nothing stays locked', async () => {
    const { market, payments, desk } = await opened();
    const video = market.put('a', '5');
    payments.chain = `0x${'22'.repeat(32)}`;
    await expect(desk.buy(video, '5')).rejects.toMatchObject({ field: 'bittensor.network' });
    expect(market.purchases.size).toBe(0);
    payments.chain = market.chain;
    await expect(desk.buy(video, '4')).rejects.toMatchObject({ field: 'price' });
    payments.balance = 5n;
    await expect(desk.buy(video, '5')).rejects.toMatchObject({ field: 'price' });
    expect(market.purchases.size).toBe(0);
    payments.balance = 100n;
    const lock = { id: 'ab'.repeat(16), state: 'pending', video, title: 'a', sha256: '00'.repeat(32), bytes: 5 };
    const rest = { price: '500', from: BUYER, to: SELLER, afterBlock: 1, untilBlock: 9, createdAt: 1, lockedUntil: 2 };
    const end = { payment: null, next: 'verify', keptUntil: null, failures: { inARow: 0, ban: 5 } };
    market.fail('POST /purchases', JSON.stringify({ ...lock, ...rest, ...end }));
    await expect(desk.buy(video, '5')).rejects.toThrow('locked something else');
    market.fail('POST /purchases', JSON.stringify({ ...lock, ...rest, ...end, price: '5', from: SELLER }));
    await expect(desk.buy(video, '5')).rejects.toMatchObject({ field: 'trade.hotkey' });
    expect(market.count('POST /purchases/:id/revert')).toBe(2);
    expect(await desk.purchases.spent()).toBe(0n);
    await expect(desk.draftPayment((await desk.purchases.list())[0]?.id ?? '')).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  it('is given back before it is paid, ends by itself, and is not paid in its last minute', async () => {
    const { market, payments, clock, desk } = await opened();
    const back = await desk.buy(market.put('a', '5'), '5');
    expect(await desk.purchases.revert(back.id)).toMatchObject({ state: 'reverted' });
    expect(await desk.purchases.spent()).toBe(0n);
    const late = await desk.buy(market.put('b', '5'), '5');
    const draft = await desk.draftPayment(late.id);
    clock.now += market.lockMs - 30_000;
    await expect(desk.pay({ id: draft.id, ...YES }, never).next()).rejects.toThrow();
    clock.now += 31_000;
    await becomes(desk, late.id, 'expired');
    expect(payments.signed).toEqual([]);
    expect(await desk.purchases.spent()).toBe(0n);
  });

  it('is as large as the list said, and is fetched once where it is another file', async () => {
    const { market, desk, start } = await opened();
    const video = market.put('a', '5');
    market.onLock = ({ bytes }) => ({ bytes: bytes + 1 });
    await expect(desk.buy(video, '5')).rejects.toThrow('locked something else');
    market.onLock = () => ({ sha256: '00'.repeat(32) });
    const { id } = await desk.buy(video, '5');
    await pay(desk, id);
    await until(async () => expect((await desk.purchases.get(id)).error?.message).toContain('another file'));
    await desk.close();
    const again = await start();
    const other = await again.buy(market.put('b', '6'), '6');
    await again.purchases.revert(other.id);
    expect(market.count('GET /purchases/:id/video')).toBe(1);
    await again.purchases.goOn(id);
    await until(() => expect(market.count('GET /purchases/:id/video')).toBe(2));
  });

  it('is fetched in its turn: two at a time', async () => {
    const { market, desk, start } = await opened();
    const goOn = Promise.withResolvers<void>();
    market.mayGive = goOn.promise;
    const ids: string[] = [];
    for (const title of ['a', 'b', 'c', 'd', 'e']) ids.push((await desk.buy(market.put(title, '5'), '5')).id);
    for (const id of ids) await pay(desk, id);
    for (const id of ids) await becomes(desk, id, 'bought');
    await until(() => expect(market.mostGiving).toBe(2));
    await desk.close();
    const again = await start();
    await until(() => expect(market.count('GET /purchases/:id/video')).toBe(4));
    goOn.resolve();
    for (const id of ids) await becomes(again, id, 'fetched');
    expect(market.count('GET /purchases/:id/video')).toBe(7);
  });

  it('does not end the node where nothing can be written any more', async () => {
    const { market, desk, store } = await opened();
    const { id } = await desk.buy(market.put('a', '5'), '5');
    const unhandled: unknown[] = [];
    const onUnhandled = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', onUnhandled);
    onTestFinished(() => void process.off('unhandledRejection', onUnhandled));
    const full = vi.spyOn(store.prototype, 'changePurchase');
    onTestFinished(() => full.mockRestore());
    let failed = 0;
    market.onVerify = () => {
      full.mockImplementation(async () => {
        failed++;
        throw new Error('disk full');
      });
      return { state: 'paid', next: 'fetch' };
    };
    await pay(desk, id);
    await until(() => expect(failed).toBeGreaterThanOrEqual(2));
    await new Promise((resolve) => setImmediate(resolve));
    await desk.close();
    expect(unhandled).toEqual([]);
  });

  it('is bound by no lock without end, and can be forgotten here', async () => {
    const { market, clock, desk } = await opened({ dailyCap: 0.000_000_01 });
    market.stats = { terms: { ...TERMS, lockMs: 20 * 60_000 } };
    market.lockMs = 250 * 365 * 24 * 3_600_000;
    const far = await desk.buy(market.put('a', '6'), '6');
    expect(far.lockedUntil).toBe(clock.now + 20 * 60_000);
    market.fail('POST /purchases/:id/revert', { status: 409, code: 'CONFLICT' });
    await expect(desk.purchases.revert(far.id)).rejects.toThrow();
    expect(await desk.purchases.drop(far.id)).toMatchObject({ state: 'reverted' });
    await expect(desk.purchases.drop(far.id)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    market.stats = { terms: { ...TERMS, lockMs: 10 ** 15 } };
    const again = await desk.buy(far.video, '6'); // the market keeps it still: the same order
    expect(again.lockedUntil).toBe(clock.now + 24 * 3_600_000);
    await pay(desk, again.id);
    await becomes(desk, again.id, 'fetched');
    await expect(desk.purchases.drop(again.id)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('that was paid too late waits until it is free, or is paid back', async () => {
    const { market, payments, desk } = await opened();
    market.onVerify = () => ({ state: 'owed', next: 'wait' });
    const { id } = await desk.buy(market.put('a', '5'), '5');
    await pay(desk, id);
    await becomes(desk, id, 'owed');
    const back = { block: 900, extrinsic: `0x${'44'.repeat(32)}` };
    payments.foreign.push({ ...back, from: SELLER, to: BUYER, amount: '5' });
    const [theirs] = market.purchases.values();
    if (theirs) Object.assign(theirs, { state: 'settled', next: 'nothing', paidBack: back });
    await becomes(desk, id, 'settled');
    expect(await desk.purchases.spent()).toBe(5n);
  });

  it('is not paid back by the word of a market, and counts all the same', async () => {
    const { market, payments, desk } = await opened({ dailyCap: 0.000_000_01 });
    const back = { block: 900, extrinsic: `0x${'44'.repeat(32)}` };
    payments.foreign.push({ ...back, from: SELLER, to: BUYER, amount: '6' });
    market.onVerify = () => ({ state: 'settled', next: 'nothing' });
    const first = await desk.buy(market.put('a', '6'), '6');
    await pay(desk, first.id);
    await until(async () =>
      expect((await desk.purchases.get(first.id)).error?.message).toContain('chain does not say'),
    );
    expect(await desk.purchases.get(first.id)).toMatchObject({ state: 'owed' });
    for (const paidBack of [
      { ...back, block: 901 },
      { ...back, block: 3 },
    ]) {
      const asked = market.count('GET /purchases/:id');
      for (const theirs of market.purchases.values()) Object.assign(theirs, { paidBack });
      await until(async () => expect(market.count('GET /purchases/:id')).toBeGreaterThan(asked + 2));
      expect(await desk.purchases.get(first.id)).toMatchObject({ state: 'owed' });
    }
    await expect(desk.buy(market.put('b', '6'), '6')).rejects.toMatchObject({ field: 'cap' });
    for (const theirs of market.purchases.values()) Object.assign(theirs, { paidBack: back });
    await becomes(desk, first.id, 'settled');
    await expect(desk.buy(market.put('c', '6'), '6')).rejects.toMatchObject({ field: 'cap' });
  });

  it('that rests says why, and goes on when it is asked to', async () => {
    const { market, desk } = await opened();
    market.fail('POST /purchases/:id/verify', { status: 400, code: 'PAYMENT', message: 'no such call in that block' });
    const { id } = await desk.buy(market.put('a', '5'), '5');
    await pay(desk, id);
    await until(async () => expect((await desk.purchases.get(id)).error?.message).toContain('no such call'));
    expect(await desk.purchases.get(id)).toMatchObject({ state: 'paid' });
    await desk.purchases.goOn(id);
    await becomes(desk, id, 'fetched');
  });
});

describe('a market that lies, or answers late', () => {
  it.each([
    ['that somebody else is paid than its list said', { to: BUYER }],
    ['that it is sold already', { state: 'paid' as const }],
  ])('and says %s is told no, also where that is found later', async (_, lie) => {
    const { market, desk, payments } = await opened();
    market.onLock = () => lie;
    await expect(desk.buy(market.put('a', '5'), '5')).rejects.toThrow('locked something else');
    market.fail('POST /purchases', { after: 'cut' });
    await expect(desk.buy(market.put('b', '5'), '5')).rejects.toMatchObject({ code: 'DEADLINE' });
    const ends = ['refused', 'state' in lie ? 'expired' : 'refused'];
    await until(async () =>
      expect((await desk.purchases.list()).map(({ state }) => state).sort()).toEqual(ends.sort()),
    );
    expect([await desk.purchases.spent(), payments.drafts.size]).toEqual([0n, 0]);
  });

  it('sells what its list said, by that title', async () => {
    const { market, desk } = await opened();
    market.onLock = () => ({ title: 'Something that everybody wants' });
    expect(await desk.buy(market.put('a', '5'), '5')).toMatchObject({ state: 'locked', title: 'a' });
  });

  it('has no other lock given back by a wrong one', async () => {
    const { market, desk } = await opened();
    await desk.buy(market.put('a', '5'), '5');
    const [theirs] = market.purchases.values();
    market.fail('POST /purchases', JSON.stringify({ ...theirs, price: '6' }));
    await expect(desk.buy(market.put('b', '5'), '5')).rejects.toThrow('the number of another one');
    expect(market.count('POST /purchases/:id/revert')).toBe(0);
  });

  it('is paid nothing for a lock that is being given back, and what is being paid is not given back', async () => {
    const { market, desk, payments } = await opened();
    const back = await desk.buy(market.put('a', '5'), '5');
    const draft = await desk.draftPayment(back.id);
    const answer = Promise.withResolvers<void>();
    market.late.set('POST /purchases/:id/revert', answer.promise);
    const reverting = desk.purchases.revert(back.id);
    await until(() => expect(market.count('POST /purchases/:id/revert')).toBe(1));
    await expect(desk.pay({ id: draft.id, ...YES }, never).next()).rejects.toThrow('no lock on it');
    answer.resolve();
    expect([(await reverting).state, payments.signed]).toEqual(['reverted', []]);
    const paid = await desk.buy(market.put('b', '5'), '5');
    const [signed, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    payments.afterSigning = async () => {
      signed.resolve();
      await goOn.promise;
    };
    const paying = pay(desk, paid.id);
    await signed.promise;
    const tooLate = [desk.purchases.revert(paid.id), desk.purchases.drop(paid.id)];
    goOn.resolve();
    for (const one of tooLate) await expect(one).rejects.toThrow('no lock on it');
    await paying;
    await becomes(desk, paid.id, 'fetched');
    expect(market.count('POST /purchases/:id/revert')).toBe(1);
  });

  it('ends nothing that was found and paid by the time it says no', async () => {
    const { market, desk, payments } = await opened();
    payments.fate = 'waiting';
    const answer = Promise.withResolvers<void>();
    market.late.set('POST /purchases', answer.promise);
    market.fail('POST /purchases', { after: { status: 409, code: 'LOCKED' } });
    const buying = desk.buy(market.put('a', '5'), '5');
    await until(async () => expect(await desk.purchases.list()).toHaveLength(1));
    const [{ id = '' } = {}] = await desk.purchases.list();
    await until(() => expect(market.purchases.size).toBe(1));
    await desk.purchases.goOn(id);
    await becomes(desk, id, 'locked');
    const { id: draft } = await desk.draftPayment(id);
    await desk.pay({ id: draft, ...YES }, never).next();
    answer.resolve();
    await expect(buying).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(await desk.purchases.get(id)).toMatchObject({ state: 'paying', call: { id: 1 } });
    payments.settle(1, 'done');
    await becomes(desk, id, 'fetched');
  });

  it('sells nothing a second time that is here, or paid and owed', async () => {
    const { market, desk } = await opened();
    const [here, owed] = [market.put('a', '5'), market.put('b', '5')];
    const first = await desk.buy(here, '5');
    await pay(desk, first.id);
    await becomes(desk, first.id, 'fetched');
    market.onVerify = () => ({ state: 'owed', next: 'wait' });
    const second = await desk.buy(owed, '5');
    await pay(desk, second.id);
    await becomes(desk, second.id, 'owed');
    for (const video of [here, owed]) await expect(desk.buy(video, '5')).rejects.toThrow('paid already');
    expect(market.count('POST /purchases')).toBe(2);
  });

  it('that names a block nobody knows for what came back can name another one later', async () => {
    const { market, payments, desk } = await opened();
    market.onVerify = () => ({ state: 'owed', next: 'wait' });
    const { id } = await desk.buy(market.put('a', '5'), '5');
    await pay(desk, id);
    await becomes(desk, id, 'owed');
    const back = { block: 900, extrinsic: `0x${'44'.repeat(32)}` };
    payments.foreign.push({ ...back, from: SELLER, to: BUYER, amount: '5' });
    payments.unknownFrom = 901;
    const [theirs] = market.purchases.values();
    if (theirs) Object.assign(theirs, { state: 'settled', next: 'nothing', paidBack: { ...back, block: 901 } });
    await until(async () => expect((await desk.purchases.get(id)).error?.message).toContain('forgotten'));
    if (theirs) Object.assign(theirs, { paidBack: back });
    await becomes(desk, id, 'settled');
  });

  it('that sends us away for a day is asked again when somebody wants it', async () => {
    const { market, desk } = await opened();
    market.fail('POST /purchases/:id/verify', { status: 429, code: 'RATE_LIMIT', retryAfter: 24 * HOUR_MS });
    const { id } = await desk.buy(market.put('a', '5'), '5');
    await pay(desk, id);
    await until(async () => expect((await desk.purchases.get(id)).error?.message).toContain('Too much at once'));
    await desk.purchases.goOn(id);
    await becomes(desk, id, 'fetched');
  });
});

describe('another life of the program', () => {
  it('goes on from every step', async () => {
    const { market, payments, desk, start } = await opened();
    market.fail('POST /purchases', { after: 'cut' });
    const lost = await desk.buy(market.put('a', '5'), '5').catch(ignoring('the limit is what counts here'));
    expect(lost).toBeUndefined();
    await until(async () => expect((await desk.purchases.list())[0]).toMatchObject({ state: 'locked' }));
    const [{ id = '' } = {}] = await desk.purchases.list();
    payments.fate = 'waiting';
    const { id: draft } = await desk.draftPayment(id);
    await desk.pay({ id: draft, ...YES }, never).next();
    await desk.close();
    payments.settle(1, 'done');
    market.fail('GET /purchases/:id/video', ...Array.from({ length: 50 }, () => 'cut'));
    const second = await start();
    await becomes(second, id, 'bought');
    await second.close();
    market.faults.clear();
    await becomes(await start(), id, 'fetched');
    expect(payments.signed).toHaveLength(1);
  });

  it('finds what was signed although nobody had written down by which call', async () => {
    const { market, payments, desk, start, db } = await opened();
    const { id } = await desk.buy(market.put('a', '5'), '5');
    await pay(desk, id);
    await becomes(desk, id, 'fetched');
    await desk.close();
    const asIfKilled = { state: 'paying' as const, call: null, call_hash: null, block: null, file: null };
    await db.updateTable('own_purchases').set(asIfKilled).where('id', '=', id).execute();
    const again = await start();
    expect(await becomes(again, id, 'fetched')).toMatchObject({ call: { id: 1 } });
    expect(payments.signed).toHaveLength(1);
  });

  it('lets one be paid again that was killed before anything was signed', async () => {
    const { market, payments, desk, start, db } = await opened();
    const { id } = await desk.buy(market.put('a', '5'), '5');
    await desk.close();
    await db.updateTable('own_purchases').set({ state: 'paying' }).where('id', '=', id).execute();
    const again = await start();
    await becomes(again, id, 'locked');
    await pay(again, id);
    await becomes(again, id, 'fetched');
    expect(payments.signed).toHaveLength(1);
  });
});

describe('the limit of a day', () => {
  const silence = () => Array.from({ length: 10_000 }, () => ({ status: 503 }));

  it('is nothing until it is set', async () => {
    const { market, desk, choice } = await opened({ dailyCap: 0 });
    const video = market.put('a', '1');
    await expect(desk.buy(video, '1')).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'cap' });
    expect(market.count('POST /purchases')).toBe(0);
    choice.dailyCap = 0.000_000_001;
    await desk.buy(video, '1');
  });

  it('counts what is pending however old it is, and what is paid for a day', async () => {
    const { market, desk, clock } = await opened({ dailyCap: 0.000_000_01 });
    market.lockMs = 24 * 3_600_000;
    const pending = await desk.buy(market.put('a', '6'), '6');
    clock.now += 23 * 3_600_000;
    await expect(desk.buy(market.put('b', '6'), '6')).rejects.toMatchObject({ field: 'cap' });
    await pay(desk, pending.id);
    await becomes(desk, pending.id, 'fetched');
    await expect(desk.buy(market.put('c', '6'), '6')).rejects.toMatchObject({ field: 'cap' });
    clock.now += 24 * 3_600_000 + 1;
    await desk.buy(market.put('d', '6'), '6');
  });

  it('counts what was paid by hand after the lock had ended in the day in which it was paid, and that is told', async () => {
    const { market, desk, clock, payments, start } = await opened({ dailyCap: 0.000_000_01 });
    const { id } = await desk.buy(market.put('a', '6'), '6');
    await desk.close();
    clock.now += 30 * HOUR_MS;
    payments.fate = 'waiting';
    const draft = await payments.draft({ wallet: 'main', to: SELLER, amount: '6' });
    await payments.send({ id: draft.id, ...YES, order: 'by hand' }, never).next();
    Object.assign(payments.signed[0] ?? {}, { order: null, at: clock.now - HOUR_MS });
    const again = await start();
    expect((await becomes(again, id, 'paying')).error?.message).toContain('after its lock had ended');
    market.fail('POST /purchases/:id/verify', { status: 400, code: 'PAYMENT' });
    payments.settle(1, 'done');
    await until(async () => expect((await again.purchases.get(id)).error?.message).toContain('does not take'));
    await again.purchases.goOn(id);
    await becomes(again, id, 'fetched');
    expect(await again.purchases.spent()).toBe(6n);
    await expect(again.buy(market.put('b', '6'), '6')).rejects.toMatchObject({ field: 'cap' });
    clock.now += 23 * HOUR_MS + 1;
    await again.buy(market.put('c', '6'), '6');
  });

  it('is bound by nothing that a market does not answer for longer than a lock lasts', async () => {
    const { market, desk, clock } = await opened({ dailyCap: 0.000_000_01 });
    for (const [title, fault] of [
      ['never', { status: 503, retryAfter: 24 * HOUR_MS }],
      ['nonsense', 'none of a market'],
    ] as const) {
      const video = market.put(title, '6');
      market.fail('POST /purchases', 'cut');
      market.fail('GET /purchases', ...Array.from({ length: 100_000 }, () => fault));
      await expect(desk.buy(video, '6')).rejects.toThrow();
      await until(() => expect(market.count('GET /purchases')).toBeGreaterThan(0));
      await expect(desk.buy(market.put('b', '6'), '6')).rejects.toMatchObject({ field: 'cap' });
      clock.now += market.lockMs;
      expect(await desk.purchases.spent()).toBe(0n);
      const [{ id = '' } = {}] = await desk.purchases.list();
      await desk.purchases.goOn(id);
      await becomes(desk, id, 'expired');
      market.faults.clear();
    }
  });

  it('is bound for a day by what was paid, whatever a market makes of it', async () => {
    const { market, desk, clock } = await opened({ dailyCap: 0.000_000_01 });
    market.lockMs = 100 * HOUR_MS; // by its own clock
    market.onVerify = () => ({ state: 'pending' });
    const told = await desk.buy(market.put('never told', '6'), '6');
    await pay(desk, told.id);
    await until(async () => expect((await desk.purchases.get(told.id)).error?.message).toContain('does not say'));
    await expect(desk.buy(market.put('b', '6'), '6')).rejects.toMatchObject({ field: 'cap' });
    clock.now += 25 * HOUR_MS;
    market.onVerify = () => ({ state: 'paid', next: 'fetch' });
    market.fail('GET /purchases/:id/video', { status: 410, code: 'GONE' });
    const given = await desk.buy(market.put('never given', '6'), '6');
    await pay(desk, given.id);
    await until(async () => expect((await desk.purchases.get(given.id)).error?.message).toContain('no longer at'));
    await expect(desk.buy(market.put('c', '6'), '6')).rejects.toMatchObject({ field: 'cap' });
    clock.now += 25 * HOUR_MS;
    await desk.buy(market.put('d', '6'), '6');
  });

  it('counts what was paid from the wallet’s page, and found as its lock ended, from when it was paid', async () => {
    const { market, desk, clock, payments } = await opened({ dailyCap: 0.000_000_01 });
    market.lockMs = 24 * 3_600_000;
    const { id } = await desk.buy(market.put('a', '6'), '6');
    clock.now += 23 * 3_600_000;
    const draft = await payments.draft({ wallet: 'main', to: SELLER, amount: '6' });
    for await (const _ of payments.send({ id: draft.id, ...YES, order: 'by hand' }, never));
    Object.assign(payments.signed[0] ?? {}, { order: null, at: clock.now });
    clock.now += 3_600_000;
    await becomes(desk, id, 'fetched');
    clock.now += 22 * 3_600_000;
    await expect(desk.buy(market.put('b', '6'), '6')).rejects.toMatchObject({ field: 'cap' });
    clock.now += 3_600_000 + 60_000;
    await desk.buy(market.put('c', '6'), '6');
  });

  it('is bound by a lock that was found late no longer than a day after it was asked for', async () => {
    const { market, desk, clock } = await opened();
    market.lockMs = 60 * 3_600_000;
    const asked = clock.now;
    market.fail('POST /purchases', { after: 'cut' });
    market.fail('GET /purchases', ...silence());
    await desk.buy(market.put('a', '6'), '6').catch(ignoring('its answer was lost'));
    clock.now += 3_600_000;
    market.faults.clear();
    const [{ id = '' } = {}] = await desk.purchases.list();
    expect(await becomes(desk, id, 'locked')).toMatchObject({ lockedUntil: asked + DAY_MS });
  });

  it('holds for what was locked before it was lowered', async () => {
    const { market, desk, choice, payments } = await opened();
    const { id } = await desk.buy(market.put('a', '600'), '600');
    const draft = await desk.draftPayment(id);
    choice.dailyCap = 0;
    await expect(desk.pay({ id: draft.id, ...YES }, never).next()).rejects.toMatchObject({ field: 'cap' });
    expect(payments.signed).toEqual([]);
  });

  it('is never exceeded, whatever is bought, paid, given back and lost at once', async () => {
    const step = fc.record({
      price: fc.integer({ min: 1, max: 400 }),
      next: fc.constantFrom('pay', 'revert', 'leave', 'fail', 'unknown'),
      lost: fc.boolean(),
    });
    const cap = 1_000n;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
        const { market, desk, payments } = await opened({ dailyCap: 0.000_001 });
        const buying = steps.map(async ({ price, next, lost }) => {
          const video = market.put(next, String(price));
          if (lost) market.fail('POST /purchases', { after: 'cut' });
          const bought = await desk.buy(video, String(price)).catch(ignoring('the limit is what counts here'));
          expect(await desk.purchases.spent()).toBeLessThanOrEqual(cap);
          if (!bought || next === 'leave') return;
          if (next === 'revert')
            return void (await desk.purchases.revert(bought.id).catch(ignoring('the limit is what counts here')));
          payments.fate = ({ pay: 'done', fail: 'failed', unknown: 'unknown' } as const)[next];
          await pay(desk, bought.id).catch(ignoring('the limit is what counts here'));
        });
        await Promise.all(buying);
        const paid = payments.signed.filter(({ state }) => state !== 'failed' && state !== 'expired');
        expect(paid.reduce((sum, { moves }) => sum + BigInt(moves), 0n)).toBeLessThanOrEqual(cap);
        const byCall = (await desk.purchases.list()).flatMap(({ call }) => call?.id ?? []);
        expect(new Set(byCall).size).toBe(byCall.length);
        await desk.close();
        await market.close();
      }),
      { numRuns: 25 },
    );
  });
});

describe('what the market wants', () => {
  it('is asked for once in some minutes, and of nobody where no market is set', async () => {
    const { market, desk, choice, clock } = await opened();
    market.tasks = [{ id: 'mend-import', title: 'Mend an import', description: '' }];
    expect(await desk.tasks()).toEqual(market.tasks);
    await desk.tasks();
    expect(market.count('GET /tasks')).toBe(1);
    clock.now += 6 * 60_000;
    market.tasks = [];
    expect(await desk.tasks()).toEqual([]);
    expect(market.count('GET /tasks')).toBe(2);
    market.fail('GET /tasks', 'no list');
    clock.now += 6 * 60_000;
    await expect(desk.tasks()).rejects.toMatchObject({ code: 'PROTOCOL' });
    Object.assign(choice, { url: undefined });
    expect(await desk.tasks()).toEqual([]);
    expect(market.count('GET /tasks')).toBe(3);
  });
});

describe('a dry run', () => {
  it('says what would happen, and locks and spends nothing', async () => {
    const { market, desk, payments } = await opened();
    const video = market.put('Mending', '5000000');
    const told = await desk.dryRun(video);
    expect(told).toMatchObject({ from: BUYER, capLeft: '995000000', balance: '1000000000000', obstacles: [] });
    expect(told.steps).toHaveLength(5);
    expect(told.steps.map(({ text }) => text).join(' ')).toContain('0.005 TAO');
    expect(new Set(market.asked.map(({ method }) => method))).toEqual(new Set(['GET']));
    expect([payments.signed, payments.drafts.size]).toEqual([[], 0]);
    expect(await desk.purchases.list()).toEqual([]);
  });

  it('names all that stands in the way', async () => {
    const { market, desk, payments, choice } = await opened();
    choice.dailyCap = 0;
    payments.chain = `0x${'22'.repeat(32)}`;
    payments.balance = 0n;
    market.stats = {
      own: { spent: '0', share: 0, bannedUntil: Date.now() + 1_000_000 },
      day: { sold: 1, spent: '1', budget: '1', left: '0' },
    };
    const { obstacles, capLeft } = await desk.dryRun(market.put('a', '5'));
    expect(obstacles.map(({ said }) => said?.message?.key)).toEqual(
      ['otherChain', 'noCap', 'tooPoor', 'banned', 'spentItsDay'].map((name) => `trade.${name}`),
    );
    expect(capLeft).toBeNull();
    await expect(desk.dryRun('ab'.repeat(16))).rejects.toMatchObject({ field: 'video' });
  });
});
