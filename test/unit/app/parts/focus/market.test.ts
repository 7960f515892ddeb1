import pino from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import type { Core } from '../../../../../src-main/app/parts/core.ts';
import { type MarketNeeds, openMarket } from '../../../../../src-main/app/parts/focus/market.ts';
import { Changes } from '../../../../../src-main/base/changes.ts';
import { MarketStore } from '../../../../../src-main/store/market/focus-market.ts';
import { testSigner } from '../../../../support/bittensor-signer.ts';
import { listedOffer } from '../../../../support/market-sales.ts';
import { memoryDatabase } from '../../../../support/memory-database.ts';
import { temporaryFolder } from '../../../../support/quarry-process.ts';

const JUDGE = { baseUrl: 'http://127.0.0.1:9/v1', model: 'looks-7b' };

/** A part over settings that change when the test says so. */
async function open(scorer: object, more: Partial<MarketNeeds> = {}) {
  const folder = await temporaryFolder();
  const db = await memoryDatabase();
  const { address } = await testSigner('//Market');
  const closing: (() => unknown)[] = [() => folder.remove(), () => db.destroy()];
  onTestFinished(async () => {
    for (const close of closing.reverse()) await close();
  });
  const market = { enabled: true, host: '127.0.0.1', port: 0, behindProxy: false, pool: 1, share: 1, trusted: [] };
  const set: Record<string, unknown> = {
    market: { ...market, videoBytes: 1e8, diskBudget: 1e9, keepDays: 7 },
    'market.enabled': true,
    validator: { wallet: 'main', hotkey: 'default' },
    'focus.scorer': scorer,
  };
  const heeded: ((enabled: boolean) => void)[] = [];
  const follow = (name: string) => ({
    get now() {
      return set[name];
    },
    whenSet: (heed: (enabled: boolean) => void) => void heeded.push(heed),
  });
  const core = {
    ...{ db, config: { dataDir: folder.path }, ports: {}, settings: { follow }, changes: new Changes() },
    ...{ log: pino({ level: 'silent' }), until: () => new AbortController().signal },
    onClose: (close: () => unknown) => void closing.push(close),
  } as unknown as Core;
  const needs = {
    ...{ chain: {}, boosted: {}, show: () => undefined, stays: true },
    wallet: { wallets: async () => ({ find: async () => ({ address }) }) },
    ...more,
  } as unknown as MarketNeeds;
  const part = await openMarket(core, needs);
  const enable = async (enabled: boolean) => {
    for (const heed of heeded) heed(enabled);
    await expect.poll(async () => (await part.state()).running).toBe(enabled);
  };
  return { part, set, enable, store: new MarketStore(db) };
}

it('says whether the market that is open scores: a model that is named later does once it is opened anew', async () => {
  const { part, set, enable } = await open({});
  expect(await part.state()).toMatchObject({ running: true, scores: false });
  set['focus.scorer'] = JUDGE;
  expect(await part.state()).toMatchObject({ running: true, scores: false });
  await enable(false);
  expect(await part.state()).toMatchObject({ running: false, scores: false });
  await enable(true);
  expect(await part.state()).toMatchObject({ running: true, scores: true });
  set['focus.scorer'] = {};
  expect(await part.state()).toMatchObject({ running: true, scores: true });
});

it('what waits for a person is played until somebody has decided, and only as long as whoever asked is logged in', async () => {
  const shown: (() => boolean)[] = [];
  const show: MarketNeeds['show'] = (path, lasts) => {
    shown.push(lasts);
    return { path, expiresAt: 1 };
  };
  const { part, store } = await open({}, { show });
  const id = 'ab'.repeat(16);
  await store.change((change) => change.addOffer(listedOffer(id, { state: 'review' })));
  const login = { ended: false };
  await part.video(id, () => !login.ended);
  await part.video(id);
  const lasting = () => shown.map((lasts) => lasts());
  expect(lasting()).toEqual([true, true]);
  login.ended = true;
  expect(lasting()).toEqual([false, true]);
  await part.judge(id, { accept: true, score: 0.5, reason: '' });
  expect(lasting()).toEqual([false, false]);
});
