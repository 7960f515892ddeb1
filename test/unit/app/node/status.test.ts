import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '../../../../src-main/app/create-app.ts';
import { type ReadParts, readNode } from '../../../../src-main/app/node/reading.ts';
import { nodeStatus } from '../../../../src-main/app/node/status.ts';
import { HealthMonitor } from '../../../../src-main/hardware/health.ts';
import { policySchema } from '../../../../src-main/hardware/policy-settings.ts';
import { PolicyWatcher } from '../../../../src-main/hardware/policy-watcher.ts';
import { createSampler } from '../../../../src-main/hardware/sample.ts';
import { MeshWork } from '../../../../src-main/mining/mesh-work.ts';
import { loadConfig } from '../../../../src-main/settings/config.ts';
import { statusSchema } from '../../../../src-preload/contract/node.ts';

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'quarry-status-'));
});

afterEach(() => rm(dataDir, { recursive: true, force: true }));

const openApp = () => createApp(loadConfig({ env: {}, flags: { dataDir } }), {});

/** A watcher that finds the computer hot and cannot tell the rest. */
async function openPolicy(): Promise<PolicyWatcher> {
  const unknown = async () => ({ reason: 'nobody can tell' });
  const temperature = async () => ({ value: 99, source: 'systeminformation' as const });
  const watcher = new PolicyWatcher({
    settings: policySchema.parse({ onBattery: 'off' }),
    sources: { battery: unknown, userIdleSeconds: unknown, otherGpu: unknown, temperature },
    log: pino({ level: 'silent' }),
    intervalMs: 3_600_000,
  });
  await watcher.open();
  return watcher;
}

/** A node of which no more is there than is shown. */
const bare = {
  config: loadConfig({ env: {} }),
  name: () => undefined,
  identity: { id: 'a'.repeat(64) },
  lock: { url: undefined },
  credits: { holdings: async () => ({ available: 20, points: 0, tier: 'newcomer' as const }) },
  startedAt: 0,
};
const nothing: ReadParts = { engine: undefined, mesh: undefined, mining: undefined };

async function openMining(): Promise<NonNullable<ReadParts['mining']> & AsyncDisposable> {
  const policy = await openPolicy();
  const sampler = createSampler(() => ({ threads: 0, active: false }));
  const monitor = new HealthMonitor({ sampler, log: pino({ level: 'silent' }) });
  return {
    switch: { view: () => ({ state: 'running' }) },
    health: { current: () => monitor.current({ length: 0, capacity: 1 }) },
    policy,
    queue: () => ({ waiting: 0, active: 0, waits: [] }),
    work: new MeshWork(),
    [Symbol.asyncDispose]: () => policy.close(),
  };
}

const shown = async (parts: Partial<ReadParts>) =>
  statusSchema.parse(await nodeStatus({ ...bare, read: () => readNode({ ...nothing, ...parts }) }));

describe('the status of a node', () => {
  it('shows every rule of the load policy, those off and those that nobody can tell too', async () => {
    await using mining = await openMining();
    const { policy } = await shown({ mining });
    expect(policy?.rules.map(({ rule, action, state }) => [rule, action, state])).toEqual([
      ['battery', 'off', 'off'],
      ['user', 'throttle', 'unknown'],
      ['gpu', 'pause', 'unknown'],
      ['heat', 'pause', 'met'],
      ['quiet-hours', 'pause', 'clear'],
    ]);
  });

  it('shows how long each tier waited against its target', async () => {
    const waits = [
      { tier: 'gold' as const, served: 4, meanMs: 1_500, maxMs: 4_000, targetMs: 3_000, withinTarget: 0.75 },
    ];
    await using mining = await openMining();
    const { queue } = await shown({ mining: { ...mining, queue: () => ({ waiting: 2, active: 1, waits }) } });
    expect(queue).toEqual({ waiting: 2, active: 1, waits });
  });

  it('shows how far each peer’s clock is off', async () => {
    const mesh = { peers: { count: 2, clockOffsets: () => [20, -90_000] }, refused: 3 };
    const status = await shown({ mesh });
    expect(status).toMatchObject({ peers: 2, peerClockOffsetsMs: [20, -90_000], served: { refused: 3 } });
  });
});

describe('a node that closes', () => {
  it('ends what is watched', async () => {
    const app = await openApp();
    const client = createRouterClient(app.contract);
    const watches = [await client.node.watch(), await client.node.watchSamples()];
    for (const watch of watches) expect((await watch.next()).done).toBe(false);
    const ends = watches.map((watch) => watch.next());
    await app[Symbol.asyncDispose]();
    expect((await Promise.all(ends)).map(({ done }) => done)).toEqual([true, true]);
  });

  it('is not started again by a command that opened it for itself', async () => {
    await using app = await openApp();
    const restarting = createRouterClient(app.contract).node.restart();
    await expect(restarting).rejects.toMatchObject({ data: { code: 'NOT_RUNNING' } });
  });
});
