import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { seededRandom } from '../../../../src-main/base/seeded-random.ts';
import { IdRows } from '../../../../src-main/clips/index/id-rows.ts';

const id = (number: number) => createHash('md5').update(`${number}`).digest('hex');

it('knows rows by ids and ids by rows, whatever comes and goes', () => {
  const random = seededRandom(1);
  const rows = new IdRows();
  const expected: string[] = [];
  for (let round = 0; round < 20_000; round++) {
    const one = id(Math.floor(random.uniform() * 6_000));
    const at = expected.indexOf(one);
    expect(rows.rowOf(one)).toBe(at < 0 ? undefined : at);
    if (at < 0) {
      expect(rows.append(one)).toBe(expected.push(one) - 1);
    } else {
      rows.remove(at);
      const last = expected.pop() as string;
      if (at < expected.length) expected[at] = last;
    }
  }
  expect(rows.count).toBe(expected.length);
  expect(expected.map((_, row) => rows.idOf(row))).toEqual(expected);
});

it('tells ids apart that differ in one digit, at either end', () => {
  const rows = new IdRows();
  const ids = ['0'.repeat(32), `${'0'.repeat(31)}1`, `f${'0'.repeat(31)}`, 'f'.repeat(32)];
  for (const one of ids) rows.append(one);
  expect(ids.map((one) => rows.rowOf(one))).toEqual([0, 1, 2, 3]);
});
