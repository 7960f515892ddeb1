import { Command } from 'commander';
import { expect, it, vi } from 'vitest';
import { registerMining } from '../../../../src-main/cli/data/mine.ts';
import type { CommandContext } from '../../../../src-main/cli/terminal/command.ts';
import { commandContext } from '../../../support/command-context.ts';

const commands = vi.hoisted(() => ({ context: undefined as unknown }));
vi.mock('../../../../src-main/cli/terminal/command.ts', () => ({
  runCommand: (run: (context: CommandContext, ...args: unknown[]) => Promise<void>) => {
    return (...args: unknown[]) => run(commands.context as CommandContext, ...args);
  },
}));

async function stopped(mining: string) {
  const stop = vi.fn(async () => undefined);
  const state = async () =>
    (async function* () {
      yield { mining };
    })();
  const { context, lines } = commandContext({ data: { stop, state } });
  commands.context = context;
  const program = new Command('data');
  registerMining(program);
  await program.parseAsync(['stop'], { from: 'user' });
  return { lines, times: stop.mock.calls.length };
}

it('stops what is mined, and says so where nothing is', async () => {
  expect(await stopped('working')).toMatchObject({ times: 1, lines: [expect.stringContaining('quarry data resume')] });
  expect(await stopped('off')).toEqual({ times: 0, lines: ['Nothing was being mined.'] });
});
