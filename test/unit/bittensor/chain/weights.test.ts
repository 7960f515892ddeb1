import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { quantised } from '../../../../src-main/bittensor/chain/weights.ts';

describe('weights', () => {
  // What `convert_weights_and_uids_for_emit` of bittensor 10.5.0 made of them.
  it.each<[string, [number, number][], [number, number][]]>([
    [
      'fractions',
      [
        [0, 0.1],
        [1, 0.2],
        [2, 0.7],
      ],
      [
        [0, 9_362],
        [1, 18_724],
        [2, 65_535],
      ],
    ],
    [
      'one that is next to nothing',
      [
        [0, 1],
        [1, 7.6295e-6],
      ],
      [[0, 65_535]],
    ],
    [
      'equals',
      [
        [3, 1],
        [5, 1],
        [9, 1],
      ],
      [
        [3, 65_535],
        [5, 65_535],
        [9, 65_535],
      ],
    ],
    [
      'one of nothing',
      [
        [0, 0],
        [1, 0.5],
        [2, 0.25],
        [3, 0.125],
      ],
      [
        [1, 65_535],
        [2, 32_768],
        [3, 16_384],
      ],
    ],
    [
      'nothing but nothing',
      [
        [0, 0],
        [1, 0],
      ],
      [],
    ],
    [
      'unlike sizes',
      [
        [7, 1e-9],
        [8, 1],
        [9, 3.3333333],
      ],
      [
        [8, 19_661],
        [9, 65_535],
      ],
    ],
    [
      'halves',
      [
        [0, 2.5 / 65_535],
        [1, 1],
        [2, 1.5 / 65_535],
      ],
      [
        [0, 2],
        [1, 65_535],
        [2, 1],
      ],
    ],
    [
      'large ones',
      [
        [0, 1e30],
        [1, 3e29],
        [2, 1e20],
        [4, 7e25],
      ],
      [
        [0, 65_535],
        [1, 19_660],
        [4, 5],
      ],
    ],
    [
      'exact halves',
      [
        [0, 0.5],
        [1, 32_767.5 / 65_535],
        [2, 1],
      ],
      [
        [0, 32_768],
        [1, 32_768],
        [2, 65_535],
      ],
    ],
    [
      'whole ones',
      [
        [10, 3],
        [20, 65_535],
      ],
      [
        [10, 3],
        [20, 65_535],
      ],
    ],
  ])('are those of the SDK: %s', (_, weights, expected) => {
    const { uids, values } = quantised(new Map(weights));
    expect(uids.map((uid, at) => [uid, values[at]])).toEqual(expected);
  });

  it('of a whole subnet are, too', () => {
    const weights = new Map(
      Array.from({ length: 256 }, (_, uid) => [uid, Math.fround(((uid * 2_654_435_761) % 65_521) / 65_521)]),
    );
    const { values } = quantised(weights);
    const bytes = Buffer.alloc(values.length * 2);
    values.forEach((value, at) => void bytes.writeUInt16LE(value, at * 2));
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(
      '9e60323cc7d01c1639339b444b6b5984e9a1cd6d1ae9abcb18adecb5a3774f30',
    );
  });

  it.each([
    ['a negative one', [[0, -1]]],
    ['no number', [[0, Number.NaN]]],
    ['one without end', [[0, Number.POSITIVE_INFINITY]]],
    ['one too large for 32 bits', [[0, 1e39]]],
    ['a uid that is none', [[65_536, 1]]],
  ])('are not %s', (_, weights) =>
    expect(() => quantised(new Map(weights as [number, number][]))).toThrow(
      expect.objectContaining({ code: 'BAD_REQUEST', field: 'weights' }),
    ),
  );

  it('are none where there are none', () => expect(quantised(new Map())).toEqual({ uids: [], values: [] }));
});
