import type { Command } from 'commander';
import { closest, distance } from 'fastest-levenshtein';

/** What is further from every name, in letters or as a share of them, is not taken for one that was mistyped. As commander has it. */
const MOST_LETTERS = 3;
const MOST_OF_THEM = 0.6;

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
    const nearest = closest(
      word,
      names.map((one) => one.name()),
    );
    const letters = distance(word, nearest);
    const meant = letters <= MOST_LETTERS && letters < MOST_OF_THEM * Math.max(word.length, nearest.length);
    const suggestion = meant ? `\n(Did you mean ${nearest}?)` : '';
    command.error(`error: unknown command '${word}'${suggestion}`, { code: 'commander.unknownCommand' });
  });
}
