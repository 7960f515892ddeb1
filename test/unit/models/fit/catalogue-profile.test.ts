import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Catalogue } from '../../../../src-main/models/catalogue/catalogue.ts';
import { type CatalogueFacts, catalogueProfile } from '../../../../src-main/models/fit/catalogue-profile.ts';
import { memoryNeed, totalBytes } from '../../../../src-main/models/fit/memory.ts';
import { Pins } from '../../../../src-main/models/pins.ts';

const BUNDLED = resolve(import.meta.dirname, '../../../../models/catalogue.json');

/** Facts of published models: https://huggingface.co/Qwen/Qwen3-0.6B and /Qwen3-8B, config.json. */
const SMALL: CatalogueFacts = {
  parameters: 596_000_000,
  quantisation: 'Q8_0',
  contextLength: 40_960,
  shape: { layers: 28, embedding: 1024, heads: 16, kvHeads: 8, headSize: 128, vocabulary: 151_936 },
};
const LARGE: CatalogueFacts = {
  parameters: 8_190_000_000,
  quantisation: 'Q4_K_M',
  contextLength: 40_960,
  shape: { layers: 36, embedding: 4096, heads: 32, kvHeads: 8, headSize: 128, vocabulary: 151_936 },
};
const plan = { contextSize: 4096, parallel: 1, gpuLayers: 0 };
const weights = (facts: CatalogueFacts) => memoryNeed(catalogueProfile(facts), plan).ram.weights;
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

describe('a model that is not downloaded', () => {
  it('takes as much for its weights as its file is long', () => {
    for (const facts of [SMALL, LARGE]) expect(weights({ ...facts, bytes: 5_000_000_000 })).toBeCloseTo(5e9, 0);
  });

  it('takes what its parameters have bits where the length is not known', () => {
    expect(weights(SMALL) / (596e6 * (8.5 / 8))).toBeCloseTo(1);
    expect(weights({ ...LARGE, quantisation: 'constructor' }) / (8.19e9 * (5 / 8))).toBeCloseTo(1);
  });

  it('caches keys and values of its published shape', () => {
    // 28 layers × 8 heads × 128 wide × keys and values × 2 bytes: 112 KiB a token.
    expect(memoryNeed(catalogueProfile(SMALL), plan).ram.cache).toBe(28 * 8 * 128 * 2 * 2 * 4096);
  });

  it('has the feed-forward width that its parameters leave room for', () => {
    // The published one is 12,288: gate, up and product, beside four times the width of the stream.
    expect(catalogueProfile(LARGE).layerValues / (4 * 4096 + 3 * 12_288)).toBeCloseTo(1, 1);
  });

  it('uses one table for both ends when it is small, and two when it is large', () => {
    expect(catalogueProfile(SMALL).tiedBytes).toBe(catalogueProfile(SMALL).outputBytes);
    expect(catalogueProfile(LARGE).tiedBytes).toBe(0);
  });

  it('is estimated from its parameters alone where no shape is published', () => {
    const { shape: _, ...bare } = LARGE;
    const need = (facts: CatalogueFacts) => totalBytes(memoryNeed(catalogueProfile(facts), plan).ram);
    expect(need(bare) / need(LARGE)).toBeGreaterThan(0.8);
    expect(need(bare) / need(LARGE)).toBeLessThan(1.25);
  });

  it('needs no cache when it is an encoder, and one when it is a decoder that makes vectors', async () => {
    expect(memoryNeed(catalogueProfile({ ...SMALL, encoder: true }), plan).ram.cache).toBe(0);
    const pins = new Pins('nowhere.json');
    const catalogue = await Catalogue.load({ bundled: BUNDLED, files: [], endpoint: 'https://x.example', pins });
    const cacheOf = (name: string) => memoryNeed(catalogueProfile(catalogue.find(name)), plan).ram.cache;
    expect(cacheOf('qwen3-embedding-0.6b')).toBe(28 * 8 * 128 * 2 * 2 * 4096);
    expect(cacheOf('nomic-embed-text-v1.5')).toBe(0);
  });

  it('stays a model of sane size whatever a catalogue says', () => {
    const shape = { layers: 10_000_000, embedding: 1, heads: 1, kvHeads: 1, headSize: 1, vocabulary: 10_000_000 };
    const { layerBytes } = catalogueProfile({ ...SMALL, parameters: 1, bytes: 1, shape });
    expect(layerBytes.length).toBeLessThanOrEqual(1024);
    expect(sum(layerBytes)).toBeGreaterThanOrEqual(0);
  });
});
