import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { Kysely, type KyselyPlugin } from 'kysely';
import { z } from 'zod';
import { connectPostgres } from '../../src-main/store/results/postgres.ts';
import type { ResultTables } from '../../src-main/store/results/results-tables.ts';
import { StoredDatasets } from '../../src-main/store/results/stored-datasets.ts';
import { openSqlite, QuarryDialect } from '../../src-main/store/sqlite.ts';
import { importDataset } from '../../src-main/validation/datasets/import-dataset.ts';

/*
 * A process that imports a data set until it kills itself right before its Nth question to the database:
 * `node dataset-child.ts N DATADIR URL ROWS`. Ends by itself, with 0, when it asks less. Each row has the number N.
 */

flushCompileCache(); // who is killed does not do it at the end

const [dataDir = '', url = ''] = process.argv.slice(3);
const [number, count] = [Number(process.argv[2]), Number(process.argv[5])];
let left = number;
const killing: KyselyPlugin = {
  transformQuery({ node }) {
    if (--left === 0) process.kill(process.pid, 'SIGKILL');
    return node;
  },
  transformResult: async ({ result }) => result,
};
const opened = url
  ? await connectPostgres(url)
  : new Kysely<ResultTables>({ dialect: new QuarryDialect(openSqlite(join(dataDir, 'results.db'))) });
const db = opened.withPlugin(killing);

const steps = importDataset({
  name: 'mine',
  kind: {
    ...{ name: 'elr', version: '1', row: z.unknown() },
    ...{ pose: () => undefined, prompt: () => '', judge: () => ({ score: 0, reason: { key: '' } }) },
  },
  source: {
    name: 'a list',
    async *read() {
      yield { rows: Array.from({ length: count }, (_, at) => ({ line: at + 1, value: { number, at } })), share: 1 };
    },
  },
  into: new StoredDatasets((query) => query(db)),
});
for await (const _ of steps);
await opened.destroy();
