import { Command } from 'commander';
import { expect, it, vi } from 'vitest';
import { registerFinding } from '../../../../src-main/cli/data/finding.ts';
import type { CommandContext } from '../../../../src-main/cli/terminal/command.ts';
import type { DataSource } from '../../../../src-preload/contract/data.ts';
import { commandContext } from '../../../support/command-context.ts';

const commands = vi.hoisted(() => ({ context: undefined as unknown }));
vi.mock('../../../../src-main/cli/terminal/command.ts', () => ({
  runCommand: (run: (context: CommandContext, ...args: unknown[]) => Promise<void>) => {
    return (...args: unknown[]) => run(commands.context as CommandContext, ...args);
  },
}));

const source = (kind: DataSource['kind'], isOn: boolean, lacks: string | null): DataSource => ({
  ...{ kind, isOn, lacks: lacks === null ? null : { text: lacks }, terms: null, askedAt: null, fault: null },
});

it('says of each source that cannot be asked what to type, and of one that is off how it is switched on', async () => {
  const all = [
    source('folder', true, null),
    source('commons', true, 'It needs a contact.'),
    source('peertube', false, 'No server is named.'),
    source('ytdlp', false, null),
  ];
  const { lines, context } = commandContext({ data: { sources: async () => all } });
  commands.context = context;
  const program = new Command('data');
  registerFinding(program);
  await program.parseAsync(['sources'], { from: 'user' });
  expect(lines.slice(1)).toEqual([
    'To use commons: quarry settings set data.contact you@example.org',
    'To switch peertube on: quarry settings set data.peertube https://peertube.example',
    'To switch peertube on: quarry settings set data.sources folder commons peertube',
    'To switch ytdlp on: quarry settings set data.sources folder commons ytdlp',
  ]);
});
