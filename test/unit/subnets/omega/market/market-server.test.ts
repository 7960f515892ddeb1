import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { expect, it, vi } from 'vitest';
import type { Offer } from '../../../../../src-main/store/market/market-rows.ts';
import { NoVideo } from '../../../../../src-main/subnets/omega/market/server/examination.ts';
import {
  listSchema,
  offerSchema,
  offersSchema,
  purchaseSchema,
  purchasesSchema,
  statsSchema,
} from '../../../../../src-main/subnets/omega/market/wire.ts';
import { listedOffer } from '../../../../support/market-sales.ts';
import { openTestMarket } from '../../../../support/market-server.ts';
import { until } from '../../../../support/until.ts';

const VIDEO = randomBytes(9_000);

it('a video is offered, uploaded, scored, listed, bought and fetched, all in the shapes of the wire', async () => {
  const { ask, listed, submitOf, piece, seller, ann, annCold, pay, chain } = await openTestMarket();
  const submitted = await ask(seller, 'POST /offers', submitOf(VIDEO));
  expect(submitted.status).toBe(201);
  const { id } = offerSchema.strict().parse(submitted.body);
  expect((await piece(id, VIDEO, 0, 4_000)).body).toMatchObject({ state: 'uploading', nextByte: 4_000, price: null });
  await piece(id, VIDEO, 4_000, 9_000);
  await listed(id);

  const list = listSchema.strict().parse((await ask(ann, 'GET /list')).body);
  const who = chain.owners.get(seller.address);
  expect(list.videos).toMatchObject([{ id, price: '100000000', seller: who, durationMs: 600_000 }]);
  const { price } = list.videos[0]!;
  const locked = await ask(ann, 'POST /purchases', { video: id, price });
  expect(locked.status).toBe(201);
  const purchase = purchaseSchema.strict().parse(locked.body);
  expect(purchase).toMatchObject({ state: 'pending', next: 'verify', from: annCold.address, price });
  expect((await ask(ann, 'GET /list')).body.videos).toEqual([]);
  expect((await ask(ann, `GET /purchases/${purchase.id}/video`)).status).toBe(409);

  const verified = await ask(ann, `POST /purchases/${purchase.id}/verify`, pay(annCold, price));
  expect(purchaseSchema.strict().parse(verified.body)).toMatchObject({ state: 'paid', next: 'fetch' });
  const whole = await ask(ann, `GET /purchases/${purchase.id}/video`);
  expect([whole.status, VIDEO.equals(whole.body)]).toEqual([200, true]);
  const part = await ask(ann, `GET /purchases/${purchase.id}/video`, undefined, {
    headers: { range: 'bytes=100-199' },
  });
  expect([part.status, VIDEO.subarray(100, 200).equals(part.body)]).toEqual([206, true]);

  expect(purchasesSchema.strict().parse((await ask(ann, 'GET /purchases')).body)).toMatchObject({
    purchases: [{ id: purchase.id }],
    more: false,
  });
  expect(offersSchema.strict().parse((await ask(seller, 'GET /offers?before=99999999999999')).body)).toMatchObject({
    offers: [{ state: 'purchased' }],
  });
  const stats = statsSchema.strict().parse((await ask(ann, 'GET /stats')).body);
  expect(stats).toMatchObject({
    day: { sold: 1, spent: price, budget: '900000000000' },
    own: { spent: price, share: 1 },
  });
});

it('everybody sees what is his alone', async () => {
  const { ask, listed, offer, ann, bob, seller } = await openTestMarket();
  const id = await offer(VIDEO);
  await listed(id);
  const { body } = await ask(ann, 'POST /purchases', { video: id, price: '100000000' });
  for (const route of [
    `GET /purchases/${body.id}`,
    `POST /purchases/${body.id}/revert`,
    `GET /purchases/${body.id}/video`,
    `GET /offers/${id}`,
    `DELETE /offers/${id}`,
  ]) {
    expect((await ask(bob, route)).status, route).toBe(404);
  }
  expect((await ask(bob, 'GET /purchases')).body.purchases).toEqual([]);
  expect((await ask(bob, 'POST /purchases', { video: id, price: '100000000' })).status).toBe(409);
  expect((await ask(seller, `DELETE /offers/${id}`)).body.error).toMatchObject({ code: 'LOCKED' });
  expect((await ask(ann, `POST /purchases/${body.id}/revert`)).body).toMatchObject({
    state: 'reverted',
    next: 'verify',
    failures: { inARow: 1, ban: 5 },
  });
});

