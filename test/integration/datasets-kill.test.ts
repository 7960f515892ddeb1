/** @module-tag long */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ResultsDb } from '../../src-main/store/results/results-db.ts';
import { startChild } from '../support/killed-child.ts';
import { HAS_POSTGRES, startPostgres, type TestPostgres } from '../support/postgres.ts';

const CHILD = fileURLToPath(new URL('../support/dataset-child.ts', import.meta.url));
/** Written in three goes. */
const ROWS = 1_200;
/** Far more questions than an import asks. */
const MOST_QUESTIONS = 200;
const HOUR_MS = 3_600_000;

/** Imports data sets, each killed one question later than the one before, until one is done; each time all is old, or all new. */
async function killedEverywhere(dataDir: string, url?: string): Promise<{ killed: number; replaced: number }> {
  const results = new ResultsDb({ dataDir, url });
  await results.open();
  const { datasets } = results;
  let last: number | undefined;
  let replaced = 0;
  for (let number = 1; number < MOST_QUESTIONS; number++) {
    const child = startChild(CHILD, [`${number}`, dataDir, url ?? '', `${ROWS}`]);
    const [code, signal] = await once(child, 'exit');
    if (signal !== 'SIGKILL') expect(code).toBe(0);
    const [seen] = await datasets.list();
    const now = seen && (JSON.parse((await datasets.row(seen.id, 0)) ?? '') as { number: number }).number;
    expect([last, number], `killed at ${number}`).toContain(now);
    if (now !== last) replaced++;
    last = now;
    if (seen) {
      expect(seen).toMatchObject({ name: 'mine', rows: ROWS });
      for (const at of [0, 499, 500, ROWS - 1]) {
        expect(JSON.parse((await datasets.row(seen.id, at)) ?? '')).toEqual({ number: now, at });
      }
    }
    if (signal === 'SIGKILL') continue;
    expect(now).toBe(number);
    // What the killed ones have left goes when it is certain that they are.
    const next = await datasets.begin({ name: 'next', kind: 'elr', source: '' }, Date.now() + 2 * HOUR_MS);
    for (let id = 1; id < next; id++)
      expect(await datasets.row(id, 0)).toEqual(id === seen?.id ? expect.any(String) : undefined);
    await results.close();
    return { killed: number - 1, replaced };
  }
  throw new Error('the child never got to its end');
}

// Windows has no SIGKILL that a process can send itself.
describe.skipIf(process.platform === 'win32')('an import that is killed', () => {
  let server: TestPostgres | undefined;
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'quarry-datasets-kill-'));
    server = HAS_POSTGRES ? await startPostgres() : undefined;
  });
  afterAll(async () => {
    await server?.close();
    await rm(dir, { recursive: true, force: true });
  });

  it('leaves the data set before it as it was, or has replaced it, whenever that happens: on SQLite', async () => {
    const { killed, replaced } = await killedEverywhere(dir);
    expect(killed).toBeGreaterThan(10);
    expect(replaced).toBeGreaterThan(1); // also of those that were killed
  });

  it.skipIf(!HAS_POSTGRES)('on PostgreSQL', async () => {
    const { killed, replaced } = await killedEverywhere(dir, server?.url());
    expect(killed).toBeGreaterThan(10);
    expect(replaced).toBeGreaterThan(1);
  });
});
