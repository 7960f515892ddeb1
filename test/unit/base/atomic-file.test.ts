import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeLeftovers, writeAtomically } from '../../../src-main/base/atomic-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-atomic-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('writeAtomically', () => {
  it('replaces a file as a whole, and leaves nothing beside it', async () => {
    const path = join(folder, 'a.json');
    await writeAtomically(path, 'a long text that was there before');
    await writeAtomically(path, 'short');
    expect(await readFile(path, 'utf8')).toBe('short');
    expect(await readdir(folder)).toEqual(['a.json']);
  });

  it.skipIf(process.platform === 'win32')(
    'makes a secret readable by its owner only, also over a file that was not',
    async () => {
      const path = join(folder, 'secret');
      await writeFile(path, 'old', { mode: 0o644 });
      await writeAtomically(path, 'new', 0o600);
      expect((await stat(path)).mode & 0o777).toBe(0o600);
    },
  );

  it('leaves everything as it was when the file cannot be written', async () => {
    await expect(writeAtomically(join(folder, 'missing', 'a.json'), 'text')).rejects.toThrow('ENOENT');
    await expect(writeAtomically(folder, 'text')).rejects.toThrow(); // a folder has that name
    expect(await readdir(folder)).toEqual([]);
    expect((await readdir(join(folder, '..'))).filter((name) => name.startsWith(`${basename(folder)}.`))).toEqual([]);
  });
});

describe('removeLeftovers', () => {
  it('deletes what was cut off, of ours only', async () => {
    const cutOff = ['a.json.0123456789ab.tmp', 'b.json.0123456789ab.tmp'];
    for (const name of [...cutOff, 'a.json', 'a.json.tmp']) await writeFile(join(folder, name), '');
    await removeLeftovers(folder, (file) => file.startsWith('a.json.'));
    expect((await readdir(folder)).sort()).toEqual(['a.json', 'a.json.tmp', cutOff[1]]);
  });

  it('has nothing to do in a folder that is not there', async () => {
    await removeLeftovers(join(folder, 'missing'), () => true);
  });
});
