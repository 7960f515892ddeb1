import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { GgufHeader } from '../../../../src-main/gguf/header.ts';
import type { MetadataValue } from '../../../../src-main/gguf/metadata.ts';
import { readModelHeader } from '../../../../src-main/gguf/model-file.ts';
import { plan } from '../../../../src-main/learning/training/forecast.ts';
import { checkTensors } from '../../../../src-main/learning/training/model/model-weights.ts';
import { modelShape } from '../../../../src-main/learning/training/model/shape.ts';

const header = (name: string) =>
  readModelHeader(resolve(import.meta.dirname, `../../../fixtures/learning/${name}.gguf`));

const withKeys = (of: GgufHeader, keys: Record<string, MetadataValue>): GgufHeader => ({
  ...of,
  metadata: new Map([...of.metadata, ...Object.entries(keys)]),
});

describe('the shape of a model', () => {
  it('has what its file says of windows and positions', async () => {
    const { positions, headWidth, tied } = modelShape(await header('gemma3'));
    expect({ headWidth, tied }).toEqual({ headWidth: 8, tied: true });
    expect(positions.map(({ window }) => window)).toEqual([4, 4, 4, 4, 4, undefined]);
    expect(positions.at(0)).toMatchObject({ base: 10_000, scale: 1 });
    expect(positions.at(5)).toMatchObject({ base: 5_000, scale: 1 / 8 });
  });

  it.each<[string, string, Record<string, MetadataValue>]>([
    [
      'another architecture',
      'llama',
      {
        'general.architecture': 'mamba',
        'mamba.block_count': 2,
        'mamba.embedding_length': 24,
        'mamba.context_length': 9,
      },
    ],
    ['experts', 'llama', { 'llama.expert_count': 8, 'llama.expert_used_count': 2 }],
    ['positions stretched unevenly', 'qwen3', { 'qwen3.rope.scaling.type': 'yarn' }],
    ['positions for a part of a head', 'llama', { 'llama.rope.dimension_count': 4 }],
    ['layers of different widths', 'llama', { 'llama.feed_forward_length': [40, 48] }],
    ['a limit for logits', 'gemma3', { 'gemma3.final_logit_softcapping': 30 }],
    [
      'a window where none is known',
      'llama',
      { 'llama.attention.sliding_window': 4, 'llama.attention.sliding_window_pattern': 2 },
    ],
  ])('is refused with %s', async (_, name, keys) => {
    const changed = withKeys(await header(name), keys);
    expect(() => modelShape(changed)).toThrow(expect.objectContaining({ code: 'UNSUPPORTED' }));
  });

  it('is refused with a tensor more or less than its architecture has', async () => {
    const sound = await header('qwen2');
    const shape = modelShape(sound);
    checkTensors(sound, shape);
    const odd = sound.tensors.map((tensor, at) => (at === 3 ? { ...tensor, name: 'blk.0.attn_output.bias' } : tensor));
    for (const tensors of [odd, sound.tensors.slice(1)]) {
      expect(() => checkTensors({ ...sound, tensors }, shape)).toThrow(
        expect.objectContaining({ code: 'UNSUPPORTED' }),
      );
    }
  });
});

describe('a plan', () => {
  it('keeps what fits, is slower where less does, and says what would fit where nothing does', async () => {
    const shape = {
      ...modelShape(await header('llama')),
      layers: 30,
      width: 576,
      feedForward: 1536,
      vocabulary: 49_152,
    };
    const settings = { rank: 8, modules: ['q_proj', 'v_proj'] as const };
    const wanted = { shape, settings, longest: 512 };
    const plans = [4e9, 1.2e9, 8e8].map((limit) => plan(wanted, limit));
    expect(plans.map(({ keep }) => keep)).toEqual([
      { weights: true, passed: true },
      { weights: true, passed: false },
      { weights: false, passed: false },
    ]);
    const times = plans.map(({ secondsPerStep }) => secondsPerStep(2, 512));
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(() => plan(wanted, 2e8)).toThrow(
      expect.objectContaining({ code: 'OUT_OF_MEMORY', hint: expect.stringMatching(/smaller model/) }),
    );
  });
});
