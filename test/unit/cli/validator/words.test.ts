import { Command } from 'commander';
import { expect, it } from 'vitest';
import { registerValidator } from '../../../../src-main/cli/validator/validator.ts';
import { validation } from '../../../../src-preload/contract/sayings/validation.ts';

/** What is typed, or filled in, keeps the name that it has in files and in the protocol. */
const TYPED = /--environment|«quarry validator environments»|environment variable|\{\{environments?\}\}/g;

/** What is said of a command, its options and its arguments, and of all below it. */
function wordsOf(command: Command): string[] {
  const parts = [...command.options, ...command.registeredArguments].map(({ description }) => description);
  return [command.description(), ...parts, ...command.commands.flatMap(wordsOf)];
}

it('help and sentences of a validator say task, as its page does', () => {
  const program = new Command('quarry');
  registerValidator(program);
  const texts = [...wordsOf(program), ...Object.values(validation)].map((text) => text.replace(TYPED, ''));
  expect(texts.filter((text) => /environment/i.test(text))).toEqual([]);
});
