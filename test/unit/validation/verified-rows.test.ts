import { describe, expect, it } from 'vitest';
import { MOST_OF_A_SHELF, VerifiedRows } from '../../../src-main/validation/verified-rows.ts';

const prints = (id: number) => ({ columns: BigInt(id) + 1n, signed: BigInt(id) + 2n });
const rememberedOf = (rows: VerifiedRows, ids: readonly number[]) =>
  ids.filter((id) => rows.get(id)?.signed === prints(id).signed).length;

describe('verified rows', () => {
  it.each([
    ['beside each other', 1],
    ['of one of twenty validators', 20],
    ['so many apart', 8_192],
    ['far apart', 2 ** 36],
  ])('%s are all remembered', (_, apart) => {
    const rows = new VerifiedRows();
    const ids = Array.from({ length: 100_000 }, (_, at) => at * apart);
    for (const id of ids) rows.set(id, prints(id));
    expect(rememberedOf(rows, ids)).toBe(ids.length);
    expect(rows.get(ids.length * apart)).toBeUndefined();
  });

  it('of a number are those that were kept last', () => {
    const rows = new VerifiedRows();
    rows.set(7, prints(7));
    rows.set(7, prints(8));
    expect(rows.get(7)).toEqual(prints(8));
    expect(rows.get(Number.MAX_SAFE_INTEGER)).toBeUndefined();
    rows.set(Number.MAX_SAFE_INTEGER, prints(1));
    expect(rows.get(Number.MAX_SAFE_INTEGER)).toEqual(prints(1));
  });

  it('have a bound, and the newest are kept, whichever come first', () => {
    const rows = new VerifiedRows(8);
    const most = 8 * MOST_OF_A_SHELF;
    const all = Array.from({ length: 1.5 * most }, (_, at) => at * 20);
    for (const id of all) rows.set(id, prints(id));
    const newest = all.slice(-most / 2);
    const oldest = all.slice(0, most / 4);
    expect(rememberedOf(rows, newest)).toBe(newest.length);
    for (const id of oldest) rows.set(id, prints(id));
    expect(rememberedOf(rows, oldest)).toBe(0);
    expect(rememberedOf(rows, newest)).toBe(newest.length);
    expect(rememberedOf(rows, all)).toBeLessThan(most);
  });
});
