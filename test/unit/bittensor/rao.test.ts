import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { raoOf, raoOfTao, taoText } from '../../../src-preload/contract/rao.ts';

describe('amounts of TAO', () => {
  it.each([
    ['1', 1_000_000_000n],
    ['0.000000001', 1n],
    [' 12.4083 ', 12_408_300_000n],
    ['18446744073.709551615', 2n ** 64n - 1n],
  ])('reads %s', (text, rao) => expect(raoOf(text)).toBe(rao));

  it.each(['', '-1', '1e9', '1,5', '.5', '1.', '0.0000000001', '18446744073.709551616', '99999999999', 'NaN', '٣'])(
    'refuses «%s»',
    (text) => expect(() => raoOf(text)).toThrow(expect.objectContaining({ field: 'amount' })),
  );

  it('are the same after writing and reading', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 64n - 1n), (rao) => {
        expect(raoOf(taoText(rao))).toBe(rao);
      }),
    );
  });

  it.each([
    [0, 0n],
    [1.1, 1_100_000_000n],
    [1e-9, 1n],
    [4e-10, 0n],
    [20_999_999.3, 20_999_999_300_000_001n], // the number itself is that much
  ])('reads the number %s', (tao, rao) => expect(raoOfTao(tao)).toBe(rao));

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY, 1e21])('refuses the number %s', (tao) =>
    expect(() => raoOfTao(tao)).toThrow(expect.objectContaining({ field: 'amount' })),
  );

  it('are the same as numbers, up to a million TAO', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 15n), (rao) => {
        expect(raoOfTao(Number(taoText(rao)))).toBe(rao);
      }),
    );
  });

  it('are written without zeros at the end', () =>
    expect([taoText(-1_500_000_000n), taoText(2n)]).toEqual(['-1.5', '0.000000002']));
});
