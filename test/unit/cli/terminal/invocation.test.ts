import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, it } from 'vitest';
import { COMMANDS } from '../../../../src-main/cli/commands.ts';
import { invocationNote } from '../../../../src-main/cli/terminal/invocation.ts';

const SOURCES = '/checkout/src-main/cli.ts';

it('a checkout says once what to type for quarry; an installed one need not', () => {
  expect(invocationNote('Start it again: quarry start --demo.', SOURCES, '')).toContain('npm run -s quarry --');
  expect(invocationNote('Start it again: quarry start --demo.', '/usr/bin/quarry', '')).toBeUndefined();
  expect(invocationNote('Another quarry is at work.', SOURCES, '')).toBeUndefined();
});

it('one that was installed into a folder says that npx finds it there', () => {
  const installed = join('/folder', 'node_modules', '.bin', 'quarry');
  expect(invocationNote('quarry start', installed, '')).toContain('npx quarry');
  expect(invocationNote('quarry start', 'C:\\folder\\node_modules\\quarry\\bin\\quarry.js', '')).toContain('npx');
});

it('knows every command', () => {
  const program = new Command('quarry');
  for (const register of COMMANDS) register(program);
  const names = program.commands.map((command) => command.name());
  expect(names.filter((name) => !invocationNote(`quarry ${name}`, SOURCES, ''))).toEqual([]);
});

it.skipIf(process.platform === 'win32')('says nothing where quarry is on the path', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-path-'));
  try {
    await writeFile(join(folder, 'quarry'), '#!/bin/sh\n');
    expect(invocationNote('quarry start', SOURCES, folder)).toBeDefined();
    await chmod(join(folder, 'quarry'), 0o755);
    expect(invocationNote('quarry start', SOURCES, `/nowhere:${folder}`)).toBeUndefined();
    expect(invocationNote('quarry start', '/folder/node_modules/.bin/quarry', folder)).toBeUndefined();
  } finally {
    await rm(folder, { recursive: true });
  }
});
