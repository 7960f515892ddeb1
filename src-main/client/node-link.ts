import { networkInterfaces } from 'node:os';
import { createORPCClient, mapEventIterator } from '@orpc/client';
import { RPCLink } from '@orpc/client/fetch';
import type { ContractRouterClient } from '@orpc/contract';
import type { Agent } from 'undici';
import type { contract } from '../../src-preload/contract/contract.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { isLoopback } from '../base/loopback.ts';
import { boundedAnswer } from './bounded-answer.ts';
import { namedError } from './named-error.ts';

/** A node as its users see it: the contract, wherever the node runs. */
export type NodeClient = ContractRouterClient<typeof contract>;

/** Where a running node can be reached. */
export interface Reachable {
  url: string;
  /** Opens its contract. */
  token?: string | undefined;
}

/** A way to a node. Close it. */
export interface NodeLink extends AsyncDisposable {
  /** Every failure of its calls, and of the streams that they give, is a QuarryError. */
  readonly node: NodeClient;
}

/** The way to a running node: its contract over HTTP. What is under way when it is closed ends with CANCELLED. */
export async function openLink({ url, token }: Reachable): Promise<NodeLink> {
  const address = new URL('/rpc', url);
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  const dispatcher = address.protocol === 'https:' ? await localAgent(address.hostname) : undefined;
  const closing = new AbortController();
  const fetch = async (request: Request, init: object, call: Pick<Call, 'signal'>) => {
    const signal = AbortSignal.any([closing.signal, ...(call.signal ? [call.signal] : [])]);
    const response = await globalThis.fetch(request, { ...init, signal, dispatcher } as RequestInit);
    return await boundedAnswer(response, signal);
  };
  const link = new RPCLink({ url: address.href, headers, fetch, interceptors: [nameErrors] });
  return {
    node: createORPCClient(link),
    async [Symbol.asyncDispose]() {
      closing.abort(new QuarryError({ code: 'CANCELLED', message: 'The connection to the node was closed.' }));
      await dispatcher?.destroy();
    },
  };
}

interface Call {
  signal?: AbortSignal | undefined;
  next(): Promise<unknown>;
}

async function nameErrors({ signal, next }: Call): Promise<unknown> {
  try {
    const output = await next();
    if (!isStream(output)) return output;
    return mapEventIterator(output, {
      value: async (value) => value,
      error: async (error) => namedError(error, signal),
    });
  } catch (error) {
    throw namedError(error, signal);
  }
}

function isStream(output: unknown): output is AsyncIterator<unknown> {
  return typeof output === 'object' && output !== null && Symbol.asyncIterator in output;
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
