import { describe, expect, it } from 'vitest';
import type { GgufHeader } from '../../../src-main/gguf/header.ts';
import type { MetadataValue } from '../../../src-main/gguf/metadata.ts';
import { makesEmbeddings, modelFacts } from '../../../src-main/gguf/model-facts.ts';

const LLAMA: Record<string, MetadataValue> = {
  'general.architecture': 'llama',
  'general.file_type': 15,
  'llama.block_count': 3,
  'llama.embedding_length': 512,
  'llama.feed_forward_length': 2048,
  'llama.context_length': 8192,
  'llama.attention.head_count': 8,
  'llama.attention.head_count_kv': 2,
  'tokenizer.ggml.tokens': { skipped: 'array', length: 1000 },
};

function header(changes: Record<string, MetadataValue | undefined>, architecture = 'llama'): GgufHeader {
  const entries = Object.entries({ ...LLAMA, ...changes })
    .filter((entry): entry is [string, MetadataValue] => entry[1] !== undefined)
    .map(([key, value]): [string, MetadataValue] => [key.replace(/^llama\./, `${architecture}.`), value]);
  const metadata = new Map(entries).set('general.architecture', changes['general.architecture'] ?? architecture);
  const tensors = [
    { name: 'token_embd.weight', type: 'Q6_K', dimensions: [512, 1000], offset: 0, bytes: 420_000 },
    { name: 'output_norm.weight', type: 'F32', dimensions: [512], offset: 420_000, bytes: 2048 },
  ];
  return { version: 3, metadata, floats: new Set(), tensors, dataOffset: 0, bytes: 0 };
}

const caches = (changes: Record<string, MetadataValue>, architecture?: string) =>
  modelFacts(header(changes, architecture)).attention;

describe('the facts of a model', () => {
  it('are read from the keys that all architectures share', () => {
    expect(modelFacts(header({ 'general.name': 'Test', 'tokenizer.chat_template': '{{ x }}' }))).toEqual({
      architecture: 'llama',
      name: 'Test',
      parameters: 512_512,
      layers: 3,
      embedding: 512,
      heads: 8,
      kvHeads: 2,
      queryWidth: 512,
      attention: Array(3).fill({ cachedValues: 256 }),
      feedForward: 2048,
      vocabulary: 1000,
      contextLength: 8192,
      originalContext: 8192,
      hasRope: false,
      hasWholeBlocks: true,
      experts: 0,
      expertsUsed: 0,
      quantisation: 'Q4_K_M',
      chatTemplate: true,
      encoder: false,
      embeddingModel: false,
    });
  });

  it('are read of an architecture that nobody has heard of', () => {
    expect(modelFacts(header({}, 'novel9'))).toMatchObject({ architecture: 'novel9', layers: 3 });
  });

  it('take the head’s width from the file where it is not the usual one', () => {
    const changes = { 'llama.attention.key_length': 128, 'llama.attention.value_length': 96 };
    expect(modelFacts(header(changes))).toMatchObject({ queryWidth: 1024 });
    expect(caches(changes)[0]).toEqual({ cachedValues: 2 * (128 + 96) });
  });

  it('take heads of each layer from a list, and none where a layer has no attention', () => {
    const changes = { 'llama.attention.head_count_kv': [4, 0, 2] };
    expect(caches(changes).map(({ cachedValues }) => cachedValues)).toEqual([512, 0, 256]);
  });

  it('keep of latent attention only the compressed key', () => {
    const changes = { 'llama.attention.head_count_kv': 1, 'llama.attention.key_length': 576 };
    expect(caches({ ...changes, 'llama.attention.key_length_mla': 192 })[0]).toEqual({ cachedValues: 576 });
  });

  it('tell whether positions can be scaled: rotations can, learnt ones and those of encoders cannot', () => {
    const rotated = { 'llama.rope.dimension_count': 64 };
    expect(modelFacts(header(rotated)).hasRope).toBe(true);
    expect(modelFacts(header(rotated, 'bert')).hasRope).toBe(false);
    const learnt = header(rotated);
    const table = { name: 'position_embd.weight', type: 'F32', dimensions: [512, 8192], offset: 422_048, bytes: 1 };
    expect(modelFacts({ ...learnt, tensors: [...learnt.tensors, table] }).hasRope).toBe(false);
  });

  it('take what a model was trained for before its file scaled it', () => {
    const scaled = { 'llama.rope.scaling.original_context_length': 2048 };
    expect(modelFacts(header(scaled))).toMatchObject({ contextLength: 8192, originalContext: 2048 });
  });

  it('tell whether the cache can be quantised: only where each head is whole blocks', () => {
    expect(modelFacts(header({ 'llama.attention.value_length': 80 })).hasWholeBlocks).toBe(false);
    expect(modelFacts(header({ 'llama.attention.head_count': 128 })).hasWholeBlocks).toBe(false);
  });

  it('keep nothing in layers that use another’s keys', () => {
    expect(caches({ 'llama.attention.shared_kv_layers': 2 }).map(({ cachedValues }) => cachedValues)).toEqual([
      256, 0, 0,
    ]);
  });

  it.each<[string, string, Record<string, MetadataValue>, (number | undefined)[]]>([
    ['as the architecture has it', 'gemma2', {}, [512, undefined, 512]],
    [
      'in a period that the file names',
      'gemma2',
      { 'llama.attention.sliding_window_pattern': 3 },
      [512, 512, undefined],
    ],
    [
      'in layers that the file lists',
      'novel9',
      { 'llama.attention.sliding_window_pattern': [false, true, true] },
      [undefined, 512, 512],
    ],
    ['nowhere, where nothing is known', 'llama', {}, [undefined, undefined, undefined]],
  ])('have windows %s', (_, architecture, changes, windows) => {
    const attention = caches({ 'llama.attention.sliding_window': 512, ...changes }, architecture);
    expect(attention.map(({ window }) => window)).toEqual(windows);
  });

  it('call an encoder one, that keeps nothing', () => {
    const facts = modelFacts(header({ 'llama.pooling_type': 1 }, 'nomic-bert'));
    expect(facts).toMatchObject({ encoder: true, embeddingModel: true });
    expect(facts.attention[0]).toEqual({ cachedValues: 0 });
  });

  it.each([
    ['llama', {}, false],
    ['llama', { 'llama.pooling_type': 0 }, false],
    ['llama', { 'llama.pooling_type': 3 }, true],
    ['llama', { 'other.pooling_type': 3 }, false],
    ['bert', {}, true],
    ['t5encoder', {}, true],
  ])('tell whether a %s with %o was made for embeddings: %s', (architecture, more, expected) => {
    const { metadata } = header(more, architecture);
    expect(makesEmbeddings(metadata, architecture)).toBe(expected);
  });

  it('count all experts that compute a token as one width', () => {
    const experts = { 'llama.expert_count': 64, 'llama.expert_used_count': 8, 'llama.expert_feed_forward_length': 768 };
    expect(modelFacts(header(experts))).toMatchObject({ experts: 64, expertsUsed: 8, feedForward: 6144 });
  });

  it('name the commonest type where the file’s own is unknown', () => {
    expect(modelFacts(header({ 'general.file_type': 999 }))).toMatchObject({ quantisation: 'Q6_K' });
  });
});

