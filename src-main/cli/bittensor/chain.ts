import type { Command } from 'commander';
import type { ChainStateView, NeuronView, SentCall, SubnetView } from '../../../src-preload/contract/chain.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { movedRao } from '../../../src-preload/contract/moved-rao.ts';
import { placeText } from '../../../src-preload/contract/place.ts';
import { taoText } from '../../../src-preload/contract/rao.ts';
import { readNotTaken } from '../../settings/config.ts';
import { integer } from '../terminal/arguments.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import type { NodeClient } from '../terminal/node-client.ts';
import { table, timeText } from '../terminal/output.ts';
import { ends, roughly, tao } from './amounts.ts';
import { balance } from './balances.ts';
import { registerChainCalls } from './chain-calls.ts';
import { type ChainFlags, withChain, withChainOptions } from './chain-node.ts';
import { netuidArgument } from './key-choice.ts';
import { ruleText } from './rule-text.ts';

const HELP = `
TAO is the chain’s money, alpha that of a subnet. A hotkey is registered on a subnet, serves there and is paid
by it; the coldkey of its wallet holds what it earns. docs/chain.md tells all of it, from the beginning.`;

/** `quarry chain`: what the chain of Bittensor says, and what can be asked of it. */
export function registerChain(program: Command): void {
  const chain = program
    .command('chain')
    .description('the chain of Bittensor: balances, subnets, registration, weights, stake')
    .addHelpText('after', HELP);
  const command = (form: string, options = {}) => withChainOptions(chain.command(form, options));
  command('status', { isDefault: true })
    .alias('state')
    .description('which chain this is, and how the connection stands')
    .action(runCommand(status));
  command('balance')
    .argument('[who...]', 'wallets by name, or addresses (default: all wallets)')
    .description('what accounts have: free, staked, and what of it can be sent')
    .action(runCommand(balance));
  command('subnets').description('all subnets: price, neurons, what registering costs').action(runCommand(subnets));
  command('subnet')
    .argument('<netuid>', 'number of the subnet', netuidArgument)
    .option(
      '--rules',
      'its rules, too, each with its unit; --json has them as the chain counts: rao, blocks, parts of 65535',
    )
    .description('a subnet and its neurons; --json has their whole addresses')
    .action(runCommand(subnet));
  command('price')
    .argument('<netuid>', 'number of the subnet', netuidArgument)
    .description('what one alpha of a subnet costs')
    .action(runCommand(price));
  command('calls')
    .option('--limit <n>', 'how many', integer(1, 200), 20)
    .description('what was sent from here, and what came of it')
    .action(runCommand(calls));
  registerChainCalls(chain);
}

/** Until the chain has answered, or cannot be reached. */
async function settledState(node: NodeClient, signal: AbortSignal): Promise<ChainStateView> {
  const ending = new AbortController();
  for await (const state of await node.chain.watch(undefined, { signal: AbortSignal.any([signal, ending.signal]) })) {
    if (state.status !== 'idle' && state.status !== 'connecting') {
      ending.abort();
      return state;
    }
  }
  return node.chain.state();
}

async function status(context: CommandContext, flags: ChainFlags): Promise<void> {
  const { output, signal, sources } = context;
  for (const { message, hint } of readNotTaken(sources)) output.note(`! ${message} It is left out. ${hint ?? ''}`);
  await withChain(context, flags, async (node) => {
    const state = await settledState(node, signal);
    output.document(state);
    output.line(`${state.network}: ${state.status}, ${state.endpoint}`);
    if (state.block !== undefined)
      output.line(`block ${state.block}, final ${state.finalised ?? '–'}, runtime ${state.specVersion ?? '–'}`);
    if (state.reason) output.line(state.reason);
    if (state.status === 'lost') process.exitCode = 1;
  });
}

async function subnets(context: CommandContext, flags: ChainFlags): Promise<void> {
  const { output } = context;
  await withChain(context, flags, async (node) => {
    const all = await node.chain.subnets();
    output.document(all);
    output.line(
      table(
        ['SUBNET', 'NAME', 'NEURONS', 'PRICE IN TAO', 'REGISTERING', 'OWN'],
        all.map((one) => [
          one.netuid,
          one.name,
          `${one.neurons}/${one.places}`,
          roughly(one.price),
          registering(one),
          one.own || '',
        ]),
      ),
    );
  });
}

