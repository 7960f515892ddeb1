import { expect, it, onTestFinished } from 'vitest';
import type { Offer, Purchase } from '../../../../../src-main/store/market/market-rows.ts';
import { OMEGA_TERMS } from '../../../../../src-main/subnets/omega/market/rules/terms.ts';
import { MOST_FAILED_LOOKS } from '../../../../../src-main/subnets/omega/market/server/failed-looks.ts';
import { QuarryError } from '../../../../../src-preload/contract/errors.ts';
import { listedOffer, openSales, PRICE } from '../../../../support/market-sales.ts';

async function market(offers = [listedOffer('a')]) {
  const all = await openSales({ offers, buyers: ['ann', 'bob', 'cy'] });
  onTestFinished(() => all.close());
  const lock = async (buyer: string, video = 'a') => (await all.sales.lock(`${buyer}-hot`, video, PRICE)).purchase;
  const pay = (buyer: string, amount = PRICE) => all.chain.transfer({ from: buyer, to: 'seller-cold', amount });
  const lapse = async () => {
    all.clock.now += OMEGA_TERMS.lockMs;
    await all.sales.endLapsed();
  };
  return { ...all, lock, pay, lapse };
}

it('a video is locked for one buyer, paid, and then that buyer’s', async () => {
  const { sales, store, lock, pay } = await market();
  const { id, afterBlock } = await lock('ann');
  expect(await store.offer('a')).toMatchObject({ state: 'purchasePending' });
  await expect(lock('bob')).rejects.toMatchObject({ code: 'LOCKED', retryAfterMs: OMEGA_TERMS.lockMs });
  const paid = await sales.verify('ann-hot', id, pay('ann'));
  expect(paid).toMatchObject({ state: 'paid', payment: { block: afterBlock + 1 } });
  expect(await store.offer('a')).toMatchObject({ state: 'purchased' });
  await expect(lock('bob')).rejects.toMatchObject({ code: 'GONE' });
  const steps = (await store.log(id)).map(({ before, after, by }) => [before, after, by]);
  expect(steps).toEqual([
    [null, 'pending', 'ann-hot'],
    ['pending', 'paid', 'payment'],
  ]);
});

it('whoever asks twice has one lock', async () => {
  const { sales, lock } = await market();
  const first = await lock('ann');
  expect(await sales.lock('ann-hot', 'a', PRICE)).toMatchObject({ isNew: false, purchase: { id: first.id } });
});

