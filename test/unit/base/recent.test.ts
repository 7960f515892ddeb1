import { expect, it } from 'vitest';
import { Recent } from '../../../src-main/base/recent.ts';

it('believes a value for a while, and keeps as many as it may: the oldest goes', () => {
  let now = 0;
  const recent = new Recent<number>(1_000, () => now, 10);
  expect(recent.set('a', 1)).toBe(1);
  now = 999;
  expect(recent.get('a')).toBe(1);
  now = 1_000;
  expect(recent.get('a')).toBeUndefined();
  now = 999;
  expect(recent.get('a')).toBeUndefined(); // it is not kept for later
  for (let key = 0; key < 10; key++) recent.set(String(key), key);
  recent.set('0', 100); // is the newest now
  recent.set('more', 1);
  expect([recent.get('0'), recent.get('1'), recent.get('2')]).toEqual([100, undefined, 2]);
});
