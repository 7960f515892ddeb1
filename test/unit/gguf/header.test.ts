import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { GgufError } from '../../../src-main/gguf/gguf-error.ts';
import { readGgufHeader } from '../../../src-main/gguf/header.ts';
import { modelFacts } from '../../../src-main/gguf/model-facts.ts';
import { TINY_MODEL } from '../../support/engine.ts';
import {
  arrayEntry,
  type FileBytes,
  ggufBytes,
  numberEntry,
  sourceOf,
  tensor,
  text,
  textEntry,
  uint8,
  uint32,
  uint64,
} from '../../support/gguf-bytes.ts';

const read = (file: FileBytes) => readGgufHeader(sourceOf(ggufBytes(file)));

describe('a header', () => {
  it('is read with its metadata and tensors', async () => {
    const keys = [textEntry('general.name', 'Noé'), numberEntry('llama.block_count', 2)];
    const header = await read({ keys, tensors: [tensor({ name: 'a', dimensions: [32, 2], type: 8 })] });
    expect([...header.metadata]).toEqual([
      ['general.name', 'Noé'],
      ['llama.block_count', 2],
    ]);
    expect(header.tensors).toEqual([{ name: 'a', type: 'Q8_0', dimensions: [32, 2], offset: 0, bytes: 68 }]);
    expect(header).toMatchObject({ version: 3, dataOffset: header.bytes - 128 });
  });

  it('of GGUF 2 is read as well', async () => expect(await read({ version: 2 })).toMatchObject({ version: 2 }));

  it.each<[string, number, Buffer, unknown]>([
    ['uint8', 0, uint8(200), 200],
    ['int8', 1, uint8(200), -56],
    ['uint16', 2, Buffer.from([1, 2]), 513],
    ['int16', 3, Buffer.from([255, 255]), -1],
    ['int32', 5, uint32(0xffff_ffff), -1],
    ['float32', 6, Buffer.from(new Float32Array([0.5]).buffer), 0.5],
    ['bool', 7, uint8(1), true],
    ['uint64', 10, uint64(2 ** 40), 2 ** 40],
    ['int64', 11, Buffer.alloc(8, 255), -1],
    ['float64', 12, Buffer.from(new Float64Array([0.1]).buffer), 0.1],
  ])('holds values of type %s, alone and in arrays', async (_, type, bytes, value) => {
    const keys = [Buffer.concat([text('one'), uint32(type), bytes]), arrayEntry('two', type, 2, bytes, bytes)];
    const { metadata } = await read({ keys });
    expect(metadata.get('one')).toEqual(value);
    expect(metadata.get('two')).toEqual([value, value]);
  });

  it('keeps of long arrays and texts only the length', async () => {
    const words = Array.from({ length: 3 }, () => text('word'));
    const keys = [
      arrayEntry('tokens', 8, 3, ...words),
      arrayEntry('scores', 6, 2000, Buffer.alloc(8000)),
      textEntry('long', 'x'.repeat(100_000)),
      numberEntry('after', 7),
    ];
    const { metadata } = await read({ keys });
    expect(metadata.get('tokens')).toEqual({ skipped: 'array', length: 3 });
    expect(metadata.get('scores')).toEqual({ skipped: 'array', length: 2000 });
    expect(metadata.get('long')).toEqual({ skipped: 'text', length: 100_000 });
    expect(metadata.get('after')).toBe(7);
  });

  it('with a vocabulary of 150,000 words is read once, through a small buffer', async () => {
    const words = Array.from({ length: 150_000 }, (_, index) => text(`word ${index}`));
    const bytes = ggufBytes({ keys: [arrayEntry('tokens', 8, words.length, Buffer.concat(words))] });
    const pieces: number[] = [];
    await readGgufHeader(sourceOf(bytes, (length) => pieces.push(length)));
    expect(Math.max(...pieces)).toBeLessThanOrEqual(256 * 1024);
    expect(pieces.reduce((sum, length) => sum + length)).toBeLessThanOrEqual(bytes.length);
  });

  it('is read from a source that gives its bytes in small pieces', async () => {
    const bytes = ggufBytes({ keys: [textEntry('general.name', 'x'.repeat(5_000))] });
    const whole = sourceOf(bytes);
    const drops = {
      size: whole.size,
      read: (offset: number, length: number) => whole.read(offset, Math.min(7, length)),
    };
    expect(await readGgufHeader(drops)).toEqual(await readGgufHeader(whole));
  });
});

