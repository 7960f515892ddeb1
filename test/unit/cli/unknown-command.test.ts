import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../src-main/cli/commands.ts';
import { suggestCommands, suggestSubcommands } from '../../../src-main/cli/unknown-command.ts';

/** Parses a line as `quarry` does, with commands that do nothing. @returns what was run, or why nothing was */
async function parse(...words: string[]): Promise<{ ran: string } | { code: string; message: string }> {
  let ran = '';
  const run = (name: string) => () => {
    ran = name;
  };
  const program = new Command('quarry').exitOverride().configureOutput({ outputError: () => {} });
  program.option('--json');
  const credits = program.command('credits');
  credits.command('show', { isDefault: true }).action(run('show'));
  credits.command('history').alias('ledger').option('--limit <n>').action(run('history'));
  credits.command('secret', { hidden: true });
  const models = program.command('models');
  models
    .command('find', { isDefault: true })
    .argument('[name]')
    .action((name: string) => run(`find ${name}`)());
  program.command('bench').command('inference');
  for (const command of program.commands) suggestSubcommands(command);
  try {
    await program.parseAsync(['node', 'quarry', ...words]);
    return { ran };
  } catch (error) {
    return error as { code: string; message: string };
  }
}

/** The command whose subcommands the last word is looked for among. */
function parentOf(program: Command, words: string): Command | undefined {
  return words.includes(' ') ? program.commands.find((one) => one.name() === words.split(' ')[0]) : program;
}

describe('a word that is no subcommand', () => {
  it.each([
    [
      'of a command with a default',
      ['credits', 'histroy'],
      "error: unknown command 'histroy'\n(Did you mean history?)",
    ],
    [
      'behind an option of the program',
      ['--json', 'credits', 'shw'],
      "error: unknown command 'shw'\n(Did you mean show?)",
    ],
    [
      'before an option',
      ['credits', 'histroy', '--limit', '2'],
      "error: unknown command 'histroy'\n(Did you mean history?)",
    ],
    [
      'of a command without a default',
      ['bench', 'infernce'],
      "error: unknown command 'infernce'\n(Did you mean inference?)",
    ],
    ['but looks like none of them', ['credits', 'weather'], "error: unknown command 'weather'"],
    ['but is a hidden one mistyped', ['credits', 'secrte'], "error: unknown command 'secrte'"],
  ])('%s is told apart from an argument: %j', async (_, words, message) => {
    expect(await parse(...words)).toMatchObject({ code: 'commander.unknownCommand', message });
  });

  it.each([
    ['run', 'chat'],
    ['list', 'models list'],
    ['pull', 'models pull'],
    ['serve', 'start'],
    ['rm', 'models remove'],
    ['models rm', 'remove'],
    ['models unload', 'free'],
    ['chatt', 'chat'],
  ])('is known from other programs: quarry %s', async (words, meant) => {
    const program = new Command('quarry').exitOverride().configureOutput({ outputError: () => {}, writeErr: () => {} });
    for (const register of COMMANDS) register(program);
    suggestCommands(program);
    for (const command of program.commands) suggestSubcommands(command);
    const refused = expect.objectContaining({ message: expect.stringContaining(`(Did you mean ${meant}?)`) });
    await expect(program.parseAsync(['node', 'quarry', ...words.split(' '), 'x'])).rejects.toEqual(refused);
    const named = meant
      .split(' ')
      .reduce((one, word) => one?.commands.find((sub) => sub.name() === word), parentOf(program, words));
    expect(named).toBeDefined();
  });

  it.each([
    [['credits'], 'show'],
    [['credits', '--json'], 'show'],
    [['credits', 'show'], 'show'],
    [['credits', 'history', '--limit', '2'], 'history'],
    [['credits', 'ledger'], 'history'],
    [['models', 'qwen'], 'find qwen'],
  ])('does not hinder those that are: %j', async (words, ran) => {
    expect(await parse(...words)).toEqual({ ran });
  });

  it('leaves an argument too many of a command that was named what it is', async () => {
    expect(await parse('credits', 'show', 'all')).toMatchObject({ code: 'commander.excessArguments' });
  });
});