it('an upload goes on where it was, after a restart too, and pieces that are there already change nothing', async () => {
  const { ask, listed, submitOf, piece, reopen, seller } = await openTestMarket();
  const { id } = (await ask(seller, 'POST /offers', submitOf(VIDEO))).body;
  await piece(id, VIDEO, 0, 3_000);
  expect(await piece(id, VIDEO, 0, 3_000)).toMatchObject({ status: 200, body: { nextByte: 3_000 } });
  expect(await piece(id, VIDEO, 5_000, 9_000)).toMatchObject({
    status: 409,
    body: { error: { field: 'content-range' } },
  });
  await reopen();
  expect((await ask(seller, `GET /offers/${id}`)).body).toMatchObject({ state: 'uploading', nextByte: 3_000 });
  await piece(id, VIDEO, 3_000, 9_000);
  await listed(id);
  expect((await piece(id, VIDEO, 3_000, 9_000)).status).toBe(200);
});

it('bytes of another hash are uploaded again', async () => {
  const { ask, listed, submitOf, piece, seller, folder } = await openTestMarket();
  const { id } = (await ask(seller, 'POST /offers', submitOf(VIDEO))).body;
  await piece(id, randomBytes(9_000), 0, 9_000);
  await until(async () =>
    expect((await ask(seller, `GET /offers/${id}`)).body).toMatchObject({
      state: 'uploading',
      nextByte: 0,
      reason: expect.stringMatching(/SHA-256/),
    }),
  );
  expect(await readdir(folder)).toEqual([]);
  await piece(id, VIDEO, 0, 9_000);
  await listed(id);
});

it('what is no video, or of another length, is rejected with why, and its bytes go', async () => {
  const no = async () => {
    throw new NoVideo('This file is no video.');
  };
  const cases = [
    [{ checkVideo: no }, /no video/],
    [{ checkVideo: async () => ({ durationMs: 5_000 }) }, /5000 ms/],
  ] as const;
  for (const [changed, reason] of cases) {
    const { ask, offer, seller, folder } = await openTestMarket(changed);
    const id = await offer(VIDEO);
    await until(async () =>
      expect((await ask(seller, `GET /offers/${id}`)).body).toMatchObject({
        state: 'rejected',
        reason: expect.stringMatching(reason),
      }),
    );
    await until(async () => expect(await readdir(folder)).toEqual([]));
  }
});

it('without a scorer nothing is listed, and a person decides where the score says so', async () => {
  const none = await openTestMarket({ score: undefined });
  const waiting = await none.offer(VIDEO);
  await until(async () =>
    expect((await none.ask(none.seller, `GET /offers/${waiting}`)).body).toMatchObject({
      state: 'processing',
      reason: 'It waits for a score.',
    }),
  );
  expect((await none.ask(none.ann, 'GET /list')).body.videos).toEqual([]);

  const { ask, offer, market, seller } = await openTestMarket({
    score: async () => ({ score: 0.7, reason: 'Look.', review: true }),
  });
  const [good, bad] = [await offer(VIDEO), await offer(randomBytes(4_000))];
  await until(async () => expect(await market.reviews()).toHaveLength(2));
  expect(await market.judge(good, { accept: true, reason: '' })).toBeUndefined();
  const reason = 'It shows a letter of somebody else.';
  expect(await market.judge(bad, { accept: false, reason })).toBeUndefined();
  expect(await market.judge(bad, { accept: true, reason: '' })).toBe('notWaiting');
  expect((await ask(seller, `GET /offers/${good}`)).body).toMatchObject({ state: 'submitted', score: 0.7 });
  expect((await ask(seller, `GET /offers/${bad}`)).body).toMatchObject({
    state: 'rejected',
    reason: expect.stringMatching(/letter/),
  });
});

it('what a seller says is for a task of the market itself a person looks at first', async () => {
  const { offer, looked, market, store } = await openTestMarket();
  const mine = { title: 'Mine', description: 'Mine, too.', kind: 'marketplace', task: 'plan-a-route' } as const;
  const id = await offer(randomBytes(3_000), mine);
  const words = { title: 'Plan a route', description: 'For five parcels.' };
  expect(await looked(id)).toMatchObject({ state: 'review', price: null, kind: 'marketplace', ...words });
  await market.judge(id, { accept: true, reason: '' });
  expect(await store.offer(id)).toMatchObject({ state: 'submitted', score: 0.5 });
});