const HUGE = 2n ** 63n;
const second = tensor({ name: 'b', offset: 128 });

describe('a header is refused when', () => {
  it.each<[string, FileBytes, RegExp]>([
    ['it is no GGUF', { magic: 'GGML' }, /does not begin/],
    ['its version is unknown', { version: 4 }, /version is 4/],
    ['it is big endian', { version: 0x0300_0000 }, /version/],
    ['it claims a million tensors', { tensorCount: 1_000_000 }, /claims to have 1000000 tensors/],
    ['it claims more tensors than numbers can count', { tensorCount: HUGE }, /far too large/],
    ['it claims more keys than fit', { keyCount: 4_000 }, /too short for them/],
    ['it has no tensors', { tensors: [] }, /no tensors/],
    ['a key is empty', { keys: [numberEntry('', 1)] }, /empty/],
    ['a key is longer than any', { keys: [numberEntry('k'.repeat(300), 1)] }, /300 bytes long/],
    ['a key is there twice', { keys: [numberEntry('k', 1), numberEntry('k', 2)] }, /twice/],
    ['a key’s length is beyond the file', { keys: [uint64(200), uint32(4), uint32(1)] }, /ends in the middle/],
    ['a value’s type is unknown', { keys: [Buffer.concat([text('k'), uint32(13), uint64(0)])] }, /unknown type 13/],
    ['a text is longer than the file', { keys: [Buffer.concat([text('k'), uint32(8), uint64(2 ** 40)])] }, /ends/],
    ['an array is longer than the file', { keys: [arrayEntry('k', 4, 2 ** 40)] }, /claims to have/],
    ['an array of texts is longer than the file', { keys: [arrayEntry('k', 8, 2 ** 30)] }, /claims to have/],
    ['an array’s length is beyond all numbers', { keys: [arrayEntry('k', 4, HUGE)] }, /far too large/],
    ['an array holds arrays', { keys: [arrayEntry('k', 9, 1, uint32(4), uint64(0))] }, /unknown type 9/],
    ['its alignment is 0', { keys: [numberEntry('general.alignment', 0)] }, /alignment/],
    ['its alignment is no power of two', { keys: [numberEntry('general.alignment', 48)] }, /alignment/],
    ['its alignment is a text', { keys: [textEntry('general.alignment', '32')] }, /alignment/],
    ['a tensor’s name is too long', { tensors: [tensor({ name: 'n'.repeat(64) })] }, /64 bytes long/],
    ['two tensors have one name', { tensors: [tensor(), tensor({ offset: 128 })], data: 256 }, /two tensors/],
    ['a tensor has no dimensions', { tensors: [tensor({ dimensions: [] })] }, /0 dimensions/],
    ['a tensor has five dimensions', { tensors: [tensor({ dimensions: [32, 1, 1, 1, 1] })] }, /5 dimensions/],
    ['a tensor is empty', { tensors: [tensor({ dimensions: [0] })] }, /empty/],
    ['a tensor’s product overflows', { tensors: [tensor({ dimensions: [2 ** 40, 2 ** 40] })] }, /far too large/],
    ['a tensor’s type is unknown', { tensors: [tensor({ type: 4 })] }, /type 4/],
    ['rows are not whole blocks', { tensors: [tensor({ dimensions: [40], type: 8 })] }, /whole blocks of Q8_0/],
    ['tensors overlap', { tensors: [tensor(), tensor({ name: 'b', offset: 96 })], data: 256 }, /not where/],
    [
      'there is a gap between tensors',
      { tensors: [tensor(), tensor({ name: 'b', offset: 160 })], data: 512 },
      /not where/,
    ],
    ['the last tensor is cut off', { tensors: [tensor(), second], data: 255 }, /not complete/],
    ['there is no data at all', { data: 0 }, /not complete/],
  ])('%s', async (_, file, reason) => {
    const refused = read(file);
    await expect(refused).rejects.toThrow(GgufError);
    await expect(refused).rejects.toThrow(reason);
  });

  it('its metadata would take more memory than any model’s', async () => {
    const keys = Array.from({ length: 100 }, (_, index) => textEntry(`k${index}`, 'x'.repeat(60_000)));
    await expect(read({ keys })).rejects.toThrow(/longer than any/);
  });

  it('its arrays would take more memory than its bytes: thousands of small numbers, each a value of its own', async () => {
    const numbers = Buffer.alloc(1_020, 1);
    const keys = Array.from({ length: 3_900 }, (_, index) => arrayEntry(`k${index}`, 0, 1_020, numbers));
    const source = sourceOf(ggufBytes({ keys }));
    expect(source.size).toBeGreaterThan(4_000_000);
    const before = process.memoryUsage().heapUsed;
    await expect(readGgufHeader(source)).rejects.toThrow(/longer than any/);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(30 * 1024 ** 2);
  });

  it('a name in it would move a terminal’s cursor: the message shows it without', async () => {
    const error = await read({ tensors: [tensor({ name: '\u001b[2Jx', type: 4 })] }).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ message: expect.stringContaining('«?[2Jx»') });
  });
});