describe('a model is refused when', () => {
  it.each<[string, Record<string, MetadataValue | undefined>, RegExp]>([
    ['its architecture is no word', { 'general.architecture': '../x' }, /architecture is «..\/x»/],
    ['its architecture is a number', { 'general.architecture': 5 }, /does not say which architecture/],
    ['it has no layers', { 'llama.block_count': undefined }, /lacks «llama.block_count»/],
    ['it has 0 layers', { 'llama.block_count': 0 }, /lacks/],
    ['it has too many layers', { 'llama.block_count': 4_000_000_000 }, /not a number from 0 to 1024/],
    ['its width is negative', { 'llama.embedding_length': -1 }, /not a number/],
    ['its width is a fraction', { 'llama.embedding_length': 1.5 }, /not a number/],
    ['its width is a text', { 'llama.embedding_length': '512' }, /not a number/],
    ['its context is endless', { 'llama.context_length': Number.POSITIVE_INFINITY }, /not a number/],
    ['a list is too short for its layers', { 'llama.attention.head_count_kv': [1, 2] }, /too few values/],
    ['a list of heads holds nonsense', { 'llama.attention.head_count_kv': [1, -5, 2] }, /not a number/],
    [
      'a list of heads was too long to keep',
      { 'llama.attention.head_count': { skipped: 'array', length: 9000 } },
      /not a/,
    ],
    ['its vocabulary is too large', { 'tokenizer.ggml.tokens': { skipped: 'array', length: 2 ** 30 } }, /vocabulary/],
    ['it is an adapter', { 'general.type': 'adapter' }, /no model but «adapter»/],
    ['it is a piece of a model', { 'split.count': 3 }, /one of 3 pieces/],
  ])('%s', (_, changes, reason) => {
    expect(() => modelFacts(header(changes))).toThrow(reason);
  });
});
