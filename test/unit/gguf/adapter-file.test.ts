import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MadeAdapter, writeMadeAdapter } from '../../../src-main/bench/made-models/adapter.ts';
import { checkAdapter } from '../../../src-main/gguf/adapter-file.ts';
import type { GgufHeader } from '../../../src-main/gguf/header.ts';
import type { TensorInfo } from '../../../src-main/gguf/tensors.ts';
import { writeGguf } from '../../../src-main/gguf/writer.ts';
import { type FileBytes, ggufBytes, numberEntry, tensor, text, textEntry, uint32 } from '../../support/gguf-bytes.ts';

const matrix = (name: string, dimensions: number[], type = 'Q4_K'): TensorInfo => {
  return { name, type, dimensions, offset: 0, bytes: 0 };
};

/** A model of which only the header is there. */
const MODEL: GgufHeader = {
  version: 3,
  metadata: new Map([['general.architecture', 'llama']]),
  floats: new Set(),
  tensors: [
    matrix('token_embd.weight', [64, 1000]),
    matrix('blk.0.attn_norm.weight', [64], 'F32'),
    matrix('blk.0.attn_q.weight', [64, 96]),
    matrix('blk.0.ffn_up.weight', [64, 128], 'NVFP4'),
    matrix('blk.0.ffn_up_exps.weight', [64, 128, 4]),
  ],
  dataOffset: 0,
  bytes: 1_000_000,
};
const BASE = 'blk.0.attn_q.weight';

let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-adapter-'));
  path = join(folder, 'adapter.gguf');
});
afterAll(() => rm(folder, { recursive: true }));

async function checkMade(made: MadeAdapter = {}) {
  await writeMadeAdapter(path, MODEL, { parts: ['attn_q'], ...made });
  return await checkAdapter(path, MODEL);
}

async function checkBytes(bytes: FileBytes) {
  await writeFile(path, ggufBytes(bytes));
  return await checkAdapter(path, MODEL);
}

const alpha = (type = 6, value = new Float32Array([16])) =>
  Buffer.concat([text('adapter.lora.alpha'), uint32(type), Buffer.from(value.buffer)]);
const said = (changes: Record<string, string | undefined> = {}) =>
  Object.entries({ 'general.architecture': 'llama', 'general.type': 'adapter', 'adapter.type': 'lora', ...changes })
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .map(([key, value]) => textEntry(key, value));
/** F32 tensors, one behind the other. */
function tensors(...shapes: [name: string, dimensions: number[], type?: number, bytes?: number][]) {
  let offset = 0;
  return shapes.map(([name, dimensions, type = 0, bytes = dimensions.reduce((a, b) => a * b, 4)]) => {
    const made = tensor({ name, dimensions, type, offset });
    offset += Math.ceil(bytes / 32) * 32;
    return made;
  });
}
const PAIR: Parameters<typeof tensors> = [
  [`${BASE}.lora_a`, [64, 4]],
  [`${BASE}.lora_b`, [4, 96]],
];
const file = (changes: Partial<FileBytes> = {}): FileBytes => ({
  keys: [...said(), alpha()],
  tensors: tensors(...PAIR),
  data: 1 << 20,
  ...changes,
});

