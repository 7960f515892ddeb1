import { afterEach, describe, expect, it } from 'vitest';
import type { AnswerEvent } from '../../../../src-main/inference/backend.ts';
import { MeshClient } from '../../../../src-main/mesh/asking/client.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { openCreditNode, serveTo } from '../../../support/credit-nodes.ts';
import { testLog } from '../../../support/mesh-node.ts';
import { WirelessNetwork } from '../../../support/wireless-peer.ts';
import { type Manner, WirelessWorker } from '../../../support/wireless-worker.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A client on its real books, and workers of these manners. The first should owe it so much. */
async function openMesh(manners: Manner[], owed = 0) {
  const node = await openCreditNode(1, { clock: { now: Date.now() } });
  const wireless = new WirelessNetwork();
  const client = new MeshClient({
    network: wireless.network,
    identity: node.identity,
    credits: node.book.client,
    patience: { stallMs: 50 },
    random: () => 0,
    log: testLog,
  });
  closers.push(
    () => node.close(),
    () => client.close(),
  );
  client.open();
  const workers = manners.map((manner) => new WirelessWorker(manner));
  for (const [place, worker] of workers.entries()) {
    closers.push(() => worker.close());
    if (place === 0 && owed > 0) {
      await serveTo(node, worker.identity, owed);
      worker.funds = 'claim';
    }
    wireless.join(worker);
    worker.beat();
  }

  /** Asks for one answer. @param stopAt type of the event at which it is no longer wanted */
  const ask = async (stopAt?: AnswerEvent['type']) => {
    const events: AnswerEvent[] = [];
    const stop = new AbortController();
    let code: string | undefined;
    try {
      const options = { deadlineMs: 60_000, signal: stop.signal };
      for await (const event of client.generate({ input: { prompt: 'x' }, maxTokens: 200 }, options)) {
        events.push(event);
        if (event.type === stopAt) stop.abort();
      }
    } catch (error) {
      ({ code } = QuarryError.from(error));
    }
    return { events, paid: events.filter(({ type }) => type === 'paid'), code };
  };
  return { workers: workers.map(({ peer }) => peer.id), ask, spent: async () => (await node.book.summary()).spent };
}

describe('what an answer cost is told', () => {
  it.each([
    ['gift', 0],
    ['claim', 9],
  ] as const)('before its end, with what it was paid from: %s', async (from, owed) => {
    const { ask, workers, spent } = await openMesh(['honest'], owed);
    const { events, paid } = await ask();
    expect(paid).toEqual([{ type: 'paid', worker: workers[0], credits: 2, from }]);
    expect(events.slice(-2).map(({ type }) => type)).toEqual(['paid', 'done']);
    expect(await spent()).toBe(2);
  });

  it('of one that was stopped: what had been signed for', async () => {
    const { ask, workers, spent } = await openMesh(['stalls in the middle']);
    const { paid, code } = await ask('chunk');
    expect(code).toBe('CANCELLED');
    expect(paid).toEqual([{ type: 'paid', worker: workers[0], credits: await spent(), from: 'gift' }]);
    expect(await spent()).toBeGreaterThan(0);
  });

  it('of every worker, where one did not finish', async () => {
    const { ask, workers, spent } = await openMesh(['stalls in the middle', 'honest'], 9);
    const { events, paid } = await ask();
    expect(events.map(({ type }) => type).filter((type) => type !== 'worker' && type !== 'queued')).toEqual([
      'chunk',
      'paid',
      'restart',
      'chunk',
      'paid',
      'done',
    ]);
    expect(paid).toMatchObject(workers.map((worker, place) => ({ worker, from: place === 0 ? 'claim' : 'gift' })));
    expect(paid.reduce((sum, event) => sum + (event.type === 'paid' ? event.credits : 0), 0)).toBe(await spent());
  });
});

it('nothing is told of a request that cost nothing', async () => {
  const { ask, spent } = await openMesh(['accepts and is silent']);
  const { paid, code } = await ask('queued');
  expect([code, paid, await spent()]).toEqual(['CANCELLED', [], 0]);
});
