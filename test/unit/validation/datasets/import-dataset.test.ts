import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ResultsDb } from '../../../../src-main/store/results/results-db.ts';
import { pose } from '../../../../src-main/validation/challenge.ts';
import { type DatasetKind, datasetEnvironment } from '../../../../src-main/validation/datasets/dataset-kind.ts';
import { type DatasetImport, importDataset } from '../../../../src-main/validation/datasets/import-dataset.ts';
import type { RowSource, SourceRow } from '../../../../src-main/validation/datasets/source-row.ts';
import { say } from '../../../../src-preload/contract/saying.ts';

const numbers: DatasetKind = {
  name: 'number',
  version: '3',
  row: z.object({ n: z.int().max(9_999), license: z.string().optional() }),
  pose: (_, draw) => draw(),
  prompt: (row) => `Say ${(row as { n: number }).n}.`,
  judge: () => ({ score: 1, reason: say('affine.elr.right') }),
};

let dir: string;
let results: ResultsDb;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-import-'));
  results = new ResultsDb({ dataDir: dir });
  await results.open();
});
afterEach(async () => {
  await results.close();
  await rm(dir, { recursive: true, force: true });
});

const source = (values: readonly unknown[], together = 300): RowSource => ({
  name: 'a list',
  async *read() {
    const rows: SourceRow[] = values.map((value, at) => ({ line: at + 1, value }));
    for (let at = 0; at < rows.length; at += together)
      yield { rows: rows.slice(at, at + together), share: at / rows.length };
  },
});
const counted = (count: number, from = 0) => Array.from({ length: count }, (_, at) => ({ n: from + at }));

async function imported(values: readonly unknown[] | RowSource, more: Partial<DatasetImport> = {}) {
  const from = Array.isArray(values) ? source(values) : (values as RowSource);
  const steps = importDataset({ name: 'mine', kind: numbers, source: from, into: results.datasets, ...more });
  const progress: number[] = [];
  for (;;) {
    const step = await steps.next();
    if (step.done) return { ...step.value, progress };
    progress.push(step.value.rows);
  }
}
const stored = async () => (await results.datasets.list()).map(({ name, rows }) => ({ name, rows }));

