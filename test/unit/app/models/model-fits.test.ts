import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EmbeddingEngine } from '../../../../src-main/app/engine/embedding-engine.ts';
import { type AwaitedModel, ModelFits } from '../../../../src-main/app/models/model-fits.ts';
import { installedPath } from '../../../../src-main/base/installation.ts';
import { checkGguf } from '../../../../src-main/gguf/model-file.ts';
import type { InferenceBackend } from '../../../../src-main/inference/backend.ts';
import { ModelLibrary } from '../../../../src-main/models/library/library.ts';
import type { FixedConfig } from '../../../../src-main/settings/config.ts';
import type { CalibrationStore } from '../../../../src-main/store/calibrations.ts';
import { writeHollowModel } from '../../../support/hollow-model.ts';
import { profile } from '../../models/fit/profiles.ts';

const EMBEDDER = 'e'.repeat(64);

describe('the memory that the model for long files will take', () => {
  let dir: string;
  let library: ModelLibrary;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'quarry-fits-'));
    const tinyPath = installedPath('resources', 'tiny.gguf');
    library = new ModelLibrary({ folder: join(dir, 'models'), tinyPath, now: () => 1 });
    await library.open();
  });
  afterEach(async () => {
    await library.close();
    await rm(dir, { recursive: true, force: true });
  });

  it('is left free by every other model, and by itself only once', async () => {
    const small = {
      ...profile,
      layerBytes: [1],
      attention: [{ cachedValues: 1 }],
      inputBytes: 1,
      outputBytes: 1,
      tiedBytes: 1,
    };
    const fit = async (sha256: string, awaited: AwaitedModel | undefined) => {
      const config = { parallel: 1, kvCache: 'f16', rope: { scaling: 'none', factor: 2 }, engine: {} } as FixedConfig;
      const store = { on: async () => [] } as unknown as CalibrationStore;
      const noGpus = async () => [];
      const fits = new ModelFits(
        config,
        store,
        () => undefined,
        noGpus,
        async () => awaited,
      );
      return await fits.fitProfile(small, sha256);
    };
    const all = { sha256: EMBEDDER, ram: 1e15 };
    expect((await fit('a'.repeat(64), undefined)).runs).toBe('cpu');
    expect(await fit('a'.repeat(64), all)).toMatchObject({ runs: 'no', room: { usable: 0 } });
    expect((await fit(EMBEDDER, all)).runs).toBe('cpu');
  });

  it('is reckoned before it is loaded, and is none where there is no such model', async () => {
    const embedding = new EmbeddingEngine({ library, log: pino({ level: 'silent' }) });
    expect(await embedding.awaits()).toBeUndefined();
    const path = join(dir, 'reader.gguf');
    const bytes = await writeHollowModel(path, {
      ...{ architecture: 'llama', name: 'reader', layers: 2, embedding: 256, heads: 4, kvHeads: 2, headSize: 64 },
      ...{ feedForward: 512, contextLength: 2_048, type: 'F16', vocabulary: 400 },
      metadata: [['llama.pooling_type', { type: 'uint32', value: 1 }]],
    });
    const { sha256 } = await library.import(path);
    const awaited = await embedding.awaits();
    expect(awaited?.sha256).toBe(sha256);
    expect(awaited?.ram).toBeGreaterThan(bytes);
    await embedding.close();
  });
});

describe('a model beside those that are loaded', () => {
  const TINY = installedPath('resources', 'tiny.gguf');

  /** @param gpuLayers of the settings @param loaded beside which it is to be */
  async function beside(gpuLayers: number, loaded: InferenceBackend[]) {
    const rope = { scaling: 'none', factor: 2 };
    const config = { parallel: 1, kvCache: 'f16', rope, engine: {}, gpuLayers } as unknown as FixedConfig;
    const store = { on: async () => [] } as unknown as CalibrationStore;
    let listed = 0;
    const list = async () => {
      listed++;
      return [];
    };
    const fits = new ModelFits(config, store, () => undefined, list);
    const fit = await fits.fitBeside(await checkGguf(TINY), 'a'.repeat(64), loaded);
    return { fit, listed };
  }

  /** An engine with the built-in model, as it says itself. */
  const engine = (parallel: number) =>
    ({
      engine: { modelPath: TINY, gpus: async () => [] },
      status: () => ({ state: 'ready', model: { contextSize: 1_024, parallel } }),
    }) as unknown as InferenceBackend;

  it('has what they leave, whatever the system could take from them', async () => {
    const alone = await beside(0, []);
    expect(alone.fit.runs).toBe('cpu');
    const full = await beside(0, [engine(1_000_000)]); // its cache is larger than any memory
    expect(full.fit).toMatchObject({ runs: 'no', room: { usable: 0 } });
  });

  it('is judged without a process that lists graphics cards, where none may be used or an engine knows them', async () => {
    expect((await beside(0, [])).listed).toBe(0);
    expect((await beside(-1, [engine(1)])).listed).toBe(0);
    expect((await beside(-1, [])).listed).toBe(1);
  });
});
