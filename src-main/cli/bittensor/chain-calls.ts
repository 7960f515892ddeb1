import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { ChainAction } from '../../../src-preload/contract/chain.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { raoOf } from '../../../src-preload/contract/rao.ts';
import { ignoring } from '../../base/swallowed.ts';
import { integer } from '../terminal/arguments.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import type { NodeClient } from '../terminal/node-client.ts';
import { type ChainFlags, withChain, withChainOptions } from './chain-node.ts';
import {
  chosenKey,
  chosenWallet,
  hotkeyAddress,
  type KeyFlags,
  netuidArgument,
  payeeAddress,
  withHotkey,
  withWallet,
} from './key-choice.ts';
import { percent } from './percent.ts';
import { type SendFlags, sendCall, withSendOptions } from './send-call.ts';
import { type NamedWeight, readWeights } from './weights-argument.ts';

type Flags = ChainFlags & KeyFlags & SendFlags;

const PARTS_A_PERCENT = 100;

/** A command that sends a call: arguments in, an action out. */
function sending<Args extends unknown[], Own extends object>(
  act: (context: CommandContext, node: NodeClient, flags: Flags & Own, ...args: Args) => Promise<ChainAction>,
) {
  return runCommand(async (context, ...all: [...Args, Flags & Own]) => {
    const flags = all.at(-1) as Flags & Own;
    const args = all.slice(0, -1) as unknown as Args;
    await withChain(context, flags, async (node) => {
      await sendCall(context, node, await act(context, node, flags, ...args), flags);
    });
  });
}

/** What can be sent to the chain. */
export function registerChainCalls(chain: Command): void {
  const command = (form: string) => withChainOptions(withSendOptions(chain.command(form)));
  withWallet(command('transfer'))
    .argument('<address>', 'who gets it: an address, or one of your wallets by its name')
    .argument('<tao>', 'how much, as 1.25, or all')
    .description('send TAO')
    .action(sending(transfer));
  withHotkey(command('register'))
    .argument('<netuid>', 'number of the subnet', netuidArgument)
    .option(
      '--limit <tao>',
      'the most that it may cost (default: 1 % more than now, because every registration raises the price)',
    )
    .description('register a hotkey on a subnet; what that costs is spent')
    .action(sending(register));
  withHotkey(command('serve'))
    .argument('<netuid>', 'number of the subnet', netuidArgument)
    .option('--ip <address>', 'where others reach the axon (default: what the running axon knows, or axon.externalIp)')
    .option('--axon-port <n>', 'its port there (default: likewise)', integer(1, 65_535))
    .description('tell everybody where the axon is')
    .action(sending(serve));
  withHotkey(command('weights'))
    .argument('<netuid>', 'number of the subnet', netuidArgument)
    .argument('<weight...>', 'as 3=0.5 for neuron 3, or one file of JSON: { "3": 0.5, "7": 1 }')
    .option('--version-key <n>', 'of the program that judges (default: what the subnet wants)')
    .description('set weights, in any scale: openly, locked or committed to, as the subnet wants them')
    .action(sending(weights));
  withHotkey(command('reveal'))
    .argument('<netuid>', 'number of the subnet', netuidArgument)
    .description('reveal weights that were committed to from here')
    .action(
      sending(async (context, node, flags, netuid: number) => ({
        action: 'reveal',
        netuid,
        ...(await chosenKey(context, node, flags)),
      })),
    );
  withHotkey(command('commitment'))
    .argument('<netuid>', 'number of the subnet', netuidArgument)
    .argument('<text>', 'up to 512 bytes')
    .description('say something in public, in the place of what the hotkey said before')
    .action(sending(commitment));
  stakes(command('stake'), '<tao>', 'how much, as 1.25')
    .description('stake TAO with a hotkey: buy alpha of its subnet')
    .action(sending(stake));
  stakes(command('unstake'), '<alpha>', 'how much alpha, as 1.25, or all')
    .description('take stake back: sell alpha of a subnet')
    .action(sending(unstake));
  stakes(command('move-stake'), '<alpha>', 'how much alpha, as 1.25, or all')
    .option('--to-netuid <n>', 'the subnet to move it to: its alpha is bought for what this brings', netuidArgument)
    .option('--to-hotkey <hotkey>', 'the hotkey to move it to, on the same subnet')
    .description('move stake of a wallet to another subnet, or to another hotkey')
    .action(sending(moveStake));
}

