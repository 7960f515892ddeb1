import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { meshMiners } from '../../../../src-main/app/validator/miners/mesh-miners.ts';
import { MeshClient } from '../../../../src-main/mesh/asking/client.ts';
import { NotReached } from '../../../../src-main/validation/run/miner.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { MemoryClientCredits } from '../../../support/memory-credits.ts';
import { randomIdentity, testLog } from '../../../support/mesh-node.ts';
import { passing } from '../../../support/passing.ts';
import { WirelessNetwork } from '../../../support/wireless-peer.ts';
import { LIES, type Manner, WirelessWorker } from '../../../support/wireless-worker.ts';

const closing: (() => void | Promise<void>)[] = [];
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  vi.useRealTimers();
});

/** A worker of the mesh, as the miner that it is for a validator. */
function minerOf(manner: Manner) {
  const [wireless, worker, identity] = [new WirelessNetwork(), new WirelessWorker(manner), randomIdentity()];
  wireless.join(worker);
  const credits = new MemoryClientCredits(identity);
  const client = new MeshClient({ network: wireless.network, identity, credits, log: testLog });
  client.open();
  worker.beat();
  closing.push(
    () => worker.close(),
    () => passing(client.close()),
  );
  const [miner] = meshMiners(client);
  const question = {
    id: 'q',
    prompt: 'hello',
    ask: { kind: 'text' },
    maxTokens: 10,
    timeoutMs: 600_000,
    signal: new AbortController().signal,
  } as const;
  const ask = () => passing(miner!.ask(question).catch((error: unknown) => error));
  return { ask, worker, wireless, client };
}

it('a worker takes no bare tokens and hands in no clips, and that is no fault of its own', async () => {
  const { worker, client } = minerOf('honest');
  const probe = { prompt: [11], length: 2, captureAt: 1 };
  const wanted = { of: 'videos', topic: 'owls', count: 8 } as const;
  for (const ask of [{ kind: 'tokens', probe } as const, { kind: 'clips', wanted } as const]) {
    const question = { id: 'q', prompt: '', ask, maxTokens: 1, timeoutMs: 1_000, signal: new AbortController().signal };
    await expect(meshMiners(client)[0]?.ask(question)).rejects.toBeInstanceOf(NotReached);
  }
  expect(worker.prompts).toBe(0);
});

it('who serves is asked alone, and answers', async () => {
  const { ask, worker } = minerOf('honest');
  expect(await ask()).toBe('An answer.');
  expect(worker.prompts).toBe(1);
});

it.each(LIES)('who has got the question was reached, whatever it says then: %s', async (manner) => {
  const { ask, worker } = minerOf(manner);
  expect(await ask()).not.toBeInstanceOf(NotReached);
  expect(worker.prompts).toBeGreaterThan(0);
});

it('who says when it may be asked again has that passed on', async () => {
  const failure = new QuarryError({ code: 'RATE_LIMIT', message: 'Later.', retryable: true, retryAfterMs: 20_000 });
  const client = {
    workers: () => [{ id: 'w', status: { ready: true, models: [] } }] as unknown as ReturnType<MeshClient['workers']>,
    // biome-ignore lint/correctness/useYield: it refuses
    async *generate(_: unknown, { onSent }: { onSent?: () => void } = {}) {
      onSent?.();
      throw failure;
    },
  };
  const [miner] = meshMiners(client as Pick<MeshClient, 'generate' | 'workers'>);
  const question = {
    id: 'q',
    prompt: 'hello',
    ask: { kind: 'text' },
    maxTokens: 10,
    timeoutMs: 600_000,
    signal: new AbortController().signal,
  } as const;
  await expect(miner!.ask(question)).rejects.toBe(failure);
});

it('who has left was not reached, and whom this node itself gave up tells nothing', async () => {
  const { ask, worker, client } = minerOf('says nothing at all');
  const given = ask();
  await vi.advanceTimersByTimeAsync(100);
  expect(worker.prompts).toBe(1);
  await passing(client.close());
  expect(await given).toBeInstanceOf(NotReached);
  const other = minerOf('honest');
  other.wireless.leave(other.worker);
  expect(await other.ask()).toBeInstanceOf(NotReached);
  expect(other.worker.prompts).toBe(0);
});
