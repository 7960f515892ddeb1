import { Command } from 'commander';
import { expect, it } from 'vitest';
import { COMMANDS } from '../../../src-main/cli/commands.ts';
import { addExamples } from '../../../src-main/cli/examples.ts';

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
