import type { Command } from 'commander';
import { nearestOf } from '../base/nearest.ts';

/** What other programs call our commands, by the command whose subcommands they are. */
const ELSEWHERE: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  quarry: new Map([
    ['run', 'chat'],
    ['list', 'models list'],
    ['ls', 'models list'],
    ['pull', 'models pull'],
    ['serve', 'start'],
    ['rm', 'models remove'],
    ['config', 'settings'],
    ['set', 'settings set'],
  ]),
  models: new Map([
    ['ls', 'list'],
    ['rm', 'remove'],
    ['unload', 'free'],
  ]),
};

/** Says of a word that is no command of the program which of them was meant: the nearest, or the one that other programs call so. */
export function suggestCommands(program: Command): void {
  program.on('command:*', ([word = '']: string[]) => refuse(program, word));
}

/**
 * Says of a word that is none of a command's subcommands which of them is nearest. Commander does so by itself, but not where one of them is
 * the default: that is given the word as an argument, which it has no place for.
 */
export function suggestSubcommands(command: Command): void {
  command.hook('preSubcommand', (_, chosen) => {
    const [word = '-'] = command.args;
    const named = word === chosen.name() || chosen.aliases().includes(word);
    if (named || word.startsWith('-') || chosen.registeredArguments.length > 0) return;
    refuse(command, word);
  });
}

function refuse(command: Command, word: string): never {
  const names = command.createHelp().visibleCommands(command);
  const nearest = () =>
    nearestOf(
      word,
      names.map((one) => one.name()),
    );
  const meant = ELSEWHERE[command.name()]?.get(word) ?? nearest();
  const suggestion = meant ? `\n(Did you mean ${meant}?)` : '';
  command.error(`error: unknown command '${word}'${suggestion}`, { code: 'commander.unknownCommand' });
}
