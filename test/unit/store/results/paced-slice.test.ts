import { expect, it } from 'vitest';
import { PacedSlice } from '../../../../src-main/store/results/paced-slice.ts';

const MOST = { rows: 200, bytes: 4_096 };

function after(...times: number[]) {
  const slice = new PacedSlice(MOST);
  for (const ms of times) slice.took(ms);
  return slice.now;
}

it('a slice begins small, grows while it is quick, and no further than it may', () => {
  expect(after()).toEqual({ rows: 25, bytes: 512 });
  expect(after(1)).toEqual({ rows: 50, bytes: 1_024 });
  expect(after(1, 1, 1)).toEqual(MOST);
  expect(after(1, 1, 1, 1, 1)).toEqual(MOST);
});

it('a slice shrinks where it took long, stays where it did not, and is never nothing', () => {
  expect(after(11)).toEqual({ rows: 12, bytes: 256 });
  expect(after(5, 10, 3)).toEqual({ rows: 25, bytes: 512 });
  expect(after(...Array.from({ length: 20 }, () => 100))).toEqual({ rows: 3, bytes: 64 });
  expect(new PacedSlice({ rows: 1, bytes: 1 }).now).toEqual({ rows: 1, bytes: 1 });
});
