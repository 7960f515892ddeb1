import { Command } from 'commander';
import { expect, it } from 'vitest';
import { pointToHelp } from '../../../src-main/cli/help-pointer.ts';

it.each([
  [['foo'], 'quarry'],
  [['chain', 'price'], 'quarry chain price'],
  [['chain', 'price', '3', '--foo'], 'quarry chain price'],
])('of the command that was given wrong arguments: %j', async (words, path) => {
  let said = '';
  const program = new Command('quarry').exitOverride().configureOutput({
    writeErr: (text) => {
      said += text;
    },
  });
  program.command('chain').command('price').argument('<netuid>');
  pointToHelp(program);
  await expect(program.parseAsync(words, { from: 'user' })).rejects.toThrow();
  expect(said).toContain(`\n(${path} --help shows what there is)`);
});
