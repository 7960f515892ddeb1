import { describe, expect, it } from 'vitest';
import { inPeftOrder, peftRow } from '../../../../src-main/learning/formats/head-order.ts';

describe('the order of rows', () => {
  it('is llama.cpp’s: of each head the two halves take turns', () => {
    // reshape(2, 2, 2, …).swapaxes(1, 2) of rows 0 … 7, by hand.
    expect([0, 1, 2, 3, 4, 5, 6, 7].map((row) => peftRow(row, 8, 2))).toEqual([0, 2, 1, 3, 4, 6, 5, 7]);
    expect([0, 1, 2, 3, 4, 5].map((row) => peftRow(row, 6, 1))).toEqual([0, 3, 1, 4, 2, 5]);
  });

  it('is the same without heads', () => {
    expect([0, 1, 2].map((row) => peftRow(row, 3, undefined))).toEqual([0, 1, 2]);
  });

  it('is undone when rows are read', () => {
    const peft = Float32Array.from({ length: 24 }, (_, at) => at);
    const llama = new Float32Array(24);
    for (let row = 0; row < 12; row++)
      llama.set(peft.subarray(2 * peftRow(row, 12, 3), 2 * peftRow(row, 12, 3) + 2), 2 * row);
    expect(llama).not.toEqual(peft);
    expect(inPeftOrder(llama, 2, 3)).toEqual(peft);
  });
});