describe('checking an adapter', () => {
  it('tells which matrices of the model it changes, and how', async () => {
    const { alpha: scale, pairs } = await checkMade({ rank: 8, alpha: -16 });
    expect(scale).toBe(-16);
    expect(pairs).toMatchObject([{ base: BASE, a: { dimensions: [64, 8] }, b: { dimensions: [8, 96] } }]);
    await expect(checkBytes(file())).resolves.toMatchObject({ alpha: 16 });
  });

  it.each<[string, Partial<FileBytes>, string]>([
    ['a model', { keys: [...said({ 'general.type': 'model' }), alpha()] }, 'no adapter'],
    ['something untold', { keys: [...said({ 'general.type': undefined }), alpha()] }, 'no adapter'],
    ['another sort of adapter', { keys: [...said({ 'adapter.type': 'ia3' }), alpha()] }, '«ia3»'],
    [
      // llama.cpp ends the process over it
      'an adapter whose type is a number',
      { keys: [...said({ 'adapter.type': undefined }), numberEntry('adapter.type', 1), alpha()] },
      'no adapter',
    ],
    [
      'an adapter of a numbered architecture',
      { keys: [...said({ 'general.architecture': undefined }), numberEntry('general.architecture', 1), alpha()] },
      'architecture',
    ],
    ['an adapter of another model', { keys: [...said({ 'general.architecture': 'qwen3' }), alpha()] }, '«qwen3»'],
    ['an adapter without alpha', { keys: said() }, 'alpha'],
    ['an alpha that is a whole number', { keys: [...said(), alpha(4)] }, 'alpha'],
    ['an alpha of 0', { keys: [...said(), alpha(6, new Float32Array([0]))] }, 'alpha'],
    ['an alpha that is no number', { keys: [...said(), alpha(6, new Float32Array([Number.NaN]))] }, 'alpha'],
    [
      'an adapter that is called by words',
      { keys: [...said(), alpha(), numberEntry('adapter.alora.invocation_tokens', 1)] },
      'aLoRA',
    ],
    ['half a pair', { tensors: tensors(PAIR[0] as never) }, 'half'],
    ['a tensor beside the pairs', { tensors: tensors(...PAIR, ['blk.0.attn_norm.weight', [64]]) }, 'attn_norm'],
    ['a matrix that the model has not', { tensors: named('blk.1.attn_q.weight', [64, 4], [4, 96]) }, 'blk.1'],
    ['a table of embeddings', { tensors: named('token_embd.weight', [64, 4], [4, 1000]) }, 'token_embd'],
    ['a vector', { tensors: named('blk.0.attn_norm.weight', [64, 4], [4, 1]) }, 'attn_norm'],
    ['a type without adapters', { tensors: named('blk.0.ffn_up.weight', [64, 4], [4, 128]) }, 'ffn_up'],
    ['experts', { tensors: named('blk.0.ffn_up_exps.weight', [64, 4], [4, 128]) }, 'ffn_up_exps'],
    ['other inputs', { tensors: named(BASE, [63, 4], [4, 96]) }, 'do not fit'],
    ['other outputs', { tensors: named(BASE, [64, 4], [4, 95]) }, 'do not fit'],
    ['two ranks', { tensors: named(BASE, [64, 4], [5, 96]) }, 'do not fit'],
    ['a third dimension', { tensors: named(BASE, [64, 4, 2], [4, 96]) }, 'do not fit'],
    ['no second dimension', { tensors: named(BASE, [64], [4, 96]) }, 'rank'],
    ['a rank beyond all', { tensors: named(BASE, [64, 1025], [1025, 96]) }, 'rank'],
    ['whole numbers', { tensors: tensors([`${BASE}.lora_a`, [64, 4], 26], [`${BASE}.lora_b`, [4, 96], 26]) }, 'I32'],
  ])('refuses %s', async (_, changes, why) => {
    await expect(checkBytes(file(changes))).rejects.toMatchObject({
      name: 'Error',
      message: expect.stringContaining(why),
    });
  });

  function named(base: string, a: number[], b: number[]) {
    return tensors([`${base}.lora_a`, a], [`${base}.lora_b`, b]);
  }

  it.each([
    ['F32', 0x7f80_0000],
    ['F32', 0xffc0_0001],
  ] as const)('refuses values that are no numbers, wherever they are (%s, %d)', async (_, bits) => {
    const [value] = new Float32Array(new Uint32Array([bits]).buffer);
    const fill: MadeAdapter['fill'] = (half, _base, row, at) => {
      if (half === 'b' && at === 95) row[3] = value as number;
    };
    await expect(checkMade({ fill })).rejects.toMatchObject({ message: expect.stringContaining('lora_b') });
  });

  it.each(['F16', 'Q8_0'] as const)('knows the values of %s', async (type) => {
    const write = async (value: number) => {
      const shape = (name: string, columns: number, rows: number) => ({
        name,
        type,
        shape: [columns, rows] as const,
        fill: (row: Float32Array) => void row.fill(value, 31, 32),
      });
      const metadata = new Map([
        ['general.architecture', { type: 'string', value: 'llama' }],
        ['general.type', { type: 'string', value: 'adapter' }],
        ['adapter.type', { type: 'string', value: 'lora' }],
        ['adapter.lora.alpha', { type: 'float32', value: 1 }],
      ] as const);
      await writeGguf(path, { metadata, tensors: [shape(`${BASE}.lora_a`, 64, 32), shape(`${BASE}.lora_b`, 32, 96)] });
      return await checkAdapter(path, MODEL);
    };
    await expect(write(1000)).resolves.toBeDefined();
    await expect(write(Number.POSITIVE_INFINITY)).rejects.toMatchObject({ message: expect.stringContaining('lora_a') });
  });

  it('refuses one that is cut off, and one that is larger than its model', async () => {
    await checkMade();
    const { header } = await checkAdapter(path, MODEL);
    await truncate(path, header.bytes - 1);
    await expect(checkAdapter(path, MODEL)).rejects.toMatchObject({ message: expect.stringContaining('not complete') });
    await truncate(path, (64 << 20) + 1);
    await expect(checkAdapter(path, MODEL)).rejects.toMatchObject({ message: expect.stringContaining('more than') });
  });
});
