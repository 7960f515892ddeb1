import { randomBytes } from 'node:crypto';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pino from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Changes } from '../../../../../../src-main/base/changes.ts';
import { sha256 } from '../../../../../../src-main/base/sha256.ts';
import { FocusRecordingStore } from '../../../../../../src-main/store/focus/focus-recordings.ts';
import { FocusScoreStore } from '../../../../../../src-main/store/focus/focus-scores.ts';
import { MarketOrderStore } from '../../../../../../src-main/store/market/market-orders.ts';
import { OfferedRecordings } from '../../../../../../src-main/subnets/omega/focus/offered-recordings.ts';
import { MarketDesk } from '../../../../../../src-main/subnets/omega/market/client/desk/market-desk.ts';
import type { Sending } from '../../../../../../src-main/subnets/omega/market/client/ports.ts';
import { sentence } from '../../../../../../src-preload/contract/saying.ts';
import { whyNotOffered } from '../../../../../../src-preload/contract/why-not-offered.ts';
import { testSigner } from '../../../../../support/bittensor-signer.ts';
import { memoryDatabase } from '../../../../../support/memory-database.ts';
import { temporaryFolder } from '../../../../../support/quarry-process.ts';
import { SmallDesk } from '../../../../../support/small-desk.ts';
import { BUYER, MARKET_KEY, SELLER, SmallMarket } from '../../../../../support/small-market.ts';
import { until } from '../../../../../support/until.ts';

const signer = await testSigner('//Alice');
const never = new AbortController().signal;
const RECORDING = '11111111-2222-4333-8444-555555555555';

