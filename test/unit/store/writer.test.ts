import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Db, openDatabase } from '../../../src-main/store/database.ts';
import { type Trx, Writer } from '../../../src-main/store/writer.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';

let dir: string;
let db: Db;
let writer: Writer;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-writer-'));
  db = await openDatabase(join(dir, 'quarry.db'));
  await sql`CREATE TABLE note (text TEXT NOT NULL UNIQUE)`.execute(db);
  writer = await Writer.open(db);
});
afterEach(async () => {
  await writer.close();
  await db.destroy();
  await rm(dir, { recursive: true, force: true });
});

const note = (text: string) => async (trx: Trx) => {
  await sql`INSERT INTO note VALUES (${text})`.execute(trx);
  return text;
};
const notes = async () =>
  (await sql<{ text: string }>`SELECT text FROM note ORDER BY rowid`.execute(db)).rows.map(({ text }) => text);

describe('the writer', () => {
  it('runs operations in the order in which they came', async () => {
    const texts = Array.from({ length: 50 }, (_, index) => `note ${index}`);
    expect(await Promise.all(texts.map((text) => writer.run(note(text))))).toEqual(texts);
    expect(await notes()).toEqual(texts);
  });

  it('flushes to the disk unless no operation of the batch needs it', async () => {
    const synchronous = async (at: typeof db) =>
      (await sql<{ synchronous: number }>`SELECT synchronous FROM pragma_synchronous`.execute(at)).rows[0]?.synchronous;
    const [NORMAL, FULL] = [1, 2];
    const noted = (text: string) => async (trx: Parameters<ReturnType<typeof note>>[0]) => {
      await note(text)(trx);
      return synchronous(trx);
    };
    const others: Promise<unknown>[] = [];
    const first = writer.run(noted('a'), { flush: false });
    for (let turn = 0; turn < 5; turn++) {
      others.push(synchronous(db)); // whoever writes past it meanwhile
      await new Promise(setImmediate);
    }
    expect(await first).toBe(NORMAL);
    expect(new Set(await Promise.all(others))).toEqual(new Set([FULL]));
    expect(await Promise.all([writer.run(noted('b'), { flush: false }), writer.run(noted('c'))])).toEqual([FULL, FULL]);
    expect(await synchronous(db)).toBe(FULL);
    expect(await notes()).toEqual(['a', 'b', 'c']);
  });

  it('lets one operation refuse without hurting the others beside it', async () => {
    const refusal = new QuarryError({ code: 'NO_CREDIT', message: 'no' });
    const results = await Promise.allSettled([
      writer.run(note('a')),
      writer.run(async () => {
        throw refusal;
      }),
      writer.run(note('b')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: refusal });
    expect(await notes()).toEqual(['a', 'b']);
  });

  it('undoes an operation that broke down, and only that one', async () => {
    const results = await Promise.allSettled([
      writer.run(note('a')),
      writer.run(async (trx) => {
        await note('half of it')(trx);
        await note('a')(trx);
      }),
      writer.run(note('b')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await notes()).toEqual(['a', 'b']);
  });

  it('finishes what was asked before it was closed, and takes no more', async () => {
    const last = writer.run(note('last'));
    await writer.close();
    await writer.close();
    await expect(last).resolves.toBe('last');
    await expect(writer.run(note('too late'))).rejects.toMatchObject({ code: 'NOT_RUNNING' });
    expect(await notes()).toEqual(['last']);
  });
});

describe('on a full disk', () => {
  const limitPages = (pages: number) => sql.raw(`PRAGMA max_page_count = ${pages}`).execute(db);

  it('an operation says so, changes nothing, and works again when there is room', async () => {
    const { rows } = await sql<{ page_count: number }>`PRAGMA page_count`.execute(db);
    await limitPages(rows[0]?.page_count ?? 0);
    const big = 'x'.repeat(100_000);
    const results = await Promise.allSettled([writer.run(note('small')), writer.run(note(big))]);
    expect(results[0]).toMatchObject({ status: 'fulfilled' });
    expect(results[1]).toMatchObject({ status: 'rejected', reason: { code: 'DISK_FULL' } });
    expect(await notes()).toEqual(['small']);
    await limitPages(1_000_000);
    await expect(writer.run(note(big))).resolves.toBe(big);
  });
});
