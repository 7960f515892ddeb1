import type { Address } from 'hyperdht';
import { Fleet, type FleetOptions } from '../../src-main/mesh/fleet/fleet.ts';
import { INFERENCE_NETWORK } from '../../src-main/mesh/inference/messages.ts';
import type { Limits } from '../../src-main/mesh/transport/guards/limits.ts';
import type { Identity } from '../../src-main/mesh/transport/identity.ts';
import type { MeshSwarm } from '../../src-main/mesh/transport/swarm.ts';
import { type Db, openDatabase } from '../../src-main/store/database.ts';
import { PairedNodeStore } from '../../src-main/store/mesh/paired-nodes.ts';
import type { FleetNode as FleetNodeView, NodeSummary } from '../../src-preload/contract/fleet.ts';
import { openNetwork, openSwarm, randomIdentity, testLog } from './mesh-node.ts';
import { PATIENCE_MS } from './patience.ts';

export const SUMMARY: NodeSummary = {
  name: 'A node',
  version: '0.1.0',
  role: 'miner',
  standing: 'ready',
  model: 'tiny',
  tokensPerSecond: 40,
  use: { cpu: 10, memory: 20 },
  earned: { today: 12, week: 80 },
  tier: 'bronze',
  credits: 5,
};

/** A node on a mesh, as far as its owner's other nodes know it: real swarm, real database, and a summary that the test makes. */
export interface TestFleetNode extends AsyncDisposable {
  id: string;
  swarm: MeshSwarm;
  fleet: Fleet;
  db: Db;
  /** What it tells; may be changed. */
  summary: NodeSummary;
  /** What it was asked to do by others. */
  orders: string[];
  /** How it sees another one; undefined when they are not paired. */
  sees(id: string): Promise<FleetNodeView | undefined>;
}

export interface TestFleetOptions extends Partial<FleetOptions> {
  bootstrap: Address[];
  name: string;
  identity?: Identity;
  /** Default: in memory. */
  database?: string;
  isMiner?: boolean;
  limits?: Partial<Limits>;
}

export async function openFleetNode(options: TestFleetOptions): Promise<TestFleetNode> {
  const {
    bootstrap,
    name,
    identity = randomIdentity(),
    database = ':memory:',
    isMiner = true,
    limits,
    ...rest
  } = options;
  const swarm = await openSwarm({ bootstrap, identity, limits });
  // As on every node: it listens, and shares a network with the others.
  const inference = await openNetwork(swarm, INFERENCE_NETWORK, 'both');
  const db = await openDatabase(database);
  const summary = { ...SUMMARY, name };
  const orders: string[] = [];
  const fleet = new Fleet({
    swarm,
    store: new PairedNodeStore(db),
    summary: async () => node.summary,
    order(want) {
      orders.push(want);
      return isMiner;
    },
    log: testLog,
    tellEveryMs: 50,
    tryEveryMs: 3_000,
    findMs: PATIENCE_MS,
    ...rest,
  });
  const node: TestFleetNode = {
    id: identity.id,
    swarm,
    fleet,
    db,
    summary,
    orders,
    sees: async (id) => (await fleet.view()).nodes.find((one) => one.id === id && !one.self),
    async [Symbol.asyncDispose]() {
      await fleet.close();
      await inference.close();
      await swarm.close();
      await db.destroy();
    },
  };
  await fleet.open();
  return node;
}
