import { expect, it } from 'vitest';
import { ulid, ulidModulo } from '../../../../../src-main/clips/dataset/shards/ulid.ts';

it('is 48 bits of time and 80 of chance, in the digits of its specification', () => {
  expect(ulid(1_469_918_176_385, (count) => new Uint8Array(count))).toBe('01ARYZ6S410000000000000000');
  expect(ulid(2 ** 48 - 1, (count) => new Uint8Array(count).fill(255))).toBe('7ZZZZZZZZZZZZZZZZZZZZZZZZZ');
  const early = ulid(1_000, (count) => new Uint8Array(count).fill(255));
  expect(early < ulid(1_001, (count) => new Uint8Array(count))).toBe(true);
});

it('has a remainder, as its number has', () => {
  const bytes = Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  const number = (1_790_000_000_123n << 80n) | BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  expect(
    ulidModulo(
      ulid(1_790_000_000_123, () => bytes),
      1_000,
    ),
  ).toBe(Number(number % 1_000n));
});
