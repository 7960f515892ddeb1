import type { Command } from 'commander';

/** Has a command and its subcommands end what they say of wrong arguments with the help that is about just them. */
export function pointToHelp(command: Command, path = command.name()): void {
  command.showHelpAfterError(`(${path} --help shows what there is)`);
  for (const one of command.commands) pointToHelp(one, `${path} ${one.name()}`);
}
