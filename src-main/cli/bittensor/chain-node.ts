import type { Command } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { isGiven } from '../../settings/config.ts';
import type { CommandContext } from '../terminal/command.ts';
import type { NodeClient } from '../terminal/node-client.ts';
import { addSettingOptions } from '../terminal/setting-options.ts';

/** Options that say which chain is meant. */
export interface ChainFlags {
  network?: string;
  endpoint?: string;
}

export const withChainOptions = (command: Command): Command => addSettingOptions(command, 'chain');

/** What the options, variables and files of this command name as the chain; undefined where nothing does. */
function meant({ config, sources }: Pick<CommandContext, 'config' | 'sources'>, { network }: ChainFlags) {
  return network ?? (isGiven('bittensor.network', sources) ? config.bittensor.network : undefined);
}

/**
 * Runs `use` against the running node, or one that is opened for the moment.
 * @throws BAD_REQUEST where the options, or what is set where the command runs, name another chain than the one that the running node is connected with: money must not go astray
 */
export async function withChain<T>(
  context: Pick<CommandContext, 'withNode' | 'config' | 'sources'>,
  flags: ChainFlags,
  use: (node: NodeClient) => Promise<T>,
): Promise<T> {
  const { endpoint } = flags;
  const network = meant(context, flags);
  return context.withNode({}, async (node) => {
    const state = await node.chain.state();
    const isOther = network !== undefined && network !== state.network;
    if (isOther || (endpoint !== undefined && endpoint !== state.endpoint)) {
      throw new QuarryError({
        code: 'BAD_REQUEST',
        message: `The node that runs is on ${state.network}, at ${state.endpoint}.`,
        hint: `Here ${network ?? state.network} is wanted. End it (quarry stop) and start it so, or use another folder (--data).`,
      });
    }
    return use(node);
  });
}
