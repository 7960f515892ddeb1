import { expect, it } from 'vitest';
import type { OwnFit } from '../../../../src-main/app/evaluation/examinees/opened-examinee.ts';
import { contextFor, lengthProblem, neededFor } from '../../../../src-main/app/evaluation/length-fit.ts';

const LOADED = { model: 'qwen', room: 8_192 };

const MODEL = { contextLength: 100_000, originalContext: 100_000, hasRope: true, hasWholeBlocks: true };
const SET = { parallel: 4, kvCache: 'f16' as const, rope: undefined };
const BYTES = { f16: 1, q8_0: 1 / 2, q4_0: 1 / 4 };

/** On a machine with room for so many tokens in a cache of f16, of all requests together. */
const own =
  (most: number, model: Partial<OwnFit['model']> = {}) =>
  async (): Promise<OwnFit> => ({
    model: { ...MODEL, ...model },
    set: SET,
    parallelFor: async ({ contextSize, kvCache }) =>
      [4, 2, 1].find((parallel) => contextSize * parallel * BYTES[kvCache] <= most) ?? 0,
    memoryFor: async (tokens) => ({ needs: tokens * 1_000_000, has: most * 1_000_000 }),
  });
const problem = async (length: number, most = 4_000_000, model?: Partial<OwnFit['model']>) =>
  await lengthProblem(length, LOADED, own(most, model));

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

it('says how many requests at a time there is room for, where those are too many', async () => {
  expect(await problem(32_000, 40_000)).toMatchObject({
    message: expect.stringMatching(/^There is no room for 32000 tokens: the model is loaded with 8192/),
    hint: 'It fits with a context of 32384 tokens, 1 request at a time in the settings.',
  });
});

it('says which cache there would be room for, the finest that will do', async () => {
  const message = expect.stringMatching(
    /^qwen has no room for 32000 tokens on this computer: that takes 32\.4 GB, and there are 20 GB/,
  );
  const hint = (kvCache: string) =>
    `It fits with a context of 32384 tokens, 1 request at a time, a cache of ${kvCache} in the settings.`;
  expect(await problem(32_000, 20_000)).toMatchObject({ message, hint: hint('q8_0') });
  expect(await problem(32_000, 10_000)).toMatchObject({ hint: hint('q4_0') });
  expect((await problem(32_000, 20_000, { hasWholeBlocks: false }))?.hint).toMatch(
    /^At most 19\d{3} tokens fit, with a context of \d{5} tokens, 1 request at a time in the settings\.$/,
  );
});

it('says how far positions are to be scaled, where a model reaches no further', async () => {
  expect(await problem(200_000)).toMatchObject({
    message: 'qwen has no room for 200000 tokens and the answer behind them: it was made for 100000.',
    hint: 'It fits with a context of 202064 tokens, YaRN by a factor of 2.5 in the settings.',
  });
});

it('says so too of one that is scaled already, and keeps how', async () => {
  const fit = async () => ({
    ...(await own(4_000_000)()),
    set: { ...SET, rope: { type: 'linear', factor: 2 } as const },
  });
  expect(await lengthProblem(240_000, { ...LOADED, room: 200_000 }, fit)).toMatchObject({
    message:
      'qwen has no room for 240000 tokens and the answer behind them: it reaches 200000 with its positions scaled as they are.',
    hint: 'It fits with a context of 242464 tokens, linear scaling by a factor of 2.5 in the settings.',
  });
});

it('says how far it goes where nothing else helps', async () => {
  expect(await problem(200_000, 4_000_000, { hasRope: false })).toMatchObject({
    message: 'qwen has no room for 200000 tokens and the answer behind them: it was made for 100000.',
    hint: 'At most 98946 tokens fit, with a context of 100000 tokens in the settings.',
  });
  const { hint = '' } = (await problem(200_000, 20_000)) ?? {};
  const [, most, context] =
    /At most (\d+) tokens fit, with a context of (\d+) tokens, 1 request at a time, a cache of q4_0/.exec(hint) ?? [];
  expect(Number(context)).toBeGreaterThan(80_000 - 256);
  expect(Number(context)).toBeLessThanOrEqual(80_000);
  expect(Number(most)).toBeLessThan(Number(context));
});

it('says what would fit as it is where there is room for no more', async () => {
  expect(await problem(64_000, 2_048)).toMatchObject({ hint: 'At most 8047 tokens fit.' });
});

it('says of a server what it has room for, and of the mesh what a request may have', async () => {
  expect(await lengthProblem(10_000, LOADED, undefined)).toMatchObject({
    message: 'qwen has no room for 10000 tokens: a question and its answer have 8192 together.',
    hint: 'At most 8047 tokens fit.',
  });
  const mesh = { model: 'mesh', room: null, mostBytes: 1_044_480 };
  expect(await lengthProblem(256_000, mesh, undefined)).toBeUndefined();
  expect(await lengthProblem(512_000, mesh, undefined)).toMatchObject({
    message: 'The mesh carries no question of 512000 tokens: a request there has at most 1 MB.',
    hint: 'At most 257520 tokens fit.',
  });
  expect(await lengthProblem(2_000_000, { ...LOADED, room: null }, undefined)).toBeUndefined();
});

it('wants of a node that is opened for it as much room as the longest question needs, where the usual is too little', () => {
  expect(contextFor([1_000, 8_000])).toBeUndefined();
  expect(contextFor([32_000, 1_000])).toBe(neededFor(32_000));
});