describe('an import', () => {
  it('takes all rows in, in their order, and tells how far it is', async () => {
    const { dataset, skipped, progress } = await imported(counted(1_801));
    expect({ dataset, skipped }).toMatchObject({ dataset: { name: 'mine', kind: 'number', rows: 1_801 }, skipped: 0 });
    expect(progress).toEqual([600, 1_200, 1_800]);
    expect(await results.datasets.list()).toEqual([dataset]);
    for (const at of [0, 499, 500, 1_800]) expect(await results.datasets.row(dataset.id, at)).toBe(`{"n":${at}}`);
    expect(dataset.bytes).toBe(counted(1_801).reduce((sum, row) => sum + JSON.stringify(row).length, 0));
  });

  it('has a digest of what it holds, and of nothing else', async () => {
    const first = await imported(counted(700));
    const again = await imported(
      source(
        counted(700).map((row) => ({ ...row, more: 1 })),
        7,
      ),
      { name: 'other' },
    );
    expect(again.dataset.sha256).toBe(first.dataset.sha256);
    expect((await imported(counted(699))).dataset.sha256).not.toBe(first.dataset.sha256);
    expect((await imported(counted(700).reverse())).dataset.sha256).not.toBe(first.dataset.sha256);
  });

  it('tells which rows have a fault, and leaves the one before alone', async () => {
    await imported(counted(3));
    const bad = [...counted(3), { n: 'x' }, 7, ...counted(900)];
    const error = imported(bad);
    await expect(error).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(error).rejects.toThrow('Row 4: n must be a number. Row 5: it must be an object.');
    expect(await stored()).toEqual([{ name: 'mine', rows: 3 }]);
    await expect(imported(Array(5_000).fill(0))).rejects.toThrow(/^(?!.*Row 11).*Row 10: /);
  });

  it('leaves them out where that is wanted', async () => {
    const bad = [{ n: 1 }, 0, { n: 2 }, ...Array(20).fill({ n: 0.5 })];
    const { dataset, skipped, faults } = await imported(bad, { skipBad: true });
    expect([dataset.rows, skipped, faults.length]).toEqual([2, 21, 10]);
    await expect(imported([0, 1], { skipBad: true })).rejects.toThrow('There is no row in it.');
    await expect(imported([])).rejects.toThrow('There is no row in it.');
  });

  it('takes the first rows where that is wanted, and reads no more', async () => {
    let read = 0;
    const endless: RowSource = {
      name: 'endless',
      async *read() {
        for (;;) yield { rows: [{ line: ++read, value: { n: read } }], share: null };
      },
    };
    expect((await imported(endless, { mostRows: 12 })).dataset.rows).toBe(12);
    expect(read).toBe(12);
  });

  it('has the licences that its rows name, or the one that is told', async () => {
    const rows = ['MIT', undefined, 'CC0-1.0', 'MIT'].map((license, n) => ({ n, license }));
    expect((await imported(rows)).dataset.licence).toBe('MIT, CC0-1.0');
    expect((await imported(rows, { licence: 'mine' })).dataset.licence).toBe('mine');
  });

  it('leaves nothing behind where it is given up, by a signal or by whoever reads', async () => {
    const ending = new AbortController();
    const slow: RowSource = {
      name: 'slow',
      async *read() {
        yield* source(counted(1_200)).read();
        ending.abort(new Error('enough'));
        yield { rows: [], share: 1 };
      },
    };
    await expect(imported(slow, { signal: ending.signal })).rejects.toThrow('enough');
    const steps = importDataset({
      name: 'mine',
      kind: numbers,
      source: source(counted(2_000)),
      into: results.datasets,
    });
    await steps.next();
    await steps.return(undefined as never);
    expect(await stored()).toEqual([]);
    await expect(results.datasets.row(1, 0)).resolves.toBeUndefined();
  });

  it('throws what its source throws, and leaves nothing', async () => {
    const broken: RowSource = {
      name: 'broken',
      async *read() {
        yield* source(counted(1_200)).read();
        throw new Error('the line is gone');
      },
    };
    await expect(imported(broken)).rejects.toThrow('the line is gone');
    expect(await stored()).toEqual([]);
  });
});

describe('what is asked out of a data set', () => {
  const environmentOf = async (values: readonly unknown[]) => {
    const { dataset } = await imported(values);
    return datasetEnvironment(dataset, numbers, (id, index) => results.datasets.row(id, index));
  };

  it('is a row of it, the same for the same seed', async () => {
    const environment = await environmentOf(counted(40));
    expect(environment).toMatchObject({ name: 'number:mine', levels: ['usual'] });
    expect(environment.version).toMatch(/^3\.[0-9a-f]{24}$/);
    const seeds = Array.from({ length: 200 }, (_, seed) => `${seed}`);
    const prompts = async () => Promise.all(seeds.map(async (seed) => (await pose(environment, 'usual', seed)).prompt));
    const first = await prompts();
    expect(new Set(first).size).toBeGreaterThan(30);
    expect(await prompts()).toEqual(first);
  });

  it('is of another version once the rows are others, and of the same once they are back', async () => {
    const first = await environmentOf(counted(5));
    const second = await environmentOf(counted(6));
    expect(second.version).not.toBe(first.version);
    await expect(pose(first, 'usual', 'x')).rejects.toMatchObject({ said: { message: { key: 'datasets.replaced' } } });
    const third = await environmentOf(counted(5));
    expect(third.version).toBe(first.version);
    expect((await pose(third, 'usual', 'x')).id).toMatch(/^[0-9a-f]{64}$/);
  });
});
