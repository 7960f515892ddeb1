import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { createORPCClient, ORPCError } from '@orpc/client';
import { RPCLink } from '@orpc/client/fetch';
import type { ContractRouterClient } from '@orpc/contract';
import { createRouterClient } from '@orpc/server';
import type { Agent } from 'undici';
import type { contract } from '../../../src-preload/contract/contract.ts';
import { QuarryError, type QuarryErrorData } from '../../../src-preload/contract/errors.ts';
import type { App } from '../../app/app.ts';
import type { WantedParts } from '../../app/domains.ts';
import { readRunningNode } from '../../app/host/running-node.ts';
import { isLoopback } from '../../base/loopback.ts';
import type { Config } from '../../settings/config.ts';
import { interrupted, interruptible, isCancellation } from './interruption.ts';

/** A node as a command sees it: the contract, wherever the node runs. */
export type NodeClient = ContractRouterClient<typeof contract>;

/** What a command does with a node. `runs`: it ran before, and goes on after the command. */
export type NodeUse<T> = (node: NodeClient, runs: boolean) => Promise<T>;

/** What a command needs of a node that it has to open for itself. */
export type NodeNeeds = Omit<WantedParts, 'server' | 'worker'>;

/** Milliseconds to wait for a node that is starting, or for another command, on the same data folder. */
const PATIENCE_MS = 10_000;
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

/** A running node that can be reached. */
export interface Reachable {
  url: string;
  token?: string;
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
  node: Reachable,
  config: Pick<Config, 'apiToken'>,
  use: NodeUse<T>,
  signal: AbortSignal,
): Promise<T> {
  const url = new URL('/rpc', node.url);
  const token = node.token ?? config.apiToken;
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  const dispatcher = url.protocol === 'https:' ? await localAgent(url.hostname) : undefined;
  const fetch = (request: Request, init: object) => globalThis.fetch(request, { ...init, dispatcher } as RequestInit);
  try {
    const client: NodeClient = createORPCClient(new RPCLink({ url: url.href, headers, fetch }));
    return await interruptible(use(client, true), signal);
  } finally {
    await dispatcher?.destroy();
  }
}

/**
 * Connections with the node under HTTPS. Its certificate is for those who come from elsewhere: it rarely names this
 * computer's own addresses. What goes to one of them never leaves this computer, and nobody else can listen where the node
 * does; so there, and only there, the certificate is not asked for a name.
 */
async function localAgent(host: string): Promise<Agent> {
  const { Agent } = await import('undici'); // a third of what a command loads, and few nodes have HTTPS
  return new Agent({ connect: { rejectUnauthorized: !isThisComputer(host) } });
}

function isThisComputer(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return isLoopback(address) || own.some((one) => one.address === address);
}

/** What fetch says of a node that is not there, and of one that ends amid its answer. */
const CUT_OFF = ['fetch failed', 'terminated'];

/** The contract carries Quarry's errors as data: this gives them their type back. */
export function namedError(error: unknown): QuarryError {
  if (error instanceof ORPCError && typeof (error.data as QuarryErrorData | undefined)?.code === 'string') {
    return new QuarryError(error.data as QuarryErrorData, { cause: error });
  }
  if (error instanceof TypeError && CUT_OFF.includes(error.message)) return silent(error);
  if (error instanceof QuarryError) return error; // a cancelled one says what was not done
  return isCancellation(error) ? interrupted() : QuarryError.from(error);
}

function silent(cause: TypeError): QuarryError {
  const message = 'The node does not answer any more.';
  const hint = 'See whether it runs: quarry ps. What it last wrote down: quarry logs.';
  return new QuarryError({ code: 'NOT_RUNNING', message, hint, retryable: true }, { cause });
}
