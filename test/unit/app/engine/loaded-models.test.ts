import { expect, it } from 'vitest';
import { LoadedModels, type LoadedModelsOptions } from '../../../../src-main/app/engine/loaded-models.ts';
import { LocalUse } from '../../../../src-main/app/engine/local-use.ts';
import { EngineSlot } from '../../../../src-main/inference/host/engine-slot.ts';
import { ScriptedBackend } from '../../../support/scripted-backend.ts';

/** An engine of this machine, as far as it is looked at here. */
function localBackend(model: string) {
  return Object.assign(new ScriptedBackend({ model }), { engine: { modelPath: `/models/${model}.gguf`, restarts: 0 } });
}

async function setUp({ isMining = false, used = false } = {}) {
  const slot = new EngineSlot(async () => localBackend('own') as never);
  const localUse = new LocalUse({ engine: slot, idleMs: 60_000 });
  (await localUse.begin())[Symbol.dispose]();
  const inMemory = [{ backend: localBackend('other') as never, freesAt: used ? undefined : 5 }];
  const others = {
    inMemory,
    free: async (name: string) => {
      if (name === 'other' && !used) inMemory.length = 0;
      return !used;
    },
  } as unknown as NonNullable<NonNullable<LoadedModelsOptions['engine']>['others']>;
  const fits = { held: async () => ({ ram: 7, vram: 0 }) };
  const models = new LoadedModels({ engine: { slot, localUse, others }, fits, isMining: () => isMining });
  return { models, localUse, slot };
}

it('lists what is in memory, the own model first, and frees each', async () => {
  const { models, localUse } = await setUp();
  expect(await models.list()).toMatchObject([
    { name: 'own', own: true, memory: { ram: 7, vram: 0 }, active: 0, freesAt: expect.any(Number) },
    { name: 'other', own: false, freesAt: 5 },
  ]);
  await models.free('nobody');
  await models.free('own');
  await models.free('other');
  expect(await models.list()).toEqual([]);
  localUse.close();
});

it('frees neither what is mined with nor what answers', async () => {
  const { models, localUse, slot } = await setUp({ isMining: true, used: true });
  await expect(models.free('own')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await expect(models.free('other')).rejects.toMatchObject({ code: 'BAD_REQUEST', retryable: true });
  expect(await models.list()).toHaveLength(2);
  localUse.close();
  await slot.close();
});

it('a node without an engine has none', async () => {
  const models = new LoadedModels({ engine: undefined, fits: { held: async () => undefined }, isMining: () => false });
  expect(await models.list()).toEqual([]);
  await models.free('any');
});
