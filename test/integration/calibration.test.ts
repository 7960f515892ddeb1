import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IdleCalibration, useMeasured } from '../../src-main/app/models/calibration.ts';
import { ModelFits } from '../../src-main/app/models/model-fits.ts';
import { sha256OfFile } from '../../src-main/base/sha256.ts';
import { TINY_QWEN3, writeRandomModel } from '../../src-main/bench/made-models/random-model.ts';
import type { InferenceBackend } from '../../src-main/inference/backend.ts';
import { LocalBackend } from '../../src-main/inference/host/local-backend.ts';
import { loadConfig } from '../../src-main/settings/config.ts';
import { CalibrationStore } from '../../src-main/store/calibrations.ts';
import type { Db } from '../../src-main/store/database.ts';
import { memoryDatabase } from '../support/memory-database.ts';
import { testLog } from '../support/mesh-node.ts';
import { temporaryFolder } from '../support/quarry-process.ts';
import { until } from '../support/until.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let db: Db;
let backend: LocalBackend;
let path = '';
let sha256 = '';
beforeAll(async () => {
  folder = await temporaryFolder();
  db = await memoryDatabase();
  path = join(folder.path, 'model.gguf');
  await writeRandomModel(path, TINY_QWEN3, 1);
  sha256 = await sha256OfFile(path);
  const options = { modelPath: path, sha256, contextSize: 512, parallel: 2, threads: 1, gpuLayers: 0 };
  backend = new LocalBackend({ ...options, log: testLog });
  await backend.open();
});
afterAll(async () => {
  await backend?.close();
  await db?.destroy();
  await folder?.remove();
});

describe('IdleCalibration', () => {
  it.each([
    ['before', [false]],
    ['after', [true, false]],
  ])('keeps nothing that it would have measured beside others, seen %s', async (_, answers) => {
    const store = new CalibrationStore(db);
    let asked = 0;
    const isQuiet = () => answers[asked++] ?? false;
    const calibration = new IdleCalibration({ backend, store, log: testLog, isQuiet });
    calibration.open(0);
    await until(() => expect(asked).toBe(answers.length));
    await calibration.close();
    expect(await store.on(['cpu'])).toEqual([]);
  });

  it('measures the loaded model once, and estimates then say that they are measured', async () => {
    const store = new CalibrationStore(db);
    const calibration = new IdleCalibration({ backend, store, log: testLog, isQuiet: () => true });
    calibration.open(0);
    const measured = await until(async () => {
      const found = await store.find({ sha256, device: 'cpu', threads: 1, gpuLayers: 0 });
      expect(found).toBeDefined();
      return found;
    });
    await calibration.close();
    expect(measured?.decode).toBeGreaterThan(0);
    expect(measured?.decodeCosts.map(({ sequences }) => sequences)).toEqual([1, 2]);
    const config = loadConfig({ flags: { dataDir: folder.path }, env: { QUARRY_THREADS: '1', GPU_LAYERS: '0' } });
    const file = {
      name: 'model',
      path,
      bytes: 1,
      sha256,
      tiny: false,
      origin: 'imported' as const,
      links: 1,
      outside: false,
    };
    const { speed } = await new ModelFits(config, store, () => backend).fit(ENTRY, file);
    expect(speed).toMatchObject({ measured: true, tokensPerSecond: measured?.decode });
  });
});

const ENTRY = {
  name: 'model',
  title: 'Model',
  description: 'Random.',
  use: 'chat' as const,
  parameters: 1_000_000,
  quantisation: 'F16',
  contextLength: 512,
  licence: 'mit',
  mirrors: [],
  chatTemplate: 'none',
};

describe('useMeasured', () => {
  it('tells an engine what was measured of its model, and nothing of one that was not', async () => {
    const store = new CalibrationStore(db);
    const used: unknown[] = [];
    const told = {
      ...backend,
      status: () => backend.status(),
      engine: { useDecodeCosts: (costs: unknown) => void used.push(costs) },
    } as unknown as InferenceBackend;
    await useMeasured(told, store);
    const found = await store.find({ sha256, device: 'cpu', threads: 1, gpuLayers: 0 });
    expect(used).toEqual([found?.decodeCosts]);
    await useMeasured(told, { find: async () => undefined });
    expect(used).toHaveLength(1);
  });
});