it('what a person has refused a person looks at again when it is offered as something else', async () => {
  const { offer, looked, market } = await openTestMarket();
  const id = await offer(VIDEO, { kind: 'marketplace', task: 'plan-a-route' });
  await looked(id);
  expect(await market.judge(id, { accept: false, reason: 'It is a film.' })).toBeUndefined();
  expect(await looked(await offer(VIDEO))).toMatchObject({ state: 'review', kind: 'user' });
});

it('what a boosted task is, and how much more it is worth, the market knows by its own list: never from whoever sells', async () => {
  const asked: unknown[] = [];
  const score = async (_: string, { title, description }: Offer) => {
    asked.push({ title, description });
    return { score: 0.3, reason: 'It shows work.', review: false };
  };
  const { offer, looked } = await openTestMarket({ score });
  const mine = { title: 'Worth ten times as much', description: 'Believe me.' };
  const id = await offer(randomBytes(3_000), { ...mine, kind: 'boosted', task: 'budget' });
  const task = { title: 'Build a budget', description: 'With sums.' };
  expect(await looked(id)).toMatchObject({ state: 'submitted', kind: 'boosted', score: 0.6, ...task });
  expect(await looked(await offer(randomBytes(3_000), mine))).toMatchObject({ score: 0.3 });
  expect(asked).toEqual([task, mine]);
});

it.each([
  ['that it does not know', { kind: 'boosted', task: 'unheard-of' }, /no boosted task «unheard-of»/],
  ['without its id', { kind: 'boosted' }, /by its id/],
  ['of another kind', { kind: 'user', task: 'budget' }, /an own one is not/],
  ['that is not the market’s', { kind: 'marketplace', task: 'budget' }, /no marketplace task «budget»/],
] as const)('a task of a list %s is refused in words', async (_, about, message) => {
  const { ask, submitOf, seller } = await openTestMarket();
  const { status, body } = await ask(seller, 'POST /offers', submitOf(VIDEO, about));
  expect([status, body.error]).toEqual([
    400,
    { code: 'BAD_REQUEST', field: 'scoreCard.task', message: expect.stringMatching(message) },
  ]);
});

it('a score card is good for its file, its task and its chain alone', async () => {
  const { ask, submitOf, seller } = await openTestMarket();
  const right = submitOf(VIDEO, { kind: 'boosted', task: 'budget' });
  const { chain, scoreCard } = right;
  for (const wrong of [
    { ...right, sha256: 'c'.repeat(64) },
    { ...right, chain: { ...chain, link: 'c'.repeat(64) } },
    { ...right, scoreCard: { ...scoreCard, task: 'other' } },
  ]) {
    expect(await ask(seller, 'POST /offers', wrong)).toMatchObject({
      status: 400,
      body: { error: { field: 'scoreCard' } },
    });
  }
});

it('a video is offered once at a time, withdrawn with its bytes, and then offered again', async () => {
  const { ask, listed, offer, submitOf, seller, bob, bobCold, folder } = await openTestMarket();
  const bobs = submitOf(VIDEO, { seller: bobCold.address });
  const id = await offer(VIDEO);
  await listed(id);
  expect(await ask(bob, 'POST /offers', bobs)).toMatchObject({
    status: 409,
    body: { error: { field: 'sha256' } },
  });
  await listed(id);
  expect((await ask(seller, `DELETE /offers/${id}`)).body.state).toBe('withdrawn');
  expect(await readdir(folder)).toEqual([]);
  expect((await ask(bob, 'POST /purchases', { video: id, price: '100000000' })).status).toBe(410);
  expect((await ask(bob, 'POST /offers', bobs)).status).toBe(201);
});

it('what was sold is kept for its time, then gone', async () => {
  const { ask, listed, offer, pay, reopen, clock, ann, annCold } = await openTestMarket();
  const id = await offer(VIDEO);
  await listed(id);
  const { body: purchase } = await ask(ann, 'POST /purchases', { video: id, price: '100000000' });
  await ask(ann, `POST /purchases/${purchase.id}/verify`, pay(annCold, '100000000'));
  clock.ahead = 3_600_000 + 1_000;
  await reopen();
  expect((await ask(ann, `GET /purchases/${purchase.id}/video`)).status).toBe(410);
  expect((await ask(ann, `GET /purchases/${purchase.id}`)).body).toMatchObject({
    state: 'paid',
    next: 'nothing',
    keptUntil: null,
  });
});

