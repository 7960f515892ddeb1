import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { ifMissing, ignoring } from '../../../src-main/base/swallowed.ts';

it('takes a file that is not there for an answer, and nothing else', async () => {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  expect(await readFile(`${folder}/nothing-of-that-name`).catch(ifMissing)).toBeUndefined();
  await expect(readFile(folder).catch(ifMissing)).rejects.toThrow('EISDIR');
  await expect(Promise.reject('ENOENT').catch(ifMissing)).rejects.toBe('ENOENT');
});

it('ignores for a reason', async () => {
  expect(await Promise.reject(new Error('broken')).catch(ignoring('nobody needs it'))).toBeUndefined();
});
