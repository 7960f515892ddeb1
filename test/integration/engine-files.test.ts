import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256OfFile } from '../../src-main/base/sha256.ts';
import { isRunning, TINY_MODEL, tinyEngine } from '../support/engine.ts';

let folder = '';
let whole = Buffer.alloc(0);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-engine-files-'));
  whole = await readFile(TINY_MODEL);
});
afterAll(() => rm(folder, { recursive: true }));

async function openingWith(content: Buffer): Promise<unknown> {
  const modelPath = join(folder, `${randomBytes(6).toString('hex')}.gguf`);
  await writeFile(modelPath, content);
  const engine = tinyEngine({ modelPath });
  try {
    await engine.open();
    return undefined;
  } catch (error) {
    expect(engine.status().state).not.toBe('ready');
    return error;
  } finally {
    await engine.close();
  }
}

describe('a file that is no usable model is refused', () => {
  it.each<[string, () => Buffer]>([
    ['cut in its weights', () => whole.subarray(0, whole.length >> 1)],
    ['random after a good header', () => Buffer.concat([whole.subarray(0, 24), randomBytes(100_000)])],
  ])('%s', async (_what, content) => {
    expect(await openingWith(content())).toMatchObject({ code: 'MODEL_INVALID', hint: expect.any(String) });
  });

  it('of an architecture that llama.cpp does not know', async () => {
    const unknown = Buffer.from(whole);
    for (let at = unknown.indexOf('qwen3'); at >= 0 && at < 4_000; at = unknown.indexOf('qwen3', at)) {
      unknown.write('qwenX', at);
    }
    expect(await openingWith(unknown)).toMatchObject({ code: 'MODEL_INVALID' });
  });
});

it('opens once the file is right', async () => {
  const modelPath = join(folder, 'late.gguf');
  await writeFile(modelPath, whole.subarray(0, whole.length >> 1));
  const engine = tinyEngine({ modelPath });
  try {
    await expect(engine.open()).rejects.toMatchObject({ code: 'MODEL_INVALID' });
    expect(engine.status()).toMatchObject({ state: 'broken', error: { code: 'MODEL_INVALID' } });
    await writeFile(modelPath, whole);
    await engine.open();
    expect(engine.status().state).toBe('ready');
  } finally {
    await engine.close();
  }
});

describe('a loaded model', () => {
  it('says what it is and how it runs', async () => {
    const engine = tinyEngine({ name: 'mine', tiny: true, contextSize: 100_000, parallel: 2 });
    try {
      await engine.open();
      expect(engine.status()).toEqual({
        state: 'ready',
        active: 0,
        waiting: 0,
        model: {
          name: 'mine',
          tiny: true,
          sha256: await sha256OfFile(TINY_MODEL),
          architecture: 'qwen3',
          parameters: 1_119_232,
          quantisation: 'Q8_0',
          contextSize: 4096,
          parallel: 2,
          kvCache: 'f16',
          vocabulary: 647,
          device: 'cpu',
          gpuLayers: 0,
          threads: 1,
          endToken: 258,
        },
      });
    } finally {
      await engine.close();
    }
  });

  it('leaves no process behind when it is closed, even while it loads', async () => {
    const engine = tinyEngine();
    await engine.open();
    const loaded = engine.pid as number;
    expect(isRunning(loaded)).toBe(true);
    await engine.close();
    await engine.close();
    expect(isRunning(loaded)).toBe(false);

    const opening = engine.open();
    while (engine.pid === undefined) await new Promise(setImmediate); // seen in the turn in which it begins: it cannot have loaded
    const loading = engine.pid as number;
    const refused = expect(opening).rejects.toMatchObject({ code: 'CANCELLED' });
    await engine.close();
    await refused;
    expect(isRunning(loading)).toBe(false);
  });
});
