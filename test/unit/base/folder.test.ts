import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder, makeFolderNow } from '../../../src-main/base/folder.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-folder-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

describe.each([
  ['makeFolder', makeFolder],
  ['makeFolderNow', async (path: string) => makeFolderNow(path)],
])('%s', (_name, make) => {
  it('makes a folder and those it is in, and leaves one that is there as it is', async () => {
    const path = join(dir, 'a', 'b', 'c');
    await Promise.all([make(path), make(path)]);
    await writeFile(join(path, 'file'), 'kept');
    await make(path);
    expect((await stat(join(path, 'file'))).size).toBe(4);
  });

  it('says so where something else is in its way', async () => {
    await writeFile(join(dir, 'file'), '');
    await symlink(join(dir, 'nowhere'), join(dir, 'link'), 'junction');
    for (const path of ['file', 'link', join('link', 'below')]) {
      await expect(make(join(dir, path))).rejects.toThrow();
    }
    await expect(make(join(dir, 'file', 'below'))).rejects.toThrow();
  });

  it.skipIf(process.platform !== 'linux')('comes back from a folder that takes none', async () => {
    await expect(make('/proc/nope')).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(make('/proc/nope/deeper')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

it.skipIf(process.platform === 'win32')('is for those alone whom the mode names', async () => {
  await makeFolder(join(dir, 'a', 'b'), 0o700);
  for (const path of ['a', join('a', 'b')]) expect((await stat(join(dir, path))).mode & 0o777).toBe(0o700);
});