const registering = ({ registrationOpen, registrationCost }: SubnetView) =>
  registrationOpen ? roughly(registrationCost) : 'closed';

async function subnet(context: CommandContext, netuid: number, flags: ChainFlags & { rules?: boolean }): Promise<void> {
  const { output } = context;
  await withChain(context, flags, async (node) => {
    const found = await node.chain.subnet({ netuid });
    if (!found) throw noSubnet(netuid);
    output.document(found);
    output.line(
      `${['Subnet', netuid, found.name].filter((part) => part !== '').join(' ')}, block ${found.block}: ${found.neurons} of ${found.places} places taken`,
    );
    output.line(
      `alpha ${roughly(found.price)} TAO; registering ${registering(found)}; an epoch has ${found.tempo} blocks${found.nextEpoch === null ? '' : `, the next begins with ${found.nextEpoch}`}`,
    );
    output.line();
    if (flags.rules) {
      output.line(
        table(
          ['RULE', 'VALUE'],
          found.rules.map(({ name, value }) => [name, ruleText(name, value)]),
        ),
      );
      output.line();
    }
    output.line(
      table(
        ['UID', 'HOTKEY', 'STAKE', 'INCENTIVE', 'DIVIDENDS', 'EMISSION', 'WEIGHTS', 'AXON', ''],
        found.rows.map(neuronRow),
      ),
    );
  });
}

function neuronRow(neuron: NeuronView): (string | number)[] {
  const { uid, hotkey, stake, incentive, dividends, emission, updatedAgo, axon, own, validatorPermit } = neuron;
  const marks = [own && `${own.wallet}/${own.hotkey}`, validatorPermit && 'validator'].filter(Boolean).join(', ');
  const updated = `${updatedAgo} blocks ago`;
  return [
    uid,
    ends(hotkey),
    roughly(stake),
    incentive.toFixed(4),
    dividends.toFixed(4),
    roughly(emission),
    updated,
    axon ? placeText(axon) : '–',
    marks,
  ];
}

async function price(context: CommandContext, netuid: number, flags: ChainFlags): Promise<void> {
  const { output } = context;
  await withChain(context, flags, async (node) => {
    const found = (await node.chain.subnets()).find((one) => one.netuid === netuid);
    if (!found) throw noSubnet(netuid);
    output.document({ netuid, price: found.price });
    output.line(found.price === null ? 'The chain tells no price for this.' : `${tao(found.price)} TAO`);
  });
}

const noSubnet = (netuid: number) =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: `There is no subnet ${netuid}.`,
    hint: 'All of them: quarry chain subnets',
    field: 'netuid',
  });

async function calls(context: CommandContext, { limit, ...flags }: ChainFlags & { limit: number }): Promise<void> {
  const { output } = context;
  await withChain(context, flags, async (node) => {
    const sent = await node.chain.calls({ limit });
    output.document(sent);
    if (sent.calls.length === 0) return output.line('Nothing was sent from here yet.');
    output.line(table(['#', 'WHEN', 'WHAT', 'SUBNET', 'TO', 'TAO', 'FEE', 'STATE'], sent.calls.map(callRow)));
    for (const { id, error, refusal } of sent.calls) {
      if (error) output.line([`${id}: ${error.message}`, error.hint].filter(Boolean).join(' '));
      if (refusal) output.line(`${id}: the endpoint said: ${refusal.message}`);
    }
    if (sent.more) output.line(`${sent.calls.length} shown; --limit shows more.`);
  });
}

function callRow(call: SentCall): (string | number)[] {
  const { id, at, action, netuid, to, fee, state, block, network } = call;
  const moved = movedRao(call);
  const where = block === null ? state : `${state}, block ${block}`;
  return [
    id,
    timeText(at),
    action,
    netuid ?? '',
    to === null ? '' : ends(to),
    moved === 0n ? '' : `${moved > 0n ? '+' : ''}${taoText(moved)}`,
    tao(fee),
    network === 'finney' ? where : `${where} (${network})`,
  ];
}
