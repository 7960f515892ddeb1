import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { expect, it } from 'vitest';
import { COMMANDS } from '../../src-main/cli/commands.ts';
import { addCommonOptions } from '../../src-main/cli/terminal/command.ts';
import { rulesTexts, serverFile } from '../support/server-files.ts';

/** What docs/server.md and the files of build/server have people and services type is there, with its options. */
const program = new Command('quarry').exitOverride();
for (const register of COMMANDS) register(program);
const common = new Command('quarry');
addCommonOptions(common);

const page = readFileSync(resolve(import.meta.dirname, '../../docs/server.md'), 'utf8');
const shell = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.split('\n'));
const inline = [...page.matchAll(/(?<!`)`([^`\n]+)`(?!`)/g)].map(([, code = '']) => code);
const typed = [...shell.map((line) => line.replace(/ #.*$/, '')), ...inline]
  .flatMap((line) => line.split(/ && |; |\| /))
  .map((line) => /^(?:docker compose exec quarry )?(?:q|quarry) (.+)$/.exec(line.trim())?.[1] ?? '');
const told = rulesTexts().map((text) => /(?:^|: )quarry (.+)$/.exec(text)?.[1] ?? '');
const started = ['quarry.service', 'quarry-backup.service'].map(
  (file) => /bin\/quarry\.js ([^']+)/.exec(serverFile(file))?.[1] ?? '',
);
const lines = [...new Set([...typed, ...told, ...started])].filter((line) => line !== '');

it('are some', () => {
  expect(typed.filter(Boolean).length).toBeGreaterThan(12);
  expect(told.filter(Boolean).length).toBeGreaterThan(8);
  expect(started.every(Boolean)).toBe(true);
});

it.each(lines)('quarry %s', (line) => {
  let command = program;
  const words = line.split(/\s+/);
  for (const word of words) {
    const next = command.commands.find((one) => one.name() === word);
    if (!next) break;
    command = next;
  }
  expect(command).not.toBe(program);
  const known = [...command.options, ...common.options].flatMap(({ long, short }) => [long, short]);
  const options = [...line.matchAll(/(?<=\s)--?[a-z][a-z-]*/g)].map(([option]) => option);
  expect(options.filter((option) => !known.includes(option))).toEqual([]);
});
