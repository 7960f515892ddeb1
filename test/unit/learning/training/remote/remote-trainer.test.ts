import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ADAPTER_FILES } from '../../../../../src-main/learning/training/remote/messages.ts';
import { RemoteTrainers } from '../../../../../src-main/learning/training/remote/remote-trainers.ts';
import { QuarryError } from '../../../../../src-preload/contract/errors.ts';
import { filesIn, MODEL, RemoteWorld, SETTINGS, sampleOf } from '../../../../support/learning/remote-world.ts';
import { until } from '../../../../support/until.ts';

const sorted = (files: Map<string, Buffer>) => [...files].sort(([one], [other]) => (one < other ? -1 : 1));

describe('training on another node', () => {
  it('is as on this one: every number comes through, files there and back, and nothing stays there', async () => {
    await using world = await RemoteWorld.open();
    const from = join(world.folder, 'version');
    await mkdir(from);
    for (const name of ADAPTER_FILES) await writeFile(join(from, name), `${name} `.repeat(20_000));
    await writeFile(join(from, 'note.json'), 'stays here');
    const traffic: object[] = [];
    const remote = world.trainer({ onTraffic: (now) => traffic.push(now) });
    await Promise.all([
      remote.open({ modelPath: 'here.gguf', from, settings: SETTINGS }),
      remote.open({ modelPath: 'here.gguf', from, settings: SETTINGS }),
    ]);
    expect(world.trainers).toHaveLength(1);
    const [local] = world.trainers;
    expect(local?.opened).toMatchObject({ modelPath: '/models/there.gguf', settings: SETTINGS });
    const given = await filesIn(from);
    given.delete('note.json');
    expect(sorted(local?.from ?? new Map())).toEqual(sorted(given));
    const samples = [sampleOf(40, 30, 100), { ...sampleOf(3, 1), base: [-0.1] }];
    const figures = await remote.step(samples, { rate: 0.25 });
    expect(local?.rates).toEqual([0.25]);
    expect(figures).toEqual({ loss: 1, distillLoss: 1, klLoss: 0, gradNorm: Number.NaN, tokens: 10, seconds: 1 });
    expect(local?.steps).toEqual([samples]);
    expect(await remote.score({ prompt: [1], response: [1, 2, 5] })).toEqual([-1 / 3, -2 / 3, -5 / 3]);
    expect(local?.scored).toEqual([{ prompt: [1], response: [1, 2, 5] }]);
    const saved = join(world.folder, 'saved');
    await remote.save(saved);
    expect(sorted(await filesIn(saved))).toEqual(sorted(local?.saved ?? new Map()));
    const again = join(world.folder, 'again');
    await remote.save(again);
    expect(sorted(await filesIn(again))).toEqual(sorted(local?.saved ?? new Map()));
    expect(traffic.at(-1)).toMatchObject({ read: 8 * 100_000 + 24 });
    await remote.close();
    await remote.close();
    await until(() => expect(world.host.trainsFor).toBeUndefined());
    expect(local?.closed).toBe(true);
    expect(await world.left()).toEqual([]);
    await expect(remote.step(samples)).rejects.toMatchObject({ code: 'CANCELLED' });
    expect((await readdir(world.folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it.each([
    ['has not the very file', { sha256: async () => 'e'.repeat(64) }, {}, 'MODEL_NOT_FOUND', 'PC does not have this'],
    ['does not train for others', {}, { isAllowed: false }, 'UNAUTHORIZED', 'PC does not train for other nodes'],
    ['has no time', {}, { against: ['on battery'] }, 'OVERLOADED', 'PC has no time to train now: on battery'],
    ['has too little memory', {}, { memory: 899 }, 'OUT_OF_MEMORY', 'does not fit PC: it takes 900 B'],
  ])('that %s is refused before anything is sent', async (_, asks, has, code, message) => {
    await using world = await RemoteWorld.open();
    Object.assign(world, has);
    const from = join(world.folder, 'version');
    await mkdir(from);
    await writeFile(join(from, 'adapter.gguf'), 'x'.repeat(100_000));
    const remote = world.trainer(asks);
    await expect(remote.open({ modelPath: 'm', from, settings: SETTINGS })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
    expect(world.wire.said.map(({ message: { type } }) => type)).toEqual(['open', 'failure']);
    expect(world.trainers).toEqual([]);
    await until(() => expect(world.host.trainsFor).toBeUndefined());
    await until(() => expect(world.wire.open).toBe(0));
    await expect(remote.step([])).rejects.toMatchObject({ code });
  });

  it('is foreseen by those that can do it, in figures; of the others it is known why not', async () => {
    await using world = await RemoteWorld.open();
    const dial = () => world.wire.dial();
    const nodes = () => [{ node: 'n', name: 'PC' }];
    const common = { sha256: async () => MODEL, check: async () => undefined };
    const trainers = new RemoteTrainers({ nodes, dial, ...common });
    const [offer] = await trainers.available(MODEL, SETTINGS);
    expect(offer).toMatchObject({ node: 'n', name: 'PC', forecast: { memory: 900 } });
    for (const [samples, tokens] of [
      [1, 64],
      [2, 300],
      [8, 2_048],
      [4, 5_000],
      [3, 10],
    ] as const) {
      expect(offer?.forecast.secondsPerStep(samples, tokens)).toBeCloseTo(1 + samples * tokens * 0.01, 9);
    }
    await until(() => expect(world.wire.open).toBe(0));
    expect(await trainers.available('e'.repeat(64), SETTINGS)).toEqual([]);
    const [not] = await trainers.offers('e'.repeat(64), SETTINGS);
    expect(not).toMatchObject({ name: 'PC', error: { code: 'MODEL_NOT_FOUND' } });
    const away = new RemoteTrainers({
      nodes,
      dial: () => {
        throw new QuarryError({ code: 'NOT_RUNNING', message: 'away' });
      },
      ...common,
    });
    expect(await away.offers(MODEL, SETTINGS)).toMatchObject([{ error: { code: 'NOT_RUNNING' } }]);
    world.wire.between = () => undefined;
    const mute = new RemoteTrainers({ nodes, dial, askMs: 5, ...common });
    expect(await mute.offers(MODEL, SETTINGS)).toMatchObject([{ error: { code: 'WORKER_LOST' } }]);
  });

  it('is one at a time', async () => {
    await using world = await RemoteWorld.open();
    const { remote } = await world.opened();
    await expect(world.opened()).rejects.toMatchObject({ code: 'OVERLOADED', retryable: true });
    await remote.close();
    await until(() => expect(world.host.trainsFor).toBeUndefined());
    await world.opened();
  });

  it('sends no sample that is longer than was foretold, and goes on', async () => {
    await using world = await RemoteWorld.open();
    const { remote, local } = await world.opened();
    const refused = { code: 'BAD_REQUEST', message: expect.stringContaining('513') };
    await expect(remote.step([sampleOf(2, 2), sampleOf(300, 213)])).rejects.toMatchObject(refused);
    await expect(remote.score(sampleOf(300, 213))).rejects.toMatchObject(refused);
    await remote.step([sampleOf(300, 212)]);
    expect(local.steps).toHaveLength(1);
    const longer = world.trainer();
    await remote.close();
    await until(() => expect(world.host.trainsFor).toBeUndefined());
    await longer.open({ modelPath: 'm', settings: SETTINGS, longest: 513 });
    await longer.step([sampleOf(300, 213)]);
  });

  it('tells why a step failed, and goes on; what is not meant for others stays there', async () => {
    await using world = await RemoteWorld.open();
    const { remote, local } = await world.opened();
    local.fails = new QuarryError({ code: 'ENGINE_CRASHED', message: 'It broke.\u001b[2J', retryable: true });
    await expect(remote.step([sampleOf(2, 2)])).rejects.toMatchObject({
      code: 'ENGINE_CRASHED',
      message: 'PC could not do it: It broke. [2J',
      retryable: true,
    });
    local.fails = new Error('/home/somebody/secret');
    const error = await remote.step([sampleOf(2, 2)]).catch(QuarryError.from);
    expect(error).toMatchObject({ code: 'INTERNAL', message: 'PC could not do it; its log says why.' });
    local.fails = undefined;
    await remote.step([sampleOf(2, 2)]);
  });

  it('is cancelled there too, and the next step does not wait for it', async () => {
    await using world = await RemoteWorld.open();
    const { remote, local } = await world.opened();
    local.gate = new Promise(() => undefined);
    const stop = new AbortController();
    const step = remote.step([sampleOf(2, 2)], { signal: stop.signal });
    await until(() => expect(world.wire.said.at(-1)?.message.type).toBe('bytes'));
    stop.abort(new Error('enough'));
    await expect(step).rejects.toThrow('enough');
    await until(() => expect(local.aborted).toBe(1));
    local.gate = Promise.resolve();
    await remote.step([sampleOf(2, 2)]);
    expect(local.steps).toHaveLength(1);
  });

  it('waits while that node has no time, and is ended there when that takes too long', async () => {
    const patience = { busyMs: 60_000, lookEveryMs: 1 };
    await using world = await RemoteWorld.open({ patience });
    const { remote, local } = await world.opened();
    world.against = ['somebody is there'];
    const step = remote.step([sampleOf(2, 2)]);
    await until(() => expect(world.wire.said.at(-1)?.message.type).toBe('bytes'));
    world.against = [];
    await step;
    expect(local.steps).toHaveLength(1);
    await using strict = await RemoteWorld.open({ patience: { ...patience, busyMs: 5 } });
    const other = await strict.opened();
    strict.against = ['somebody is there'];
    await expect(other.remote.step([sampleOf(2, 2)])).rejects.toMatchObject({ code: 'OVERLOADED', retryable: true });
    await until(() => expect(strict.host.trainsFor).toBeUndefined());
    expect(other.local.closed).toBe(true);
    await expect(other.remote.step([sampleOf(2, 2)])).rejects.toMatchObject({ code: 'OVERLOADED' });
  });

  it('is ended there when that node wants its time for itself, and can go on later', async () => {
    await using world = await RemoteWorld.open();
    const { remote, local } = await world.opened();
    expect(world.host.begun).toBe(1);
    await world.host.makeRoom({ key: 'trainers.ownRun' });
    expect([world.host.trainsFor, local.closed, await world.left()]).toEqual([undefined, true, []]);
    await expect(remote.step([sampleOf(2, 2)])).rejects.toMatchObject({
      code: 'OVERLOADED',
      retryable: true,
      message: 'PC has no time to train now: It is learning itself.',
    });
    await world.host.makeRoom({ key: 'trainers.ownRun' }); // there is nothing to end
  });

  it('writes nothing when what was saved is no adapter', async () => {
    await using world = await RemoteWorld.open();
    const check = async () => {
      throw new QuarryError({ code: 'ADAPTER_INVALID', message: 'none' });
    };
    const { remote } = await world.opened({ check });
    await expect(remote.save(join(world.folder, 'saved'))).rejects.toMatchObject({ code: 'ADAPTER_INVALID' });
    expect(await readdir(world.folder)).toEqual(['host']);
  });
});
