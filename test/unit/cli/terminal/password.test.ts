import { openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { askPassword } from '../../../../src-main/cli/terminal/password.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { typedTerminal } from '../../../support/typed-terminal.ts';

const asked = { of: 'the backup', how: say('backup.passwordHow') };

it('comes from a file descriptor first, as its first line, then from the environment', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-password-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'password');
  await writeFile(path, 'in the first line\r\nmore\n');
  const fd = openSync(path, 'r'); // a bare one: a FileHandle would close it again when it is collected
  expect(await askPassword({ ...asked, fd, environment: 'another one' }, { twice: true })).toBe('in the first line');
  expect(await askPassword({ ...asked, environment: 'of the variable' }, { twice: true })).toBe('of the variable');
});

it('is not read from a file descriptor that nobody has opened: then it is said how to open it', () =>
  expect(askPassword({ ...asked, fd: 977 }, { twice: false })).rejects.toMatchObject({
    message: expect.stringContaining('descriptor 977'),
    hint: expect.stringContaining('977<'),
  }));

it('may be short where there is a backup already, and not for a new one', async () => {
  expect(await askPassword({ ...asked, environment: 'short' }, { twice: false })).toBe('short');
  await expect(askPassword({ ...asked, environment: 'short' }, { twice: true })).rejects.toMatchObject({
    field: 'password',
  });
});

it('is asked for again where a new one is too short or mistyped, until it is good', async () => {
  const long = 'a long enough one';
  const terminal = typedTerminal(['short\r', `${long}\r`, 'another one\r', `${long}\r`, `${long}\r`]);
  expect(await askPassword(asked, { twice: true })).toBe(long);
  expect(terminal.shown()).toMatch(/at least 10 characters: \n.*needs at least 10[\s\S]*not the same/);
});

it('is given up by Ctrl+C', async () => {
  typedTerminal(['a long enough one\r', '\u0003']);
  await expect(askPassword(asked, { twice: true })).rejects.toMatchObject({
    code: 'CANCELLED',
    message: 'Nothing was done.',
  });
});