async function opened() {
  const market = await new SmallMarket().open();
  const db = await memoryDatabase();
  const { path: folder, remove } = await temporaryFolder();
  const recordings = new FocusRecordingStore(db);
  const picture = { surface: 'tab', width: 64, height: 48 } as const;
  const words = { title: 'Mending', description: 'a bicycle', sound: { microphone: false, system: false } };
  await recordings.begin(RECORDING, { ...words, ...picture }, { startedAt: 1, signer: 'ab'.repeat(32) });
  await recordings.end(RECORDING, 'finished', 2);
  await recordings.setState(RECORDING, 'ready');
  const stateOf = async () => (await recordings.get(RECORDING))?.state;
  const payments = new SmallDesk();
  payments.from = SELLER;
  const sendings: (Sending & { asked: number })[] = [];
  const consent = { refused: false };
  const desks: MarketDesk[] = [];
  const start = async () => {
    const desk = new MarketDesk({
      ...{ store: new MarketOrderStore(db), payments, payer: async () => SELLER },
      choice: () => ({ url: market.url, key: MARKET_KEY, wallet: 'main', hotkey: 'default', dailyCap: 0 }),
      openHotkey: async () => ({ ...signer, close: async () => {} }),
      recordings: new OfferedRecordings({
        store: new FocusScoreStore(db),
        get: async () => (await recordings.get(RECORDING))!,
        changes: new Changes(),
      }),
      onSending: async (sending) => {
        if (consent.refused) throw new Error('the log cannot be written');
        sendings.push({ ...sending, asked: market.asked.length });
      },
      ...{ folder, changes: new Changes(), log: pino({ level: 'silent' }) },
      ...{ between: { firstMs: 1, longestMs: 5 }, looks: { firstMs: 5, longestMs: 10 } },
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
  const file = randomBytes(20_000);
  const path = join(folder, 'offer.webm');
  await writeFile(path, file);
  const about = {
    ...{ title: 'Mending', description: 'a bicycle', kind: 'user' as const, bytes: file.length, durationMs: 61_000 },
    sha256: sha256(file).toString('hex'),
    scoreCard: { version: 'rules-1', score: 0.5, at: 1, node: 'ab'.repeat(32), signature: 'cd'.repeat(64) },
    chain: { chunks: 3, startedAt: 1, node: 'ab'.repeat(32), link: 'ef'.repeat(32), signature: 'cd'.repeat(64) },
  };
  const store = new MarketOrderStore(db);
  const all = { market, payments, sendings, consent, start, recordings, stateOf, store };
  return { ...all, desk: await start(), video: { path, about }, path, file };
}

const TERMS = { recording: RECORDING, wish: null };
const becomes = (desk: MarketDesk, id: string, wanted: object) =>
  until(async () => {
    const offer = await desk.offers.get(id);
    expect(offer).toMatchObject(wanted);
    return offer;
  });

describe('an offer', () => {
  it('leaves this computer once a person says so, and the log of what leaves hears of it before the first byte', async () => {
    const { market, desk, sendings, video, file, path } = await opened();
    const payload = JSON.stringify({ score: 0.57, model: 'looks-7b', host: 'a.example', at: 5 });
    const signed = { payload, signature: 'cd'.repeat(64) };
    const { about } = video;
    const scored = { path, about: { ...about, scoreCard: { ...about.scoreCard, signed } } };
    const { id, seller, ...told } = await desk.prepareOffer(scored, TERMS);
    expect(seller).toBe(SELLER);
    expect(told.signed).toEqual({ score: 0.57, model: 'looks-7b', host: 'a.example' });
    expect(market.asked).toEqual([]);
    await desk.offers.send(id);
    await becomes(desk, id, { state: 'submitted', price: '5000000', score: 0.7 });
    const to = new URL(market.url).host;
    expect(sendings).toEqual([
      { recording: RECORDING, what: 'video', to, key: MARKET_KEY, bytes: file.length, asked: 0 },
    ]);
    expect(Buffer.concat([...market.uploads.values()].flat())).toEqual(file);
    await until(() => expect(stat(path)).rejects.toThrow('ENOENT'));
    await expect(desk.offers.send(id)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('does not leave where the log cannot be written', async () => {
    const { market, desk, consent, video, stateOf } = await opened();
    consent.refused = true;
    const { id } = await desk.prepareOffer(video, TERMS);
    await expect(desk.offers.send(id)).rejects.toThrow('cannot be written');
    expect(market.asked).toEqual([]);
    expect(await desk.offers.get(id)).toMatchObject({ state: 'prepared' });
    expect(await stateOf()).toBe('ready');
    await desk.offers.withdraw(id);
    expect(await desk.offers.list()).toEqual([]);
  });

  it('goes on in another life of the program, and is made once although its answer was lost', async () => {
    const { market, desk, start, video } = await opened();
    market.fail('POST /offers', { after: 'cut' }, { status: 409, code: 'CONFLICT', message: 'known' });
    market.fail('PUT /offers/:id/bytes', ...Array.from({ length: 1_000 }, () => 'cut'));
    const { id } = await desk.prepareOffer(video, TERMS);
    await desk.offers.send(id);
    await becomes(desk, id, { state: 'uploading' });
    await desk.close();
    market.faults.clear();
    const again = await start();
    await becomes(again, id, { state: 'submitted', sentBytes: 20_000 });
    expect(market.offers.size).toBe(1);
  });

  it('is followed through what becomes of it, and so is its recording', async () => {
    const { market, desk, video, stateOf } = await opened();
    const { id } = await desk.prepareOffer(video, TERMS);
    expect(await stateOf()).toBe('ready');
    await desk.offers.send(id);
    expect(await stateOf()).toBe('offered');
    await becomes(desk, id, { state: 'submitted' });
    const [theirs] = market.offers.values();
    Object.assign(theirs ?? {}, { state: 'purchasePending' });
    await becomes(desk, id, { state: 'purchasePending' });
    expect(await stateOf()).toBe('offered');
    expect((await desk.state()).earned).toEqual({ settled: '0', pending: '5000000', owed: '0' });
    Object.assign(theirs ?? {}, { state: 'purchased' });
    await becomes(desk, id, { state: 'purchased' });
    expect((await desk.state()).earned).toEqual({ settled: '5000000', pending: '0', owed: '0' });
    await until(async () => expect(await stateOf()).toBe('sold'));
  });

  it('can be taken back: its recording is ready again', async () => {
    const { market, desk, video, stateOf } = await opened();
    const { id } = await desk.prepareOffer(video, TERMS);
    await desk.offers.send(id);
    await becomes(desk, id, { state: 'submitted' });
    await desk.offers.withdraw(id);
    expect(await desk.offers.get(id)).toMatchObject({ state: 'withdrawn' });
    expect(market.count('DELETE /offers/:id')).toBe(1);
    expect(await stateOf()).toBe('ready');
  });

  it('is not made, and does not leave, unless its recording is ready; nor twice', async () => {
    const { market, desk, video, path, file, recordings, stateOf } = await opened();
    const { id } = await desk.prepareOffer(video, TERMS);
    await writeFile(path, file);
    const other = await desk.prepareOffer(video, TERMS);
    for (const state of ['draft', 'scoring', 'waiting', 'rejected', 'offered', 'sold'] as const) {
      await recordings.setState(RECORDING, state);
      const why = { code: 'BAD_REQUEST', message: sentence(whyNotOffered(state) ?? '') };
      await expect(desk.mayOffer(RECORDING)).rejects.toMatchObject(why);
      await expect(desk.offers.send(id)).rejects.toMatchObject(why);
      expect(await stateOf()).toBe(state);
    }
    expect(market.asked).toEqual([]);
    await recordings.setState(RECORDING, 'ready');
    await desk.mayOffer(RECORDING);
    const sent = await Promise.allSettled([desk.offers.send(id), desk.offers.send(other.id)]);
    expect(sent.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    await becomes(desk, id, { state: 'submitted' });
    expect(market.count('POST /offers')).toBe(1);
  });

  it.each([
    ['prepared', 'offered', 'ready'],
    ['sending', 'ready', 'offered'],
    ['submitted', 'ready', 'offered'],
    ['withdrawn', 'offered', 'ready'],
    ['rejected', 'offered', 'ready'],
    ['purchased', 'offered', 'sold'],
    ['purchased', 'ready', 'sold'],
  ] as const)(
    'that was killed while «%s» and its recording «%s» leaves it «%s» at the next start',
    async (state, before, after) => {
      const { desk, start, video, recordings, store, stateOf } = await opened();
      const { id } = await desk.prepareOffer(video, TERMS);
      await desk.close();
      await store.changeOffer(id, { state });
      await recordings.setState(RECORDING, before);
      await start();
      expect(await stateOf()).toBe(after);
    },
  );

  it('that nobody knows of any more leaves its recording ready', async () => {
    const { desk, start, recordings, stateOf } = await opened();
    await desk.close();
    await recordings.setState(RECORDING, 'offered');
    await start();
    expect(await stateOf()).toBe('ready');
  });

  it('that is rejected can be appealed: a person of the market looks, and its recording is offered again', async () => {
    const { market, desk, video, stateOf } = await opened();
    const { id } = await desk.prepareOffer(video, TERMS);
    await expect(desk.offers.appeal(id, 'Look again.')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await desk.offers.send(id);
    await becomes(desk, id, { state: 'submitted', mayAppeal: false });
    const [theirs] = market.offers.values();
    Object.assign(theirs ?? {}, { state: 'rejected', score: 0.05 });
    await becomes(desk, id, { state: 'rejected', mayAppeal: true });
    await until(async () => expect(await stateOf()).toBe('ready'));
    await desk.offers.appeal(id, 'Look again.');
    expect(JSON.parse(String(market.asked.at(-1)?.body))).toEqual({ note: 'Look again.' });
    await becomes(desk, id, { state: 'review' });
    expect(await stateOf()).toBe('offered');
  });

  it('that is rejected is forgotten here, and deleted there; here also where nobody answers there', async () => {
    for (const isThere of [true, false]) {
      const { market, desk, video } = await opened();
      const { id } = await desk.prepareOffer(video, TERMS);
      await desk.offers.send(id);
      await becomes(desk, id, { state: 'submitted' });
      const [theirs] = market.offers.values();
      Object.assign(theirs ?? {}, { state: 'rejected' });
      await becomes(desk, id, { state: 'rejected' });
      if (!isThere) market.fail('DELETE /offers/:id', 'cut');
      await desk.offers.withdraw(id);
      expect(await desk.offers.list()).toEqual([]);
      expect(market.count('DELETE /offers/:id')).toBe(1);
    }
  });

  it('that the market refuses to begin with is over, says why, and leaves its recording ready', async () => {
    const { market, desk, video, stateOf } = await opened();
    market.fail('POST /offers', { status: 400, code: 'BAD_REQUEST', message: 'no boosted task «budget»' });
    const { id } = await desk.prepareOffer(video, TERMS);
    await desk.offers.send(id);
    const { error } = await becomes(desk, id, { state: 'rejected' });
    expect(error?.message).toContain('no boosted task «budget»');
    await until(async () => expect(await stateOf()).toBe('ready'));
    await desk.offers.withdraw(id);
    expect(await desk.offers.list()).toEqual([]);
  });

  it('has a file of its own: another one of its recording can be taken back', async () => {
    const { market, desk, video, path, file } = await opened();
    const { id } = await desk.prepareOffer(video, TERMS);
    await writeFile(path, randomBytes(20_000));
    const other = await desk.prepareOffer(video, TERMS);
    await desk.offers.withdraw(other.id);
    await desk.offers.send(id);
    await becomes(desk, id, { state: 'submitted' });
    expect(Buffer.concat([...market.uploads.values()].flat())).toEqual(file);
  });

  it('that the market wants to have again is in the log of what leaves again', async () => {
    const { market, desk, video, sendings, file } = await opened();
    const { id } = await desk.prepareOffer(video, TERMS);
    market.onOffer = (offer) => market.fail('PUT /offers/:id/bytes', JSON.stringify(offer), JSON.stringify(offer));
    await desk.offers.send(id);
    await becomes(desk, id, { state: 'submitted' });
    const sent = market.asked.filter(({ route }) => route === 'PUT /offers/:id/bytes');
    expect(sent).toHaveLength(3);
    expect(sendings.map(({ bytes }) => bytes)).toEqual([file.length, file.length, file.length]);
  });

  it('that a market wants again and again rests until a person goes on', async () => {
    const { market, desk, start, video, file, sendings } = await opened();
    const pieces = () => market.count('PUT /offers/:id/bytes');
    market.onOffer = (offer) => {
      market.fail('PUT /offers/:id/bytes', ...Array.from({ length: 6 }, () => JSON.stringify(offer)));
    };
    const { id } = await desk.prepareOffer(video, TERMS);
    await desk.offers.send(id);
    const { error } = await becomes(desk, id, { state: 'uploading', rests: true });
    expect(error?.message).toContain('wanted the video 3 times');
    await desk.close();
    const again = await start();
    await becomes(again, id, { state: 'uploading', rests: true });
    const looks = market.count('GET /offers');
    await until(() => expect(market.count('GET /offers')).toBeGreaterThan(looks + 1));
    expect(pieces()).toBe(3);
    expect(sendings.map(({ bytes }) => bytes)).toEqual(Array.from({ length: 3 }, () => file.length));
    await until(() => again.offers.send(id));
    await until(() => expect(pieces()).toBeGreaterThan(4));
    await becomes(again, id, { rests: true });
    market.faults.clear();
    await until(() => again.offers.send(id));
    await becomes(again, id, { state: 'submitted', rests: false, error: null });
  });

  it('that a market wants once more after all of it was there, and its file is deleted, says so', async () => {
    const { market, desk, video } = await opened();
    const { id } = await desk.prepareOffer(video, TERMS);
    await desk.offers.send(id);
    await becomes(desk, id, { state: 'submitted' });
    const [offer] = market.offers.values();
    await until(async () => {
      Object.assign(offer ?? {}, { state: 'uploading', nextByte: 0, score: null, price: null, changedAt: Date.now() });
      desk.offers.lookSoon();
      expect((await desk.offers.get(id)).state).toBe('uploading');
    });
    const { error } = await becomes(desk, id, { state: 'uploading', rests: true });
    expect(error?.message).toContain('the file that was sent is deleted');
  });

  it('that others offer already, as the market says, rests: it goes on when a person wants it, or is forgotten', async () => {
    const { market, desk, video, path, file, stateOf } = await opened();
    const taken = { status: 409, code: 'CONFLICT', message: 'offered already' } as const;
    market.fail('POST /offers', taken, taken);
    const { id } = await desk.prepareOffer(video, TERMS);
    await desk.offers.send(id);
    expect((await becomes(desk, id, { state: 'sending', rests: true })).error?.message).toContain('offered already');
    expect(await stateOf()).toBe('offered');
    await until(() => desk.offers.send(id));
    await becomes(desk, id, { state: 'sending', rests: true });
    await until(() => desk.offers.send(id));
    await becomes(desk, id, { state: 'submitted', rests: false });
    await desk.offers.withdraw(id);
    await until(async () => expect(await stateOf()).toBe('ready'));
    await writeFile(path, file);
    market.fail('POST /offers', taken);
    const other = await desk.prepareOffer(video, TERMS);
    await desk.offers.send(other.id);
    await becomes(desk, other.id, { state: 'sending', rests: true });
    await until(() => desk.offers.withdraw(other.id));
    expect(await stateOf()).toBe('ready');
    expect((await desk.offers.list()).map((one) => one.id)).toEqual([id]);
  });

  it.each([
    ['4000000', '5000000', null],
    ['5000000', '5000000', '5000000'],
    ['7', '1000000', '1000000'],
    [null, '5000000', '5000000'],
  ])('with the wish %s for which the market asks %s costs %s', async (wish, price, kept) => {
    const { market, desk, video } = await opened();
    const { id } = await desk.prepareOffer(video, { ...TERMS, wish });
    market.price = price;
    await desk.offers.send(id);
    const { error } = await becomes(desk, id, { state: 'submitted', price: kept });
    expect(error?.message ?? null).toEqual(kept === null ? expect.stringContaining('more than you wished') : null);
  });

  it('that is rejected says why', async () => {
    const { market, desk, video, stateOf } = await opened();
    const { id } = await desk.prepareOffer(video, TERMS);
    await desk.offers.send(id);
    await becomes(desk, id, { state: 'submitted' });
    const [theirs] = market.offers.values();
    Object.assign(theirs ?? {}, { state: 'rejected', reason: 'a film was watched' });
    await becomes(desk, id, { state: 'rejected', reason: 'a film was watched' });
    await until(async () => expect(await stateOf()).toBe('ready'));
  });
});

describe('what is owed back', () => {
  it('is paid once, after a person’s word, and told to the market, also by another life of the program', async () => {
    const { market, payments, desk, start, video } = await opened();
    const { id } = await desk.prepareOffer(video, TERMS);
    await desk.offers.send(id);
    await becomes(desk, id, { state: 'submitted' });
    const [theirs] = market.offers.values();
    const purchase = 'ab'.repeat(16);
    const paidIn = { block: 4, extrinsic: `0x${'33'.repeat(32)}` };
    const debt = { purchase, to: BUYER, amount: '5000000', paidIn };
    payments.foreign.push({ ...paidIn, from: BUYER, to: SELLER, amount: '5000000' });
    Object.assign(theirs ?? {}, { owed: [debt] });
    await becomes(desk, id, { owed: [{ purchase, to: BUYER, amount: '5000000', isPaying: false }] });
    payments.fate = 'waiting';
    const draft = await desk.draftRepayment(id, purchase);
    expect(draft).toMatchObject({ moves: '5000000', from: SELLER, action: { to: BUYER } });
    await desk.pay({ id: draft.id, password: 'sesame' }, never).next();
    await becomes(desk, id, { owed: [{ purchase, to: BUYER, amount: '5000000', isPaying: true }] });
    await expect(desk.draftRepayment(id, purchase)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await desk.close();
    payments.settle(1, 'done');
    const again = await start();
    await becomes(again, id, { owed: [] });
    expect(market.count('POST /offers/:id/owed/:id/settle')).toBe(1);
    expect(payments.signed).toHaveLength(1);
  });

  it('is not paid back where the chain does not tell of exactly that payment, nor twice for one payment', async () => {
    const { market, payments, desk, store, video } = await opened();
    const { id } = await desk.prepareOffer(video, TERMS);
    await desk.offers.send(id);
    await becomes(desk, id, { state: 'submitted' });
    const [theirs] = market.offers.values();
    const paidIn = { block: 4, extrinsic: `0x${'33'.repeat(32)}` };
    payments.foreign.push({ ...paidIn, from: BUYER, to: SELLER, amount: '5000000' });
    const debt = { purchase: 'ab'.repeat(16), to: BUYER, amount: '5000000', paidIn };
    const says = async (...owed: (typeof debt)[]) => {
      Object.assign(theirs ?? {}, { owed });
      await until(async () => expect(JSON.parse((await store.offer(id))?.owed ?? '')).toEqual(owed));
    };
    const drafted = () => desk.draftRepayment(id, debt.purchase);
    for (const lie of [{ to: MARKET_KEY }, { amount: '5000000000' }, { paidIn: { ...paidIn, block: 5 } }]) {
      await says({ ...debt, ...lie });
      await expect(drafted()).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    }
    const other = { ...debt, purchase: 'cd'.repeat(16) };
    await says(debt, other);
    await drafted();
    await expect(desk.draftRepayment(id, other.purchase)).rejects.toThrow('something else about this debt');
    const again = { block: 6, extrinsic: `0x${'55'.repeat(32)}` };
    payments.foreign.push({ ...again, from: BUYER, to: SELLER, amount: '5000000' });
    await says({ ...debt, paidIn: again });
    await expect(drafted()).rejects.toThrow('something else about this debt');
    expect(payments.drafts.size).toBe(1);
  });
});
