import { expect, it } from 'vitest';
import { askLine } from '../../../../src-main/cli/terminal/ask-line.ts';
import { typedTerminal } from '../../../support/typed-terminal.ts';

it('gives back what was typed, without spaces around it', async () => {
  const terminal = typedTerminal([' yes \n']);
  expect(await askLine('Send this? ')).toBe('yes');
  expect(terminal.shown()).toBe('Send this? ');
});

it('says that nothing was done where Ctrl+D ends the question', async () => {
  typedTerminal([]);
  await expect(askLine('Word 3: ')).rejects.toMatchObject({ code: 'CANCELLED', message: 'Nothing was done.' });
});
