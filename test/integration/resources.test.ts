import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DataDirLock } from '../../src-main/app/host/data-dir-lock.ts';
import { Samples } from '../../src-main/app/node/samples.ts';
import { NodeHost } from '../../src-main/app/node-host.ts';
import { openCreditBook } from '../../src-main/credits/ledger/credit-book.ts';
import { HealthMonitor } from '../../src-main/hardware/health.ts';
import { policySchema } from '../../src-main/hardware/policy-settings.ts';
import { PolicyWatcher } from '../../src-main/hardware/policy-watcher.ts';
import { EngineSlot } from '../../src-main/inference/host/engine-slot.ts';
import { MeshClient } from '../../src-main/mesh/asking/client.ts';
import { INFERENCE_NETWORK } from '../../src-main/mesh/inference/messages.ts';
import { SCORES_NETWORK } from '../../src-main/mesh/scores/score-messages.ts';
import { ScoreNetwork } from '../../src-main/mesh/scores/score-network.ts';
import type { WorkerHealth } from '../../src-main/mesh/serving/queue/admission.ts';
import { MeshWorker } from '../../src-main/mesh/serving/worker.ts';
import { MODELS_NETWORK } from '../../src-main/mesh/sharing/messages.ts';
import { ModelSharing } from '../../src-main/mesh/sharing/model-sharing.ts';
import { BootstrapNode } from '../../src-main/mesh/transport/bootstrap.ts';
import { BanList } from '../../src-main/mesh/transport/guards/ban-list.ts';
import { verify } from '../../src-main/mesh/transport/identity.ts';
import { MeshNetwork } from '../../src-main/mesh/transport/network.ts';
import { MeshSwarm } from '../../src-main/mesh/transport/swarm.ts';
import { Downloads } from '../../src-main/models/downloads/downloads.ts';
import { ModelLibrary } from '../../src-main/models/library/library.ts';
import { HttpServer } from '../../src-main/server/http-server.ts';
import { type Db, openDatabase } from '../../src-main/store/database.ts';
import { ResultsDb } from '../../src-main/store/results/results-db.ts';
import { Writer } from '../../src-main/store/writer.ts';
import { TINY_MODEL, tinyEngine } from '../support/engine.ts';
import { MemoryClientCredits, MemoryWorkerCredits } from '../support/memory-credits.ts';
import { TEST_MESH } from '../support/mesh-name.ts';
import { openNetwork, openSwarm, randomIdentity, testLog } from '../support/mesh-node.ts';
import {
  held,
  leftSince,
  type Resource,
  type ResourceContract,
  resourceContract,
} from '../support/resource-contract.ts';
import { ScriptedBackend } from '../support/scripted-backend.ts';
import { openTestnet, type Testnet } from '../support/testnet.ts';

let testnet: Testnet;
beforeAll(async () => {
  testnet = await openTestnet();
});
afterAll(() => testnet.close());

type Undo = Parameters<ResourceContract['make']>[0];

function folder(undo: Undo): string {
  const path = mkdtempSync(join(tmpdir(), 'quarry-resource-'));
  undo(() => rm(path, { recursive: true, force: true }));
  return path;
}

async function swarmOf(undo: Undo): Promise<MeshSwarm> {
  const swarm = await openSwarm({ bootstrap: testnet.bootstrap });
  undo(() => swarm.close());
  return swarm;
}

resourceContract('the bootstrap node', { make: () => new BootstrapNode({ port: 0 }), reopens: true });

resourceContract('the swarm', {
  make: () =>
    new MeshSwarm({
      mesh: TEST_MESH,
      identity: randomIdentity(),
      bootstrap: testnet.bootstrap,
      bans: new BanList({ log: testLog }),
      log: testLog,
    }),
});

resourceContract('a network', {
  make: async (undo) =>
    new MeshNetwork({
      ...INFERENCE_NETWORK,
      swarm: await swarmOf(undo),
      mode: 'both',
      describe: () => ({ sides: ['client'] }),
      log: testLog,
    }),
});

const health: WorkerHealth = { score: 90, state: 'idle', capacity: 100, accepting: true };
resourceContract('the mesh worker', {
  make: async (undo) => {
    const identity = randomIdentity();
    const network = await openNetwork(await swarmOf(undo), INFERENCE_NETWORK, 'server');
    undo(() => network.close());
    const backend = new ScriptedBackend();
    const credits = new MemoryWorkerCredits(identity);
    return new MeshWorker({ network, identity, backend, credits, health: () => health, log: testLog });
  },
});

resourceContract('the mesh client', {
  make: async (undo) => {
    const identity = randomIdentity();
    const network = await openNetwork(await swarmOf(undo), INFERENCE_NETWORK, 'client');
    undo(() => network.close());
    return new MeshClient({ network, identity, credits: new MemoryClientCredits(identity), log: testLog });
  },
});

resourceContract('the score network', {
  make: async (undo) => {
    const [identity, dataDir] = [randomIdentity(), folder(undo)];
    const db = await openDatabase(join(dataDir, 'quarry.db'));
    undo(() => db.destroy());
    const credits = await openCreditBook({ db, identity, verify, log: testLog });
    undo(() => credits.close());
    const swarm = await swarmOf(undo);
    const describe = () => ({ sides: ['worker' as const] });
    const network = new MeshNetwork({ ...SCORES_NETWORK, swarm, mode: 'both', describe, log: testLog });
    return new ScoreNetwork({ network, identity, credits, db, dataDir, log: testLog });
  },
});

