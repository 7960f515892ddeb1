import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sha256 } from '../../../../../src-main/base/sha256.ts';
import type { Channel } from '../../../../../src-main/learning/training/remote/channel.ts';
import { CHUNK_BYTES } from '../../../../../src-main/learning/training/remote/limits.ts';
import { RemoteTrainer } from '../../../../../src-main/learning/training/remote/remote-trainer.ts';
import { samplesToBytes } from '../../../../../src-main/learning/training/remote/sample-bytes.ts';
import { Wire } from '../../../../support/learning/channel-pair.ts';
import { MODEL, RemoteWorld, SETTINGS, sampleOf } from '../../../../support/learning/remote-world.ts';
import { PATIENCE_MS } from '../../../../support/patience.ts';
import { until } from '../../../../support/until.ts';

interface Heard {
  type: string;
  n: number;
  at: number;
  samples: { id: number };
}

const OPENED = { type: 'opened', n: 0, memory: 1, one: Array(6).fill(0), two: Array(6).fill(0) };
const BYTES = Buffer.alloc(40 * CHUNK_BYTES);
/** Bytes a second. */
const FAST = 2 ** 30;
const SAVED = {
  type: 'saved',
  n: 1,
  files: [{ name: 'adapter.gguf', blob: { id: 1, size: BYTES.length, sha256: sha256(BYTES).toString('hex') } }],
};

const trainers: RemoteTrainer[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const trainer of trainers.splice(0)) await trainer.close();
});

/** One that another node trains for, which says what the test says once it has opened it. */
async function trainedBy(
  host: (channel: Channel, heard: Heard) => void,
  { answerMs = 100, opened = OPENED, leastRate }: { answerMs?: number; opened?: object; leastRate?: number } = {},
): Promise<RemoteTrainer> {
  const wire = new Wire((channel) => {
    channel.onMessage((message) => {
      const heard = message as Heard;
      if (heard.type === 'open') channel.send(opened);
      else host(channel, heard);
    });
  });
  const dial = () => wire.dial();
  const how = { check: async () => undefined, mostBytes: async () => 2 ** 30, returnMs: PATIENCE_MS };
  const trainer = new RemoteTrainer({ name: 'PC', dial, sha256: async () => MODEL, answerMs, leastRate, ...how });
  trainers.push(trainer);
  await trainer.open({ modelPath: 'm', settings: SETTINGS });
  return trainer;
}

const LOST = { code: 'WORKER_LOST', retryable: true };

