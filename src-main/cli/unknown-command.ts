import type { Command } from 'commander';
import { nearestOf } from '../base/nearest.ts';

/**
 * Says of a word that is none of a command's subcommands which of them is nearest. Commander does so by itself, but not where one of them is
 * the default: that is given the word as an argument, which it has no place for.
 */
export function suggestSubcommands(command: Command): void {
  command.hook('preSubcommand', (_, chosen) => {
    const [word = '-'] = command.args;
    const named = word === chosen.name() || chosen.aliases().includes(word);
    if (named || word.startsWith('-') || chosen.registeredArguments.length > 0) return;
    const names = command.createHelp().visibleCommands(command);
    const meant = nearestOf(
      word,
      names.map((one) => one.name()),
    );
    const suggestion = meant ? `\n(Did you mean ${meant}?)` : '';
    command.error(`error: unknown command '${word}'${suggestion}`, { code: 'commander.unknownCommand' });
  });
}