resourceContract('model sharing', {
  make: async (undo) => {
    const swarm = await swarmOf(undo);
    const network = new MeshNetwork({
      ...MODELS_NETWORK,
      swarm,
      mode: 'both',
      describe: () => ({ sides: [] }),
      log: testLog,
    });
    return new ModelSharing({
      network,
      identity: randomIdentity(),
      dataDir: folder(undo),
      uploadLimit: null,
      diskLimit: null,
      trustedSigners: [],
      log: testLog,
    });
  },
});

resourceContract('the model library', {
  make: (undo) => new ModelLibrary({ folder: join(folder(undo), 'models'), tinyPath: TINY_MODEL, now: Date.now }),
});

resourceContract('downloads', {
  make: (undo): Resource => {
    const downloads = new Downloads({
      folder: folder(undo),
      sources: () => [],
      adopt: () => Promise.reject(new Error('nothing comes')),
      log: testLog,
    });
    return { open: () => downloads.open({ resume: true }), close: () => downloads.close() };
  },
});

resourceContract('the server', {
  make: () =>
    new HttpServer({
      port: 0,
      localToken: 'of no use here',
      log: testLog,
      models: () => [],
      route: () => undefined,
      health: () => ({ ok: true }),
    }),
});

resourceContract('the health monitor', {
  make: () =>
    new HealthMonitor({
      sampler: async () => ({
        at: performance.now(),
        cores: 2,
        busyMs: 0,
        totalMs: 1,
        ownMs: 0,
        engine: { threads: 1, active: false },
        memoryAvailable: 1,
        memoryTotal: 2,
      }),
      log: testLog,
    }),
  reopens: true,
});

const unknown = async () => ({ reason: 'nobody can tell' });
resourceContract('the policy watcher', {
  make: () =>
    new PolicyWatcher({
      settings: policySchema.parse({}),
      sources: { battery: unknown, userIdleSeconds: unknown, otherGpu: unknown, temperature: unknown },
      log: testLog,
    }),
  reopens: true,
});

resourceContract('samples', {
  make: () => new Samples({ read: () => ({ active: 0, waiting: 0, health: 100, peers: 0 }) }),
});

resourceContract('the local engine', { make: () => tinyEngine() });

resourceContract('the engine slot', { make: () => new EngineSlot(async () => tinyEngine()), reopens: true });

resourceContract('the results database', {
  make: (undo) => new ResultsDb({ dataDir: folder(undo) }),
  reopens: true,
});

resourceContract('the lock of a data folder', { make: (undo) => new DataDirLock(folder(undo)), reopens: true });

resourceContract('a whole node', {
  make: (undo) => {
    const dataDir = folder(undo);
    const sources = { env: {}, flags: { dataDir, port: 0 } };
    const mesh = { name: TEST_MESH.name, bootstrap: testnet.bootstrap.map(({ host, port }) => `${host}:${port}`) };
    return new NodeHost({
      sources: { ...sources, readFile: (path) => (path.endsWith('quarry.toml') ? toml(mesh) : undefined) },
    });
  },
});

function toml({ name, bootstrap }: { name: string; bootstrap: string[] }): string {
  return `bootstrap = ${JSON.stringify(bootstrap)}\nmineOnStart = false\nlogLevel = "silent"\n[mesh]\nname = "${name}"\n`;
}

/** It is open from its first moment: a path comes in, a connection comes out. */
it('a database leaves no file open, with its writer or without', async () => {
  const path = mkdtempSync(join(tmpdir(), 'quarry-resource-'));
  const use = async (work: (db: Db) => Promise<void>) => {
    const db = await openDatabase(join(path, 'quarry.db'));
    await work(db);
    await db.destroy();
    await db.destroy();
  };
  await use(async () => {});
  const before = held();
  await use(async () => {});
  await use(async (db) => {
    const writer = await Writer.open(db);
    const written = writer.run(async () => 1);
    await Promise.all([writer.close(), writer.close()]);
    expect(await written).toBe(1);
    await writer.close();
  });
  expect(await leftSince(before)).toEqual([]);
  await rm(path, { recursive: true });
});

/** What the contract is made of can see: each kind of thing that may be left. */
it('sees what is left: a timer, a file, a child', async () => {
  const { spawn } = await import('node:child_process');
  const { open } = await import('node:fs/promises');
  const before = held();
  const timer = setInterval(() => {}, 60_000);
  expect(held().length).toBeGreaterThan(before.length);
  clearInterval(timer);
  expect(await leftSince(before)).toEqual([]);
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { stdio: 'ignore' });
  expect(held().filter((one) => one === 'ProcessWrap' || one === `child ${child.pid}`).length).toBeGreaterThan(0);
  child.kill('SIGKILL');
  expect(await leftSince(before)).toEqual([]);
  if (process.platform !== 'linux') return;
  const file = await open(import.meta.filename);
  expect(held()).toContain(import.meta.filename);
  await file.close();
  expect(await leftSince(before)).toEqual([]);
});
