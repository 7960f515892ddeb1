import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkModelFolder } from '../../../src-main/models/folder-check.ts';
import { ModelLibrary } from '../../../src-main/models/library/library.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-folder-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const refused = (why: string) => ({
  code: 'CONFIG_INVALID',
  field: 'models.folder',
  message: expect.stringContaining(why),
  hint: expect.stringContaining('models.folder'),
});

function open(folder: string): Promise<void> {
  return new ModelLibrary({ folder, tinyPath: join(dir, 'tiny.gguf'), now: Date.now }).open();
}

it('makes a folder, and leaves nothing in it', async () => {
  const path = join(dir, 'new', 'models');
  await checkModelFolder(path);
  await checkModelFolder(path);
  expect(await readdir(path)).toEqual([]);
});

it('says what is wrong with one that cannot be made, as the library does when it is opened', async () => {
  await writeFile(join(dir, 'file'), '');
  await symlink(join(dir, 'nowhere'), join(dir, 'link'), 'junction');
  for (const path of [join(dir, 'file'), join(dir, 'file', 'models')]) {
    await expect(checkModelFolder(path)).rejects.toMatchObject(refused('no folder'));
    await expect(open(path)).rejects.toMatchObject(refused(`${path} cannot be used: something on its path`));
  }
  await expect(checkModelFolder(join(dir, 'link'))).rejects.toMatchObject(refused('no folder'));
});

it.skipIf(process.platform !== 'linux')('comes back from places where none can be made', async () => {
  await expect(checkModelFolder('/proc/nope')).rejects.toMatchObject(refused('no folder can be made there'));
  await expect(open('/proc/nope')).rejects.toMatchObject(refused('/proc/nope cannot be used'));
  await expect(checkModelFolder('/proc')).rejects.toMatchObject(refused('cannot be used'));
  await expect(open('/dev/null/models')).rejects.toMatchObject(refused('The model folder /dev/null/models cannot'));
});

it('waits no longer for a drive that does not answer', async () => {
  const trial = { tryOut: () => new Promise<void>(() => undefined), patienceMs: 1 };
  await expect(checkModelFolder(dir, trial)).rejects.toMatchObject(refused('its drive does not answer'));
});
