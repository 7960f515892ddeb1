import { resolve } from 'node:path';
import { getLlama, type Llama, type LlamaModel } from 'node-llama-cpp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fitted } from '../../../../../../src-main/subnets/quasar/tasks/made/fit-length.ts';
import { needle } from '../../../../../../src-main/subnets/quasar/tasks/made/needles.ts';
import { madeOne } from './support.ts';

const tiny = resolve(import.meta.dirname, '../../../../../../resources/tiny.gguf');
const textOf = (words: number) => madeOne(needle, 'fit', 'number, middle', words).prompt;

/** Counts as a tokenizer might that joins words oddly: five letters a token, and a leap at every two-hundredth word. */
const oddCount = async (text: string) => Math.ceil(text.length / 5) + 40 * Math.floor(text.split(' ').length / 200);

/** What is found, and how many looks it took. */
async function fit(tokens: number, count: (text: string) => Promise<number>, make = textOf) {
  const counted: number[] = [];
  const found = await fitted({
    ...{ make, leastWords: needle.leastWords, tokens },
    count: async (text) => {
      counted.push(text.length);
      return count(text);
    },
  });
  return { ...found, counted };
}

describe('the length of a text in tokens', () => {
  let llama: Llama;
  let model: LlamaModel;
  beforeAll(async () => {
    llama = await getLlama({ gpu: false, maxThreads: 1, progressLogs: false });
    model = await llama.loadModel({ modelPath: tiny });
  });
  afterAll(() => llama.dispose());

  it.each([1_000, 4_000, 32_000, 128_000])(
    'is within 1 % of %i for a real tokenizer, in few counts',
    async (tokens) => {
      const count = async (text: string) => model.tokenize(text).length;
      const found = await fit(tokens, count);
      expect(Math.abs((await count(textOf(found.words))) - tokens)).toBeLessThanOrEqual(tokens / 100);
      expect(found.counted.length).toBeLessThanOrEqual(4);
    },
  );

  it.each([1_000, 4_000, 32_000, 124_000, 512_000, 2_000_000])(
    'is within 1 % of %i for an odd one, in few counts',
    async (tokens) => {
      const found = await fit(tokens, oddCount);
      expect(Math.abs((await oddCount(textOf(found.words))) - tokens)).toBeLessThanOrEqual(tokens / 100);
      expect(found.counted.length).toBeLessThanOrEqual(8);
      // Of the whole length are one or two of them.
      expect(found.counted.filter((length) => length > 100_000).length).toBeLessThanOrEqual(3);
    },
  );

  it('is found where the tokens do not grow with the words in a straight line', async () => {
    const curves = [
      (words: number) => words ** 1.5,
      (words: number) => 50 * Math.sqrt(words),
      (words: number) => words + 900,
    ];
    for (const curve of curves) {
      for (const tokens of [1_000, 7_777, 50_000]) {
        const found = await fit(
          tokens,
          async (text) => Math.round(curve(text.length)),
          (words) => '-'.repeat(words),
        );
        expect(Math.abs(found.tokens - tokens)).toBeLessThanOrEqual(tokens / 100);
        expect(found.counted.length).toBeLessThanOrEqual(20);
      }
    }
  });

  it('says so where the shortest text has more', async () => {
    await expect(fit(50, oddCount)).rejects.toMatchObject({
      code: 'CONTEXT_TOO_LONG',
      message: expect.stringMatching(/50 tokens/),
    });
  });

  it('says so where no text has about so many', async () => {
    const leaping = async (text: string) => (text.length < 5_000 ? 500 : 5_000);
    await expect(fit(1_000, leaping)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });

  it('ends with its signal, between two counts', async () => {
    const controller = new AbortController();
    const count = async (text: string) => {
      controller.abort(new Error('enough'));
      return text.length;
    };
    const { signal } = controller;
    const fitting = { make: textOf, leastWords: 100, tokens: 32_000, count, signal };
    await expect(fitted(fitting)).rejects.toThrow('enough');
  });
});
