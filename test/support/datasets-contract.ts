import type { Kysely } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ResultsDb } from '../../src-main/store/results/results-db.ts';
import type { ResultTables } from '../../src-main/store/results/results-tables.ts';
import { MOST_DATASETS, type StoredDatasets } from '../../src-main/store/results/stored-datasets.ts';
import { MOMENT, type ResultsPlace } from './results-contract.ts';

const ABOUT = { name: 'mine', kind: 'elr', source: '/somewhere/rows.jsonl' };
const HOUR_MS = 3_600_000;

const factsOf = (rows: readonly string[], sha256 = 'a'.repeat(64)) => ({
  ...{ rows: rows.length, bytes: rows.join('').length, sha256 },
  licence: 'MIT',
});

/** What every place for data sets does, in the same way. */
export function datasetsContract(make: () => Promise<ResultsPlace>): void {
  let place: ResultsPlace;
  let results: ResultsDb;
  let datasets: StoredDatasets;
  let db: Kysely<ResultTables>;
  beforeEach(async () => {
    place = await make();
    results = new ResultsDb(place.options);
    await results.open();
    datasets = results.datasets;
    db = await place.connect();
  });
  afterEach(async () => {
    await db.destroy();
    await results.close();
    await place.remove();
  });

  async function imported(rows: readonly string[], about = ABOUT, now = MOMENT): Promise<number> {
    const id = await datasets.begin(about, now);
    await datasets.append(id, 0, rows, now);
    await datasets.publish({ id, ...about }, factsOf(rows), now);
    return id;
  }
  /** All that is stored, seen or not. */
  const counts = async () => {
    const [sets, rows] = [db.selectFrom('datasets').selectAll(), db.selectFrom('dataset_rows').selectAll()];
    return { sets: (await sets.execute()).length, rows: (await rows.execute()).length };
  };

  describe('a data set', () => {
    it('is seen once all of it is there', async () => {
      const id = await datasets.begin(ABOUT, MOMENT);
      await datasets.append(id, 0, ['{"n":"1 «🪨» \\u0000"}'], MOMENT);
      await datasets.append(id, 1, ['2', '3'], MOMENT);
      expect(await datasets.list()).toEqual([]);
      await datasets.publish({ id, ...ABOUT }, factsOf(['1', '2', '3']), MOMENT + 7);
      expect(await datasets.list()).toEqual([
        { ...ABOUT, id, rows: 3, bytes: 3, sha256: 'a'.repeat(64), licence: 'MIT', importedAt: MOMENT + 7 },
      ]);
      const rows = await Promise.all([0, 1, 2, 3].map((index) => datasets.row(id, index)));
      expect(rows).toEqual(['{"n":"1 «🪨» \\u0000"}', '2', '3', undefined]);
    });

    it('takes the place of the one before, whose rows are gone then', async () => {
      const first = await imported(['1', '2', '3']);
      await imported(['other'], { ...ABOUT, name: 'another' });
      const second = await imported(['4'], { ...ABOUT, kind: 'ded' });
      expect(await datasets.list()).toMatchObject([{ name: 'another' }, { name: 'mine', id: second, kind: 'ded' }]);
      expect(await datasets.row(first, 0)).toBeUndefined();
      expect(await counts()).toEqual({ sets: 2, rows: 2 });
    });

    it('takes it although the clock of whoever imported that one was ahead', async () => {
      await imported(['1'], ABOUT, MOMENT + HOUR_MS);
      const second = await imported(['2'], ABOUT, MOMENT);
      expect(await datasets.list()).toMatchObject([{ id: second }]);
    });

    it('leaves the one before alone until then, and when it is given up', async () => {
      const first = await imported(['1']);
      const second = await datasets.begin(ABOUT, MOMENT);
      await datasets.append(second, 0, ['2', '3'], MOMENT);
      expect(await datasets.list()).toMatchObject([{ id: first, rows: 1 }]);
      await datasets.discard(second, MOMENT);
      await datasets.discard(first, MOMENT); // it is published: nothing happens
      expect(await datasets.list()).toMatchObject([{ id: first }]);
      expect(await counts()).toEqual({ sets: 1, rows: 1 });
    });

    it('of two that are imported at once is the one that was done last', async () => {
      const [first, second] = [await datasets.begin(ABOUT, MOMENT), await datasets.begin(ABOUT, MOMENT)];
      for (const id of [first, second]) await datasets.append(id, 0, [`${id}`], MOMENT);
      await datasets.publish({ id: second, ...ABOUT }, factsOf(['2']), MOMENT);
      await datasets.publish({ id: first, ...ABOUT }, factsOf(['1']), MOMENT);
      expect(await datasets.list()).toMatchObject([{ id: first }]);
      expect(await counts()).toEqual({ sets: 1, rows: 1 });
    });

    it('that never came to its end goes after an hour, and is not finished behind that', async () => {
      const left = await datasets.begin(ABOUT, MOMENT);
      await datasets.append(left, 0, ['1'], MOMENT + 5);
      await imported(['2'], { ...ABOUT, name: 'soon' }, MOMENT + HOUR_MS);
      expect(await counts()).toEqual({ sets: 2, rows: 2 });
      await imported(['3'], { ...ABOUT, name: 'later' }, MOMENT + HOUR_MS + 6);
      expect(await counts()).toEqual({ sets: 2, rows: 2 });
      const gone = { code: 'CANCELLED' };
      await expect(datasets.append(left, 1, ['2'], MOMENT)).rejects.toMatchObject(gone);
      await expect(datasets.publish({ id: left, ...ABOUT }, factsOf(['1']), MOMENT)).rejects.toMatchObject(gone);
      expect(await counts()).toEqual({ sets: 2, rows: 2 });
    });

    it('is removed with all of its rows', async () => {
      await imported(Array.from({ length: 450 }, (_, row) => `${row}`));
      await imported(['1'], { ...ABOUT, name: 'another' });
      expect(await datasets.remove('mine', MOMENT)).toBe(true);
      expect(await datasets.remove('mine', MOMENT)).toBe(false);
      expect(await datasets.list()).toMatchObject([{ name: 'another' }]);
      expect(await counts()).toEqual({ sets: 1, rows: 1 });
    });

    it('is refused where there are very many', async () => {
      const values = Array.from({ length: MOST_DATASETS }, (_, at) => ({
        ...{ ...ABOUT, name: `set-${at}` },
        ...{ ...factsOf([]), state: 'published' as const, changed_at: MOMENT },
      }));
      await db.insertInto('datasets').values(values).execute();
      await expect(datasets.begin(ABOUT, MOMENT)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
      expect(await datasets.begin({ ...ABOUT, name: 'set-7' }, MOMENT)).toBeGreaterThan(0);
    });
  });
}
