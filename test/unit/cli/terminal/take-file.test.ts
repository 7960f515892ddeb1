import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { takeFile } from '../../../../src-main/cli/terminal/take-file.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-take-'));
  await writeFile(join(dir, 'from'), 'new');
  await writeFile(join(dir, 'there'), 'old');
  await mkdir(join(dir, 'folder'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const take = (file: string, force = false) => takeFile(join(dir, 'from'), { file: join(dir, file), force });

it('puts a file where none is, and in the place of one where that is wanted', async () => {
  await take('to');
  await take('there', true);
  expect(await Promise.all(['to', 'there'].map((name) => readFile(join(dir, name), 'utf8')))).toEqual(['new', 'new']);
});

it.each([
  ['none/to', false, 'There is no folder …/none.'],
  ['there/to', true, 'There is no folder …/there.'],
  ['folder', true, '…/folder is a folder.'],
  ['there', false, 'There is a file already: …/there'],
])('says of %s why it cannot be put there, and leaves nothing behind', async (file, force, message) => {
  const refused = { code: 'BAD_REQUEST', field: 'file', message: message.replace('…', dir) };
  await expect(take(file, force)).rejects.toMatchObject(refused);
  expect((await readdir(dir)).sort()).toEqual(['folder', 'from', 'there']);
  expect(await readFile(join(dir, 'there'), 'utf8')).toBe('old');
});
