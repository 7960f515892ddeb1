import { constants, copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src-main/store/database.ts';
import { ResultsDb } from '../../src-main/store/results/results-db.ts';

const FILES = ['quarry.db', 'results.db'];
let migrated: Promise<string> | undefined;

/** Puts the databases of a node into its folder, as they are when their migrations have run, which takes most of the time of a short test. Those that are there stay. */
export async function putDatabases(folder: string): Promise<void> {
  migrated ??= migrateOnce();
  const from = await migrated;
  mkdirSync(folder, { recursive: true });
  for (const file of FILES) putNew(join(from, file), join(folder, file));
}

function putNew(from: string, to: string): void {
  try {
    copyFileSync(from, to, constants.COPYFILE_EXCL);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** @returns a folder with both, closed */
async function migrateOnce(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-test-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const db = await openDatabase(join(folder, 'quarry.db'));
  await db.destroy();
  const results = new ResultsDb({ dataDir: folder });
  await results.open();
  await results.close();
  return folder;
}
