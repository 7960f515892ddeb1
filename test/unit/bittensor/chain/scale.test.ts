import { TypeRegistry } from '@polkadot/types';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byteVector, compact, littleEndian, u16Vector } from '../../../../src-main/bittensor/chain/scale.ts';
import { hexOf } from '../../../../src-main/bittensor/hex.ts';

const registry = new TypeRegistry();

function same(type: string, value: unknown, bytes: Uint8Array): void {
  expect(hexOf(bytes)).toBe(hexOf(registry.createTypeUnsafe(type, [value]).toU8a()));
}

const anySize = fc.oneof(...[6n, 14n, 30n, 64n].map((bits) => fc.bigInt(0n, 2n ** bits - 1n)));
const near = fc.constantFrom(63n, 64n, 16_383n, 16_384n, 2n ** 30n - 1n, 2n ** 30n, 2n ** 32n, 2n ** 64n - 1n);
const u16s = fc.array(fc.integer({ min: 0, max: 65_535 }));

describe('SCALE is written as polkadot.js writes it:', () => {
  it('compact numbers', () => {
    fc.assert(fc.property(fc.oneof(anySize, near), (value) => void same('Compact<u64>', value, compact(value))));
  });

  it('numbers, and none into fewer bytes than it has', () => {
    fc.assert(fc.property(anySize, (value) => void same('u64', value, littleEndian(value, 8))));
    expect(() => littleEndian(65_536, 2)).toThrow(RangeError);
  });

  it('vectors', () => {
    fc.assert(fc.property(u16s, (list) => void same('Vec<u16>', list, u16Vector(list))));
    expect(hexOf(byteVector(Uint8Array.of(1, 2)))).toBe('0x080102');
  });
});
