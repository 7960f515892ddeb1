import { cp, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BaseShape } from '../../../../src-main/learning/formats/base-shape.ts';
import { ADAPTER_MODULES, type AdapterModule, matrixName } from '../../../../src-main/learning/formats/lora-adapter.ts';
import { readPeft, writePeft } from '../../../../src-main/learning/formats/peft-adapter.ts';
import { readPeftConfig } from '../../../../src-main/learning/formats/peft-config.ts';
import { madeAdapter, smallBase } from '../../../support/made-adapter.ts';

/** As PEFT itself wrote them: scripts/adapter-fixtures.py */
const FIXTURES = resolve(import.meta.dirname, '../../../fixtures/adapters');
const TENSORS = 'adapter_model.safetensors';
const CONFIG = 'adapter_config.json';

/** The model that they are of. */
function fixtureBase(): BaseShape {
  const sizes: Record<AdapterModule, { in: number; out: number }> = {
    q_proj: { in: 16, out: 16 },
    k_proj: { in: 16, out: 8 },
    v_proj: { in: 16, out: 8 },
    o_proj: { in: 16, out: 16 },
    gate_proj: { in: 16, out: 24 },
    up_proj: { in: 16, out: 24 },
    down_proj: { in: 24, out: 16 },
  };
  const all = [0, 1].flatMap((layer) =>
    ADAPTER_MODULES.map((module) => [matrixName(layer, module), sizes[module]] as const),
  );
  return { architecture: 'llama', layers: 2, heads: 4, kvHeads: 2, sizes: new Map(all) };
}

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-peft-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const fixture = (name: string) => join(FIXTURES, name);

describe('an adapter that PEFT has written', () => {
  it.each(['f32', 'f16', 'bf16'])('is read, in %s', async (type) => {
    const expected = JSON.parse(await readFile(join(fixture(type), 'expected.json'), 'utf8')) as Record<
      string,
      number[]
    >;
    const adapter = await readPeft(fixture(type), fixtureBase());
    expect(adapter).toMatchObject({
      rank: 2,
      alpha: 4,
      modules: ADAPTER_MODULES,
      base: { architecture: 'llama', layers: 2 },
    });
    const found = Object.keys(expected).map((name) => {
      const [, layer, module, part] = /layers\.(\d)\.\w+\.(\w+)\.lora_([AB])/.exec(name) ?? [];
      const matrix = adapter.matrices.get(`${layer}.${module}`);
      const values = part === 'A' ? matrix?.a : matrix?.b;
      return [name, [values?.reduce((sum, value) => sum + value, 0), values?.[0], values?.at(-1)]] as const;
    });
    expect(found.length).toBe(28);
    for (const [name, [sum = Number.NaN, first, last]] of found) {
      expect([name, first, last]).toEqual([name, expected[name]?.[1], expected[name]?.[2]]);
      expect(sum).toBeCloseTo(expected[name]?.[0] ?? Number.NaN, 6);
    }
  });

  it.each(['dora', 'rslora', 'ranks', 'bias', 'embeddings'])(
    'is refused with a reason where it does what we cannot: %s',
    async (kind) => {
      const features: Record<string, RegExp> = {
        dora: /use_dora/,
        rslora: /use_rslora/,
        ranks: /rank_pattern/,
        bias: /lora_bias/,
        embeddings: /modules_to_save/,
      };
      await expect(readPeft(fixture(kind), fixtureBase())).rejects.toMatchObject({
        code: 'UNSUPPORTED',
        message: expect.stringMatching(features[kind] ?? /^$/),
      });
    },
  );

  it('is refused for another model', async () => {
    await expect(readPeft(fixture('f32'), smallBase())).rejects.toMatchObject({
      code: 'ADAPTER_INVALID',
      message: expect.stringMatching(/0\.\w+_proj wants \d+ values where it has \d+: it belongs to another model/),
    });
  });
});

describe('an adapter for PEFT', () => {
  it('says which layers it changes, where it leaves out some', async () => {
    await writePeft(folder, madeAdapter(smallBase(), { only: (name) => name.startsWith('1.') }), 'a/model');
    const config = JSON.parse(await readFile(join(folder, CONFIG), 'utf8'));
    expect(config).toMatchObject({
      base_model_name_or_path: 'a/model',
      layers_to_transform: [1],
      layers_pattern: 'layers',
    });
  });

  it('overwrites none', async () => {
    await writePeft(folder, madeAdapter(smallBase()), 'a/model');
    await expect(writePeft(folder, madeAdapter(smallBase()), 'a/model')).rejects.toMatchObject({ code: 'EEXIST' });
  });
});

describe('a hostile configuration', () => {
  const good = { peft_type: 'LORA', r: 2, lora_alpha: 4 };
  const read = (config: unknown) => () => readPeftConfig(Buffer.from(JSON.stringify(config)));

  it.each([
    ['no JSON', () => readPeftConfig(Buffer.from('{'))],
    ['nested thousands deep', () => readPeftConfig(Buffer.from('['.repeat(100_000)))],
    ['too long', () => readPeftConfig(Buffer.alloc(300_000, ' '))],
    ['a list', read([])],
    ['no rank', read({ ...good, r: undefined })],
    ['a rank of 0', read({ ...good, r: 0 })],
    ['a fraction of a rank', read({ ...good, r: 1.5 })],
    ['a huge rank', read({ ...good, r: 1e9 })],
    ['a negative alpha', read({ ...good, lora_alpha: -1 })],
    ['an alpha beyond single precision', read({ ...good, lora_alpha: 1e300 })],
    ['a text for alpha', read({ ...good, lora_alpha: '4' })],
  ])('is refused: %s', (_, reading) => {
    expect(reading).toThrow(expect.objectContaining({ code: 'ADAPTER_INVALID' }));
  });

  it.each([
    { peft_type: 'LOHA' },
    { bias: 'all' },
    { init_lora_weights: 'pissa' },
    { layer_replication: [[0, 1]] },
    { use_qalora: true },
  ])('is refused for what we cannot do: %j', (more) => {
    expect(read({ ...good, ...more })).toThrow(expect.objectContaining({ code: 'UNSUPPORTED' }));
  });
});

