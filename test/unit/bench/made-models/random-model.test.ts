import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getLlama, type Llama, readGgufFileInfo, type Token } from 'node-llama-cpp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SMOLLM_135M, TINY_QWEN3, writeRandomModel } from '../../../../src-main/bench/made-models/random-model.ts';

let folder: string;
let llama: Llama;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-random-'));
  llama = await getLlama({ gpu: false, maxThreads: 1, progressLogs: false });
});

afterAll(async () => {
  await llama.dispose();
  await rm(folder, { recursive: true, force: true });
});

const shapes = [TINY_QWEN3, { ...TINY_QWEN3, architecture: 'llama' as const, vocabulary: 13_000 }];

describe.each(shapes)('a random $architecture with $vocabulary tokens', (shape) => {
  const file = () => join(folder, `${shape.architecture}.gguf`);
  beforeAll(() => writeRandomModel(file(), shape, 1));

  it('is the same for the same seed only', async () => {
    await writeRandomModel(join(folder, 'again.gguf'), shape, 1);
    await writeRandomModel(join(folder, 'other.gguf'), shape, 2);
    const bytes = await readFile(file());
    expect(bytes.equals(await readFile(join(folder, 'again.gguf')))).toBe(true);
    expect(bytes.equals(await readFile(join(folder, 'other.gguf')))).toBe(false);
  });

  it('generates printable words up to the token limit, and reads them back as the same tokens', async () => {
    const model = await llama.loadModel({ modelPath: file() });
    const sequence = (await model.createContext({ contextSize: 1024, threads: 1 })).getSequence();
    const tokens: Token[] = [];
    const prompt = model.tokenize('<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n', true);
    for await (const token of sequence.evaluate(prompt, { temperature: 1, seed: 3, yieldEogToken: true })) {
      if (tokens.push(token) === 500) break;
    }
    const text = model.detokenize(tokens);
    expect(tokens.filter((token) => model.isEogToken(token))).toEqual([]);
    expect(text).toMatch(/^( [a-z]+)+$/);
    expect(model.tokenize(text)).toEqual(tokens);
    await model.dispose();
  });
});

it('SMOLLM_135M has the parameters of SmolLM-135M', async () => {
  // One layer is enough to see the shape without writing 143 MB.
  const path = join(folder, 'smollm.gguf');
  await writeRandomModel(path, { ...SMOLLM_135M, layers: 1, vocabulary: 1024 }, 1);
  const { fullTensorInfo = [] } = await readGgufFileInfo(path, { logWarnings: false });
  const count = (prefix: string) =>
    fullTensorInfo
      .filter(({ name }) => name.startsWith(prefix))
      .reduce(
        (sum, { dimensions }) => sum + dimensions.reduce<number>((product, size) => product * Number(size), 1),
        0,
      );
  const embedding = (count('token_embd') / 1024) * SMOLLM_135M.vocabulary;
  expect(embedding + SMOLLM_135M.layers * count('blk.0.') + count('output_norm')).toBe(134_515_008);
});
