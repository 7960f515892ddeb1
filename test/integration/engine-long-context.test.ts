import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LocalBackendOptions } from '../../src-main/inference/host/local-options.ts';
import { ENDLESS, generate, tinyEngine } from '../support/engine.ts';
import { writeHollowModel } from '../support/hollow-model.ts';
import { findRealModel, MINILM, SMOLLM2 } from '../support/real-models.ts';

const real = await findRealModel(SMOLLM2);
const embedder = await findRealModel(MINILM);

async function loaded<T>(options: Partial<LocalBackendOptions>, use: (engine: ReturnType<typeof tinyEngine>) => T) {
  const engine = tinyEngine(options);
  try {
    await engine.open();
    return await use(engine);
  } finally {
    await engine.close();
  }
}

const SCORED = {
  input: { prompt: 'The capital of France is' },
  continuation: ' Paris. The capital of Germany is Berlin.',
};
const logprobOf = async (options: Partial<LocalBackendOptions>) =>
  await loaded(options, async (engine) => (await engine.score(SCORED)).totalLogprob);

describe('a model with a coarser cache', () => {
  it.each(['q8_0', 'q4_0'] as const)('answers, and says that its cache is %s', async (kvCache) => {
    await loaded({ kvCache }, async (engine) => {
      expect(engine.status().model).toMatchObject({ kvCache });
      expect((await generate(engine, { ...ENDLESS, maxTokens: 8 })).completionTokens).toBe(8);
    });
  });

  it('that cannot have one is refused, and told why', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quarry-cache-'));
    const path = join(folder, 'odd.gguf');
    await writeHollowModel(path, {
      ...{ architecture: 'llama', name: 'odd', layers: 2, embedding: 160, heads: 2, kvHeads: 2, headSize: 80 },
      ...{ feedForward: 256, contextLength: 1_024, type: 'F16', vocabulary: 400 },
    });
    const opened = loaded({ modelPath: path, kvCache: 'q8_0' }, () => undefined);
    await expect(opened).rejects.toMatchObject({ code: 'CONFIG_INVALID', field: 'kvCache' });
    await rm(folder, { recursive: true });
  });

  it.skipIf(!embedder)('that keeps none, as an encoder, is as it is', async () => {
    const set = { kvCache: 'q4_0', rope: { type: 'yarn', factor: 2 }, contextSize: 4_096 } as const;
    await loaded({ modelPath: embedder ?? '', ...set }, async (engine) => {
      const { kvCache, rope, contextSize } = engine.status().model ?? {};
      expect({ kvCache, rope, contextSize }).toEqual({ kvCache: 'f16', rope: undefined, contextSize: 512 });
      expect((await engine.embed(['a text'])).vectors[0]).toHaveLength(384);
    });
  });

  it.skipIf(!real)('is a little less exact with q8_0 than with f16, and more so with q4_0', async () => {
    const modelPath = real ?? '';
    const exact = await logprobOf({ modelPath });
    const off = async (kvCache: 'q8_0' | 'q4_0') => Math.abs((await logprobOf({ modelPath, kvCache })) - exact);
    const half = await off('q8_0');
    expect(half).toBeGreaterThan(0);
    expect(half).toBeLessThan(0.5);
    expect(await off('q4_0')).toBeGreaterThan(half);
  });
});

describe('a model whose positions are scaled', () => {
  it('takes a longer context than it was trained for, and answers what is longer', async () => {
    const rope = { type: 'yarn', factor: 2 } as const;
    await loaded({ contextSize: 100_000, parallel: 1, rope }, async (engine) => {
      expect(engine.status().model).toMatchObject({ contextSize: 8_192, rope });
      const asked = { input: { prompt: 'a'.repeat(5_000) }, maxTokens: 4 };
      expect((await generate(engine, asked)).promptTokens).toBeGreaterThan(4_096);
    });
  });

  it('starts from the context that is set where one is', async () => {
    const rope = { type: 'linear', factor: 3, originalContext: 1_000 } as const;
    await loaded({ contextSize: 100_000, parallel: 1, rope }, async (engine) =>
      expect(engine.status().model).toMatchObject({ contextSize: 3_000, rope }),
    );
  });

  it.skipIf(!real)('computes otherwise: by YaRN another way than linearly, and a factor of 1 is none', async () => {
    const modelPath = real ?? '';
    const plain = await logprobOf({ modelPath });
    const yarn = await logprobOf({ modelPath, rope: { type: 'yarn', factor: 4 } });
    const linear = await logprobOf({ modelPath, rope: { type: 'linear', factor: 4 } });
    expect(await logprobOf({ modelPath, rope: { type: 'linear', factor: 1 } })).toBeCloseTo(plain, 5);
    // What was trained without scaling bears YaRN, and not the other.
    expect(yarn).toBeLessThan(plain - 0.1);
    expect(linear).toBeLessThan(yarn - 5);
  });
});
