import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import HyperDHT, { type Address } from 'hyperdht';
import { say, told } from '../../../src-preload/contract/saying.ts';
import { ignoring } from '../../base/swallowed.ts';
import { classifyNat, NAT_FINDINGS, type NatKind, type NatObservations, noAnswer, RANDOM_NAT_ADVICE } from '../nat.ts';
import { bounded } from '../reading.ts';
import type { CheckResult } from './check.ts';

export interface NetworkOptions {
  /** DHT nodes to meet the mesh through; empty means the public ones. */
  bootstrap: Address[];
  /** Milliseconds for the whole check. Default 10,000. */
  timeoutMs?: number;
  createDht?: (bootstrap: Address[]) => DhtNode;
}

/** What the check uses of HyperDHT, beyond what the mesh does. */
export interface DhtNode {
  readonly firewalled: boolean;
  fullyBootstrapped(): Promise<void>;
  /** Our address as others reach it; null behind a firewall or NAT. */
  remoteAddress(): Address | null;
  /** Other nodes that answered. */
  toArray(options: { limit: number }): Address[];
  /** `to` is our address as that node sees it. */
  ping(node: Address): Promise<{ to: Address }>;
  destroy(options?: { force?: boolean }): Promise<void>;
}

/** More would not change the verdict. */
const NODES_ASKED = 8;

/** Whether UDP gets through to the mesh, and what kind of NAT is in between. */
export async function checkNetwork(options: NetworkOptions): Promise<CheckResult> {
  const { bootstrap, timeoutMs = 10_000, createDht = newDht } = options;
  const dht = createDht(bootstrap);
  try {
    const observations = await observe(dht, bootstrap, timeoutMs);
    return describe(classifyNat(observations), observations, bootstrap);
  } finally {
    await dht.destroy({ force: true });
  }
}

function newDht(bootstrap: Address[]): DhtNode {
  const loopback = bootstrap.length > 0 && bootstrap.every(({ host }) => host.startsWith('127.'));
  const options = {
    port: 0, // a running node holds the usual port
    ...(bootstrap.length > 0 && { bootstrap }),
    // Without it, no data flows on loopback.
    ...(loopback && { host: '127.0.0.1' }),
  };
  return new HyperDHT(options) as HyperDHT & DhtNode;
}

async function observe(dht: DhtNode, bootstrap: Address[], timeoutMs: number): Promise<NatObservations> {
  const deadline = performance.now() + timeoutMs;
  const remaining = () => Math.max(1, deadline - performance.now());
  // Silence is a finding too: whoever has answered by then is asked all the same.
  await bounded(dht.fullyBootstrapped(), remaining() * 0.7).catch(ignoring('silence is a finding too'));
  const limit = remaining();
  const entrances = distinct(bootstrap);
  const ask = async (node: Address) => dht.ping({ host: (await lookup(node.host, 4)).address, port: node.port });
  const nodes = distinct([...entrances, ...dht.toArray({ limit: NODES_ASKED })]).slice(0, NODES_ASKED);
  const answers = await Promise.all(
    nodes.map((node) => bounded(ask(node), limit).catch(ignoring('silence is a finding too'))),
  );
  // A node can also be known because it wrote to this port, which may have been another program's a moment ago.
  const met = entrances.length === 0 || answers.slice(0, entrances.length).some(Boolean);
  return {
    seenAs: met ? answers.flatMap((answer) => (answer ? [answer.to] : [])) : [],
    reachable: !dht.firewalled && dht.remoteAddress() !== null,
    ownHosts: Object.values(networkInterfaces()).flatMap((cards) => cards?.map(({ address }) => address) ?? []),
  };
}

function distinct(nodes: Address[]): Address[] {
  return [...new Map(nodes.map((node) => [`${node.host}:${node.port}`, node])).values()];
}

function describe(kind: NatKind, { seenAs }: NatObservations, bootstrap: Address[]): CheckResult {
  const name = 'network';
  if (seenAs.length === 0) return { name, status: 'fail', ...told(noAnswer(bootstrap)) };
  const [first] = seenAs;
  const nodes = seenAs.length === 1 ? say('nat.oneNode') : say('nat.nodes', { count: seenAs.length });
  const params = { nodes, finding: NAT_FINDINGS[kind] };
  if (kind === 'random') {
    return { name, status: 'warn', ...told({ found: say('nat.through', params), advice: RANDOM_NAT_ADVICE }) };
  }
  const found = first
    ? say('nat.throughAs', { ...params, address: `${first.host}:${first.port}` })
    : say('nat.through', params);
  return { name, status: 'ok', ...told({ found }) };
}
