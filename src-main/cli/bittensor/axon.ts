import { styleText } from 'node:util';
import type { Command } from 'commander';
import type { AxonChoice, AxonState } from '../../../src-preload/contract/axon.ts';
import { placeText } from '../../../src-preload/contract/place.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import type { NodeClient } from '../terminal/node-client.ts';
import { type Output, timeText } from '../terminal/output.ts';
import { registerAxonAsk } from './axon-ask.ts';
import { netuidArgument } from './key-choice.ts';

const HELP = `
An axon is the server by which a miner is asked on a subnet of Bittensor. It answers signed prompts with
this node's model, out of the same queue as the mesh. It wants to know for which hotkey, and on which subnet:

  quarry axon start --wallet main --hotkey default --netuid 1

That is kept; it can be set in quarry.toml and on the screens, too:

  [axon]
  wallet = "main"       # and hotkey = "default": for whom it answers
  netuid = 1            # the subnet on which that hotkey is registered
  enabled = true        # open it with every start of a miner`;

const SIGNS: Record<AxonState['reach']['status'], string> = {
  ok: styleText('green', '✓'),
  warn: styleText('yellow', '!'),
  fail: styleText('red', '✗'),
  skip: styleText('dim', '–'),
};

const SOURCES: Record<NonNullable<AxonState['external']>['from'], string> = {
  settings: 'as it is set',
  router: 'opened by the router',
  peers: 'as other nodes see it',
};

/** `quarry axon`: what this node is on a subnet of Bittensor, and asking the axons of others. */
export function registerAxon(program: Command): void {
  const axon = program
    .command('axon')
    .description('answer validators of a Bittensor subnet with this node’s model, and ask axons')
    .addHelpText('after', HELP);
  const verb = (name: string, description: string, ask: (node: NodeClient, choice: AxonChoice) => Promise<AxonState>) =>
    axon
      .command(name, { isDefault: name === 'status' })
      .description(description)
      .action(runCommand((context, choice: AxonChoice) => tell(context, (node) => ask(node, choice))));
  verb('status', 'whether the axon is open, for whom, where others reach it, and what it was asked', ({ axon }) =>
    axon.state(),
  );
  verb('start', 'open it, now and with every start of the miner, and look where others reach it', ({ axon }, choice) =>
    opened(axon, choice),
  )
    .option('--wallet <name>', 'the wallet of the hotkey for which it answers; kept as axon.wallet')
    .option('--hotkey <name>', 'that hotkey; kept as axon.hotkey (default: «default»)')
    .option('--netuid <n>', 'the subnet on which it is registered; kept as axon.netuid', netuidArgument);
  axon.command('stop').description('close it; what is being answered ends').action(runCommand(stop));
  verb('check', 'look again where others reach it: asks the router, other nodes and the chain', ({ axon }) =>
    axon.check(),
  );
  registerAxonAsk(axon);
}

async function opened(axon: NodeClient['axon'], { wallet, hotkey, netuid }: AxonChoice): Promise<AxonState> {
  await axon.start({ wallet, hotkey, netuid });
  return axon.check();
}

async function stop({ output, withNode }: CommandContext): Promise<void> {
  const [before, after] = await withNode({}, async ({ axon }) => [await axon.state(), await axon.stop()]);
  output.document(after);
  output.line(before.running ? 'Stopped.' : 'The axon was not open.');
}

async function tell(
  { output, withNode }: CommandContext,
  ask: (node: NodeClient) => Promise<AxonState>,
): Promise<void> {
  const state = await withNode({}, ask);
  output.document(state);
  if (state.running) tellRunning(state, output);
  else if (state.error) {
    output.line(`${SIGNS.fail} The axon is not open: ${state.error.message}`);
    if (state.error.hint) output.line(`  ${styleText('dim', state.error.hint)}`);
  } else output.line(`${SIGNS.skip} The axon is not open. Open it with: quarry axon start`);
}

function tellRunning(
  { hotkey, netuid, port, external, announced, neurons, answered, refused, reach }: AxonState,
  output: Output,
) {
  const row = (title: string, text: string) => output.line(`${title.padEnd(11)} ${text}`);
  if (hotkey) row('Hotkey', `${hotkey.wallet}/${hotkey.hotkey}  ${hotkey.address}`);
  row('Subnet', netuid === null ? 'none: it answers anyone' : String(netuid));
  row('Port', String(port));
  row('Outside', external ? `${placeText(external)}, ${SOURCES[external.from]}` : 'not known');
  row('On chain', announced ? placeText(announced) : 'not known');
  const reasons = refused.map(({ status, count }) => `${count} × ${status}`).join(', ');
  row('Answered', `${answered}${reasons ? `; refused: ${reasons}` : ''}`);
  if (neurons?.stale) {
    const since =
      neurons.readAt === null ? 'nobody is known yet' : `what was known at ${timeText(neurons.readAt)} counts`;
    output.line(`${SIGNS.warn} The chain does not tell who is registered: ${since}.`);
  }
  output.line(`${SIGNS[reach.status]} ${reach.found}`);
  if (reach.advice) output.line(`  ${styleText('dim', reach.advice)}`);
}
