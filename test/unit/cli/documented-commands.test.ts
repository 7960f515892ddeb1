import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { expect, it } from 'vitest';
import { COMMANDS } from '../../../src-main/cli/commands.ts';
import { addCommonOptions } from '../../../src-main/cli/terminal/command.ts';

/** What the pages tell people to type, held against the commands. */
const ROOT = resolve(import.meta.dirname, '../../..');
const pages = ['README.md', ...readdirSync(resolve(ROOT, 'docs')).map((file) => `docs/${file}`)].filter((file) =>
  file.endsWith('.md'),
);

const program = new Command('quarry');
addCommonOptions(program);
for (const register of COMMANDS) register(program);

const lines = pages.flatMap((page) => {
  const blocks = readFileSync(resolve(ROOT, page), 'utf8').matchAll(/^```\w*\n([\s\S]*?)^```/gm);
  const typed = [...blocks].flatMap(([, block = '']) => [...block.matchAll(/^(?:\$ )?(?:npx )?quarry (.+)$/gm)]);
  return typed.map(([, line = '']) => [page, line] as const);
});

/** As a shell takes them; the explanation behind them is left out. */
function words(line: string): string[] {
  const said = line.replace(/ {2,}\S.*$| #.*$| \d?<.*$/, '');
  return [...said.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain);
}

/** The command that is meant, and what follows its name. */
function found(command: Command, [first, ...rest]: readonly string[]): { command: Command; rest: string[] } {
  const below = command.commands.find((one) => one.name() === first || one.aliases().includes(first ?? ''));
  return below ? found(below, rest) : { command, rest: first === undefined ? [] : [first, ...rest] };
}

it.each(lines)('%s: quarry %s', (_page, line) => {
  const { command, rest } = found(program, words(line));
  expect(command).not.toBe(program);
  const known = [command, ...(command.parent ? [command.parent] : []), program].flatMap(({ options }) => options);
  let given = 0;
  for (let at = 0; at < rest.length; at++) {
    const [name = ''] = (rest[at] ?? '').split('=');
    if (!name.startsWith('-')) given++;
    else {
      const option = known.find(({ long, short }) => name === long || name === short);
      expect(option, name).toBeDefined();
      if (option?.required) at++;
    }
  }
  const { registeredArguments: wanted } = command;
  expect(given).toBeGreaterThanOrEqual(wanted.filter(({ required }) => required).length);
  if (!wanted.some(({ variadic }) => variadic)) expect(given).toBeLessThanOrEqual(wanted.length);
});

it('finds them', () => expect(lines.length).toBeGreaterThan(50));
