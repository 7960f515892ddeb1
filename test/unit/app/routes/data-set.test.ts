import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { dataSetRoutes } from '../../../../src-main/app/routes/data-set.ts';
import { implementer } from '../../../../src-main/app/routes/implementer.ts';
import { DataSet } from '../../../../src-main/clips/dataset/data-set.ts';
import { ClipShardStore } from '../../../../src-main/store/clips/clip-shards.ts';
import { listedRows, madeVideo } from '../../../support/clips/data-rows.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';

/** What of the contract's `data` is about the data set, on a folder of its own. */
async function openRoutes() {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-data-set-'));
  const db = await memoryDatabase();
  const store = new ClipShardStore(db);
  const videos = Array.from({ length: 20 }, (_, number) => madeVideo(number));
  const rows = listedRows({ videos }, store);
  const set = new DataSet({ store, rows, folder, destination: () => null, notes: () => ({ thresholds: [] }) });
  const closing = new AbortController();
  onTestFinished(async () => {
    closing.abort();
    await set.close();
    await db.destroy();
    await rm(folder, { recursive: true, force: true });
  });
  const domain = implementer(pino({ level: 'silent' })).domain('data');
  const until = (signal?: AbortSignal) => (signal ? AbortSignal.any([signal, closing.signal]) : closing.signal);
  return createRouterClient(dataSetRoutes(domain, set, { until }), { context: { confidential: true } });
}

it('the data set is exported, looked at, taken down and refused to be uploaded to nowhere', async () => {
  const data = await openRoutes();
  expect((await data.dataSet()).waiting).toEqual({ videos: 20, sounds: 0 });
  const steps = await Array.fromAsync(await data.export({ flush: true }));
  expect(steps.at(-1)).toMatchObject({ step: 'done', files: [{ rows: 20 }], url: null });
  const down = { source: 'commons' as const, id: 'File:Video 1.webm', reason: 'asked for' };
  await expect(data.takeDown({ ...down, reason: ' ' })).rejects.toThrow();
  expect(await data.takeDown(down)).toMatchObject({ ...down, clips: 0 });
  expect((await data.dataSet()).shards).toMatchObject([{ kind: 'videos', rows: 20, takenDown: 4 }]);
  expect(await data.takeDowns()).toMatchObject([down]);
  await data.undoTakeDown({ source: 'commons', id: 'File:Video 1.webm' });
  expect(await data.takeDowns()).toEqual([]);
  const upload = async () => Array.fromAsync(await data.upload({ dryRun: true }));
  await expect(upload()).rejects.toMatchObject({ data: { code: 'CONFIG_INVALID' } });
});
