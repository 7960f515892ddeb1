import { expect, it } from 'vitest';
import { contextFor, lengthProblem, neededFor, type OwnFit } from '../../../../src-main/app/evaluation/length-fit.ts';

const LOADED = { model: 'qwen', room: 8_192 };

/** Made for 100,000 tokens, on a machine with room for so many. */
const own = (most: number) => async (): Promise<OwnFit> => ({
  trained: 100_000,
  memoryFor: async (tokens) => ({ fits: tokens <= most, needs: tokens * 1_000_000, has: most * 1_000_000 }),
});
const problem = async (length: number, most = 1_000_000) => await lengthProblem(length, LOADED, own(most));

it('lets go on what fits, and what nobody knows of', async () => {
  expect(await problem(8_000)).toBeUndefined();
  expect(await lengthProblem(100_000, { ...LOADED, room: null }, undefined)).toBeUndefined();
});

it('says what a setting would do where model and memory allow it', async () => {
  expect(await problem(32_000)).toMatchObject({
    code: 'CONTEXT_TOO_LONG',
    message: 'There is no room for 32000 tokens: the model is loaded with 8192 for a question and its answer.',
    hint: 'It fits with a context of 32384 tokens in the settings.',
  });
});

it('says what a model was made for, and how much of that this computer has room for', async () => {
  expect(await problem(200_000)).toMatchObject({
    message: 'qwen has no room for 200000 tokens: it was made for 100000.',
    hint: 'At most 98946 tokens fit, with a context of 100000 in the settings.',
  });
  const { hint = '' } = (await problem(200_000, 20_000)) ?? {};
  const [, most, context] = /At most (\d+) tokens fit, with a context of (\d+)/.exec(hint) ?? [];
  expect(Number(context)).toBeGreaterThan(20_000 - 256);
  expect(Number(context)).toBeLessThanOrEqual(20_000);
  expect(Number(most)).toBeLessThan(Number(context));
});

it('says what memory a length takes where there is too little, and what would fit as it is', async () => {
  expect(await problem(64_000, 8_192)).toMatchObject({
    message: expect.stringMatching(
      /^qwen has no room for 64000 tokens on this computer: that takes 64\.7 GB, and there are 8\.2 GB/,
    ),
    hint: 'At most 8047 tokens fit.',
  });
});

it('says of a server what it has room for, and of all that a request ends somewhere', async () => {
  expect(await lengthProblem(10_000, LOADED, undefined)).toMatchObject({
    message: 'qwen has no room for 10000 tokens: a question and its answer have 8192 together.',
    hint: 'At most 8047 tokens fit.',
  });
  expect(await lengthProblem(2_000_000, { ...LOADED, room: null }, undefined)).toMatchObject({
    message: expect.stringContaining('more than a request may have'),
  });
});

it('wants of a node that is opened for it as much room as the longest question needs, where the usual is too little', () => {
  expect(contextFor([1_000, 8_000])).toBeUndefined();
  expect(contextFor([32_000, 1_000])).toBe(neededFor(32_000));
});