it('what was rejected or withdrawn, and a lock that nobody paid, is forgotten a month after; what is for sale is not', async () => {
  const { ask, listed, offer, reopen, clock, seller, ann } = await openTestMarket();
  const [withdrawn, free] = [await offer(VIDEO), await offer(randomBytes(4_000))];
  await listed(withdrawn);
  await listed(free);
  await ask(seller, `DELETE /offers/${withdrawn}`);
  const { body: purchase } = await ask(ann, 'POST /purchases', { video: free, price: '100000000' });
  await ask(ann, `POST /purchases/${purchase.id}/revert`);
  const statuses = async () => {
    const routes = [`/offers/${withdrawn}`, `/offers/${free}`].map((path) => ask(seller, `GET ${path}`));
    const answers = await Promise.all([...routes, ask(ann, `GET /purchases/${purchase.id}`)]);
    return answers.map(({ status }) => status);
  };
  for (const days of [29, 30]) {
    clock.ahead = days * 86_400_000 - 60_000;
    await reopen();
    expect(await statuses()).toEqual([200, 200, 200]);
  }
  clock.ahead = 31 * 86_400_000;
  await reopen();
  expect(await statuses()).toEqual([404, 200, 404]);
});

it('a market that was away for long forgets nothing for a day: what was bought is fetched, and what was paid late is told', async () => {
  const { ask, listed, offer, pay, reopen, clock, seller, ann, annCold } = await openTestMarket();
  const [bought, late, gone] = [await offer(VIDEO), await offer(randomBytes(4_000)), await offer(randomBytes(5_000))];
  for (const id of [bought, late, gone]) await listed(id);
  const lock = async (video: string) => (await ask(ann, 'POST /purchases', { video, price: '100000000' })).body.id;
  const paid = await lock(bought);
  await ask(ann, `POST /purchases/${paid}/verify`, pay(annCold, '100000000'));
  const lapsed = await lock(late);
  await ask(ann, `POST /purchases/${lapsed}/revert`);
  const payment = pay(annCold, '100000000');
  await ask(seller, `DELETE /offers/${gone}`);
  for (const restart of [0, 60_000]) {
    clock.ahead = 31 * 86_400_000 + restart;
    await reopen();
    expect((await ask(seller, `GET /offers/${gone}`)).status).toBe(200);
  }
  expect((await ask(ann, `GET /purchases/${paid}/video`)).status).toBe(200);
  expect((await ask(ann, `POST /purchases/${lapsed}/verify`, payment)).body.state).toBe('paid');
  clock.ahead += 86_400_000;
  await reopen();
  expect((await ask(seller, `GET /offers/${gone}`)).status).toBe(404);
  expect((await ask(ann, `GET /purchases/${paid}/video`)).status).toBe(410);
});

it('a lock that ran out while the market was down can still be paid', async () => {
  const { ask, listed, offer, pay, reopen, clock, ann, annCold } = await openTestMarket();
  const id = await offer(VIDEO);
  await listed(id);
  const { body: purchase } = await ask(ann, 'POST /purchases', { video: id, price: '100000000' });
  clock.ahead = 3 * 3_600_000;
  await reopen();
  expect((await ask(ann, `GET /purchases/${purchase.id}`)).body.state).toBe('pending');
  expect((await ask(ann, `POST /purchases/${purchase.id}/verify`, pay(annCold, '100000000'))).body.state).toBe('paid');
});

it('what is for sale without its file is taken out of the list at the next start', async () => {
  const { ask, listed, offer, reopen, folder, seller } = await openTestMarket();
  const id = await offer(VIDEO);
  await listed(id);
  await rm(folder, { recursive: true });
  await reopen();
  expect((await ask(seller, `GET /offers/${id}`)).body).toMatchObject({
    state: 'withdrawn',
    reason: expect.stringMatching(/lost/),
  });
});

it('a market without the chain says so, and when to ask again', async () => {
  const { ask, chain, ann, offer, listed } = await openTestMarket();
  const id = await offer(VIDEO);
  await listed(id);
  const { QuarryError } = await import('../../../../../src-preload/contract/errors.ts');
  chain.pause = async () => {
    throw new QuarryError({ code: 'CHAIN_UNREACHABLE', message: 'Nobody answers.', retryAfterMs: 7_000 });
  };
  const { status, headers, body } = await ask(ann, 'POST /purchases', { video: id, price: '1' });
  expect([status, headers.get('retry-after'), body.error.retryAfter]).toEqual([503, '7', 7_000]);
});

