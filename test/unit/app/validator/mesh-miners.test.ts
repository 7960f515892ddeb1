import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type MeshAsking, meshMiners } from '../../../../src-main/app/validator/miners/mesh-miners.ts';
import { MeshClient } from '../../../../src-main/mesh/asking/client.ts';
import { CLIPS_CAP, type ClipQuestion } from '../../../../src-main/mesh/inference/clip-messages.ts';
import { handInText } from '../../../../src-main/subnets/omega/clips/synapse/mesh-clips.ts';
import type { ClipWorker } from '../../../../src-main/subnets/omega/clips/synapse/serve-clips.ts';
import { NotReached } from '../../../../src-main/validation/run/miner.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { honestClip, honestSound, soundsText, videosText } from '../../../support/handed-in.ts';
import { MemoryClientCredits } from '../../../support/memory-credits.ts';
import { randomIdentity, testLog } from '../../../support/mesh-node.ts';
import { passing } from '../../../support/passing.ts';
import { WirelessNetwork, WirelessPeer } from '../../../support/wireless-peer.ts';
import { LIES, type Manner, WirelessWorker } from '../../../support/wireless-worker.ts';

const closing: (() => void | Promise<void>)[] = [];
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  vi.useRealTimers();
});

const ASKED = { topic: 'owls', count: 8, asker: 'v', signal: new AbortController().signal };
const handing = (
  ...[videos, sounds]: [Awaited<ReturnType<ClipWorker['videos']>>, Awaited<ReturnType<ClipWorker['sounds']>>]
) => ({
  videos: async () => videos,
  sounds: async () => sounds,
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

it('a worker takes no bare tokens, and one that has not said so hands in no clips: no fault of its own', async () => {
  const { worker, client } = minerOf('honest');
  const probe = { prompt: [11], length: 2, captureAt: 1 };
  const wanted = { of: 'videos', topic: 'owls', count: 8 } as const;
  for (const ask of [{ kind: 'tokens', probe } as const, { kind: 'clips', wanted } as const]) {
    const question = { id: 'q', prompt: '', ask, maxTokens: 1, timeoutMs: 1_000, signal: new AbortController().signal };
    await expect(meshMiners(client)[0]?.ask(question)).rejects.toBeInstanceOf(NotReached);
  }
  expect(worker.sent.filter(({ type }) => type !== 'terms')).toEqual([]);
});

describe('a worker that hands in clips', () => {
  /** It has no model in memory, and says what a test has it say. */
  function clipMiner() {
    const [wireless, worker, identity] = [new WirelessNetwork(), clipPeer(), randomIdentity()];
    wireless.join(worker);
    const credits = new MemoryClientCredits(identity);
    const client = new MeshClient({ network: wireless.network, identity, credits, log: testLog });
    client.open();
    closing.push(() => passing(client.close()));
    const [miner] = meshMiners(client);
    const ended = new AbortController();
    const told: string[] = [];
    const ask = (of: 'videos' | 'sounds', timeoutMs = 600_000) => {
      const wanted = { of, topic: 'owls', count: 8 } as const;
      const question = { id: 'q', prompt: 'owls', ask: { kind: 'clips', wanted } as const, maxTokens: 1 };
      const onFirstByte = () => told.push('first byte');
      const came = miner!.ask({ ...question, timeoutMs, signal: ended.signal, onFirstByte });
      const [asked] = worker.sent.filter(({ type }) => type === 'clip-question').slice(-1) as ClipQuestion[];
      return { came: came.catch((error: unknown) => error), requestId: asked?.requestId ?? '' };
    };
    const answer = (requestId: string, text: string) => {
      worker.say({ v: 2, type: 'clip-piece', requestId, seq: 0, text });
      worker.say({ v: 2, type: 'clip-end', requestId, pieces: 1 });
    };
    return { miner, worker, ask, answer, ended, told };
  }
  const clipPeer = () => new WirelessPeer(randomIdentity().id, ['worker'], [CLIPS_CAP]);

  it('is judged by the same text as on an axon', async () => {
    const { ask, answer, told } = clipMiner();
    const [clips, sounds] = [[honestClip('owls night:1'), honestClip('owls day:2')], [honestSound('owls:3')]];
    const videos = ask('videos');
    answer(videos.requestId, await handInText(handing(clips, []), { of: 'videos', ...ASKED }));
    expect(await videos.came).toBe(videosText(clips));
    const heard = ask('sounds');
    answer(heard.requestId, await handInText(handing([], sounds), { of: 'sounds', ...ASKED }));
    expect(await heard.came).toBe(soundsText(sounds));
    expect(told).toEqual(['first byte', 'first byte']);
  });

  it('is asked in words only while it is ready for that', async () => {
    const { miner, worker } = clipMiner();
    const question = { id: 'q', prompt: 'hello', ask: { kind: 'text' } as const, maxTokens: 10, timeoutMs: 1_000 };
    const asked = miner?.ask({ ...question, signal: new AbortController().signal });
    await expect(asked).rejects.toBeInstanceOf(NotReached);
    expect(worker.sent).toEqual([]);
  });

  it('was reached whatever keeps it from answering, but not where this node gave it up', async () => {
    const { ask, worker, ended } = clipMiner();
    const refused = ask('videos');
    const no = { code: 'BAD_REQUEST', message: 'Only to others.', retry: false } as const;
    worker.say({ v: 2, type: 'inference_error', requestId: refused.requestId, ...no });
    expect(await refused.came).toMatchObject({ code: 'BAD_REQUEST', message: 'Only to others.' });
    expect(await refused.came).not.toBeInstanceOf(NotReached);
    const silent = ask('videos', 1_000);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await silent.came).toMatchObject({ code: 'DEADLINE' });
    expect(await silent.came).not.toBeInstanceOf(NotReached);
    const given = ask('videos');
    ended.abort();
    expect(await given.came).toBeInstanceOf(NotReached);
  });
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
  const [miner] = meshMiners(client as unknown as MeshAsking);
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
