import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '../../../../src-main/app/create-app.ts';
import type { MeshNode } from '../../../../src-main/app/parts/mesh.ts';
import { createRouter } from '../../../../src-main/app/router.ts';
import { policySchema } from '../../../../src-main/hardware/policy-settings.ts';
import { PolicyWatcher } from '../../../../src-main/hardware/policy-watcher.ts';
import type { MeshWorker } from '../../../../src-main/mesh/serving/worker.ts';
import { loadConfig } from '../../../../src-main/settings/config.ts';

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

describe('node.status', () => {
  it('shows every rule of the load policy, those off and those that nobody can tell too', async () => {
    await using app = await openApp();
    app.policy = await openPolicy();
    const { policy } = await createRouterClient(createRouter(app)).node.status();
    await app.policy.close();
    expect(policy?.rules.map(({ rule, action, state }) => [rule, action, state])).toEqual([
      ['battery', 'off', 'off'],
      ['user', 'throttle', 'unknown'],
      ['gpu', 'pause', 'unknown'],
      ['heat', 'pause', 'met'],
      ['quiet-hours', 'pause', 'clear'],
    ]);
  });

  it('shows how long each tier waited against its target', async () => {
    const waits = [{ tier: 'gold', served: 4, meanMs: 1_500, maxMs: 4_000, targetMs: 3_000, withinTarget: 0.75 }];
    await using app = await openApp();
    app.worker = { report: () => ({ waiting: 2, running: 1, waits }) } as unknown as MeshWorker;
    const { queue } = await createRouterClient(createRouter(app)).node.status();
    expect(queue).toEqual({ waiting: 2, active: 1, waits });
  });

  it('shows how far each peer’s clock is off', async () => {
    const peers = new Map([
      ['a', { clockOffsetMs: 20 }],
      ['b', { clockOffsetMs: -90_000 }],
    ]);
    await using app = await openApp();
    app.mesh = { inference: { peers }, swarm: { refusals: { counts: () => ({}) } } } as unknown as MeshNode;
    const status = await createRouterClient(createRouter(app)).node.status();
    expect(status).toMatchObject({ peers: 2, peerClockOffsetsMs: [20, -90_000] });
  });
});

describe('a node that closes', () => {
  it('ends what is watched', async () => {
    const app = await openApp();
    const client = createRouterClient(createRouter(app));
    const watches = [await client.node.watch(), await client.node.watchSamples()];
    for (const watch of watches) expect((await watch.next()).done).toBe(false);
    const ends = watches.map((watch) => watch.next());
    await app[Symbol.asyncDispose]();
    expect((await Promise.all(ends)).map(({ done }) => done)).toEqual([true, true]);
  });

  it('is not started again by a command that opened it for itself', async () => {
    await using app = await openApp();
    const restarting = createRouterClient(createRouter(app)).node.restart();
    await expect(restarting).rejects.toMatchObject({ data: { code: 'NOT_RUNNING' } });
  });
});
