import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lostTimes, openEarning } from '../../../../../src-main/app/parts/node/earning.ts';
import { loadConfig } from '../../../../../src-main/settings/config.ts';
import { ActivityStore } from '../../../../../src-main/store/activity.ts';
import type { CatalogueModel, LocalModel } from '../../../../../src-preload/contract/models.ts';
import { type CreditNode, openCreditNode, signedReceipt, testIdentity } from '../../../../support/credit-nodes.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Noon and midnight where the machine stands. */
const NOW = new Date(2026, 10, 20, 12).getTime();
const MIDNIGHT = new Date(2026, 10, 20).getTime();

let node: CreditNode;
beforeEach(async () => {
  node = await openCreditNode(1, { clock: { now: NOW } });
});
afterEach(() => node.close());

const fit = (tokensPerSecond: number, runs = 'gpu') => ({
  runs,
  speed: { class: 'fast', tokensPerSecond, low: tokensPerSecond, high: tokensPerSecond, measured: true },
});
const CATALOGUE = [
  { name: 'tiny', use: 'chat', fit: fit(40) },
  { name: 'twice', use: 'code', fit: fit(80) },
  { name: 'embedder', use: 'embedding', fit: fit(900) },
  { name: 'giant', use: 'chat', fit: fit(1, 'no') },
] as unknown as CatalogueModel[];

function earning() {
  const list = async () => [{ name: 'tiny' }, { name: 'imported' }] as LocalModel[];
  const models = { desk: { list, catalogue: async () => CATALOGUE } };
  const config = loadConfig({ env: {} });
  return openEarning({ db: node.db, config }, { credits: node.book, models, now: () => NOW });
}

/** Minutes of serving, each with an answer of 6 points, that end so many days ago. */
async function served(model: string, minutes: number, daysAgo: number): Promise<void> {
  const store = new ActivityStore(node.db);
  for (let index = 1; index <= minutes; index++) {
    const at = NOW - daysAgo * 24 * HOUR - index * MINUTE;
    const whole = { on_ms: MINUTE, serving_ms: MINUTE };
    await store.add({ at, model, seen: at + MINUTE, ...whole, tokens: 100, answers: 1, points: 6, busy: 0, joules: 0 });
  }
}

describe('what today has brought', () => {
  it('has nothing to say on a new node', async () => {
    expect(await earning().today()).toMatchObject({
      since: MIDNIGHT,
      earned: 0,
      waiting: { answers: 0, points: 0 },
      asked: 0,
      reasons: [],
    });
    expect((await earning().today()).pointsPerHour).toBeUndefined();
    expect(await earning().forecasts()).toEqual([]);
  });

  it('tells what was missed, of this day alone', async () => {
    const store = new ActivityStore(node.db);
    await served('tiny', 120, 2); // 6 points a minute
    const gap = { kind: 'paused', rule: 'user' } as const;
    await store.begin({ ...gap, began: MIDNIGHT - HOUR, ended: MIDNIGHT + 10 * MINUTE });
    await store.begin({ ...gap, began: MIDNIGHT + HOUR, ended: MIDNIGHT + HOUR + 5 * MINUTE });
    await store.begin({ kind: 'alone', rule: null, began: NOW - 3 * MINUTE, ended: null });
    await store.begin({
      kind: 'refusing',
      rule: null,
      began: MIDNIGHT + 2 * HOUR,
      ended: MIDNIGHT + 2 * HOUR + 7 * MINUTE,
    });
    const late = { processingMs: 5_500, servedAt: NOW };
    await node.book.worker.settle(signedReceipt(node.identity, testIdentity(2), late));
    const today = await earning().today();
    expect(today).toMatchObject({ earned: 10, asked: 1, pointsPerHour: 360 });
    expect(today.reasons.map(({ kind, points, ms }) => [kind, points, ms])).toEqual([
      ['paused', 90, 15 * MINUTE],
      ['refusing', 42, 7 * MINUTE],
      ['alone', 18, 3 * MINUTE],
      ['slow', 2, undefined],
    ]);
  });

  it('adds up what was lost by kind and rule, and only within the day', () => {
    const gap = (began: number, ended: number | null, rule: 'user' | 'heat') => ({
      began,
      ended,
      kind: 'paused' as const,
      rule,
    });
    const gaps = [gap(-50, 20, 'user'), gap(30, 40, 'heat'), gap(60, 70, 'user'), gap(95, null, 'heat')];
    expect(lostTimes(gaps, 0, 100)).toEqual([
      { kind: 'paused', rule: 'user', ms: 30 },
      { kind: 'paused', rule: 'heat', ms: 15 },
    ]);
  });
});

describe('forecasts', () => {
  it('are of models that answer questions and run here, by what they have brought or by their speed', async () => {
    await served('tiny', 120, 1);
    await served('imported', 60, 3);
    for (let count = 0; count < 10; count++) {
      const late = { processingMs: 1_500, servedAt: NOW };
      await node.book.worker.settle(signedReceipt(node.identity, testIdentity(10 + count), late));
    }
    const forecasts = await earning().forecasts();
    expect(forecasts.map(({ model, basis, assumes }) => [model, basis, assumes.pointsPerAnswer])).toEqual([
      ['tiny', 'receipts', 6],
      ['imported', 'receipts', 6],
      ['twice', 'estimate', 9],
    ]);
  });
});
