import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { App } from '../../src-main/app/app.ts';
import { createApp } from '../../src-main/app/create-app.ts';
import { seededRandom } from '../../src-main/base/seeded-random.ts';
import { ifMissing } from '../../src-main/base/swallowed.ts';
import type { Channel, HostileCaller } from '../../src-main/bench/hostile/hostile-caller.ts';
import { oneOf, type Pick } from '../../src-main/bench/hostile/schema-values.ts';
import { MeshClient } from '../../src-main/mesh/asking/client.ts';
import { INFERENCE_NETWORK } from '../../src-main/mesh/inference/messages.ts';
import { DEFAULT_LIMITS } from '../../src-main/mesh/transport/guards/limits.ts';
import { MeshKeys } from '../../src-main/mesh/transport/topic.ts';
import { loadConfig } from '../../src-main/settings/config.ts';
import { TINY_MODEL } from '../support/engine.ts';
import { FUZZ_TIMES } from '../support/fuzz/fuzz.ts';
import { heapAfterCollecting } from '../support/fuzz/heap.ts';
import { anyAddress, callNode, channelsOf } from '../support/fuzz/victim.ts';
import { MemoryClientCredits } from '../support/memory-credits.ts';
import { MemorySwarm } from '../support/memory-swarm.ts';
import { openNetwork, openSwarm, randomIdentity, testLog } from '../support/mesh-node.ts';
import { ownerOf } from '../support/owner.ts';
import { until } from '../support/until.ts';

vi.mock('hyperswarm', async () => ({ default: (await import('../support/memory-swarm.ts')).MemorySwarm }));
vi.mock('hyperdht', async () => ({ default: (await import('../support/memory-swarm.ts')).MemoryDht }));

/** A hundred in the suite; `QUARRY_FUZZ_TIMES=10` brings a thousand, and ten times as much of what each says. */
const PEERS = 100 * Math.min(10, FUZZ_TIMES);
const UTTERANCES = 5 * Math.min(10, FUZZ_TIMES);
const NETWORKS = 40;
/** Requests that a newcomer can pay. */
const MOST_ASKED = 6;
const MEBIBYTE = 1024 ** 2;
const mesh = { name: 'hostile' };

let dataDir: string;
let app: App;
let owner: Awaited<ReturnType<typeof ownerOf>>;
const open: { close(): Promise<unknown> }[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'quarry-hostile-'));
  const flags = { dataDir, port: 0, 'mesh.name': mesh.name, bootstrap: ['127.0.0.1:9'], model: TINY_MODEL };
  const env = {
    QUARRY_THREADS: '1',
    QUARRY_CONTEXT_SIZE: '1024',
    QUARRY_LIMITS_REFUSE_WHEN_OVERLOADED: 'false',
    QUARRY_LIMITS_REQUESTS_PER_MINUTE_NEWCOMER: '1000',
    QUARRY_LOG_LEVEL: 'error',
  };
  app = await createApp(loadConfig({ flags, env }), { engine: true, mesh: true, worker: true, server: true });
  owner = await ownerOf(dataDir);
});
afterAll(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
  await app[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

/** What the screens ask all the time. */
async function status(): Promise<number> {
  const headers = { ...owner, 'content-type': 'application/json' };
  const response = await fetch(`${app.server?.url}/rpc/node/status`, { method: 'POST', headers, body: '{}' });
  expect(await response.text()).toContain(app.identity.id);
  return response.status;
}

/** Somebody who asks and pays, and has been here before the others come. */
async function honestClient(): Promise<MeshClient> {
  const identity = randomIdentity();
  const swarm = await openSwarm({ bootstrap: [], identity, mesh });
  const network = await openNetwork(swarm, INFERENCE_NETWORK, 'client');
  const client = new MeshClient({ network, identity, credits: new MemoryClientCredits(identity), log: testLog });
  client.open();
  open.push(swarm, network, client);
  MemorySwarm.meet(identity.id, app.identity.id, '198.51.100.7');
  await until(() => expect(client.workers()[0]?.status?.ready).toBe(true));
  return client;
}

/** A small request, answered whole. */
async function answered(client: MeshClient): Promise<void> {
  const events = await Array.fromAsync(client.generate({ input: { prompt: 'Once' }, maxTokens: 4 }));
  expect(events.at(-1)).toMatchObject({ type: 'done' });
}

/** Comes from somewhere, says what it has to say, and comes back under another name when it was thrown out. */
class Attacker {
  readonly #from: string;
  readonly #channels: readonly Channel[];
  #caller: HostileCaller | undefined;

  constructor(from: string, channels: readonly Channel[]) {
    this.#from = from;
    this.#channels = channels;
  }

  say(pick: Pick): void {
    const caller = this.#caller;
    if (!caller || caller.closed) {
      this.#come(pick);
      return;
    }
    const { name } = oneOf(this.#channels, pick);
    caller.send(name, caller.next(name, pick));
  }

  leave(): void {
    this.#caller?.close();
  }

  #come(pick: Pick): void {
    const caller = callNode(app.identity.id, this.#from, this.#channels);
    this.#caller = caller;
    for (const { name } of this.#channels) {
      if (pick(10) === 9) caller?.lyingHello(name, pick);
      else caller?.hello(name);
    }
  }
}

it(`${PEERS} hostile peers keep a node neither from its screens nor from those who ask it honestly`, async () => {
  const client = await honestClient();
  await answered(client);
  const channels = channelsOf(new MeshKeys(mesh));
  const { uniform } = seededRandom(Number(process.env.QUARRY_FUZZ_SEED ?? 1));
  const pick: Pick = (bound) => Math.floor(uniform() * bound);
  const before = heapAfterCollecting();

  let attacking = true;
  let most = 0;
  const served = { statuses: 0, answers: 0 };
  const serving = [
    (async () => {
      for (; attacking; served.statuses++) expect(await status()).toBe(200);
    })(),
    (async () => {
      for (; attacking && served.answers < MOST_ASKED; served.answers++) await answered(client);
    })(),
  ];
  const attackers = Array.from({ length: PEERS }, (_, number) => new Attacker(anyAddress(number % NETWORKS), channels));
  for (let said = 0; said < PEERS * UTTERANCES; said++) {
    attackers[said % PEERS]?.say(pick);
    most = Math.max(most, MemorySwarm.connectionsOf(app.identity.id));
    await turn();
  }
  for (const attacker of attackers) attacker.leave();
  attacking = false;
  await Promise.all(serving);

  expect(most).toBeGreaterThan(Math.min(PEERS, 100) / 2);
  expect(most).toBeLessThanOrEqual(DEFAULT_LIMITS.connections);
  expect(served.statuses).toBeGreaterThan(5);
  expect(served.answers).toBeGreaterThan(0);
  await until(() => expect(MemorySwarm.connectionsOf(app.identity.id)).toBe(1)); // the honest one’s
  expect(app.mesh?.inference.peers.size).toBe(1);
  expect(Object.keys(app.mesh?.swarm.refusals.counts() ?? {})).toContain('protocol error');
  const log = await readFile(join(dataDir, 'quarry.log'), 'utf8').catch(ifMissing);
  expect(log ?? '').not.toMatch(/"level":(50|60)/);
  expect((heapAfterCollecting() - before) / MEBIBYTE).toBeLessThan(64);
});
