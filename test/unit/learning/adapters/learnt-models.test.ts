import { beforeEach, expect, it } from 'vitest';
import { LearntModels } from '../../../../src-main/learning/adapters/learnt-models.ts';
import { VersionFiles } from '../../../../src-main/learning/adapters/version-files.ts';
import { Versions } from '../../../../src-main/learning/adapters/versions.ts';
import { AdapterStore } from '../../../../src-main/store/learning/learning-adapters.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';

let models: LearntModels;
beforeEach(async () => {
  const rows = [{ name: 'personal', base: 'a'.repeat(64), latest: 'personal-20261127-121900' }];
  const versions = { adapters: async () => rows } as unknown as Versions;
  models = new LearntModels({ versions, choice: () => ({ use: true, adapter: 'personal' }) });
  await models.refresh();
});

it.each([
  'base',
  'personal',
  'personal@latest',
  'personal-latest',
  'personal@2',
  'personal-init',
  'personal-20261127-121900',
])('%s means what was learnt, or the model without', (name) => expect(models.isName(name)).toBe(true));

it.each(['mistral-small-latest', 'mesh', 'local', 'org/model', 'latest'])('%s is another model’s name', (name) =>
  expect(models.isName(name)).toBe(false),
);

const BASE = 'a'.repeat(64);

/** `personal` belongs to the model of {@link BASE}; nothing of it is in use. */
async function ofOneModel(): Promise<LearntModels> {
  const store = new AdapterStore(await memoryDatabase());
  await store.addAdapter({ name: 'personal', base: BASE, base_name: 'small', latest: null });
  const versions = new Versions({ store, files: new VersionFiles('/nowhere') });
  const found = new LearntModels({ versions, choice: () => ({ use: true, adapter: 'personal' }) });
  await found.refresh();
  return found;
}

it('a model that runs elsewhere answers as it is, and whoever names an adapter hears that it is of another one', async () => {
  const learnt = await ofOneModel();
  expect(await learnt.choose(undefined, undefined)).toEqual({ path: null, id: null, name: null });
  expect(await learnt.choose('base', undefined)).toEqual({ path: null, id: null, name: null });
  await expect(learnt.choose('personal@latest', undefined)).rejects.toMatchObject({ code: 'ADAPTER_INVALID' });
});

it('what answers is told: the model as it is where the adapter belongs to another one, or none is known', async () => {
  const learnt = await ofOneModel();
  expect(await learnt.inUse('b'.repeat(64))).toEqual({ version: null, belongsTo: 'small' });
  expect(await learnt.inUse(BASE)).toEqual({ version: null, belongsTo: null });
  expect(await learnt.inUse(undefined)).toEqual({ version: null, belongsTo: null });
});