describe('a hostile safetensors file', () => {
  /** The fixture, with its header changed. */
  async function changed(
    change: (header: Record<string, { dtype: string; shape: number[]; data_offsets: number[] }>) => unknown,
  ) {
    await cp(fixture('f32'), folder, { recursive: true });
    const bytes = await readFile(join(folder, TENSORS));
    const length = Number(bytes.readBigUInt64LE());
    const header = JSON.parse(bytes.toString('utf8', 8, 8 + length));
    const json = Buffer.from(JSON.stringify(change(header) ?? header));
    const start = Buffer.alloc(8);
    start.writeBigUInt64LE(BigInt(json.length));
    await writeFile(join(folder, TENSORS), Buffer.concat([start, json, bytes.subarray(8 + length)]));
    return await readPeft(folder, fixtureBase());
  }
  const Q = 'base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight';
  const set =
    (fields: object): Parameters<typeof changed>[0] =>
    (header) => ({ ...header, [Q]: { ...header[Q], ...fields } });

  it('is read when its header is as it was', async () => {
    expect((await changed(() => undefined)).rank).toBe(2);
  });

  it.each<[string, Parameters<typeof changed>[0], string]>([
    ['a matrix that overlaps another', set({ data_offsets: [0, 128] }), 'ADAPTER_INVALID'],
    ['offsets beyond the file', set({ data_offsets: [1e12, 1e12 + 128] }), 'ADAPTER_INVALID'],
    ['negative offsets', set({ data_offsets: [-128, 0] }), 'ADAPTER_INVALID'],
    ['offsets beyond what numbers hold', set({ data_offsets: [2 ** 60, 2 ** 60 + 128] }), 'ADAPTER_INVALID'],
    ['a shape that is larger than its bytes', set({ shape: [2, 2 ** 40] }), 'ADAPTER_INVALID'],
    ['a shape whose product is no number any more', set({ shape: [2 ** 52, 2 ** 52] }), 'ADAPTER_INVALID'],
    ['another type', set({ dtype: 'F64' }), 'UNSUPPORTED'],
    ['a type that every object has', set({ dtype: 'toString' }), 'UNSUPPORTED'],
    ['a matrix on its side', set({ shape: [16, 2] }), 'ADAPTER_INVALID'],
    ['a list of tensors', () => [], 'ADAPTER_INVALID'],
    ['numbers as metadata', (header) => ({ ...header, __metadata__: { format: 1 } }), 'ADAPTER_INVALID'],
    ['half a matrix', ({ [Q]: _, ...header }) => header, 'ADAPTER_INVALID'],
    [
      'a matrix of a layer that is not there',
      ({ [Q]: entry, ...header }) => ({ ...header, [Q.replace('.0.', '.7.')]: entry }),
      'ADAPTER_INVALID',
    ],
    [
      'a matrix in the wrong place',
      ({ [Q]: entry, ...header }) => ({ ...header, [Q.replace('self_attn', 'mlp')]: entry }),
      'UNSUPPORTED',
    ],
    ['another tensor', ({ [Q]: entry, ...header }) => ({ ...header, 'lm_head.weight': entry }), 'UNSUPPORTED'],
    [
      'a name that steers a terminal',
      ({ [Q]: entry, ...header }) => ({ ...header, '\u001b[2J': entry }),
      'UNSUPPORTED',
    ],
  ])('is refused: %s', async (_, change, code) => {
    const failure = await changed(change).then(
      () => undefined,
      (error: Error & { code: string }) => error,
    );
    expect(failure).toMatchObject({ code });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
    expect(failure?.message).not.toMatch(/[\u0000-\u001f]/);
  });

  it.each([0, 4, 8, 100, 5000])('is refused when it ends after %i bytes', async (bytes) => {
    await cp(fixture('f32'), folder, { recursive: true });
    await truncate(join(folder, TENSORS), bytes);
    await expect(readPeft(folder, fixtureBase())).rejects.toMatchObject({ code: 'ADAPTER_INVALID' });
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('is refused with %d in a matrix', async (value) => {
    await cp(fixture('f32'), folder, { recursive: true });
    const bytes = await readFile(join(folder, TENSORS));
    bytes.writeFloatLE(value, bytes.length - 4);
    await writeFile(join(folder, TENSORS), bytes);
    await expect(readPeft(folder, fixtureBase())).rejects.toMatchObject({
      code: 'ADAPTER_INVALID',
      message: expect.stringContaining('no number'),
    });
  });

  it('is refused when it claims a header of exabytes', async () => {
    await cp(fixture('f32'), folder, { recursive: true });
    const bytes = await readFile(join(folder, TENSORS));
    bytes.writeBigUInt64LE(2n ** 63n);
    await writeFile(join(folder, TENSORS), bytes);
    await expect(readPeft(folder, fixtureBase())).rejects.toMatchObject({ code: 'ADAPTER_INVALID' });
  });

  it.each([TENSORS, CONFIG])('is refused when %s is missing', async (name) => {
    await cp(fixture('f32'), folder, { recursive: true });
    await rm(join(folder, name));
    await expect(readPeft(folder, fixtureBase())).rejects.toMatchObject({
      code: 'ADAPTER_INVALID',
      message: expect.stringContaining('both be there'),
    });
  });
});
