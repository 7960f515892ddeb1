import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src-main/app/app.ts';
import { createApp } from '../../src-main/app/create-app.ts';
import { TINY_QWEN3, writeRandomModel } from '../../src-main/bench/made-models/random-model.ts';
import { loadConfig } from '../../src-main/settings/config.ts';
import type { AskEvent } from '../../src-preload/contract/inference.ts';
import type { NodeStatus, Sample } from '../../src-preload/contract/node.ts';
import { isRunning, SLOW } from '../support/engine.ts';
import { TEST_MESH } from '../support/mesh-name.ts';
import { temporaryFolder } from '../support/quarry-process.ts';
import { openTestnet, type Testnet } from '../support/testnet.ts';
import { until } from '../support/until.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let testnet: Testnet;
let miner: App;
let client: App;

/** A miner of a model that never ends an answer by itself, so that there is a middle to stop it in; and who asks it. */
beforeAll(async () => {
  folder = await temporaryFolder();
  testnet = await openTestnet();
  await writeRandomModel(join(folder.path, 'endless.gguf'), TINY_QWEN3, 1);
  const model = join(folder.path, 'endless.gguf');
  miner = await createApp(config('miner', { model }), { engine: true, mesh: true, worker: true, server: true });
  client = await createApp(config('client', { role: 'client' }), { mesh: true });
  await until(() => expect(client.mesh?.client.workers()[0]?.status?.ready).toBe(true));
});

afterAll(async () => {
  await client?.[Symbol.asyncDispose]();
  await miner?.[Symbol.asyncDispose]();
  await testnet?.close();
  await folder?.remove();
});

function config(name: string, flags: { model?: string; role?: string }) {
  const bootstrap = testnet.bootstrap.map(({ host, port }) => `${host}:${port}`);
  return loadConfig({
    flags: { dataDir: join(folder.path, name), bootstrap, 'mesh.name': TEST_MESH.name, port: 0, ...flags },
    env: {
      QUARRY_THREADS: '1',
      QUARRY_CONTEXT_SIZE: '4096',
      QUARRY_LIMITS_REFUSE_WHEN_OVERLOADED: 'false',
      QUARRY_LIMITS_REQUESTS_PER_MINUTE_NEWCOMER: '1000',
    },
  });
}

const contract = (app: App) => createRouterClient(app.contract);
const question = (maxTokens: number) => ({
  target: 'mesh' as const,
  messages: [{ role: 'user' as const, content: 'Tell me everything' }],
  maxTokens,
});

/** What the client has heard of the miner last. */
const heard = () => client.mesh?.client.workers()[0]?.status;

async function asked(maxTokens: number): Promise<AskEvent[]> {
  const events: AskEvent[] = [];
  for await (const event of client.inference.ask(question(maxTokens))) events.push(event);
  return events;
}

