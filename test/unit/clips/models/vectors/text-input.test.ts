import { describe, expect, it } from 'vitest';
import { cutIntoPieces, textInputs } from '../../../../../src-main/clips/models/vectors/text-input.ts';

const shape = {
  ...{ ids: 'input_ids', mask: null, output: 'text_embeds', lowercase: false },
  ...{ length: 8, isPadded: true, padding: 0, before: [7], after: [9] },
};
/** A token a letter. */
const letters = (text: string) => [...text.trim()].map((letter) => letter.codePointAt(0) as number);

describe('a text for a model', () => {
  it('is cut into parts that it reads at once, each with what comes before and after, and filled up', () => {
    const parts = textInputs([1, 2, 3, 4, 5, 6, 11, 12], shape);
    expect(parts.map(({ ids }) => [...ids].map(Number))).toEqual([
      [7, 1, 2, 3, 4, 5, 6, 9],
      [7, 11, 12, 9, 0, 0, 0, 0],
    ]);
    expect([...(parts[1]?.mask ?? [])].map(Number)).toEqual([1, 1, 1, 1, 0, 0, 0, 0]);
    expect([...(textInputs([1], { ...shape, isPadded: false })[0]?.ids ?? [])]).toEqual([7n, 1n, 9n]);
  });

  it('is read even where there is nothing in it, and no further than fifty parts', () => {
    expect(textInputs([], shape)).toHaveLength(1);
    expect(textInputs(Array(10_000).fill(1), shape)).toHaveLength(50);
  });
});

describe('pieces of a description', () => {
  const size = { most: 10, least: 3 };

  it('are as many words as fit in, the last one only where it is long enough', () => {
    const { pieces, uniqueTokens } = cutIntoPieces('aaaa bbbb cccc dddd ee', letters, size);
    expect(pieces).toEqual(['aaaa bbbb', 'cccc dddd ee']);
    expect(uniqueTokens).toBe(5);
    expect(cutIntoPieces('aaaa bbbb cccc dddd eeee ff', letters, { ...size, least: 7 }).pieces).toHaveLength(2);
    expect(cutIntoPieces('a', letters, size).pieces).toEqual(['a']);
    expect(cutIntoPieces(' \n ', letters, size)).toEqual({ pieces: [], uniqueTokens: 0 });
  });

  it('cut words that never end, never within a character', () => {
    const { pieces } = cutIntoPieces('😀'.repeat(500), letters, size);
    expect(pieces.join('')).toBe('😀'.repeat(500));
    expect(pieces.every((piece) => [...piece].length <= 10)).toBe(true);
  });
});
