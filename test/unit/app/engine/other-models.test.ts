import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { OtherModels } from '../../../../src-main/app/engine/other-models.ts';
import { TINY_QWEN3, writeRandomModel } from '../../../../src-main/bench/made-models/random-model.ts';
import type { InferenceBackend } from '../../../../src-main/inference/backend.ts';
import type { ModelFit } from '../../../../src-preload/contract/models.ts';
import { temporaryFolder } from '../../../support/quarry-process.ts';
import { ScriptedBackend } from '../../../support/scripted-backend.ts';
import { until } from '../../../support/until.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let path = '';
beforeAll(async () => {
  folder = await temporaryFolder();
  path = join(folder.path, 'model.gguf');
  await writeRandomModel(path, TINY_QWEN3, 1);
});
afterAll(async () => await folder.remove());

/** @param room how many models fit into memory, the node's own among them */
function setUp({
  room = 9,
  own = undefined as InferenceBackend | undefined,
  idleMs = 60_000,
  onOpen = async (_model: string | undefined): Promise<void> => undefined,
  now = (): number => 0,
  created = async () => {},
} = {}) {
  const made: ScriptedBackend[] = [];
  const others = new OtherModels({
    library: {
      names: async () => ['a', 'b', 'c', 'tiny'],
      find: async (name = '') => ({
        ...{ name, path, bytes: 1, sha256: name, tiny: false, origin: 'imported' as const },
        ...{ links: 1, outside: false },
      }),
    },
    fits: {
      fitBeside: async (_file, _sha256, loaded) =>
        (loaded.length < room ? { runs: 'cpu' } : { runs: 'no', reason: 'It is full.' }) as ModelFit,
    },
    create: async (model) => {
      const backend = new ScriptedBackend({ model, open: false });
      made.push(backend);
      await created();
      return backend;
    },
    onOpen: (backend) => onOpen(backend.status().model?.name),
    own: () => own,
    idleMs,
    now,
  });
  return { others, made, names: () => others.loaded.map((backend) => backend.status().model?.name) };
}

