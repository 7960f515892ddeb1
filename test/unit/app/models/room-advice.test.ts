import { expect, it } from 'vitest';
import type { ModelFits } from '../../../../src-main/app/models/model-fits.ts';
import { withRoomAdvice } from '../../../../src-main/app/models/room-advice.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { TINY_MODEL } from '../../../support/engine.ts';

const noMemory = new QuarryError({ code: 'OUT_OF_MEMORY', message: 'no memory', hint: 'a smaller model' });

/** With room for so many tokens in a cache of f16, of all requests together. */
const fits = (most: number): Pick<ModelFits, 'roomOf'> => ({
  roomOf: () => ({
    model: { contextLength: 4_096, originalContext: 4_096, hasRope: true, hasWholeBlocks: true },
    set: { parallel: 2, kvCache: 'f16', rope: undefined },
    parallelFor: async ({ contextSize, kvCache }) => {
      const bytes = { f16: 1, q8_0: 1 / 2, q4_0: 1 / 4 }[kvCache];
      return [2, 1].find((parallel) => contextSize * parallel * bytes <= most) ?? 0;
    },
  }),
});
const hint = async (most: number, path?: string, error: unknown = noMemory) =>
  ((await withRoomAdvice(error, path ?? TINY_MODEL, { fits: fits(most), contextSize: 4_096 })) as QuarryError).hint;

it('says with which settings a model would have room that has not', async () => {
  const words = (settings: string) =>
    `It should fit with ${settings} in the settings; else choose a smaller model or quantisation.`;
  expect(await hint(4_096)).toBe(words('a context of 4096 tokens, 1 request at a time'));
  expect(await hint(2_048)).toBe(words('a context of 4096 tokens, 1 request at a time, a cache of q8_0'));
  expect(await hint(1_024)).toBe(words('a context of 4096 tokens, 1 request at a time, a cache of q4_0'));
  expect(await hint(512)).toMatch(/a context of (19|20)\d\d tokens, 1 request at a time, a cache of q4_0/);
});

it('leaves as it is what no setting helps, what is no lack of memory, and what nothing is known of', async () => {
  expect(await hint(10)).toBe('a smaller model');
  expect(await hint(4_096, '/no/such.gguf')).toBe('a smaller model');
  const other = new QuarryError({ code: 'MODEL_INVALID', message: 'broken', hint: 'another file' });
  expect(await hint(4_096, TINY_MODEL, other)).toBe('another file');
});
