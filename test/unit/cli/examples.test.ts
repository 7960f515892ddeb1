import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { expect, it } from 'vitest';
import { COMMANDS } from '../../../src-main/cli/commands.ts';
import { addExamples } from '../../../src-main/cli/examples.ts';
import { addCommonOptions } from '../../../src-main/cli/terminal/command.ts';

const program = new Command('quarry').exitOverride();
for (const register of COMMANDS) register(program);
addExamples(program);

/** Every command that people see, with its path. */
function all(command: Command, above: string[] = []): { path: string[]; command: Command }[] {
  return command.commands.flatMap((one) => {
    const path = [...above, one.name()];
    return [{ path, command: one }, ...all(one, path)];
  });
}

/** Its whole help, as it is printed. */
function helpOf(command: Command): string {
  let help = '';
  command.configureOutput({
    writeOut: (text) => {
      help += text;
    },
  });
  command.outputHelp();
  return help;
}

it.each(all(program).map(({ path, command }) => [path.join(' '), command] as const))(
  '%s says at its end where the options of all commands are',
  (_path, command) => {
    expect(helpOf(command).trimEnd().split('\n').at(-1)).toBe(
      'Global options (--json, --data and more): quarry --help',
    );
  },
);

it('those options are there', () => {
  const all = new Command('quarry');
  addCommonOptions(all);
  const help = helpOf(all);
  for (const option of ['--json', '--config <file>', '--data <dir>', '--port <n>', '--bootstrap <host:port>']) {
    expect(help).toMatch(new RegExp(`^ {2}${option} +\\w`, 'm'));
  }
  expect(help).toContain('--mesh-name <name>');
});

const page = readFileSync(resolve(import.meta.dirname, '../../../docs/chain.md'), 'utf8');
const [, fromBtcli = ''] = /^## From btcli$([\s\S]*?)^## /m.exec(page) ?? [];
const named = [...fromBtcli.matchAll(/`quarry ([^`]+)`/g)].map(([, line = '']) => line);

it.each(named)('quarry %s, which a table tells users of btcli, is there with its options and arguments', (line) => {
  const [, group, name, rest = ''] = /^(\S+) (\S+) ?(.*)$/.exec(line) ?? [];
  const command = all(program).find(({ path }) => path.join(' ') === `${group} ${name}`)?.command;
  const options = [...rest.matchAll(/--[a-z-]+/g)].map(([option]) => option);
  expect(command?.options.map(({ long }) => long)).toEqual(expect.arrayContaining(options));
  const given = rest.replace(/--[a-z-]+( \S+)?/g, '').trim();
  const wanted = command?.registeredArguments.filter(({ required }) => required) ?? [];
  expect(given === '' ? 0 : given.split(/ +/).length).toBeGreaterThanOrEqual(wanted.length);
});

it('users of btcli are told of each kind of command', () => {
  expect(named.length).toBeGreaterThan(20);
});

/** Lines of its own that a page tells people to type: of what calls `quarry`, or `q`, which stands for it there. */
function typedOn(file: string): string[] {
  const text = readFileSync(resolve(import.meta.dirname, '../../../docs', file), 'utf8');
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.split(/\n|&&/));
  const inline = [...text.matchAll(/`((?:docker compose exec quarry )?(?:q|quarry) [^`\n]+)`/g)].map(
    ([, line = '']) => line,
  );
  return [...blocks, ...inline].flatMap((line) => {
    const [, rest] = /^(?:docker compose exec quarry )?(?:q|quarry) ([a-z].*?)(?: +#.*)?$/.exec(line.trim()) ?? [];
    return rest === undefined ? [] : [rest];
  });
}

it.each(typedOn('server.md'))('quarry %s, which server.md has people type, is there with its options', (line) => {
  const words = line.split(' ');
  const found = all(program)
    .filter(({ path }) => path.every((word, at) => words[at] === word))
    .sort((one, other) => other.path.length - one.path.length)[0];
  const options = words.filter((word) => word.startsWith('--'));
  const common = ['--data', '--json'];
  const known = found?.command.options.map(({ long }) => long) ?? [];
  expect(options.filter((option) => ![...known, ...common].includes(option))).toEqual([]);
  // A group of commands does nothing by itself: what stands behind it is one of them.
  const rest = words.slice(found?.path.length).filter((word) => !word.startsWith('--'));
  expect(found?.command.commands.length === 0 || rest.length === 0).toBe(true);
});

it('server.md has people type some', () => {
  expect(typedOn('server.md').length).toBeGreaterThan(12);
});

// Measurements are for developers: what each needs says its help.
const taught = all(program).filter(({ path }) => path[0] !== 'bench' || path.length === 1);

it.each(taught.map(({ path, command }) => [path.join(' '), command] as const))(
  '%s shows what to type',
  (path, command) => {
    const lines = /\nExamples:\n((?: {2}quarry .*\n?)+)/.exec(helpOf(command))?.[1]?.trim().split('\n') ?? [];
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(`${line.trim()} `).toContain(`quarry ${path} `);
  },
);