it('a video that was withdrawn presses nobody’s price', async () => {
  // A pool so small that a share of it is within the bounds of a price: alone .3 × .3 TAO.
  const { ask, listed, offer, seller, store } = await openTestMarket({ pool: () => 300_000_000n });
  const withdrawn = await offer(randomBytes(3_000));
  await listed(withdrawn);
  await ask(seller, `DELETE /offers/${withdrawn}`);
  const id = await offer(randomBytes(3_000));
  await listed(id);
  expect(await store.offer(id)).toMatchObject({ price: 90_000_000n });
  const beside = await offer(randomBytes(3_000));
  await listed(beside);
  expect(await store.offer(beside)).toMatchObject({ price: 45_000_000n });
});

it('whatever there is of others, the market’s own tasks are shown', async () => {
  const { ask, store, ann } = await openTestMarket({ trusted: () => ['trusted'] });
  await store.change(async (change) => {
    for (let at = 0; at < 1_100; at++) await change.addOffer(listedOffer(`u${1_000 + at}`));
    for (let at = 0; at < 150; at++)
      await change.addOffer(listedOffer(`m${1_000 + at}`, { kind: 'marketplace', listedAt: 2 }));
    const last = { kind: 'marketplace', listedAt: 9, changedAt: 9, seller: 'trusted' } as const;
    await change.addOffer(listedOffer('trusted', last));
  });
  const { body } = await ask(ann, 'GET /list');
  const own = body.videos.filter(({ kind }: { kind: string }) => kind === 'marketplace');
  expect([own.length, own.some(({ id }: { id: string }) => id === 'trusted')]).toEqual([9, true]);
});

it('what is for sale is read once for all who ask within a second, and anew when something came or went', async () => {
  const { ask, offer, listed, store, clock, seller, ann, bob } = await openTestMarket();
  const [first, second] = [await offer(randomBytes(3_000)), await offer(randomBytes(3_000))];
  await listed(first);
  await listed(second);
  const at = Date.now() + clock.ahead;
  const still = vi.spyOn(Date, 'now').mockReturnValue(at);
  const reads = vi.spyOn(store, 'forSale');
  const shown = async (by = ann) => (await ask(by, 'GET /list')).body.videos.length;
  expect(await Promise.all([shown(), shown(bob), shown()])).toEqual([2, 2, 2]);
  expect(reads).toHaveBeenCalledTimes(3); // once, by its three questions
  await ask(seller, `DELETE /offers/${first}`);
  expect([await shown(), await shown(bob), reads.mock.calls.length]).toEqual([1, 1, 6]);
  clock.ahead += 1_000;
  expect([await shown(bob), reads.mock.calls.length]).toEqual([1, 9]);
  still.mockRestore();
});

it('what is owed for a page of offers is asked for in one go', async () => {
  const { ask, store, seller } = await openTestMarket();
  const paid = { block: 2, extrinsic: `0x${'a'.repeat(64)}`, at: 3 };
  const ids = ['a', 'b', 'c'].map((id) => id.repeat(32));
  await store.change(async (change) => {
    for (const [at, id] of ids.entries()) {
      const more = { hotkey: seller.address, seller: seller.address, createdAt: 9 - at };
      await change.addOffer(listedOffer(id, { ...more, state: 'purchased', sha256: id + id }));
      const owed = { id: `${at}`.repeat(32), offer: id, hotkey: 'h', buyer: seller.address, seller: seller.address };
      const row = { price: 1n, createdAt: 1, lockedUntil: 2, failedAt: null, afterBlock: 1, untilBlock: 2 };
      if (at > 0) await change.addPurchase({ ...owed, ...row, state: 'owed', payment: paid, paidBack: null });
    }
  });
  const asked = vi.spyOn(store, 'owedFor');
  const { offers } = offersSchema.parse((await ask(seller, 'GET /offers')).body);
  expect(offers.map(({ owed }) => owed.map(({ purchase }) => purchase[0]))).toEqual([[], ['1'], ['2']]);
  expect(asked).toHaveBeenCalledTimes(1);
});
