import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createBackup, removeUnfinished } from '../../../src-main/backup/backup.ts';
import { BackupDesk } from '../../../src-main/backup/backup-desk.ts';
import { loadOrCreateIdentity } from '../../../src-main/mesh/transport/identity.ts';
import { type Db, openDatabase } from '../../../src-main/store/database.ts';

const CHEAP = { kdf: { passes: 1, memoryMiB: 8 } };
const PASSWORD = 'a long enough one';
const START = Buffer.from('quarry-backup/1\n').toString('base64');

let dataDir: string;
let db: Db;
let desk: BackupDesk;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'quarry-desk-'));
  await loadOrCreateIdentity(dataDir);
  db = await openDatabase(join(dataDir, 'quarry.db'));
  desk = new BackupDesk({ dataDir, db, tools: CHEAP });
});
afterEach(async () => {
  await db.destroy();
  await rm(dataDir, { recursive: true });
});

const work = async () => (await readdir(dataDir)).filter((name) => name.startsWith('backup-books.'));
const refusedAs = (key: string) => ({ code: 'BAD_REQUEST', field: 'file', said: { message: { key } } });

it('refuses pieces that are no backup, come out of order, or are of one that is too long', async () => {
  await expect(desk.upload(0, 'AAAA')).rejects.toMatchObject(refusedAs('backup.noBackup'));
  await desk.upload(0, START);
  await expect(desk.upload(3, 'AAAA')).rejects.toMatchObject(refusedAs('backup.notInOrder'));
  await expect(desk.upload(64 * 1024 ** 3 - 2, 'AAAA')).rejects.toMatchObject(refusedAs('backup.tooLarge'));
  expect(await desk.upload(16, 'AAAA')).toEqual({ bytes: 19 });
});

it('decides for nothing that was not opened', async () => {
  await desk.upload(0, START);
  await expect(desk.decide(1)).rejects.toMatchObject(refusedAs('backup.nothingOpened'));
  expect(await readdir(dataDir)).not.toContain('restore.ready');
});

it('makes a backup for each of two windows that ask at once, and leaves neither behind', async () => {
  const [one, other] = [desk.create(PASSWORD), desk.create(PASSWORD)];
  await one.next();
  const first = await other.next();
  expect(await work()).toHaveLength(2);
  await one.return();
  let bytes = 0;
  for (let piece = first; !piece.done; piece = await other.next()) {
    bytes += Buffer.from(piece.value.piece, 'base64').length;
  }
  expect(bytes).toBe(first.value?.bytes);
  expect(await work()).toEqual([]);
});

it('a node that starts removes what a killed backup left, and nothing of one that is being made', async () => {
  let isOver = false;
  const making = createBackup({ dataDir, to: join(dataDir, 'file'), password: PASSWORD }, CHEAP).finally(() => {
    isOver = true;
  });
  for (; !isOver; await setImmediate()) await removeUnfinished(dataDir);
  expect(await making).toMatchObject({ receipts: 0 });
  expect(await work()).toEqual([]);
  await desk.upload(0, START);
  expect(await work()).toHaveLength(1);
  await removeUnfinished(dataDir);
  expect(await work()).toEqual([]);
});