describe('a node that trains for another one', () => {
  it('and does not answer is not waited for without end: the run can go on elsewhere', async () => {
    const trainer = await trainedBy(() => undefined);
    await expect(trainer.step([sampleOf(2, 2)])).rejects.toMatchObject(LOST);
    await expect(trainer.save('anywhere')).rejects.toMatchObject(LOST);
  });

  it('and does not even open one is not waited for without end', async () => {
    await using world = await RemoteWorld.open();
    world.wire.between = ({ from, message }) => (from === 'host' ? undefined : message);
    const opening = world.trainer({ answerMs: 100 }).open({ modelPath: 'm', settings: SETTINGS });
    await expect(opening).rejects.toMatchObject(LOST);
  });

  it('and reads the same samples over and over has not got on', async () => {
    const trainer = await trainedBy((channel, { type, samples }) => {
      if (type === 'step') channel.send({ type: 'read', blob: samples.id, at: 0 });
      if (type === 'bytes') setTimeout(() => channel.send({ type: 'read', blob: 1, at: 0 }), 1);
    });
    await expect(trainer.step([sampleOf(2, 2)])).rejects.toMatchObject(LOST);
  });

  it('and answers what was asked before over and over has not got on', async () => {
    const trainer = await trainedBy((channel, { type }) => {
      if (type !== 'step') return;
      const again = setInterval(() => channel.send(OPENED), 1);
      channel.onClose(() => clearInterval(again));
    });
    await expect(trainer.step([sampleOf(2, 2)])).rejects.toMatchObject(LOST);
  });

  it('and comes and goes has not got on', async () => {
    const trainer = await trainedBy((channel, { type }) => {
      if (type === 'resume') channel.send({ type: 'resumed' });
      setTimeout(() => channel.close(), 1);
    });
    await expect(trainer.step([sampleOf(2, 2)])).rejects.toMatchObject(LOST);
  });

  it('and comes and goes while it is to hand over what it saved has not got on', async () => {
    const trainer = await trainedBy((channel, { type }) => {
      if (type === 'save') channel.send(SAVED);
      if (type === 'resume') channel.send({ type: 'resumed' });
      if (type === 'read') setTimeout(() => channel.close(), 1);
    });
    await expect(trainer.save('anywhere')).rejects.toMatchObject(LOST);
  });

  it('and drips what it saved is not waited for as long as it likes', async () => {
    await using world = await RemoteWorld.open(); // for its folder
    let dripping = Promise.resolve();
    const drip = async (channel: Channel, at: number) => {
      await pause(30);
      const data = BYTES.subarray(at, at + CHUNK_BYTES).toString('base64');
      channel.send({ type: 'bytes', blob: 1, at, data });
    };
    const trainer = await trainedBy(
      (channel, { type, at }) => {
        if (type === 'save') channel.send(SAVED);
        if (type === 'read') dripping = dripping.then(() => drip(channel, at));
      },
      { answerMs: 600, leastRate: FAST },
    );
    await expect(trainer.save(join(world.folder, 'saved'))).rejects.toMatchObject(LOST);
  });

  it('and drips as it reads what it is to learn from is not waited for as long as it likes', async () => {
    let at = 0;
    const trainer = await trainedBy(
      (channel, { type, samples }) => {
        if (type === 'step') channel.send({ type: 'read', blob: samples.id, at });
        if (type !== 'bytes') return;
        at += CHUNK_BYTES;
        setTimeout(() => channel.send({ type: 'read', blob: 1, at }), 30);
      },
      { answerMs: 600, leastRate: FAST },
    );
    const many = Array.from({ length: 60 }, () => sampleOf(12, 500));
    await expect(trainer.step(many)).rejects.toMatchObject(LOST);
    expect(at).toBeLessThan((await samplesToBytes(many)).length - CHUNK_BYTES);
  });

  it.each(['save', 'read'])(
    'and hangs when it is told to %s is left at once where that is not wanted any more',
    async (at) => {
      await using world = await RemoteWorld.open(); // for its folder
      const stop = new AbortController();
      const trainer = await trainedBy(
        (channel, { type }) => {
          if (type === 'save' && at !== 'save') channel.send(SAVED);
          if (type === at) stop.abort(new Error('forgotten'));
        },
        { answerMs: PATIENCE_MS },
      );
      const saved = join(world.folder, 'saved');
      await expect(trainer.save(saved, stop.signal)).rejects.toThrow('forgotten');
      await trainer.close();
      expect(await readdir(world.folder)).toEqual([]);
    },
  );

  it('is given time as long as it gets on', async () => {
    const many = Array.from({ length: 40 }, () => sampleOf(12, 500));
    await using world = await RemoteWorld.open();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }); // how slow a disk is counts for nothing
    let ms = 0;
    world.wire.between = ({ from, message }) => {
      if (from === 'host' && message.type === 'read') {
        ms += 15;
        vi.advanceTimersByTime(15);
      }
      return message;
    };
    const { remote, local } = await world.opened({ answerMs: 400 });
    await remote.step(many);
    expect(ms).toBeGreaterThan(400);
    await remote.save(join(world.folder, 'saved'));
    expect(local.steps).toHaveLength(1);
  });

  it('is given longer for what it says takes it longer', async () => {
    await using world = await RemoteWorld.open();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { remote, local } = await world.opened({ answerMs: 400 });
    local.gate = new Promise((resolve) => setTimeout(resolve, 800));
    const step = remote.step([sampleOf(2, 2)]);
    await until(() => expect(world.wire.said.at(-1)?.message.type).toBe('bytes'));
    vi.advanceTimersByTime(800);
    await step;
    expect(local.steps).toHaveLength(1);
  });

  it('is waited for as long as it would itself wait for its own trainer', async () => {
    const each = Array(6).fill(0.02);
    const trainer = await trainedBy(() => undefined, { opened: { ...OPENED, one: each, two: each } });
    const begun = performance.now();
    await expect(trainer.step([sampleOf(2, 2)])).rejects.toMatchObject(LOST);
    expect(performance.now() - begun).toBeGreaterThan(100 + 30 * 20 - 10);
  });
});
