import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectPostgres } from '../../src-main/store/results/postgres.ts';
import type { StoredResult } from '../../src-main/store/results/result-rows.ts';
import { ResultsDb } from '../../src-main/store/results/results-db.ts';
import { ChatServer } from '../support/chat-server.ts';
import { startChild } from '../support/killed-child.ts';
import { HAS_POSTGRES, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { temporaryFolder } from '../support/quarry-process.ts';
import { ROUNDS } from '../support/rounds.ts';
import { solve } from '../support/solver.ts';
import { until } from '../support/until.ts';

const CHILD = join(import.meta.dirname, '../support/validator-child.ts');
const MOST = 120 * ROUNDS;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: TestPostgres | undefined;
beforeAll(async () => {
  folder = await temporaryFolder();
  if (HAS_POSTGRES) server = await startPostgres();
});
afterAll(async () => {
  await server?.close();
  await folder?.remove();
});

async function all(results: ResultsDb): Promise<StoredResult[]> {
  return Array.fromAsync(results.export());
}

it.skipIf(!HAS_POSTGRES)(
  `three validators share a PostgreSQL and its work${HAS_POSTGRES ? '' : ' (skipped: no PostgreSQL)'}: one is killed amid it, and no challenge is done twice`,
  async () => {
    const miners = await Promise.all(['one', 'two', 'three'].map((name) => new ChatServer(name, solve).open()));
    const url = server?.url() ?? '';
    const results = new ResultsDb({ dataDir: folder.path, url });
    await results.open();
    for (const [at, miner] of miners.entries()) {
      await results.endpoints.put({ name: `miner-${at}`, url: miner.url, model: '', apiKey: '' });
    }
    const children = [0, 1, 2].map((place) => startChild(CHILD, [folder.path, url, `${place}`]));
    await until(async () => {
      const signers = new Set((await all(results)).map(({ signer }) => signer));
      expect(signers.size).toBe(3);
    });
    const [killed, ...others] = children;
    killed?.kill('SIGKILL');
    const before = (await all(results)).length;
    const db = await connectPostgres(url);
    const begun = new Set((await db.selectFrom('leases').select('seed').execute()).map(({ seed }) => seed));
    expect(begun.size).toBeGreaterThan(0);
    await until(async () => expect((await all(results)).length).toBeGreaterThan(before + MOST));
    // What the one that was killed had begun lapses, and the others end it.
    await until(async () => {
      const open = await db.selectFrom('leases').select('seed').execute();
      expect(open.filter(({ seed }) => begun.has(seed))).toEqual([]);
    });
    await db.destroy();
    for (const other of others) other.kill('SIGTERM');
    await Promise.all(others.map((other) => other.exitCode === null && once(other, 'exit')));

    const kept = await all(results);
    expect(new Set(kept.map(({ seed }) => seed)).size).toBe(kept.length);
    expect(kept.filter(({ score }) => score !== 1)).toEqual([]);
    const signers = [...new Set(kept.map(({ signer }) => signer))];
    const counted = (await results.means(0, { signers })).reduce((sum, { count }) => sum + count, 0);
    expect(counted).toBe(kept.length);
    expect(await results.leases.count()).toBe(0);
    // Asked twice is only what was under way when it was killed: two of each miner at most.
    const asked = miners.flatMap((miner) => miner.asked);
    expect(asked.length - new Set(asked).size).toBeLessThanOrEqual(2 * miners.length);
    expect(new Set(asked).size).toBe(kept.length);
    await results.close();
    await Promise.all(miners.map((miner) => miner.close()));
  },
);
