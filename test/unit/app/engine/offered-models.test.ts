import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { OfferedModels } from '../../../../src-main/app/engine/offered-models.ts';
import { TINY_QWEN3, writeRandomModel } from '../../../../src-main/bench/made-models/random-model.ts';
import type { InferenceBackend } from '../../../../src-main/inference/backend.ts';
import { MAX_SERVED_MODELS } from '../../../../src-main/mesh/transport/messages.ts';
import type { ModelFile } from '../../../../src-main/models/library/library.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { ModelFit } from '../../../../src-preload/contract/models.ts';
import { testLog } from '../../../support/mesh-node.ts';
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

const NAMES = ['own', 'slow', 'quick', 'huge', 'tiny'];
const TIMES: Record<string, number> = { slow: 9_000, quick: 100 };

interface SetUp {
  kvCache?: 'f16' | 'q8_0';
  list?: (installed: ModelFile[]) => Promise<ModelFile[]>;
}

function setUp({ kvCache = 'f16', list = async (installed) => installed }: SetUp = {}) {
  const file = (name: string): ModelFile => ({
    ...{ name, path, bytes: 1, sha256: name, tiny: name === 'tiny', origin: 'imported', links: 1, outside: false },
  });
  const loaded: InferenceBackend[] = [];
  const begin = vi.fn();
  const fit = (_: unknown, sha256: string) =>
    ({ runs: sha256 === 'huge' ? 'no' : 'cpu', contextSize: 512 }) as ModelFit;
  const beside = vi.fn(async () => fit);
  const onChange = vi.fn();
  const clock = { now: 0 };
  const own = new ScriptedBackend({ model: 'own' });
  const offered = new OfferedModels({
    library: { names: async () => NAMES, list: () => list(NAMES.map(file)) },
    fits: { beside },
    others: { loaded, loading: undefined, begin },
    own: () => own,
    times: { expectedMs: ({ sha256 }) => TIMES[sha256] ?? 0 },
    computed: { kvCache },
    onChange,
    now: () => clock.now,
    log: testLog,
  });
  offered.open();
  const seen = () => until(() => expect(onChange).toHaveBeenCalled());
  const names = () => offered.offered().map(({ name, loadMs }) => [name, loadMs]);
  return { offered, loaded, begin, beside, clock, seen, names };
}

it('what is installed, writes answers and has room is offered, but for the own model and the built-in one', async () => {
  const { offered, loaded, seen, names } = setUp();
  await seen();
  expect(names()).toEqual([
    ['quick', 100],
    ['slow', 9_000],
  ]);
  expect(offered.offered()[0]).toMatchObject({ sha256: 'quick', contextSize: 512 });
  loaded.push(new ScriptedBackend({ model: 'slow' }));
  expect(names()).toEqual([
    ['slow', undefined],
    ['quick', 100],
  ]);
  await offered.close();
});

it('whose cache is coarser is no file that others could hold its answers by', async () => {
  const { offered, seen } = setUp({ kvCache: 'q8_0' });
  await seen();
  expect(offered.offered().map(({ sha256 }) => sha256)).toEqual([undefined, undefined]);
  await offered.close();
});

it('one that could not be loaded is not offered for half an hour; one that has no room now stays', async () => {
  const { offered, begin, clock, seen, names } = setUp();
  await seen();
  const signal = new AbortController().signal;
  begin.mockRejectedValueOnce(new QuarryError({ code: 'OUT_OF_MEMORY', message: 'full' }));
  await expect(offered.begin('slow', signal, () => {})).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' });
  expect(names()).toHaveLength(2);
  // Nothing was loaded yet: whatever it was, it was not the file.
  begin.mockRejectedValueOnce(new QuarryError({ code: 'MODEL_NOT_FOUND', message: 'gone for a moment' }));
  await expect(offered.begin('slow', signal, () => {})).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
  expect(names()).toHaveLength(2);
  begin.mockImplementationOnce(async (_, { onRoom }: { onRoom: () => void }) => {
    onRoom();
    throw new QuarryError({ code: 'MODEL_INVALID', message: 'damaged' });
  });
  await expect(offered.begin('slow', signal, () => {})).rejects.toMatchObject({ code: 'MODEL_INVALID' });
  expect(names()).toEqual([['quick', 100]]);
  clock.now += 1_799_999;
  expect(names()).toHaveLength(1);
  clock.now += 1;
  expect(names()).toHaveLength(2);
  await offered.close();
});

it('there are no more than a message has room for beside the own model', async () => {
  const { offered, loaded, names } = setUp();
  for (let at = 0; at < MAX_SERVED_MODELS + 3; at++) loaded.push(new ScriptedBackend({ model: `m${at}` }));
  expect(names()).toHaveLength(MAX_SERVED_MODELS - 1);
  await offered.close();
});

it('the machine is looked at once for all of them', async () => {
  const { offered, beside, seen } = setUp();
  await seen();
  expect(beside).toHaveBeenCalledTimes(1);
  await offered.close();
});

it('closing does not wait for files that are being hashed', async () => {
  const { offered } = setUp({ list: () => new Promise(() => {}) });
  await offered.close();
  expect(offered.offered()).toEqual([]);
});
