import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import type { KyselyPlugin } from 'kysely';
import { DataSet } from '../../../src-main/clips/dataset/data-set.ts';
import { destinationOf } from '../../../src-main/clips/dataset/upload/destination.ts';
import { ClipShardStore } from '../../../src-main/store/clips/clip-shards.ts';
import { openDatabase } from '../../../src-main/store/database.ts';
import { listedRows, madeVideo } from './data-rows.ts';
import { TOKEN } from './publishing-hub.ts';

/*
 * A process that exports a data set, and uploads it where an address is given, until it kills itself right before its Nth question to the database, or Nth
 * tenth of a second: `node data-set-child.ts questions|time|never N FOLDER ROWS [ADDRESS]`. Ends by itself, with 0, when it is done before.
 */

flushCompileCache(); // who is killed does not do it at the end

const [by, number, folder = '', rows, address] = process.argv.slice(2);
let left = by === 'questions' ? Number(number) : Number.POSITIVE_INFINITY;
const killing: KyselyPlugin = {
  transformQuery({ node }) {
    if (--left === 0) process.kill(process.pid, 'SIGKILL');
    return node;
  },
  transformResult: async ({ result }) => result,
};
const db = (await openDatabase(join(folder, 'quarry.db'))).withPlugin(killing);
if (by === 'time') setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(number));
const store = new ClipShardStore(db);
const videos = Array.from({ length: Number(rows) }, (_, at) => madeVideo(at));
const upload = { endpoint: address, repository: 'me/clips', private: true, token: TOKEN };
const dataSet = new DataSet({
  ...{ store, rows: listedRows({ videos }, store), folder: join(folder, 'data-set'), chance: () => 0.4 },
  ...{ destination: () => destinationOf(upload), notes: () => ({ thresholds: [] }) },
});
if (address) for await (const _ of dataSet.upload({ dryRun: false }));
else for await (const _ of dataSet.export({ flush: true }));
await dataSet.close();
await db.destroy();
process.exit(0);
