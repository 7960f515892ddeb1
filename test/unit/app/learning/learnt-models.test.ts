import { beforeEach, expect, it } from 'vitest';
import { LearntModels } from '../../../../src-main/app/learning/learnt-models.ts';
import type { Versions } from '../../../../src-main/learning/adapters/versions.ts';

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
