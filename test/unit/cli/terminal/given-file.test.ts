import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { givenFile } from '../../../../src-main/cli/terminal/given-file.ts';
import { temporaryFolder } from '../../../support/quarry-process.ts';

async function folder(): Promise<string> {
  const { path, remove } = await temporaryFolder();
  onTestFinished(remove);
  return path;
}

it('a file is read whole, up to what it may have', async () => {
  const path = join(await folder(), 'kernel.wasm');
  await writeFile(path, 'four');
  expect(String(await givenFile(path, 4, 'It is too large.'))).toBe('four');
  const refused = { code: 'BAD_REQUEST', field: 'file', message: 'It is too large.' };
  await expect(givenFile(path, 3, 'It is too large.')).rejects.toMatchObject(refused);
});

it('what is not there, and what is no file, is told by its name', async () => {
  const path = await folder();
  const none = join(path, 'none');
  await expect(givenFile(none, 9, '')).rejects.toMatchObject({ field: 'file', message: `There is no file «${none}».` });
  await expect(givenFile(path, 9, '')).rejects.toMatchObject({
    field: 'file',
    message: expect.stringMatching(/folder/),
  });
});

it.skipIf(process.platform === 'win32')('nobody waits at a pipe', async () => {
  const pipe = join(await folder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  await expect(givenFile(pipe, 9, '')).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'file' });
});