describe('other models', () => {
  it('can be asked for by name, but for the built-in one', async () => {
    expect(await setUp().others.names()).toEqual(['a', 'b', 'c']);
  });

  it('are loaded once for all who ask for them', async () => {
    const { others, made } = setUp();
    const [first, second] = await Promise.all([others.begin('a'), others.begin('a')]);
    expect(first.slot).toBe(second.slot);
    expect(made.map(({ state }) => state)).toEqual(['ready']);
    await others.close();
    expect(made.map(({ state }) => state)).toEqual(['closed']);
  });

  it('answer while another is being loaded', async () => {
    const loading = Promise.withResolvers<void>();
    const { others, names } = setUp({ onOpen: (model) => (model === 'b' ? loading.promise : Promise.resolve()) });
    (await others.begin('a'))[Symbol.dispose]();
    const b = others.begin('b');
    await until(() => expect(names()).toEqual(['a', 'b']));
    (await others.begin('a'))[Symbol.dispose]();
    loading.resolve();
    (await b)[Symbol.dispose]();
    await others.close();
  });

  it('make room for another: whose last question was longest ago goes, and none that is in use', async () => {
    const { others, names } = setUp({ room: 2 });
    (await others.begin('a'))[Symbol.dispose]();
    (await others.begin('b'))[Symbol.dispose]();
    const a = await others.begin('a');
    (await others.begin('c'))[Symbol.dispose]();
    expect(names()).toEqual(['a', 'c']);
    const c = await others.begin('c');
    await expect(others.begin('b')).rejects.toMatchObject({ code: 'OUT_OF_MEMORY', retryable: true });
    for (const used of [a, c]) used[Symbol.dispose]();
    (await others.begin('b'))[Symbol.dispose]();
    expect(names()).toEqual(['b', 'c']);
    await others.close();
  });

  it('go by when they were last asked, not by when they were first loaded', async () => {
    const { others, names } = setUp({ room: 2 });
    for (const name of ['a', 'b', 'a', 'c']) (await others.begin(name))[Symbol.dispose]();
    expect(names()).toEqual(['a', 'c']);
    await others.close();
  });

  it('that are loaded later work at the speed that was set, too', async () => {
    const setSpeed = vi.fn();
    const { others, made } = setUp({
      onOpen: async () => {
        for (const backend of made) Object.assign(backend, { engine: { setSpeed } });
      },
    });
    others.setSpeed(0.5);
    (await others.begin('a'))[Symbol.dispose]();
    expect(setSpeed).toHaveBeenLastCalledWith(0.5);
    await others.close();
  });

  it('that were used lately stay for who spares them, and say when there is room', async () => {
    let time = 0;
    const { others, names } = setUp({ room: 1, now: () => time });
    const rooms: string[] = [];
    const spared = { sparesMs: 1_000, onRoom: () => rooms.push(`${others.loading}`) };
    (await others.begin('a', spared))[Symbol.dispose]();
    time = 999;
    await expect(others.begin('b', spared)).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' });
    time = 1_000;
    (await others.begin('b', spared))[Symbol.dispose]();
    expect([names(), rooms, others.loading]).toEqual([['b'], ['a', 'b'], undefined]);
    (await others.begin('b', spared))[Symbol.dispose]();
    expect(rooms).toHaveLength(2);
    await others.close();
  });

  it('answer while another is being loaded', async () => {
    const gate = Promise.withResolvers<void>();
    const { others, made, names } = setUp({ created: async () => (made.length > 1 ? await gate.promise : undefined) });
    (await others.begin('a'))[Symbol.dispose]();
    const loading = others.begin('b');
    const a = await others.begin('a');
    await until(() => expect(made).toHaveLength(2));
    const again = others.begin('b');
    expect([others.loading, names()]).toEqual(['b', ['a']]);
    gate.resolve();
    for (const used of [a, await loading, await again]) used[Symbol.dispose]();
    expect(made).toHaveLength(2);
    await others.close();
  });

  it('stand beside the own model, and give way to it', async () => {
    const own = new ScriptedBackend();
    const { others, names } = setUp({ room: 2, own });
    (await others.begin('a'))[Symbol.dispose]();
    (await others.begin('b'))[Symbol.dispose]();
    expect(names()).toEqual(['b']);
    (await others.begin('c'))[Symbol.dispose]();
    const none = setUp({ room: 1, own });
    await expect(none.others.begin('a')).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' });
    const alone = setUp({ room: 1 });
    (await alone.others.begin('a'))[Symbol.dispose]();
    await alone.others.giveWay('own');
    expect(alone.names()).toEqual([]);
    await Promise.all([others, none.others, alone.others].map((each) => each.close()));
  });

  it('are freed on demand, but for those in use', async () => {
    const { others, names } = setUp();
    (await others.begin('a'))[Symbol.dispose]();
    const b = await others.begin('b');
    for (const name of ['a', 'b', 'c']) await others.free(name);
    expect(names()).toEqual(['b']);
    b[Symbol.dispose]();
    await others.close();
  });

  it('are freed when they have had no question for a while', async () => {
    vi.useFakeTimers();
    try {
      const { others, names } = setUp({ idleMs: 1_000 });
      const used = await others.begin('a');
      await vi.advanceTimersByTimeAsync(5_000);
      expect(names()).toEqual(['a']);
      used[Symbol.dispose]();
      await vi.advanceTimersByTimeAsync(1_000);
      expect(names()).toEqual([]);
      await others.close();
    } finally {
      vi.useRealTimers();
    }
  });

  it('are loaded although who asked has gone, and are not in use then', async () => {
    const gate = Promise.withResolvers<void>();
    const { others, names } = setUp({ room: 1, created: () => gate.promise });
    const stop = new AbortController();
    const asked = others.begin('a', { signal: stop.signal });
    await until(() => expect(others.loading).toBe('a'));
    stop.abort();
    await expect(asked).rejects.toMatchObject({ code: 'CANCELLED' });
    gate.resolve();
    await until(() => expect(names()).toEqual(['a']));
    (await others.begin('b'))[Symbol.dispose]();
    expect(names()).toEqual(['b']);
    await others.close();
    await expect(others.begin('a')).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('are not loaded for who gave up before its turn came: whoever is still there is next', async () => {
    const gate = Promise.withResolvers<void>();
    const { others, made } = setUp({ room: 1, created: () => gate.promise });
    const stop = new AbortController();
    const gone = Array.from({ length: 40 }, (_, at) => others.begin(at % 2 ? 'b' : 'a', { signal: stop.signal }));
    await until(() => expect(others.loading).toBe('a'));
    const real = others.begin('c');
    stop.abort();
    for (const ended of await Promise.allSettled(gone)) {
      expect(ended).toMatchObject({ status: 'rejected', reason: { code: 'CANCELLED' } });
    }
    gate.resolve();
    (await real)[Symbol.dispose]();
    expect(made.map((backend) => backend.model)).toEqual(['a', 'c']);
    await others.close();
  });
});