describe('whatever the bytes are', () => {
  let tiny: Buffer;
  beforeAll(async () => {
    tiny = await readFile(TINY_MODEL);
  });

  /** Either a header with its facts or a reason; nothing else, and no more is read than there is. */
  async function outcome(bytes: Buffer): Promise<'read' | 'refused'> {
    let total = 0;
    try {
      modelFacts(await readGgufHeader(sourceOf(bytes, (length) => (total += length))));
      return 'read';
    } catch (error) {
      if (error instanceof GgufError) return 'refused';
      throw error;
    } finally {
      expect(total).toBeLessThanOrEqual(bytes.length);
    }
  }

  it('the built-in model is read, and refused when a byte of it is missing', async () => {
    expect(await outcome(tiny)).toBe('read');
    expect(await outcome(tiny.subarray(0, -64))).toBe('refused');
  });

  it('a header that ends anywhere is refused', async () => {
    const file = ggufBytes({ keys: [textEntry('a', 'b'), arrayEntry('c', 8, 2, text('d'), text('e'))] });
    for (let length = 0; length < file.length; length++) {
      expect(await outcome(file.subarray(0, length)), `cut at ${length}`).toBe('refused');
    }
  });

  it('random bytes, with and without a good beginning, are refused', async () => {
    const bytes = fc.uint8Array({ minLength: 0, maxLength: 2_000 });
    const beginning = ggufBytes({ keyCount: 20, tensorCount: 5, tensors: [], data: 0 }).subarray(0, 24);
    await fc.assert(
      fc.asyncProperty(bytes, async (random) => {
        await outcome(Buffer.from(random));
        await outcome(Buffer.concat([beginning, random]));
      }),
      { numRuns: 500 },
    );
  });

  it('a real header with some bytes changed is read or refused', async () => {
    const headerBytes = (await readGgufHeader(sourceOf(tiny))).dataOffset;
    const change = fc.tuple(fc.nat({ max: headerBytes - 1 }), fc.nat({ max: 255 }));
    const property = fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
      const mutated = Buffer.from(tiny);
      for (const [place, value] of changes) mutated[place] = value;
      await outcome(mutated);
    });
    await fc.assert(property, { numRuns: 400 });
  });

  it('lengths anywhere in a header replaced by extreme ones are no trouble', async () => {
    const file = ggufBytes({ keys: [textEntry('a', 'b'), arrayEntry('c', 4, 2, uint32(1), uint32(2))] });
    for (const extreme of [0n, 1n << 31n, 1n << 32n, 1n << 53n, 1n << 62n, (1n << 64n) - 1n]) {
      for (let place = 8; place < file.length - 136; place++) {
        const mutated = Buffer.from(file);
        mutated.writeBigUInt64LE(extreme, place);
        await outcome(mutated);
      }
    }
  });

  it('a file that claims 2^40 bytes of header costs neither memory nor time', async () => {
    const beginning = ggufBytes({ keys: [arrayEntry('k', 8, 2 ** 24)], data: 0 });
    const before = process.memoryUsage().rss;
    // Behind its beginning the source is endless zeros: texts of length 0.
    const source = {
      size: 2 ** 40,
      read: async (offset: number, length: number) => {
        const piece = Buffer.alloc(length);
        if (offset < beginning.length) beginning.copy(piece, 0, offset);
        return piece;
      },
    };
    await expect(readGgufHeader(source)).rejects.toThrow(GgufError);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 ** 2);
  });
});
