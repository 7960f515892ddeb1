import { expect, it } from 'vitest';
import { secondsLeft } from '../../../src-main/base/seconds-left.ts';

it('tells how long the rest takes by what is done, once there is enough of it', () => {
  expect(secondsLeft({ done: 0, of: 10 }, 0)).toBeNull();
  expect(secondsLeft({ done: 2, of: 10 }, 4_000)).toBeNull();
  expect(secondsLeft({ done: 4, of: 10 }, 6_100)).toBe(9);
  expect(secondsLeft({ done: 10, of: 10 }, 6_100)).toBe(0);
});
