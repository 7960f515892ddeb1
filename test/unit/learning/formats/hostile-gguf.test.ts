import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GgufTensor, type GgufValue, writeGguf } from '../../../../src-main/gguf/writer.ts';
import { readAdapterGguf, writeAdapterGguf } from '../../../../src-main/learning/formats/gguf-adapter.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { madeAdapter, smallBase } from '../../../support/made-adapter.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-adapter-'));
  path = join(folder, 'adapter.gguf');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const text = (value: string): GgufValue => ({ type: 'string', value });
const GOOD: Record<string, GgufValue> = {
  'general.architecture': text('llama'),
  'general.type': text('adapter'),
  'adapter.type': text('lora'),
  'adapter.lora.alpha': { type: 'float32', value: 4 },
};
const fill = (row: Float32Array) => row.fill(0.5);
const part = (name: string, columns: number, rows: number, type: GgufTensor['type'] = 'F32'): GgufTensor => ({
  name,
  type,
  shape: [columns, rows],
  fill,
});
/** Of rank 2, for the first query matrix of the small model. */
const A = part('blk.0.attn_q.weight.lora_a', 24, 2);
const B = part('blk.0.attn_q.weight.lora_b', 2, 32);

async function read(more: Record<string, GgufValue | undefined> = {}, tensors: readonly GgufTensor[] = [A, B]) {
  const metadata = new Map(
    Object.entries({ ...GOOD, ...more }).filter((entry): entry is [string, GgufValue] => entry[1] !== undefined),
  );
  await writeGguf(path, { metadata, tensors });
  return await readAdapterGguf(path, smallBase());
}

describe('an adapter of somebody else’s', () => {
  it('is read as it is', async () => {
    expect(await read()).toMatchObject({ rank: 2, alpha: 4, modules: ['q_proj'] });
  });

  it('is read in half precision', async () => {
    const half = [part(A.name, 24, 2, 'F16'), part(B.name, 2, 32, 'F16')];
    expect((await read({}, half)).matrices.get('0.q_proj')?.a.every((value) => value === 0.5)).toBe(true);
  });

  it.each([undefined, { type: 'float32', value: 0 } as const])(
    'is not scaled where it has no alpha, as in llama.cpp',
    async (alpha) => {
      expect(await read({ 'adapter.lora.alpha': alpha })).toMatchObject({ rank: 2, alpha: 2 });
    },
  );

  it.each<[string, Record<string, GgufValue | undefined>, string]>([
    ['a model', { 'general.type': text('model') }, 'ADAPTER_INVALID'],
    ['no type', { 'general.type': undefined }, 'ADAPTER_INVALID'],
    ['a number as type', { 'general.type': { type: 'uint32', value: 1 } }, 'ADAPTER_INVALID'],
    ['another kind', { 'adapter.type': text('control-vector') }, 'UNSUPPORTED'],
    ['another architecture', { 'general.architecture': text('qwen3') }, 'ADAPTER_INVALID'],
    ['a text as alpha', { 'adapter.lora.alpha': text('4') }, 'ADAPTER_INVALID'],
    ['no number as alpha', { 'adapter.lora.alpha': { type: 'float32', value: Number.NaN } }, 'ADAPTER_INVALID'],
    ['a negative alpha', { 'adapter.lora.alpha': { type: 'float32', value: -4 } }, 'ADAPTER_INVALID'],
    [
      'one that waits for tokens',
      { 'adapter.alora.invocation_tokens': { type: 'uint32[]', value: [1] } },
      'UNSUPPORTED',
    ],
  ])('is refused: %s', async (_, more, code) => {
    await expect(read(more)).rejects.toMatchObject({ code });
  });

  it.each<[string, GgufTensor[], string]>([
    ['half a matrix', [A], 'ADAPTER_INVALID'],
    [
      'a layer that is not there',
      [part('blk.7.attn_q.weight.lora_a', 24, 2), part('blk.7.attn_q.weight.lora_b', 2, 32)],
      'ADAPTER_INVALID',
    ],
    [
      'the same layer written twice',
      [A, B, part('blk.00.attn_q.weight.lora_a', 24, 2), part('blk.00.attn_q.weight.lora_b', 2, 32)],
      'UNSUPPORTED',
    ],
    [
      'the table of tokens',
      [A, B, part('token_embd.weight.lora_a', 24, 2), part('token_embd.weight.lora_b', 2, 90)],
      'UNSUPPORTED',
    ],
    ['a norm', [A, B, part('blk.0.attn_norm.weight', 24, 1)], 'ADAPTER_INVALID'],
    ['other widths', [part(A.name, 32, 2), B], 'ADAPTER_INVALID'],
    ['other heights', [A, part(B.name, 2, 16)], 'ADAPTER_INVALID'],
    ['parts of different ranks', [A, part(B.name, 3, 32)], 'UNSUPPORTED'],
    ['a huge rank', [part(A.name, 24, 1025), part(B.name, 1025, 32)], 'ADAPTER_INVALID'],
    [
      'quantised matrices',
      [part(A.name, 24, 2), part('blk.0.ffn_down.weight.lora_b', 32, 24, 'Q8_0')],
      'ADAPTER_INVALID',
    ],
    ['infinity', [A, { ...B, fill: (row) => row.fill(Number.POSITIVE_INFINITY) }], 'ADAPTER_INVALID'],
  ])('is refused: %s', async (_, tensors, code) => {
    await expect(read({}, tensors)).rejects.toMatchObject({ code });
  });

  it.skipIf(process.platform === 'win32')('is not waited for where it is a pipe', async () => {
    execFileSync('mkfifo', [path]);
    await expect(readAdapterGguf(path, smallBase())).rejects.toMatchObject({ code: 'ADAPTER_INVALID' });
  });

  it('is read or refused with a name, whatever its bytes are', async () => {
    await writeAdapterGguf(path, madeAdapter(smallBase(), { only: (name) => name === '0.q_proj' }), smallBase());
    const good = await readFile(path);
    const change = fc.record({ at: fc.nat(good.length - 1), byte: fc.nat(255) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 8 }),
        fc.nat(good.length),
        async (changed, length) => {
          const bytes = Buffer.from(good.subarray(0, length % 3 === 0 ? length : good.length));
          for (const { at, byte } of changed) if (at < bytes.length) bytes[at] = byte;
          await writeFile(path, bytes);
          const failure = await readAdapterGguf(path, smallBase()).then(
            () => undefined,
            (error: unknown) => error,
          );
          if (failure) expect(failure).toBeInstanceOf(QuarryError);
        },
      ),
      { numRuns: 300 },
    );
  });
});
