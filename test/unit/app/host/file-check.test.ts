import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkFile } from '../../../../src-main/app/host/file-check.ts';
import { openDatabase } from '../../../../src-main/store/database.ts';
import { SHORT_FILE } from '../../../../src-main/store/sqlite.ts';

let dir: string;
let path: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-check-'));
  path = join(dir, 'quarry.db');
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** A database that is too long to be read at a start. */
async function fill(): Promise<void> {
  await (await openDatabase(path)).destroy();
  const sqlite = new SQLite(path);
  sqlite.exec(`CREATE TABLE filler (bytes BLOB); INSERT INTO filler VALUES (zeroblob(${SHORT_FILE}))`);
  sqlite.close();
}

/** The page that carries on a long row says that it goes on at a page which is not there. */
async function damage(): Promise<void> {
  const file = await open(path, 'r+');
  await file.write(Buffer.alloc(4, 0xff), 0, 4, SHORT_FILE / 2);
  await file.close();
}

it('a long database is not read at the start; damage in it is found beside the work', async () => {
  await fill();
  await expect(checkFile(path)).resolves.toBeUndefined();
  await damage();
  const db = await openDatabase(path);
  await expect(checkFile(path)).rejects.toMatchObject({ code: 'DATABASE_CORRUPT', hint: expect.any(String) });
  expect(await db.selectFrom('ledger_head').select('seq').execute()).toEqual([{ seq: 0 }]);
  await db.destroy();
});

it('the check of a long database ends when its node does', async () => {
  await fill();
  const ending = new AbortController();
  const check = checkFile(path, { signal: ending.signal });
  const reason = new Error('The node is closing.');
  ending.abort(reason);
  await expect(check).rejects.toBe(reason);
});

it('a check that cannot be made is no damage', async () => {
  await fill();
  const spawner = {
    spawn: (_: unknown, { onExit }: { onExit: (exit: { code: number; signal: null }) => void }) => {
      setImmediate(() => onExit({ code: 3, signal: null }));
      return { pid: undefined, send: () => {}, kill: () => {} };
    },
  };
  await expect(checkFile(path, { spawner })).rejects.toMatchObject({ code: 'INTERNAL', message: /ended with code 3/ });
});
