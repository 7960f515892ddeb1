import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { expect, it } from 'vitest';
import type { App } from '../../src-main/app/app.ts';
import { createApp } from '../../src-main/app/create-app.ts';
import { loadConfig } from '../../src-main/settings/config.ts';
import { TINY_MODEL } from '../support/engine.ts';
import { TEST_MESH } from '../support/mesh-name.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { temporaryFolder } from '../support/quarry-process.ts';
import { openTestnet } from '../support/testnet.ts';

/* Two whole nodes: one serves the built-in model, the other asks it, has the same model, and looks. */

it('calibrates by its own model, and audits who serves the same to it', async () => {
  await using opened = new AsyncDisposableStack();
  const folder = await temporaryFolder();
  opened.defer(() => folder.remove());
  const testnet = await openTestnet();
  opened.defer(() => testnet.close());
  const bootstrap = testnet.bootstrap.map((node) => `${node.host}:${node.port}`);
  const env = {
    QUARRY_THREADS: '1',
    QUARRY_CONTEXT_SIZE: '1024',
    QUARRY_GPU_LAYERS: '0',
    QUARRY_LIMITS_REFUSE_WHEN_OVERLOADED: 'false',
    QUARRY_LIMITS_REQUESTS_PER_MINUTE_NEWCOMER: '1000',
  };
  const open = async (name: string, parts: Parameters<typeof createApp>[1]): Promise<App> => {
    const flags = {
      dataDir: join(folder.path, name),
      bootstrap,
      'mesh.name': TEST_MESH.name,
      port: 0,
      model: TINY_MODEL,
    };
    return opened.use(await createApp(loadConfig({ flags, env }), parts));
  };
  const miner = await open('miner', { engine: true, mesh: true, worker: true });
  await miner.mining?.switch.start();
  const client = await open('client', { engine: true, mesh: true });
  const contract = createRouterClient(client.contract);

  expect(await contract.audits.list({})).toEqual([]);
  const own = { state: 'ready', name: expect.any(String), model: expect.any(String) };
  const seen: number[] = [];
  await contract.audits.calibrate();
  for await (const now of await contract.audits.watch()) {
    expect(now.own).toEqual(own);
    if (now.calibration?.state === 'failed') throw new Error(now.calibration.error?.message);
    if (now.calibration) seen.push(now.calibration.done);
    if (now.calibration?.state === 'done') break;
  }
  expect(seen.at(-1)).toBe(48 + 24);
  expect(new Set(seen).size).toBeGreaterThan(3);
  const [calibration] = await contract.audits.calibrations();
  if (!calibration) throw new Error('It was not kept.');
  expect(calibration).toMatchObject({ name: expect.any(String), answers: 48, device: 'cpu', otherDevice: null });
  expect(calibration.thresholds.map(({ tokens }) => tokens)).toEqual([32, 128, 512, 2_048]);
  await contract.audits.calibrate();
  await contract.audits.cancelCalibration();
  expect(await contract.audits.calibrations()).toEqual([calibration]);

  const question = async (text: string) => {
    const request = { target: 'mesh' as const, messages: [{ role: 'user' as const, content: text }] };
    for await (const event of await contract.inference.ask({ ...request, maxTokens: 32 }))
      if (event.type === 'done') return event.result.text;
    throw new Error('It was not answered.');
  };
  // Half of the answers of a new worker are looked at, by chance: one of so many is, but once in a million runs.
  for (let number = 0; number < 20; number++) {
    expect(await question(`${number}: what is a peer?`)).not.toBe('');
    if ((await contract.audits.list({})).length > 0) break;
  }
  await expect.poll(async () => (await contract.audits.list({})).length, { timeout: PATIENCE_MS }).toBe(1);
  const [audited] = await contract.audits.list({});
  expect(audited).toMatchObject({
    worker: miner.identity.id,
    model: calibration.model,
    finding: null,
    newcomerUntil: null,
  });
  expect(audited?.tokens).toBeGreaterThan(0);
  const pair = { worker: miner.identity.id, model: calibration.model };
  await expect(Array.fromAsync(await contract.audits.report(pair))).rejects.toThrow('was not found out');
});
