import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cosine } from '../../../../src-main/base/cosine.ts';
import { seededRandom } from '../../../../src-main/base/seeded-random.ts';
import { FLAGS, SOURCE, WASM } from '../../../../src-main/clips/index/scan-kernel.ts';
import { Shelf } from '../../../../src-main/clips/index/shelf.ts';

const folder = mkdtempSync(join(tmpdir(), 'quarry-shelf-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const id = (number: number) => number.toString(16).padStart(32, '0');
const ROWS_AT_ONCE = 2_048;

/** What a plain scan finds; those that are as close as the last one may come in its place. */
function naive(rows: ReadonlyMap<string, Float32Array>, query: Float32Array, except: readonly string[]) {
  return [...rows]
    .filter(([one]) => !except.includes(one))
    .map(([one, vector]) => ({ id: one, closeness: cosine(query, vector) }))
    .sort((a, b) => b.closeness - a.closeness);
}

describe.each([
  ['in memory', 1 << 30, 40],
  ['partly in a file', ROWS_AT_ONCE * 48 * 4, 40],
  ['all in a file', 0, 40],
  ['of sixteen numbers', 1 << 30, 16],
  ['of one number', 1 << 30, 1],
])('nearest vectors, %s', (_, memory, dimensions) => {
  it('are those that a plain scan finds, while rows come, change and go', () => {
    const random = seededRandom(dimensions + memory);
    const vector = () => Float32Array.from({ length: dimensions }, () => random.normal());
    const shelf = new Shelf(dimensions, { left: memory }, join(folder, 'rows'));
    const rows = new Map<string, Float32Array>();
    const put = (number: number) => {
      const one = vector();
      rows.set(id(number), one);
      expect(shelf.put(id(number), one)).toBe(true);
    };
    for (let number = 0; number < 2 * ROWS_AT_ONCE + 500; number++) put(number);
    for (let round = 0; round < 12; round++) {
      for (let change = 0; change < 60; change++) {
        const number = Math.floor(random.uniform() * 6_000);
        if (random.uniform() < 0.5) put(number);
        else {
          rows.delete(id(number));
          shelf.remove(id(number));
        }
      }
      const queries = Array.from({ length: 1 + 3 * (round % 7) }, vector);
      const first = naive(rows, queries[0] as Float32Array, [])[0] as { id: string };
      const except = round % 3 ? [] : [first.id, id(999_999)];
      const found = shelf.nearest(queries, 7, except);
      for (const [at, query] of queries.entries()) {
        const wanted = naive(rows, query, except);
        const least = wanted[6]?.closeness ?? Number.NaN;
        expect(found[at]).toHaveLength(7);
        for (const [place, near] of (found[at] ?? []).entries()) {
          expect(near.closeness).toBeCloseTo(wanted[place]?.closeness ?? Number.NaN, 5);
          expect(cosine(query, rows.get(near.id) as Float32Array)).toBeGreaterThan(least - 1e-5);
          expect(except).not.toContain(near.id);
        }
      }
    }
    expect(shelf.count).toBe(rows.size);
    shelf.close();
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a shelf', () => {
  const open = () => new Shelf(3, { left: 1 << 24 }, join(folder, 'small'));

  it('takes vectors of any length for their direction, and what has none for near to nothing', () => {
    const shelf = open();
    shelf.put(id(1), Float32Array.of(1e30, 0, 0));
    shelf.put(id(2), Float32Array.of(0, 0, 0));
    shelf.put(id(3), Float32Array.of(Number.NaN, 1, 0));
    shelf.put(id(4), Float32Array.of(Number.POSITIVE_INFINITY, 1, 0));
    shelf.put(id(5), Float32Array.of(-1e-30, 0, 0));
    expect(shelf.nearest([Float32Array.of(3e-20, 0, 0)], 9, [])).toEqual([
      [
        { id: id(1), closeness: 1 },
        { id: id(2), closeness: 0 },
        { id: id(3), closeness: 0 },
        { id: id(4), closeness: 0 },
        { id: id(5), closeness: -1 },
      ],
    ]);
  });

  it('gives those that are as close by their ids, in whatever order they came', () => {
    const shelf = open();
    for (const number of [5, 2, 9, 1, 7]) shelf.put(id(number), Float32Array.of(1, 1, 1));
    const found = shelf.nearest([Float32Array.of(1, 1, 1)], 3, []);
    expect(found[0]?.map((near) => near.id)).toEqual([id(1), id(2), id(5)]);
  });

  it('takes none of another length, and finds nothing where there is nothing', () => {
    const shelf = open();
    expect(shelf.put(id(1), Float32Array.of(1, 2))).toBe(false);
    expect(shelf.nearest([Float32Array.of(1, 1, 1)], 3, [])).toEqual([[]]);
    shelf.remove(id(1));
  });
});

it('the loop is what its source says', async () => {
  const asc = await import('assemblyscript/asc');
  let compiled: Uint8Array = new Uint8Array();
  const { error } = await asc.main(['scan.ts', '-o', 'scan.wasm', ...FLAGS], {
    readFile: (name) => (name === 'scan.ts' ? SOURCE : null),
    writeFile: (_, contents) => {
      compiled = contents as Uint8Array;
    },
    listFiles: () => [],
  });
  expect(error).toBeNull();
  expect(Buffer.from(compiled).toString('base64')).toBe(WASM);
});
