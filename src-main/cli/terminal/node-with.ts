import { loadConfig } from '../../settings/config.ts';
import type { CommandContext } from './command.ts';
import { type NodeNeeds, type NodeUse, withNode as runWithNode } from './node-client.ts';

/** The way to a node with some settings of its own, where one is opened for the command alone: one that runs keeps those that it has. */
export function nodeWith(
  { sources, signal }: Pick<CommandContext, 'sources' | 'signal'>,
  settings: Record<string, string | number>,
): CommandContext['withNode'] {
  const config = loadConfig({ ...sources, flags: { ...sources.flags, ...settings } });
  return <T>(wanted: NodeNeeds, use: NodeUse<T>) => runWithNode(config, wanted, use, signal);
}

/** To ask a server. Where the settings name none, this one is it, so that it gets the key of the environment. */
export function nodeAt(context: CommandContext, { url }: { url: string }): CommandContext['withNode'] {
  return context.config.remote.baseUrl === undefined ? nodeWith(context, { 'remote.baseUrl': url }) : context.withNode;
}
