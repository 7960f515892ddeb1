import { once } from 'node:events';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createBackup, stageBackup } from '../../src-main/backup/backup.ts';
import { decideRestore, finishRestore } from '../../src-main/backup/restore.ts';
import { loadOrCreateIdentity } from '../../src-main/mesh/transport/identity.ts';
import { openDatabase } from '../../src-main/store/database.ts';
import { ResultsDb } from '../../src-main/store/results/results-db.ts';
import { startChild } from '../support/killed-child.ts';
import { temporaryFolder } from '../support/quarry-process.ts';
import { signedResult } from '../support/results-contract.ts';
import { until } from '../support/until.ts';

/** A validator's results are in its backup: also while it writes them, and when it is killed. */
const CHILD = join(import.meta.dirname, '../support/results-child.ts');
const CHEAP = { kdf: { passes: 1, memoryMiB: 8 } };
const PASSWORD = 'a long enough one';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const data = (name: string) => join(folder.path, name);

beforeEach(async () => {
  folder = await temporaryFolder();
  await openNode(data('validator'));
});
afterEach(() => folder.remove());

async function openNode(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  await loadOrCreateIdentity(dataDir);
  await (await openDatabase(join(dataDir, 'quarry.db'))).destroy();
}

const backUp = (to: string) => createBackup({ dataDir: data('validator'), to: data(to), password: PASSWORD }, CHEAP);

/** @returns the folder with what was there before */
async function restore(from: string, dataDir: string): Promise<string | undefined> {
  await mkdir(dataDir, { recursive: true });
  await stageBackup({ dataDir, from: data(from), password: PASSWORD });
  await decideRestore(dataDir, Date.now());
  return await finishRestore(dataDir);
}

/** The challenges of what is kept, in the order in which it came. */
async function challengesIn(dataDir: string): Promise<number[]> {
  const results = new ResultsDb({ dataDir });
  await results.open();
  const kept = await Array.fromAsync(results.export());
  await results.close();
  return kept.map(({ challengeId }) => Number(challengeId)).sort((a, b) => a - b);
}

it('a backup that is made while results are written, and of a folder whose node was killed, holds each that was kept', async () => {
  const writer = startChild(CHILD, [data('validator'), '', 'telling']);
  let told = '';
  writer.stdout.on('data', (text) => {
    told += text;
  });
  const toldNow = () => told.split('\n').length - 1;
  await until(() => expect(toldNow()).toBeGreaterThan(20));
  const before = toldNow();
  await backUp('running');
  await until(() => expect(toldNow()).toBeGreaterThan(before + 20));
  writer.kill('SIGKILL');
  await once(writer, 'close');
  const atTheEnd = toldNow();
  await backUp('killed');

  await restore('running', data('first'));
  const first = await challengesIn(data('first'));
  expect(first.length).toBeGreaterThanOrEqual(before);
  expect(first).toEqual(first.map((_, number) => number)); // none is missing in between
  await restore('killed', data('second'));
  expect((await challengesIn(data('second'))).length).toBeGreaterThanOrEqual(atTheEnd);
  expect((await readdir(data('validator'))).filter((name) => name.startsWith('backup-books'))).toEqual([]);
});

it('what is there gives way with what SQLite keeps beside it, and stays where the backup has none', async () => {
  await backUp('without');
  const results = new ResultsDb({ dataDir: data('validator') });
  await results.open();
  await results.add(signedResult({ challengeId: '1' }));
  await backUp('with'); // amid its log: nothing of it has been brought into the file
  await results.add(signedResult({ challengeId: '2' }));
  await results.close();

  await restore('without', data('validator'));
  expect(await challengesIn(data('validator'))).toEqual([1, 2]);
  const aside = (await restore('with', data('validator'))) ?? '';
  expect(await challengesIn(data('validator'))).toEqual([1]);
  expect(await challengesIn(aside)).toEqual([1, 2]);
});
