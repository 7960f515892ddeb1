import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ADAPTER_FILES } from '../../../../../src-main/learning/training/remote/messages.ts';
import type { Said } from '../../../../support/learning/channel-pair.ts';
import { filesIn, RemoteWorld, SETTINGS, sampleOf } from '../../../../support/learning/remote-world.ts';
import { until } from '../../../../support/until.ts';

afterEach(() => void vi.useRealTimers());

const sorted = (files: Map<string, Buffer>) => [...files].sort(([one], [other]) => (one < other ? -1 : 1));

/** Cuts the connection off after so many messages, and lets it come back. */
function cutAfter(world: RemoteWorld, messages: number, isCounted: (said: Said) => boolean = () => true): void {
  let left = messages;
  world.wire.between = (said) => {
    if (isCounted(said) && left-- === 0) world.wire.cut();
    return said.message;
  };
}

describe('training on another node that is cut off', () => {
  it.each([1, 2, 3, 5, 8, 13, 21, 34, 55, 60])('after %i messages goes on where it was', async (messages) => {
    await using world = await RemoteWorld.open();
    const from = join(world.folder, 'version');
    await mkdir(from);
    for (const name of ADAPTER_FILES) await writeFile(join(from, name), `${name} `.repeat(5_000));
    const remote = world.trainer();
    cutAfter(world, messages);
    await remote.open({ modelPath: 'm', from, settings: SETTINGS });
    const samples = [sampleOf(30, 20, 20)];
    await remote.step(samples);
    await remote.step(samples);
    const saved = join(world.folder, 'saved');
    await remote.save(saved);
    expect(await remote.score({ prompt: [1], response: [3] })).toEqual([-1]);
    const [local, ...more] = world.trainers;
    expect(more).toEqual([]);
    expect(sorted(local?.from ?? new Map())).toEqual(sorted(await filesIn(from)));
    expect(local?.steps, 'each step once').toEqual([samples, samples]);
    expect(sorted(await filesIn(saved))).toEqual(sorted(local?.saved ?? new Map()));
    expect(world.wire.said.filter(({ message: { type } }) => type === 'resume')).toHaveLength(1);
  });

  it('while a step is computed has its figures when it comes back', async () => {
    await using world = await RemoteWorld.open();
    const { remote, local } = await world.opened();
    const gate = Promise.withResolvers<void>();
    local.gate = gate.promise;
    const step = remote.step([sampleOf(2, 2)]);
    await until(() => expect(world.wire.said.at(-1)?.message.type).toBe('bytes'));
    world.wire.isUp = false;
    world.wire.cut();
    gate.resolve();
    await until(() => expect(local.steps).toHaveLength(1));
    world.wire.isUp = true;
    expect(await step).toMatchObject({ loss: 1 });
    expect(local.steps).toHaveLength(1);
  });

  it('for longer fails so that it can be tried again, writes nothing, and frees the memory there', async () => {
    await using world = await RemoteWorld.open({ patience: { holdMs: 5 } });
    const { remote, local } = await world.opened({ returnMs: 5 });
    cutAfter(world, 2, ({ message: { type } }) => type === 'bytes');
    const { between } = world.wire;
    world.wire.between = (said) => {
      const comes = between(said);
      if (world.wire.open === 0) world.wire.isUp = false;
      return comes;
    };
    const saving = remote.save(join(world.folder, 'saved'));
    await expect(saving).rejects.toMatchObject({ code: 'WORKER_LOST', retryable: true });
    await expect(remote.step([sampleOf(2, 2)])).rejects.toMatchObject({ code: 'WORKER_LOST', retryable: true });
    await until(() => expect(world.host.trainsFor).toBeUndefined());
    expect(local.closed).toBe(true);
    expect(await world.left()).toEqual([]);
    expect(await readdir(world.folder)).toEqual(['host']);
  });

  it('and comes back to a node that has forgotten it fails at once', async () => {
    await using world = await RemoteWorld.open({ patience: { holdMs: 5 } });
    const { remote } = await world.opened();
    world.wire.isUp = false;
    world.wire.cut();
    await until(() => expect(world.host.trainsFor).toBeUndefined());
    world.wire.isUp = true;
    await expect(remote.step([sampleOf(2, 2)])).rejects.toMatchObject({ code: 'WORKER_LOST', retryable: true });
  });

  it('for good, because they are no pair any more, is over on both sides at once', async () => {
    await using world = await RemoteWorld.open();
    const { remote, local } = await world.opened();
    local.gate = new Promise(() => undefined);
    const step = remote.step([sampleOf(2, 2)]);
    await until(() => expect(world.wire.said.at(-1)?.message.type).toBe('bytes'));
    world.wire.cut(true);
    await expect(step).rejects.toMatchObject({ code: 'WORKER_LOST' });
    await until(() => expect(world.host.trainsFor).toBeUndefined());
    expect(local.closed).toBe(true);
    expect(await world.left()).toEqual([]);
  });

  it('is not held against a node that was killed and begins anew', async () => {
    await using world = await RemoteWorld.open();
    const { local } = await world.opened({ returnMs: 0 });
    world.wire.isUp = false;
    world.wire.cut();
    world.wire.isUp = true;
    const other = await world.opened();
    expect(local.closed).toBe(true);
    await other.remote.step([sampleOf(2, 2)]);
  });

  it('ends when nothing more is asked for', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }); // opening may take as long as it likes
    await using world = await RemoteWorld.open({ patience: { idleMs: 1_000 } });
    const { remote, local } = await world.opened();
    vi.advanceTimersByTime(999);
    expect(local.closed).toBe(false);
    vi.advanceTimersByTime(1);
    await until(() => expect(local.closed).toBe(true));
    await expect(remote.step([sampleOf(2, 2)])).rejects.toMatchObject({ code: 'WORKER_LOST', retryable: true });
  });

  it('when a chunk does not come, by whichever side it was promised', async () => {
    await using world = await RemoteWorld.open({ patience: { chunkMs: 10 } });
    const { remote, local } = await world.opened({ chunkMs: 10 });
    world.wire.between = ({ message }) => (message.type === 'bytes' ? undefined : message);
    await expect(remote.save(join(world.folder, 'saved'))).rejects.toMatchObject({ code: 'WORKER_LOST' });
    await expect(remote.step([sampleOf(2, 2)])).rejects.toMatchObject({ code: 'WORKER_LOST' });
    expect(local.steps).toEqual([]);
  });

  it('leaves nothing of one that was killed: a host that opens sweeps', async () => {
    await using world = await RemoteWorld.open();
    await mkdir(join(world.hostFolder, '7', 'from'), { recursive: true });
    await writeFile(join(world.hostFolder, '7', 'from', 'adapter.gguf'), 'left');
    await world.host.close();
    await mkdir(join(world.hostFolder, '7'), { recursive: true });
    await world.host.open();
    expect(await world.left()).toEqual([]);
  });
});
