import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src-main/app/app.ts';
import { createApp } from '../../src-main/app/create-app.ts';
import { TINY_QWEN3, writeRandomModel } from '../../src-main/bench/made-models/random-model.ts';
import type { InferenceResult, Status } from '../../src-main/mesh/inference/messages.ts';
import { loadConfig } from '../../src-main/settings/config.ts';
import type { AskEvent } from '../../src-preload/contract/inference.ts';
import { TEST_MESH } from '../support/mesh-name.ts';
import { temporaryFolder } from '../support/quarry-process.ts';
import { openTestnet, type Testnet } from '../support/testnet.ts';
import { until } from '../support/until.ts';

/*
 * A miner with two models of its library, one of which is its own; and a client that asks it for the other. Real nodes, real engines.
 */

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let testnet: Testnet;
const apps: App[] = [];

beforeAll(async () => {
  folder = await temporaryFolder();
  testnet = await openTestnet();
  for (const [index, name] of ['one', 'two'].entries())
    await writeRandomModel(join(folder.path, `${name}.gguf`), TINY_QWEN3, index + 1);
});

afterAll(async () => {
  for (const app of apps.reverse()) await app[Symbol.asyncDispose]();
  await testnet?.close();
  await folder?.remove();
});

function config(name: string, flags: Record<string, string> = {}) {
  const bootstrap = testnet.bootstrap.map(({ host, port }) => `${host}:${port}`);
  return loadConfig({
    flags: { dataDir: join(folder.path, name), bootstrap, 'mesh.name': TEST_MESH.name, port: 0, ...flags },
    env: {
      QUARRY_THREADS: '1',
      GPU_LAYERS: '0',
      QUARRY_CONTEXT_SIZE: '512',
      QUARRY_LIMITS_REFUSE_WHEN_OVERLOADED: 'false',
      QUARRY_LIMITS_REQUESTS_PER_MINUTE_NEWCOMER: '1000',
    },
  });
}

async function openMiner(name: string): Promise<App> {
  const app = await createApp(config(name, { role: 'miner', model: 'one' }), { mesh: true, worker: true });
  apps.push(app);
  for (const model of ['one', 'two']) await app.library.import(join(folder.path, `${model}.gguf`));
  await app.mining?.switch.start();
  return app;
}

async function ask(client: App, model: string): Promise<AskEvent[]> {
  const messages = [{ role: 'user' as const, content: 'Hello' }];
  const asked = client.inference.ask({ target: 'mesh', model, messages, maxTokens: 4, temperature: 0 });
  return await Array.fromAsync(asked);
}

describe('a model of the library that is not in memory', () => {
  let miner: App;
  let client: App;
  const results: InferenceResult[] = [];

  beforeAll(async () => {
    miner = await openMiner('miner');
    client = await createApp(config('client', { role: 'client' }), { mesh: true });
    apps.push(client);
    await until(() => expect(models().map(({ name }) => name)).toEqual(['one', 'two']));
    for (const peer of client.mesh?.inference.peers.values() ?? [])
      peer.onMessage((message) => message.type === 'inference_result' && results.push(message));
  });

  /** What the client has heard from the miner last. */
  const models = (): Status['models'] => client.mesh?.client.workers()[0]?.status?.models ?? [];
  const file = async (name: string) => (await miner.library.find(name)).sha256;

  it('is offered with the time that it takes, and with its file', async () => {
    const [own, other] = models();
    expect(own).toMatchObject({ name: 'one', sha256: await file('one') });
    expect(own?.loadMs).toBeUndefined();
    expect(other).toMatchObject({ name: 'two', sha256: await file('two'), contextSize: own?.contextSize });
    expect(other?.loadMs).toBeGreaterThan(0);
  });

  it('is loaded for who asks for it by name, answers, and is in memory then', async () => {
    const events = await ask(client, 'two');
    expect(events.at(-1)).toMatchObject({ type: 'done', result: { completionTokens: 4 } });
    expect(events).toContainEqual(expect.objectContaining({ type: 'queued', position: 0 }));
    const [result] = results;
    expect(result?.receipt.body.model).toBe('two');
    expect(result?.claim?.body.model).toBe(await file('two'));
    await until(() => expect(models()[1]?.loadMs).toBeUndefined());
    expect(models()[1]).toMatchObject({ name: 'two', sha256: await file('two') });
    const measured = await miner.db.selectFrom('model_loads').select('sha256').execute();
    expect(measured.map(({ sha256 }) => sha256)).toEqual(
      expect.arrayContaining([await file('one'), await file('two')]),
    );
  });

  it('answers at once the next time, while the own one answers who names none', async () => {
    const [two, one] = [await ask(client, 'two'), await ask(client, 'one')];
    expect(results.map(({ receipt }) => receipt.body.model)).toEqual(['two', 'two', 'one']);
    expect(results[2]?.claim?.body.model).toBe(await file('one'));
    expect([two, one].map((events) => events.at(-1)?.type)).toEqual(['done', 'done']);
    expect(client.bans.list()).toEqual([]);
  });

  it('is not there where it is not installed', async () => {
    await expect(ask(client, 'three')).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
  });
});
