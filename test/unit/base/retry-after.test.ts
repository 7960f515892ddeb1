import { expect, it } from 'vitest';
import { parseRetryAfter } from '../../../src-main/base/retry-after.ts';

const NOW = Date.UTC(2026, 0, 1);

it.each([
  ['120', 120_000],
  ['0', 0],
  ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['999999', 600_000],
  ['Fri, 01 Jan 2027 00:00:00 GMT', 600_000],
  ['soon', undefined],
  ['', undefined],
  [null, undefined],
  [undefined, undefined],
])('means, for %j, %j milliseconds', (value, expected) => {
  expect(parseRetryAfter(value, NOW, 600_000)).toBe(expected);
});