const stakes = (command: Command, amount: string, help: string) =>
  withWallet(command)
    .argument('<netuid>', 'number of the subnet; 0 is the root', netuidArgument)
    .argument('<hotkey>', 'a validator’s address, or an own hotkey: its name, or wallet/name')
    .argument(amount, help)
    .option('--tolerance <percent>', 'how much worse than now the price may be: 0.5% or 0.5', percent, 0.5);

async function transfer(
  context: CommandContext,
  node: NodeClient,
  flags: Flags,
  to: string,
  amount: string,
): Promise<ChainAction> {
  const wallet = await chosenWallet(context, node, flags);
  return { action: 'transfer', wallet, to: await payeeAddress(node, to), amount: raoOrAll(amount) };
}

async function register(
  context: CommandContext,
  node: NodeClient,
  { limit, ...flags }: Flags & { limit?: string },
  netuid: number,
): Promise<ChainAction> {
  const limitPrice = limit === undefined ? {} : { limitPrice: rao(limit) };
  return { action: 'register', netuid, ...limitPrice, ...(await chosenKey(context, node, flags)) };
}

async function serve(
  context: CommandContext,
  node: NodeClient,
  flags: Flags & { ip?: string; axonPort?: number },
  netuid: number,
): Promise<ChainAction> {
  const { externalIp, externalPort, port: ownPort } = context.config.axon;
  const axon = await node.axon.state().catch(ignoring('a node without an axon does not know where one is'));
  const known = axon?.external;
  const ip = flags.ip ?? known?.ip ?? externalIp;
  if (ip === undefined) {
    throw new QuarryError({
      code: 'BAD_REQUEST',
      message: 'Nobody knows at which address others reach this computer.',
      hint: 'Say it with --ip, or set axon.externalIp.',
      field: 'ip',
    });
  }
  const port = flags.axonPort ?? known?.port ?? externalPort ?? ownPort;
  return { action: 'serve', netuid, ip, port, ...(await chosenKey(context, node, flags)) };
}

async function weights(
  context: CommandContext,
  node: NodeClient,
  { versionKey, ...flags }: Flags & { versionKey?: string },
  netuid: number,
  given: string[],
): Promise<ChainAction> {
  const all: NamedWeight[] = await readWeights(given, (path) => readFile(path, 'utf8'));
  const version = versionKey === undefined ? {} : { versionKey };
  return { action: 'weights', netuid, weights: all, ...version, ...(await chosenKey(context, node, flags)) };
}

async function commitment(
  context: CommandContext,
  node: NodeClient,
  flags: Flags,
  netuid: number,
  text: string,
): Promise<ChainAction> {
  return { action: 'commitment', netuid, text, ...(await chosenKey(context, node, flags)) };
}

type StakeFlags = Flags & { tolerance: number };
type StakeArguments = [netuid: number, hotkey: string, amount: string];

/** What all calls of stakes have. */
async function ofStake(context: CommandContext, node: NodeClient, flags: StakeFlags, netuid: number, hotkey: string) {
  const wallet = await chosenWallet(context, node, flags);
  const tolerance = Math.round(flags.tolerance * PARTS_A_PERCENT);
  return { wallet, hotkey: await hotkeyAddress(node, wallet, hotkey), netuid, tolerance };
}

async function stake(
  context: CommandContext,
  node: NodeClient,
  flags: StakeFlags,
  ...[netuid, hotkey, amount]: StakeArguments
): Promise<ChainAction> {
  return { action: 'stake', ...(await ofStake(context, node, flags, netuid, hotkey)), amount: rao(amount) };
}

async function unstake(
  context: CommandContext,
  node: NodeClient,
  flags: StakeFlags,
  ...[netuid, hotkey, amount]: StakeArguments
): Promise<ChainAction> {
  return { action: 'unstake', ...(await ofStake(context, node, flags, netuid, hotkey)), amount: raoOrAll(amount) };
}

async function moveStake(
  context: CommandContext,
  node: NodeClient,
  { toNetuid, toHotkey, ...flags }: StakeFlags & { toNetuid?: number; toHotkey?: string },
  ...[netuid, hotkey, amount]: StakeArguments
): Promise<ChainAction> {
  const from = await ofStake(context, node, flags, netuid, hotkey);
  return {
    ...{ action: 'move', ...from, amount: raoOrAll(amount) },
    ...(toNetuid !== undefined && { toNetuid }),
    ...(toHotkey !== undefined && { toHotkey: await hotkeyAddress(node, from.wallet, toHotkey) }),
  };
}

const rao = (amount: string) => String(raoOf(amount));

const raoOrAll = (amount: string) => (amount.trim().toLowerCase() === 'all' ? 'all' : rao(amount));
