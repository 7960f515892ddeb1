import { Command } from 'commander';
import { afterEach, expect, it, vi } from 'vitest';
import { registerData } from '../../../../src-main/cli/data/data.ts';
import type { CommandContext } from '../../../../src-main/cli/terminal/command.ts';
import { JOB_STATES } from '../../../../src-preload/contract/data-names.ts';
import { commandContext } from '../../../support/command-context.ts';

const commands = vi.hoisted(() => ({ context: undefined as unknown }));
vi.mock('../../../../src-main/cli/terminal/command.ts', async (original) => ({
  ...(await original<object>()),
  runCommand: (run: (context: CommandContext, ...args: unknown[]) => Promise<void>) => {
    return (...args: unknown[]) => run(commands.context as CommandContext, ...args);
  },
}));
afterEach(() => {
  commands.context = undefined;
});

/** What `quarry data` says of a node. */
async function said(more: object): Promise<string> {
  const state = {
    ...{ mining: 'off', order: null, fault: null, now: [], clips: 3, bytes: 70, diskBudget: 100, reckoning: null },
    ...{ jobs: Object.fromEntries(JOB_STATES.map((one) => [one, 0])), abilities: [], ...more },
  };
  const watch = async () =>
    (async function* () {
      yield state;
    })();
  const { context, lines } = commandContext({ data: { state: watch } });
  commands.context = context;
  const program = new Command();
  registerData(program);
  await program.parseAsync(['data'], { from: 'user' });
  return lines.join('\n');
}

it('says how far clips are looked through anew, while they are', async () => {
  expect(await said({ reckoning: 0.42 })).toMatch(/made into numbers or scored anew: 42\.0 %\./);
  expect(await said({})).not.toContain('anew');
});

it('tells what can be done from what is missing, also where nobody is named who does it', async () => {
  const ability = (name: string, isReady: boolean, by: string | null = null) => {
    return { ability: name, isReady, by, lost: isReady ? null : { text: `No ${name}.` }, hint: null };
  };
  const text = await said({
    abilities: [ability('pictures', true, 'siglip2'), ability('scores', true), ability('speech', false)],
  });
  expect(text).toMatch(/pictures +siglip2 *\n *scores +ready *\n *speech +missing/);
});
