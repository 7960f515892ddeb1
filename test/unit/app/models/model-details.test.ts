import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ModelDetailsDesk } from '../../../../src-main/app/models/model-details.ts';
import { ModelFits } from '../../../../src-main/app/models/model-fits.ts';
import { installedPath } from '../../../../src-main/base/installation.ts';
import { Catalogue } from '../../../../src-main/models/catalogue/catalogue.ts';
import { ModelLibrary } from '../../../../src-main/models/library/library.ts';
import type { FixedConfig } from '../../../../src-main/settings/config.ts';
import type { CalibrationStore } from '../../../../src-main/store/calibrations.ts';
import { modelDetailsSchema } from '../../../../src-preload/contract/models.ts';

let dir: string;
let library: ModelLibrary;
let details: ModelDetailsDesk;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-details-'));
  const tinyPath = installedPath('resources', 'tiny.gguf');
  library = new ModelLibrary({ folder: join(dir, 'models'), tinyPath, now: () => 1 });
  await library.open();
  const bundled = installedPath('models', 'catalogue.json');
  const catalogue = await Catalogue.load({
    bundled,
    files: [],
    endpoint: 'https://models.example',
    pins: library.pins,
  });
  const store = { on: async () => [] } as unknown as CalibrationStore;
  const fits = new ModelFits(
    { parallel: 1, kvCache: 'f16', rope: { scaling: 'none', factor: 2 }, engine: {} } as FixedConfig,
    store,
    () => undefined,
    async () => [],
  );
  details = new ModelDetailsDesk({ library, catalogue, fits, model: () => undefined });
});
afterEach(async () => {
  await library.close();
  await rm(dir, { recursive: true, force: true });
});

describe('how a model would run with another context', () => {
  it.each(['tiny', 'qwen3-0.6b'])('is told of %s, which takes less memory with less of it', async (name) => {
    const [usual, half] = await Promise.all([details.show(name), details.show(name, { contextSize: 1_024 })]);
    expect(modelDetailsSchema.parse(half)).toEqual(half);
    expect(half.fit?.contextSize).toBe(1_024);
    expect(half.fit?.room.cache).toBeLessThan(usual.fit?.room.cache ?? 0);
    expect(half.facts).toEqual(usual.facts);
  });
});
