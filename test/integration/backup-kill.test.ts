import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { discardStaged, finishRestore, readCatchUp, stagingOf } from '../../src-main/backup/restore.ts';
import { startChild } from '../support/killed-child.ts';
import { ROUNDS } from '../support/rounds.ts';

const CHILD = join(import.meta.dirname, '../support/restore-child.ts');
const FILES = ['identity.key', 'quarry.db'];
const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

/** A data folder with a node that was killed, and another one that was unpacked beside it. */
async function prepare(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'quarry-restore-'));
  folders.push(dataDir);
  await mkdir(join(dataDir, 'score-logs'));
  for (const file of [...FILES, 'quarry.db-wal', 'quarry.open', 'score-logs/log']) {
    await writeFile(join(dataDir, file), 'old');
  }
  await mkdir(stagingOf(dataDir));
  for (const file of FILES) await writeFile(join(stagingOf(dataDir), file), 'new');
  return dataDir;
}

const contents = (dataDir: string) => Promise.all(FILES.map((file) => readFile(join(dataDir, file), 'utf8')));

it('a restore that is killed at any moment leaves the one node or the other, whole, and the old one aside', async () => {
  const seen = new Set<string>();
  for (let round = 0; round < 5 * ROUNDS; round++) {
    const dataDir = await prepare();
    const child = startChild(CHILD, [dataDir, '1790000000000']);
    const exited = once(child, 'exit'); // it may come to its end before it is killed
    await once(child.stdout, 'data');
    await sleep(Math.random() * 25);
    child.kill('SIGKILL');
    await exited;
    // As the next start does.
    await finishRestore(dataDir);
    await discardStaged(dataDir);
    const [key, books] = await contents(dataDir);
    expect(key).toBe(books);
    seen.add(String(key));
    const here = await readdir(dataDir);
    expect(here.filter((file) => file.startsWith('restore.'))).toEqual([]);
    if (key === 'old') {
      expect(here).toEqual(expect.arrayContaining(['quarry.db-wal', 'quarry.open', 'score-logs']));
      continue;
    }
    expect(await readCatchUp(dataDir)).toEqual({ at: 1_790_000_000_000 });
    expect(here).not.toContain('quarry.db-wal');
    expect(await readdir(join(dataDir, 'score-logs'))).toEqual([]);
    const aside = join(dataDir, 'before-restore-2026-09-21T14-13-20');
    expect(await contents(aside)).toEqual(['old', 'old']);
    expect((await readdir(aside)).sort()).toEqual([...FILES, 'quarry.db-wal', 'quarry.open', 'score-logs'].sort());
    await finishRestore(dataDir); // is done once
    expect(await contents(dataDir)).toEqual(['new', 'new']);
  }
  expect(seen.size).toBeGreaterThan(0);
});
