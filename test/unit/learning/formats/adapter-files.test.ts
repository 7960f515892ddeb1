import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readAdapterGguf, writeAdapterGguf } from '../../../../src-main/learning/formats/gguf-adapter.ts';
import type { LoraAdapter } from '../../../../src-main/learning/formats/lora-adapter.ts';
import { readPeft, writePeft } from '../../../../src-main/learning/formats/peft-adapter.ts';
import { madeAdapter, smallBase } from '../../../support/made-adapter.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-adapter-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** Every bit of it, so that -0 is not 0. */
function bits(adapter: LoraAdapter) {
  const of = (values: Float32Array) => Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString('hex');
  const matrices = [...adapter.matrices].map(([name, { a, b, ...size }]) => [name, of(a), of(b), size]);
  return { ...adapter, matrices };
}

async function throughPeft(adapter: LoraAdapter, base = smallBase(adapter.base.architecture)): Promise<LoraAdapter> {
  const peft = join(folder, `peft-${Math.random()}`);
  await mkdir(peft);
  await writePeft(peft, adapter, 'a/model');
  return await readPeft(peft, base);
}

async function throughGguf(adapter: LoraAdapter, base = smallBase(adapter.base.architecture)): Promise<LoraAdapter> {
  const path = join(folder, `${Math.random()}.gguf`);
  await writeAdapterGguf(path, adapter, base);
  return await readAdapterGguf(path, base);
}

describe('an adapter’s files', () => {
  it.each(['llama', 'qwen2', 'qwen3', 'gemma3'])(
    'keep every bit of an adapter of %s, from form to form',
    async (architecture) => {
      const adapter = madeAdapter(smallBase(architecture), { alpha: 0.1 + 0.2 });
      adapter.alpha = Math.fround(adapter.alpha);
      adapter.matrices.get('0.q_proj')?.b.set([-0, 2 ** -149, 3.4028234663852886e38]);
      expect(bits(await throughPeft(adapter))).toEqual(bits(adapter));
      expect(bits(await throughGguf(adapter))).toEqual(bits(adapter));
      expect(bits(await throughGguf(await throughPeft(await throughGguf(adapter))))).toEqual(bits(adapter));
    },
  );

  it('keep an adapter that changes few matrices', async () => {
    const adapter = madeAdapter(smallBase(), {
      only: (name) => ['1.q_proj', '1.down_proj', '0.v_proj'].includes(name),
    });
    expect(adapter.modules).toEqual(['q_proj', 'v_proj', 'down_proj']);
    expect(bits(await throughGguf(await throughPeft(adapter)))).toEqual(bits(adapter));
  });

  it('are the same bytes for the same adapter', async () => {
    const base = smallBase();
    const adapter = madeAdapter(base);
    const shuffled = { ...adapter, matrices: new Map([...adapter.matrices].reverse()) };
    const [one, other] = [join(folder, 'one.gguf'), join(folder, 'other.gguf')];
    await writeAdapterGguf(one, adapter, base);
    await writeAdapterGguf(other, shuffled, base);
    expect(await readFile(one)).toEqual(await readFile(other));
  });
});