it('two who ask at once: one has it', async () => {
  const { lock } = await market();
  const ends = await Promise.allSettled([lock('ann'), lock('bob'), lock('cy')]);
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

it('nothing is bought at another price, from oneself, without an owner, or twice at once too often', async () => {
  const { sales, chain, lock } = await market(['a', 'b', 'c'].map((id) => listedOffer(id)));
  await expect(sales.lock('ann-hot', 'a', PRICE - 1n)).rejects.toMatchObject({ code: 'PRICE' });
  await expect(sales.lock('nobody-hot', 'a', PRICE)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  chain.owners.set('seller-hot', 'seller-cold');
  await expect(sales.lock('seller-hot', 'a', PRICE)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await lock('ann', 'a');
  await lock('ann', 'b');
  await expect(lock('ann', 'c')).rejects.toMatchObject({ code: 'RATE_LIMIT' });
  await expect(lock('ann', 'd')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

it('a payment counts that is exact, final, after the lock, and no other’s', async () => {
  const { sales, chain, lock, pay } = await market();
  const early = pay('ann');
  const { id } = await lock('ann');
  const verify = (claim: { block: number; extrinsic: string }) => sales.verify('ann-hot', id, claim);
  await expect(verify(early)).rejects.toMatchObject({ code: 'PAYMENT', message: expect.stringMatching(/older/) });
  await expect(verify(pay('ann', PRICE + 1n))).rejects.toMatchObject({ code: 'PAYMENT' });
  await expect(verify(pay('ann', PRICE - 1n))).rejects.toMatchObject({ code: 'PAYMENT' });
  await expect(verify(pay('bob'))).rejects.toMatchObject({ code: 'PAYMENT' });
  chain.finalised = chain.block;
  const right = pay('ann');
  await expect(verify(right)).rejects.toMatchObject({ code: 'TOO_EARLY', status: 425 });
  chain.finalised = undefined;
  expect(await verify(right)).toMatchObject({ state: 'paid' });
  await expect(sales.verify('bob-hot', id, right)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

it('the chain is asked for nothing that is another’s, paid already, or in a block that cannot count', async () => {
  const { sales, chain, lock, pay, lapse } = await market(['a', 'b'].map((id) => listedOffer(id)));
  let asked = 0;
  chain.pause = async () => void asked++;
  const looked = async (code: string, verifying: Promise<unknown>) => {
    asked = 0;
    await expect(verifying).rejects.toMatchObject({ code });
    return asked;
  };
  const { id, afterBlock, untilBlock } = await lock('ann');
  const claim = pay('ann');
  expect(await looked('NOT_FOUND', sales.verify('bob-hot', id, claim))).toBe(0);
  expect(await looked('NOT_FOUND', sales.verify('ann-hot', 'f'.repeat(32), claim))).toBe(0);
  expect(await looked('PAYMENT', sales.verify('ann-hot', id, { ...claim, block: afterBlock }))).toBe(0);
  expect(await looked('PAYMENT', sales.verify('ann-hot', id, { ...claim, block: untilBlock! + 1 }))).toBe(0);
  await lapse();
  expect(await looked('NOT_FOUND', sales.verify('bob-hot', id, claim))).toBe(0);
  await sales.verify('ann-hot', id, claim);
  asked = 0;
  await sales.verify('ann-hot', id, claim);
  expect(asked).toBe(0);
  expect(await looked('NOT_FOUND', sales.lock('nobody-hot', 'none', PRICE))).toBe(0);
});

it('who tells of payments that are none, by whichever hotkey, has the chain asked so often a day and no more', async () => {
  const { sales, chain, clock, lock, pay } = await market(['a', 'b'].map((id) => listedOffer(id)));
  chain.owners.set('ann-other', 'ann');
  const { id } = await lock('ann');
  const other = (await sales.lock('ann-other', 'b', PRICE)).purchase;
  const [claim, bobs] = [pay('ann'), pay('bob')];
  const down = new QuarryError({ code: 'CHAIN_UNREACHABLE', message: 'Nobody answers.', retryable: true });
  chain.pause = () => Promise.reject(down);
  for (let count = 0; count < 2 * MOST_FAILED_LOOKS; count++)
    await expect(sales.verify('ann-hot', id, claim)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  let asked = 0;
  chain.pause = async () => void asked++;
  for (let count = 0; count < MOST_FAILED_LOOKS; count++)
    await expect(sales.verify('ann-hot', id, bobs)).rejects.toMatchObject({ code: 'PAYMENT' });
  asked = 0;
  const [first, second] = [sales.verify('ann-hot', id, claim), sales.verify('ann-other', other.id, claim)];
  await expect(first).rejects.toMatchObject({ code: 'RATE_LIMIT', retryAfterMs: expect.any(Number) });
  await expect(second).rejects.toMatchObject({ code: 'RATE_LIMIT' });
  expect(asked).toBe(0);
  clock.now += 86_400_000 / MOST_FAILED_LOOKS;
  expect(await sales.verify('ann-hot', id, claim)).toMatchObject({ state: 'paid' });
});

it('a payment that is told in time and not final for long costs nothing more, and keeps its lock a while longer, once', async () => {
  const { sales, chain, clock, store, lock, pay, lapse } = await market();
  const { id } = await lock('ann');
  chain.finalised = chain.block;
  const claim = pay('ann');
  const early = async () =>
    expect(sales.verify('ann-hot', id, claim)).rejects.toMatchObject({ code: 'TOO_EARLY', status: 425 });
  for (let count = 0; count < 2 * MOST_FAILED_LOOKS; count++) await early();
  await lapse();
  expect(await store.purchase(id)).toMatchObject({ state: 'pending' });
  await expect(lock('bob')).rejects.toMatchObject({ code: 'LOCKED', retryAfterMs: OMEGA_TERMS.heldMs });
  await early();
  clock.now += OMEGA_TERMS.heldMs;
  await sales.endLapsed();
  expect(await store.purchase(id)).toMatchObject({ state: 'expired' });
  await early();
  chain.finalised = undefined;
  expect(await sales.verify('ann-hot', id, claim)).toMatchObject({ state: 'paid' });
});

it('other payments that are not final yet cost as much as those that are none', async () => {
  const { sales, chain, lock, pay } = await market();
  const { id } = await lock('ann');
  chain.finalised = chain.block;
  const claim = pay('ann');
  for (let count = 0; count < MOST_FAILED_LOOKS; count++) {
    const other = { ...claim, extrinsic: `0x${String(count).padStart(64, 'f')}` };
    await expect(sales.verify('ann-hot', id, other)).rejects.toMatchObject({ code: 'TOO_EARLY' });
  }
  await expect(sales.verify('ann-hot', id, claim)).rejects.toMatchObject({ code: 'RATE_LIMIT' });
});

it('a payment counts from the block after the lock to the last one of it', async () => {
  const { sales, chain, lock } = await market(['a', 'b'].map((id) => listedOffer(id)));
  const payIn = (block: number) => {
    chain.block = block - 1;
    return chain.transfer({ from: 'ann', to: 'seller-cold', amount: PRICE });
  };
  const [one, other] = [await lock('ann', 'a'), await lock('ann', 'b')];
  const since = chain.block;
  const until = since + OMEGA_TERMS.blocks;
  const [before, first, last, after] = [payIn(since), payIn(since + 1), payIn(until), payIn(until + 1)];
  const refused = (words: RegExp) => ({ code: 'PAYMENT', message: expect.stringMatching(words) });
  await expect(sales.verify('ann-hot', one.id, before)).rejects.toMatchObject(refused(/older/));
  await expect(sales.verify('ann-hot', one.id, after)).rejects.toMatchObject(refused(/too late/));
  expect(await sales.verify('ann-hot', one.id, first)).toMatchObject({ state: 'paid', payment: { block: since + 1 } });
  expect(await sales.verify('ann-hot', other.id, last)).toMatchObject({ state: 'paid', payment: { block: until } });
});

it('a batch pays as much as it moves, each once, and whoever signed for the buyer', async () => {
  const { sales, chain, lock } = await market(['a', 'b', 'c'].map((id) => listedOffer(id)));
  chain.owners.set('ann-other', 'ann');
  const [one, two] = [await lock('ann', 'a'), await lock('ann', 'b')];
  const paid = { from: 'ann', to: 'seller-cold', amount: PRICE };
  const claim = chain.call([{ ...paid, from: 'bob' }, paid, { ...paid, amount: PRICE + 1n }, paid]);
  expect(await sales.verify('ann-hot', one.id, claim)).toMatchObject({ state: 'paid' });
  expect(await sales.verify('ann-hot', two.id, claim)).toMatchObject({ state: 'paid' });
  const third = await lock('ann', 'c');
  await expect(sales.verify('ann-hot', third.id, claim)).rejects.toMatchObject({ code: 'PAYMENT' });
});

it('a payment is good for one purchase', async () => {
  const { sales, lock, pay } = await market(['a', 'b'].map((id) => listedOffer(id)));
  const [one, other] = [await lock('ann', 'a'), await lock('ann', 'b')];
  const claim = pay('ann');
  await sales.verify('ann-hot', one.id, claim);
  await expect(sales.verify('ann-hot', other.id, claim)).rejects.toMatchObject({
    message: expect.stringMatching(/used/),
  });
});

it('a lock ends by time: the video is for sale again, but not at once for the same', async () => {
  const { lock, lapse, store } = await market();
  const { id } = await lock('ann');
  await lapse();
  expect(await store.purchase(id)).toMatchObject({ state: 'expired' });
  await expect(lock('ann')).rejects.toMatchObject({ code: 'RATE_LIMIT', retryAfterMs: OMEGA_TERMS.lockMs });
  await lock('bob');
});

it('five locks in a row without money ban a buyer for a day, whichever hotkey asks and however they end', async () => {
  const { sales, chain, clock, lock, store } = await market('abcdef'.split('').map((id) => listedOffer(id)));
  chain.owners.set('ann-other', 'ann');
  for (const video of 'abcd') await sales.revert('ann-hot', (await lock('ann', video)).id);
  const { purchase } = await sales.lock('ann-other', 'e', PRICE);
  clock.now += OMEGA_TERMS.lockMs;
  await sales.endLapsed();
  expect(await store.purchase(purchase.id)).toMatchObject({ state: 'expired' });
  await expect(lock('ann', 'f')).rejects.toMatchObject({ code: 'BANNED', retryAfterMs: OMEGA_TERMS.banMs });
  clock.now += OMEGA_TERMS.banMs;
  await lock('ann', 'f');
});

it('a sale ends the row', async () => {
  const { sales, lock, pay, store } = await market('abc'.split('').map((id) => listedOffer(id)));
  await sales.revert('ann-hot', (await lock('ann', 'a')).id);
  expect(await store.buyer('ann')).toMatchObject({ failures: 1 });
  await sales.verify('ann-hot', (await lock('ann', 'b')).id, pay('ann'));
  expect(await store.buyer('ann')).toMatchObject({ failures: 0 });
});

it('a sale now and then buys no more locks without money than the day has', async () => {
  const videos = Array.from({ length: OMEGA_TERMS.purchasesADay + 1 }, (_, at) => `v${at}-`);
  const { sales, lock, pay, clock } = await market(videos.map((id) => listedOffer(id)));
  const last = videos.pop();
  for (const [at, video] of videos.entries()) {
    const { id } = await lock('ann', video);
    if (at % 4 === 3) await sales.verify('ann-hot', id, pay('ann'));
    else await sales.revert('ann-hot', id);
  }
  await expect(lock('ann', last)).rejects.toMatchObject({ code: 'RATE_LIMIT' });
  clock.now += OMEGA_TERMS.windowMs;
  await lock('ann', last);
});

it('who paid and let go has it all the same while it is free', async () => {
  const { sales, lock, pay, lapse } = await market();
  const { id } = await lock('ann');
  const claim = pay('ann');
  await lapse();
  expect(await sales.verify('ann-hot', id, claim)).toMatchObject({ state: 'paid' });
});

it('who paid too late is owed the money, and has the video if the other lets go', async () => {
  const { sales, store, lock, pay, lapse } = await market();
  const late = await lock('ann');
  const claim = pay('ann');
  await lapse();
  const other = await lock('bob');
  expect(await sales.verify('ann-hot', late.id, claim)).toMatchObject({ state: 'owed' });
  await sales.revert('bob-hot', other.id);
  expect(await store.purchase(late.id)).toMatchObject({ state: 'paid' });
  expect(await store.offer('a')).toMatchObject({ state: 'purchased' });
});

it('the seller pays back what came too late, and a payment back counts once, too', async () => {
  const { sales, store, chain, lock, pay, lapse } = await market();
  const late = await lock('ann');
  const claim = pay('ann');
  await lapse();
  await sales.verify('bob-hot', (await lock('bob')).id, pay('bob'));
  expect(await sales.verify('ann-hot', late.id, claim)).toMatchObject({ state: 'owed' });
  expect(await store.owedFor(['a'])).toMatchObject([{ id: late.id, buyer: 'ann', price: PRICE }]);
  const back = chain.transfer({ from: 'seller-cold', to: 'ann', amount: PRICE });
  await expect(sales.settleOwed('somebody', 'a', late.id, back)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(sales.settleOwed('seller-hot', 'a', late.id, claim)).rejects.toMatchObject({ code: 'PAYMENT' });
  await sales.settleOwed('seller-hot', 'a', late.id, back);
  await sales.settleOwed('seller-hot', 'a', late.id, back);
  expect(await store.purchase(late.id)).toMatchObject({ state: 'settled', paidBack: back });
});

it('the day’s budget counts what is locked', async () => {
  const all = await openSales({
    offers: [listedOffer('a', { price: 500_000_000_000n }), listedOffer('b', { price: 500_000_000_000n })],
  });
  onTestFinished(() => all.close());
  await all.sales.lock('ann-hot', 'a', 500_000_000_000n);
  await expect(all.sales.lock('bob-hot', 'b', 500_000_000_000n)).rejects.toMatchObject({ code: 'BUDGET', status: 429 });
});

it('a payment that is being looked for is not overtaken by the end of its lock', async () => {
  const { sales, chain, clock, lock, pay, store } = await market();
  const { id } = await lock('ann');
  const claim = pay('ann');
  const { promise, resolve } = Promise.withResolvers<void>();
  chain.pause = () => promise;
  const verifying = sales.verify('ann-hot', id, claim);
  clock.now += OMEGA_TERMS.lockMs;
  const ending = sales.endLapsed();
  const reverting = expect(sales.revert('ann-hot', id)).rejects.toMatchObject({ code: 'CONFLICT' });
  resolve();
  expect(await verifying).toMatchObject({ state: 'paid' });
  await ending;
  await reverting;
  expect(await store.buyer('ann')).toMatchObject({ failures: 0 });
});

it('locks that end together leave room for others between them', async () => {
  const videos = Array.from({ length: 60 }, (_, at) => listedOffer(`v${100 + at}`));
  const all = await openSales({ offers: videos, buyers: videos.map(({ id }) => id) });
  onTestFinished(() => all.close());
  for (const { id } of videos) await all.sales.lock(`${id}-hot`, id, PRICE);
  all.clock.now += OMEGA_TERMS.lockMs;
  let [isEnding, turns] = [true, 0];
  const others = (async () => {
    for (; isEnding; turns++) await new Promise(setImmediate);
  })();
  await all.sales.endLapsed();
  isEnding = false;
  await others;
  expect(turns).toBeGreaterThanOrEqual(6);
  expect((await all.store.counts()).purchases).toEqual({ expired: 60 });
});

it('more locks than a look finds are extended, and more nonces than a slice forgotten', async () => {
  const { store, sales, clock, db } = await market();
  await store.change(async (change) => {
    for (let at = 10_000; at < 11_001; at++) {
      await change.addOffer(listedOffer(`v${at}`, { state: 'purchasePending' }));
      await change.addPurchase({
        ...{ id: `p${at}`, offer: `v${at}`, hotkey: 'h', buyer: 'b', seller: 's', price: 1n, state: 'pending' },
        ...{
          createdAt: 1,
          lockedUntil: 2,
          failedAt: null,
          afterBlock: 1,
          untilBlock: 2,
          payment: null,
          paidBack: null,
        },
      });
    }
  });
  await sales.extendLapsed(60_000);
  expect(await store.lapsed(clock.now)).toEqual([]);
  const nonces = Array.from({ length: 1_001 }, (_, at) => ({ hotkey: 'h', nonce: String(at), at }));
  for (let at = 0; at < nonces.length; at += 500) {
    await db
      .insertInto('market_nonces')
      .values(nonces.slice(at, at + 500))
      .execute();
  }
  await store.forgetNonces(1_000);
  expect(await db.selectFrom('market_nonces').select('nonce').execute()).toEqual([{ nonce: '1000' }]);
});

/** A purchase that nobody paid. */
const unpaid = (id: string, offer: string, changed: Partial<Purchase> = {}): Purchase => ({
  ...{ id, offer, hotkey: 'ann-hot', buyer: 'ann', seller: 'seller-cold', price: PRICE, state: 'expired' },
  ...{ createdAt: 1, lockedUntil: 2, failedAt: 2, afterBlock: 1, untilBlock: 2, payment: null, paidBack: null },
  ...changed,
});

it('what came to nothing is forgotten after its time, however much it is; what money depends on is not', async () => {
  const { store, db } = await market([]);
  const paid = { block: 2, extrinsic: '0xa', at: 3 };
  const sold: Partial<Offer> = { state: 'purchased', soldAt: 3 };
  await store.change(async (change) => {
    const add = (id: string, changed: Partial<Offer>) => change.addOffer(listedOffer(id, changed));
    for (let at = 1_000; at < 2_200; at++) {
      await add(`v${at}`, { state: at % 2 ? 'rejected' : 'withdrawn', nextByte: 0 });
      await change.addPurchase(unpaid(`p${at}`, `v${at}`, { buyer: `b${at}` }));
      await change.setBuyer(`b${at}`, { failures: 1, bannedUntil: null });
    }
    await add('sold', sold);
    await add('owed', { state: 'withdrawn', nextByte: 0 });
    await add('young', { state: 'withdrawn', nextByte: 0, createdAt: 200, changedAt: 200 });
    await add('kept', { state: 'rejected' });
    await add('free', {});
    await change.addPurchase(unpaid('paid', 'sold', { state: 'paid', failedAt: null, payment: paid }));
    await change.addPurchase(unpaid('late', 'owed', { state: 'owed', payment: paid }));
    await change.addPurchase(unpaid('back', 'owed', { state: 'settled', payment: paid, paidBack: paid }));
    await change.addPurchase(unpaid('let-go', 'sold'));
    await change.addPurchase(unpaid('new', 'free', { failedAt: 200 }));
    await change.setBuyer('ann', { failures: 2, bannedUntil: null });
    await change.usePayment({ chain: '0x1', block: '0x2', event: 1, order: 'market paid', usedAt: 3 });
  });
  for (const { id } of await store.inState('rejected')) await store.examined.noteHashed(id);
  await store.examined.keepScore({ sha256: 'a', task: 't', score: 0.5, reason: '', review: false, at: 50 });
  await store.past.forget(100);
  const ids = async (table: 'market_offers' | 'market_purchases') =>
    (await db.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id);
  expect(await ids('market_purchases')).toEqual(['back', 'late', 'new', 'paid']);
  expect(await ids('market_offers')).toEqual(['free', 'kept', 'owed', 'sold', 'young']);
  const subjects = await db.selectFrom('market_log').select('subject').orderBy('seq').execute();
  expect(subjects.map(({ subject }) => subject)).toEqual(['sold', 'young', 'paid', 'late', 'back']);
  expect(await db.selectFrom('market_buyers').selectAll().execute()).toMatchObject([{ buyer: 'ann', failures: 2 }]);
  expect(await db.selectFrom('market_looks').select('offer').execute()).toEqual([{ offer: 'kept' }]);
  expect(await db.selectFrom('used_payments').selectAll().execute()).toHaveLength(1);
  expect(await store.examined.scores('a', 0)).toMatchObject([{ task: 't', score: 0.5 }]);
});

it('of very much a part is forgotten in one go, with turns for others in between', async () => {
  const { store, db } = await market();
  const lines = Array.from({ length: 500 }, (_, seq) => ({ seq: null, at: seq, subject: 'x', by: 'y', before: null }));
  for (let times = 0; times < 24; times++) {
    await db
      .insertInto('market_log')
      .values(lines.map((line) => ({ ...line, after: 'pending' })))
      .execute();
  }
  let [isForgetting, turns] = [true, 0];
  const others = (async () => {
    for (; isForgetting; turns++) await new Promise(setImmediate);
  })();
  await store.past.forget(1_000);
  isForgetting = false;
  await others;
  expect(turns).toBeGreaterThan(30);
  const left = async () => (await db.selectFrom('market_log').select('seq').execute()).length;
  expect(await left()).toBe(2_001);
  await store.past.forget(1_000);
  expect(await left()).toBe(0);
});
