import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fileTrouble } from '../../../../src-main/cli/terminal/file-trouble.ts';

const { dirname } = import.meta;
const told = (path: string) => readFile(path).catch((error) => fileTrouble(path, error));

it.each([
  [join(dirname, 'none.json'), 'There is no file «…/none.json».'],
  [join(import.meta.filename, 'w.json'), 'There is no file «…/file-trouble.test.ts/w.json».'],
  [dirname, '«…» is a folder, and a file is wanted.'],
])('%s', async (path, said) => expect(await told(path)).toBe(said.replace('…', dirname)));

it('what has no sentence of its own is told as the system tells it', () => {
  expect(fileTrouble('w.json', { name: 'Error', code: 'EIO', message: 'i/o error' })).toBe(
    '«w.json» cannot be read: i/o error',
  );
});
