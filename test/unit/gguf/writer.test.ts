import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { readGgufFileInfo } from 'node-llama-cpp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GgufTensor, type GgufValue, toHalf, writeGguf } from '../../../src-main/gguf/writer.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-gguf-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const base: [string, GgufValue][] = [['general.architecture', { type: 'string', value: 'llama' }]];

function tensor(type: GgufTensor['type'], values: number[][], name = 'a.weight'): GgufTensor {
  const columns = values[0]?.length ?? 0;
  return { name, type, shape: [columns, values.length], fill: (row, index) => row.set(values[index] ?? []) };
}

/** The tensor data of a written file, found with another reader than ours. */
async function tensorBytes(path: string, name: string, length: number): Promise<Buffer> {
  const info = await readGgufFileInfo(path, { logWarnings: false });
  const found = info.fullTensorInfo?.find((each) => each.name === name);
  const start = Number(found?.fileOffset);
  return (await readFile(path)).subarray(start, start + length);
}

describe('writing GGUF', () => {
  it('writes every kind of metadata so that another reader finds it', async () => {
    const path = join(folder, 'a.gguf');
    await writeGguf(path, {
      metadata: new Map<string, GgufValue>([
        ...base,
        ['t.uint32', { type: 'uint32', value: 4_000_000_000 }],
        ['t.int32', { type: 'int32', value: -5 }],
        ['t.float32', { type: 'float32', value: 0.25 }],
        ['t.uint64', { type: 'uint64', value: 2n ** 40n }],
        ['t.bool', { type: 'bool', value: true }],
        ['t.string', { type: 'string', value: 'Größe' }],
        ['t.strings', { type: 'string[]', value: ['a', '', 'Ġb'] }],
        ['t.ints', { type: 'int32[]', value: [1, -2] }],
      ]),
      tensors: [],
    });
    const { metadata, version } = await readGgufFileInfo(path, { logWarnings: false });
    expect(version).toBe(3);
    expect((metadata as unknown as Record<string, unknown>).t).toEqual({
      uint32: 4_000_000_000,
      int32: -5,
      float32: 0.25,
      uint64: 2n ** 40n,
      bool: true,
      string: 'Größe',
      strings: ['a', '', 'Ġb'],
      ints: [1, -2],
    });
  });

  it('puts each tensor on a boundary of 32 bytes', async () => {
    const path = join(folder, 'a.gguf');
    await writeGguf(path, {
      metadata: new Map(base),
      tensors: [tensor('F32', [[1, 2, 3]], 'a.weight'), tensor('F32', [[4, 5]], 'b.weight')],
    });
    const second = await tensorBytes(path, 'b.weight', 8);
    expect([second.readFloatLE(0), second.readFloatLE(4)]).toEqual([4, 5]);
    expect((await stat(path)).size % 32).toBe(0);
  });

  it('keeps F16 values that half precision can hold', async () => {
    const path = join(folder, 'a.gguf');
    await writeGguf(path, {
      metadata: new Map(base),
      tensors: [
        tensor('F16', [
          [1, -2],
          [0.5, 65504],
        ]),
      ],
    });
    const bytes = await tensorBytes(path, 'a.weight', 8);
    expect([...new Uint16Array(Uint8Array.from(bytes).buffer)]).toEqual([0x3c00, 0xc000, 0x3800, 0x7bff]);
  });

  it('writes Q8_0 blocks within half a step of the values', async () => {
    const path = join(folder, 'a.gguf');
    const values = Array.from({ length: 32 }, (_, index) => Math.sin(index) * 3);
    await writeGguf(path, { metadata: new Map(base), tensors: [tensor('Q8_0', [values])] });
    const bytes = await tensorBytes(path, 'a.weight', 34);
    const scale = fromHalf(bytes.readUInt16LE(0));
    values.forEach((value, index) => {
      expect(Math.abs(bytes.readInt8(2 + index) * scale - value)).toBeLessThan(scale * 0.6);
    });
  });

  it('writes a tensor larger than its buffer row by row', async () => {
    const path = join(folder, 'a.gguf');
    const rows = 3000;
    const size = await writeGguf(path, {
      metadata: new Map(base),
      tensors: [{ name: 'a.weight', type: 'F32', shape: [256, rows], fill: (row, index) => row.fill(index) }],
    });
    expect(size).toBe((await stat(path)).size);
    expect((await readFile(path)).readFloatLE(size - 4)).toBe(rows - 1);
  });

  it('leaves no file behind when a tensor cannot be filled', async () => {
    const failing: GgufTensor = {
      ...tensor('F32', [[1]]),
      fill: () => {
        throw new Error('no weights');
      },
    };
    const writing = writeGguf(join(folder, 'a.gguf'), { metadata: new Map(base), tensors: [failing] });
    await expect(writing).rejects.toThrow('no weights');
    expect(await readdir(folder)).toEqual([]);
  });

  it('refuses a Q8_0 tensor whose columns are no whole blocks', async () => {
    const writing = writeGguf(join(folder, 'a.gguf'), { metadata: new Map(base), tensors: [tensor('Q8_0', [[1, 2]])] });
    await expect(writing).rejects.toThrow(RangeError);
  });
});

describe('half precision', () => {
  it('is within half a step of every number in range', () => {
    fc.assert(
      fc.property(fc.float({ min: -65504, max: 65504, noNaN: true }), (value) => {
        const step = Math.max(2 ** (Math.floor(Math.log2(Math.abs(value) || 2 ** -14)) - 10), 2 ** -24);
        expect(Math.abs(fromHalf(toHalf(value)) - value)).toBeLessThanOrEqual(step / 2);
      }),
    );
  });

  it('keeps infinities and NaN', () => {
    expect([toHalf(Number.POSITIVE_INFINITY), toHalf(-1e6), toHalf(Number.NaN)]).toEqual([0x7c00, 0xfc00, 0x7e00]);
  });
});

function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const mantissa = bits & 0x3ff;
  return sign * (exponent === 0 ? mantissa * 2 ** -24 : (1 + mantissa / 1024) * 2 ** (exponent - 15));
}
