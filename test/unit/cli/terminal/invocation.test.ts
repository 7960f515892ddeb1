import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, it } from 'vitest';
import { COMMANDS } from '../../../../src-main/cli/commands.ts';
import { checkoutNote } from '../../../../src-main/cli/terminal/invocation.ts';

const SOURCES = '/checkout/src-main/cli.ts';

it('a checkout says once what to type for quarry; an installed one need not', () => {
  expect(checkoutNote('Start it again: quarry start --demo.', SOURCES, '')).toContain('npm run -s quarry --');
  expect(checkoutNote('Start it again: quarry start --demo.', '/usr/bin/quarry', '')).toBeUndefined();
  expect(checkoutNote('Another quarry is at work.', SOURCES, '')).toBeUndefined();
});

it('knows every command', () => {
  const program = new Command('quarry');
  for (const register of COMMANDS) register(program);
  const names = program.commands.map((command) => command.name());
  expect(names.filter((name) => !checkoutNote(`quarry ${name}`, SOURCES, ''))).toEqual([]);
});

it.skipIf(process.platform === 'win32')('says nothing where quarry is on the path', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-path-'));
  try {
    await writeFile(join(folder, 'quarry'), '#!/bin/sh\n');
    expect(checkoutNote('quarry start', SOURCES, folder)).toBeDefined();
    await chmod(join(folder, 'quarry'), 0o755);
    expect(checkoutNote('quarry start', SOURCES, `/nowhere:${folder}`)).toBeUndefined();
  } finally {
    await rm(folder, { recursive: true });
  }
});