describe('a miner', () => {
  it('tells its peers when it stops, frees the model, and serves again when it starts', async () => {
    const pid = miner.engine?.slot.current?.engine?.pid ?? 0;
    expect(isRunning(pid)).toBe(true);
    expect(await contract(miner).node.stopMining()).toMatchObject({ state: 'stopped' });
    expect(isRunning(pid)).toBe(false);
    expect((await miner.node.status()).engine).toEqual({ state: 'none', active: 0, waiting: 0 });
    await until(() => expect(heard()).toMatchObject({ ready: false, reason: 'Mining is stopped.' }));

    expect(await contract(miner).node.startMining()).toMatchObject({ state: 'running', model: 'endless' });
    await until(() => expect(heard()).toMatchObject({ ready: true, models: [{ name: 'endless' }] }));
    expect((await asked(8)).at(-1)).toMatchObject({ type: 'done', result: { completionTokens: 8 } });
  });

  it('ends a request under way with an error that lets the client go elsewhere', async () => {
    miner.engine?.slot.current?.engine?.setSpeed(SLOW);
    const leaving = new AbortController();
    const seen: string[] = [];
    let restarted: AskEvent | undefined;
    const answer = (async () => {
      for await (const event of client.inference.ask(question(4_000), leaving.signal)) {
        if (event.type === 'chunk' && !seen.includes('chunk')) void miner.mining?.switch.stop();
        seen.push(event.type);
        if (event.type === 'restart') restarted = event;
        if (restarted) leaving.abort();
      }
    })();
    await expect(answer).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(restarted).toMatchObject({ worker: miner.identity.id, reason: 'The worker has stopped mining.' });
    await miner.mining?.switch.start();
    await until(() => expect(heard()?.ready).toBe(true));
  });

  it('answers this machine without mining, and does not let the mesh in', async () => {
    await miner.mining?.switch.stop();
    const events: AskEvent[] = [];
    for await (const event of miner.inference.ask({ ...question(4), target: 'local' })) events.push(event);
    expect(events.at(-1)).toMatchObject({ type: 'done', result: { completionTokens: 4 } });
    expect(miner.mining?.switch.state).toBe('stopped');
    expect(miner.engine?.slot.status().state).toBe('ready');
    await until(() => expect(heard()).toMatchObject({ ready: false, reason: 'Mining is stopped.' }));
    await miner.mining?.switch.start();
  });

  it('shows why a model cannot be loaded, and mines with another one that is chosen', async () => {
    await miner.mining?.switch.stop();
    const [there, gone] = ['endless.gguf', 'gone.gguf'].map((name) => join(folder.path, name)) as [string, string];
    await rename(there, gone);
    await expect(contract(miner).node.startMining()).rejects.toMatchObject({ data: { code: 'MODEL_NOT_FOUND' } });
    expect((await miner.node.status()).mining).toMatchObject({ state: 'stopped', error: { code: 'MODEL_NOT_FOUND' } });
    await rename(gone, there);

    await miner.mining?.switch.start();
    const models = await contract(miner).models.choose({ name: 'tiny' });
    expect(models.find(({ selected }) => selected)?.name).toBe('tiny');
    expect((await miner.node.status()).mining).toEqual({ state: 'running', model: 'tiny' });
    await until(() => expect(heard()?.models[0]?.name).toBe('tiny'));
    await contract(miner).settings.set({ changes: { model: there } }); // as on the settings page
    await until(() => expect(miner.mining?.switch.view()).toEqual({ state: 'running', model: 'endless' }));
    await contract(miner).models.choose({ name: 'tiny' });
    await expect(contract(miner).models.choose({ name: 'nobody' })).rejects.toMatchObject({
      data: { code: 'MODEL_NOT_FOUND', field: 'name' },
    });
  });

  it('shows in its status and samples what it serves', async () => {
    const leaving = new AbortController();
    const samples: Sample[] = [];
    const isFirst = ({ firstTokenMs }: Sample) => firstTokenMs !== null;
    const isQuick = ({ tokensPerSecond }: Sample) => tokensPerSecond > 0;
    const watching = (async () => {
      for await (const some of miner.node.watchSamples(leaving.signal)) {
        samples.push(...some);
        if (samples.some(isFirst) && samples.some(isQuick)) return;
      }
    })();
    await until(() => expect(heard()?.ready).toBe(true));
    await asked(16);
    await watching;
    leaving.abort();
    expect((await miner.node.status()).speed?.firstTokenMs).toBeGreaterThan(0);
  });

  it('tells who watches of every step', async () => {
    const leaving = new AbortController();
    const states: (string | undefined)[] = [];
    const watching = (async () => {
      for await (const status of miner.node.watch(leaving.signal)) states.push((status as NodeStatus).mining?.state);
    })();
    await until(() => expect([...new Set(states)]).toEqual(['running']));
    await miner.mining?.switch.stop();
    await until(() => expect(states.at(-1)).toBe('stopped'));
    await miner.mining?.switch.start();
    await until(() => expect(states.at(-1)).toBe('running'));
    leaving.abort();
    await watching;
  });
});

describe('a ban by hand', () => {
  it('ends the connection, keeps the node out, and can be taken back', async () => {
    const { mesh, credits } = contract(miner);
    const { id } = client.identity;
    await asked(20);
    await until(async () => expect(await credits.debtors({})).toMatchObject({ peers: [{ peer: id, inReach: true }] }));
    expect((await mesh.peers({ waitMs: 5_000 })).peers.map((peer) => peer.id)).toEqual([id]);
    const { bans } = await mesh.ban({ id, hours: 2 });
    expect(bans).toMatchObject([{ id, reason: 'banned by hand' }]);
    expect((bans[0]?.expiresAt ?? 0) - Date.now()).toBeGreaterThan(7_000_000);
    await until(() => expect([...(miner.mesh?.inference.peers.keys() ?? [])]).toEqual([]));
    expect(await credits.debtors({})).toMatchObject({ peers: [{ peer: id, inReach: false }], inReach: 0 });
    await until(() => expect(client.mesh?.inference.peers.size).toBe(0));

    expect((await mesh.unban({ id })).bans).toEqual([]);
    client.mesh?.swarm.joinPeer(miner.identity.id);
    await until(() => expect(miner.mesh?.inference.peers.has(id)).toBe(true));
  });

  it('is not for the node itself', async () => {
    const banning = contract(miner).mesh.ban({ id: miner.identity.id });
    await expect(banning).rejects.toMatchObject({ data: { code: 'BAD_REQUEST', field: 'id' } });
  });
});

it('says how others find a node', async () => {
  expect(await contract(miner).mesh.reachability()).toMatchObject({
    online: true,
    nat: 'open',
    address: expect.stringMatching(/^127\.0\.0\.1:/),
  });
});

it('does not mine on a node that is no miner', async () => {
  await expect(contract(client).node.startMining()).rejects.toMatchObject({ data: { code: 'NOT_RUNNING' } });
});
