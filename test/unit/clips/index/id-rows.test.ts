import { expect, it } from 'vitest';
import { seededRandom } from '../../../../src-main/base/seeded-random.ts';
import { IdRows } from '../../../../src-main/clips/index/id-rows.ts';

it.each([
  ['that follow each other', (number: number) => number],
  ['that are far apart', (number: number) => number * 2 ** 32 + 7],
  ['of one remainder', (number: number) => number * 65_536],
])('knows rows by ids and ids by rows, whatever comes and goes: ids %s', (_, id) => {
  const random = seededRandom(1);
  const rows = new IdRows();
  const expected: number[] = [];
  for (let round = 0; round < 12_000; round++) {
    const one = id(Math.floor(random.uniform() * 4_000));
    const at = expected.indexOf(one);
    expect(rows.rowOf(one)).toBe(at < 0 ? undefined : at);
    if (at < 0) {
      expect(rows.append(one)).toBe(expected.push(one) - 1);
    } else {
      rows.remove(at);
      const last = expected.pop() as number;
      if (at < expected.length) expected[at] = last;
    }
  }
  expect(rows.count).toBe(expected.length);
  expect(expected.map((_, row) => rows.idOf(row))).toEqual(expected);
});
