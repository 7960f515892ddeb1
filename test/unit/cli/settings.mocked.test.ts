import { Command } from 'commander';
import { expect, it, vi } from 'vitest';
import { registerSettings } from '../../../src-main/cli/settings.ts';
import type { CommandContext } from '../../../src-main/cli/terminal/command.ts';
import { commandContext } from '../../support/command-context.ts';
import { scriptedSettings } from '../../support/screens/script/settings.ts';

const commands = vi.hoisted(() => ({ context: undefined as unknown }));
vi.mock('../../../src-main/cli/terminal/command.ts', () => ({
  runCommand: (run: (context: CommandContext, ...args: unknown[]) => Promise<void>) => {
    return (...args: unknown[]) => run(commands.context as CommandContext, ...args);
  },
}));

async function listed(...words: string[]) {
  const commanded = commandContext({ settings: { list: async () => scriptedSettings() } });
  commands.context = commanded.context;
  const program = new Command('quarry');
  registerSettings(program);
  await program.parseAsync(['settings', 'list', ...words], { from: 'user' });
  const [settings = []] = commanded.documents as { path: string }[][];
  return { paths: settings.map(({ path }) => path), lines: commanded.lines };
}

it.each(['data', 'data.', 'Data'])(
  'lists those of the group «%s», and no others that have the word in them',
  async (group) => {
    const { paths, lines } = await listed(group);
    expect(paths).toContain('data.folders');
    expect(paths.filter((path) => !path.startsWith('data.'))).toEqual([]);
    expect(lines[0]).toMatch(/data\.folders +none +default/);
  },
);

it('lists what has a word in its name where there is no such group, and says when nothing has', async () => {
  expect((await listed('contact')).paths).toEqual(['data.contact']);
  expect((await listed('nonsense')).lines).toEqual(['No setting has «nonsense» in its name.']);
});
