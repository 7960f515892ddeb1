import { setTimeout as sleep } from 'node:timers/promises';
import { createRouterClient } from '@orpc/server';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { App } from '../../app/app.ts';
import type { WantedParts } from '../../app/domains.ts';
import { namedError } from '../../client/named-error.ts';
import { type NodeClient, openLink, type Reachable } from '../../client/node-link.ts';
import { readRunningNode } from '../../client/running-node.ts';
import type { Config } from '../../settings/config.ts';
import { interruptible } from './interruption.ts';

export type { NodeClient };

/** What a command does with a node. `runs`: it ran before, and goes on after the command. */
export type NodeUse<T> = (node: NodeClient, runs: boolean) => Promise<T>;

/** What a command needs of a node that it has to open for itself. */
export type NodeNeeds = Omit<WantedParts, 'server' | 'worker'>;

/** Milliseconds to wait for a node that is starting, or for another command, on the same data folder: slow computers take 20 s. */
const PATIENCE_MS = 60_000;
const LOOK_AGAIN_MS = 200;

/**
 * Runs `use` against the node that is running on this data folder, through its contract over HTTP. When none is
 * running, opens one in this process with just what is needed, and closes it afterwards.
 *
 * @throws DATA_DIR_IN_USE when the folder stays taken; CANCELLED when the signal aborts
 */
export async function withNode<T>(config: Config, needs: NodeNeeds, use: NodeUse<T>, signal: AbortSignal): Promise<T> {
  try {
    const found = await findNode(config, needs, signal);
    if (!('contract' in found)) return await useRunning(found, config, use, signal);
    await using app = found;
    return await interruptible(
      use(createRouterClient(app.contract, { context: { confidential: true, ofAccount: true } }), false),
      signal,
    );
  } catch (error) {
    throw namedError(error);
  }
}

/** The same with a node that is known to run. @throws what its answers throw, and INTERNAL where it cannot be reached */
export async function withRunning<T>(
  node: Reachable,
  config: Pick<Config, 'apiToken'>,
  use: NodeUse<T>,
  signal: AbortSignal,
): Promise<T> {
  try {
    return await useRunning(node, config, use, signal);
  } catch (error) {
    throw namedError(error);
  }
}

/** The running node, or a node of our own as soon as the folder is free. */
async function findNode(config: Config, needs: NodeNeeds, signal: AbortSignal): Promise<Reachable | App> {
  for (const end = Date.now() + PATIENCE_MS; ; ) {
    const running = await readRunningNode(config.dataDir);
    if (running?.url) return { url: running.url, token: running.token };
    const own = running ? undefined : await openUnlessTaken(config, needs);
    if (own) return own;
    if (Date.now() > end) throw stillTaken(config.dataDir, running?.pid);
    await sleep(LOOK_AGAIN_MS, undefined, { signal });
  }
}

/** Undefined when another process was quicker. */
async function openUnlessTaken(config: Config, needs: NodeNeeds): Promise<App | undefined> {
  // All of Quarry: a command that finds a running node starts much sooner without.
  const { createApp } = await import('../../app/create-app.ts');
  try {
    return await createApp(config, { ...needs, server: false, worker: false });
  } catch (error) {
    if (error instanceof QuarryError && error.code === 'DATA_DIR_IN_USE') return undefined;
    throw error;
  }
}

function stillTaken(dataDir: string, pid: number | undefined): QuarryError {
  return new QuarryError({
    code: 'DATA_DIR_IN_USE',
    message: `On the data folder ${dataDir}, a node is starting or another quarry command is at work${pid ? ` (process ${pid})` : ''}.`,
    hint: 'Wait until it is ready, or choose another folder with --data.',
    retryable: true,
  });
}

async function useRunning<T>(
  { url, token }: Reachable,
  { apiToken }: Pick<Config, 'apiToken'>,
  use: NodeUse<T>,
  signal: AbortSignal,
): Promise<T> {
  await using link = await openLink({ url, token: token ?? apiToken });
  return await interruptible(use(link.node, true), signal);
}
