import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ModelShares, type ModelSharesOptions } from '../../../../src-main/app/models/model-shares.ts';
import { installedPath } from '../../../../src-main/base/installation.ts';
import { ModelLibrary } from '../../../../src-main/models/library/library.ts';

const TINY = installedPath('resources', 'tiny.gguf');

let dir: string;
let library: ModelLibrary;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-shares-'));
  library = new ModelLibrary({ folder: join(dir, 'models'), tinyPath: TINY, now: () => 1 });
  await library.open();
});
afterEach(async () => {
  await library.close();
  await rm(dir, { recursive: true, force: true });
});

it('the built-in model takes no room for sharing, whatever it is called', async () => {
  const shared: string[] = [];
  const sharing = { share: async ({ name }: { name: string }) => void shared.push(name) };
  const needNetwork = () => ({ sharing, discovered: async () => undefined });
  const shares = new ModelShares({ library, needNetwork } as unknown as ModelSharesOptions);
  await copyFile(TINY, join(dir, 'practice.gguf'));
  await library.import(join(dir, 'practice.gguf'));
  for (const name of ['tiny', TINY, 'practice']) {
    await expect(shares.share(name)).rejects.toMatchObject({ message: 'Everybody has the built-in model.' });
  }
  expect(shared).toEqual([]);
});
