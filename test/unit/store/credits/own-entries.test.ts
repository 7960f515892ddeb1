import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import fc from 'fast-check';
import { Kysely } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ignoring } from '../../../../src-main/base/swallowed.ts';
import { appendEntry, type NewEntry } from '../../../../src-main/store/credits/ledger.ts';
import { ledger } from '../../../../src-main/store/credits/ledger-tables.ts';
import {
  areDaysRight,
  areQuartersRight,
  DAY_MS,
  ownQuarters,
  QUARTER_MS,
  rebuildOwnEntries,
  wrongOwnEntries,
} from '../../../../src-main/store/credits/own-entries.ts';
import { type Db, openDatabase, type Tables } from '../../../../src-main/store/database.ts';
import { migrate } from '../../../../src-main/store/migrate.ts';
import { QuarryDialect } from '../../../../src-main/store/sqlite.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';

let dir: string;
let path: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-own-entries-'));
  path = join(dir, 'quarry.db');
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const ENTRIES: NewEntry[] = [
  { at: 1, kind: 'allowance', key: 'a', postings: { 'own:available': 20, 'issue:allowance': -20 } },
  { at: 2, kind: 'allowance', key: 'b', postings: { 'client:x:available': 20, 'issue:allowance': -20 } },
  { at: 3, kind: 'reserve', key: 'c', postings: { 'own:available': -3, 'own:reserved': 3 } },
  { at: 4, kind: 'pay', key: 'd', postings: { 'own:reserved': -3, 'own:spent': 3 } },
  {
    at: 5,
    kind: 'bonus',
    key: 'e',
    postings: { 'own:available': 5, 'issue:bonus': -5, 'score:earned': 5, 'score:issued': -5 },
  },
  { at: 6, kind: 'earn', key: 'f', postings: {} },
];

const LISTED = [
  { seq: 1, at: 1, kind: 'allowance', amount: 20, points: 0, spent: 0 },
  { seq: 3, at: 3, kind: 'reserve', amount: -3, points: 0, spent: 0 },
  { seq: 4, at: 4, kind: 'pay', amount: 0, points: 0, spent: 3 },
  { seq: 5, at: 5, kind: 'bonus', amount: 5, points: 5, spent: 0 },
  { seq: 6, at: 6, kind: 'earn', amount: 0, points: 0, spent: 0 },
];

async function append(db: Db): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const entry of ENTRIES) await appendEntry(trx, entry);
  });
}

const listed = (db: Db) => db.selectFrom('own_entries').selectAll().orderBy('seq').execute();
const summed = (db: Db) => db.selectFrom('own_sums').selectAll().orderBy('span').orderBy('begins').execute();

/** What the list adds up to. */
const SUMMED = [QUARTER_MS, DAY_MS].map((span) => ({ span, begins: 0, points: 5, requests: 1, spent: 3 }));

describe('the list of own entries', () => {
  it('follows the ledger as it grows', async () => {
    const db = await openDatabase(path);
    await append(db);
    expect([await listed(db), await summed(db)]).toEqual([LISTED, SUMMED]);
    await db.destroy();
  });

  it('is made for a ledger that is older than it', async () => {
    const old = new Kysely<Tables>({ dialect: new QuarryDialect(new SQLite(path)) });
    const book = { table: 'kysely_migration', lockTable: 'kysely_migration_lock' };
    const migrations = { '0001-ledger': ledger.migrations['0001-ledger'] ?? [] };
    await migrate(old, { migrations, book, place: path });
    await append(old);
    await old.destroy();
    const db = await openDatabase(path);
    expect([await listed(db), await summed(db)]).toEqual([LISTED, SUMMED]);
    await db.destroy();
  });

  it('can be told from a wrong one, within a range', async () => {
    const db = await openDatabase(path);
    await append(db);
    await db.updateTable('own_entries').set({ spent: 0 }).where('seq', '=', 4).execute();
    await db.deleteFrom('own_entries').where('seq', '=', 5).execute();
    await db
      .insertInto('own_entries')
      .values({ seq: 2, at: 2, kind: 'allowance', amount: 1, points: 0, spent: 0 })
      .execute();
    expect(await wrongOwnEntries(db, 1, 6)).toEqual([2, 4, 5]);
    expect(await wrongOwnEntries(db, 3, 4)).toEqual([4]);
    await db.destroy();
  });
});

/** A row that was added up here, and not by SQL. */
interface Sums {
  points: number;
  requests: number;
  spent: number;
}

/** All entries added up again. */
async function recount(db: Db) {
  const sums = new Map<string, Sums & { span: number; begins: number }>();
  for (const { at, kind, points, spent } of await listed(db)) {
    for (const span of [QUARTER_MS, DAY_MS]) {
      const begins = Math.floor(at / span) * span;
      const sum = sums.get(`${span} ${begins}`) ?? { span, begins, points: 0, requests: 0, spent: 0 };
      sum.points += points;
      sum.requests += kind === 'earn' ? 1 : 0;
      sum.spent += spent;
      sums.set(`${span} ${begins}`, sum);
    }
  }
  return [...sums.values()].sort((a, b) => a.span - b.span || a.begins - b.begins);
}

const ALWAYS = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] as const;
const areRight = async (db: Db, stretch: readonly [number, number] = ALWAYS) => [
  await areQuartersRight(db, stretch),
  await areDaysRight(db, stretch),
];

describe('the sums over the own entries', () => {
  const entry = fc.record({
    // The clock of a node may be set back.
    at: fc.integer({ min: 0, max: 4 * DAY_MS }),
    what: fc.constantFrom('earn', 'nothing', 'pay', 'penalty', 'client'),
    amount: fc.integer({ min: 1, max: 50 }),
    /** The transaction fails after it. */
    fails: fc.boolean(),
  });
  type Entry = typeof entry extends fc.Arbitrary<infer T> ? T : never;

  function toBook({ at, what, amount }: Entry, number: number): NewEntry {
    const key = `${what} ${number}`;
    const scored = { 'score:earned': amount, 'score:issued': -amount };
    if (what === 'earn') return { at, kind: 'earn', key, postings: { ...scored, 'owes:x': 2, 'issue:served': -2 } };
    if (what === 'nothing') return { at, kind: 'earn', key, postings: {} };
    if (what === 'pay') return { at, kind: 'pay', key, postings: { 'own:spent': amount, 'issue:given': -amount } };
    if (what === 'client') return { at, kind: 'standing', key, postings: { 'claim:x': 1, 'issue:service:x': -1 } };
    return { at, kind: 'penalty', key, postings: { 'score:earned': -1, 'score:issued': 1 } };
  }

  it('are what a recount gives, whatever was booked, failed or was worked out anew', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 40 }), async (entries) => {
        const db = await memoryDatabase();
        for (const [number, one] of entries.entries()) {
          const booking = db.transaction().execute(async (trx) => {
            await appendEntry(trx, toBook(one, number));
            if (one.fails) throw new Error('The disk is full.');
          });
          await booking.catch(ignoring('of what fails, nothing is there: it is left out of the recount'));
        }
        const sums = await recount(db);
        expect(await summed(db)).toEqual(sums);
        expect(await areRight(db)).toEqual([true, true]);
        await rebuildOwnEntries(db);
        expect(await summed(db)).toEqual(sums);
        await db.destroy();
      }),
      { numRuns: 25 },
    );
  });

  it('can be told from wrong ones, day by day', async () => {
    const db = await memoryDatabase();
    await db.transaction().execute(async (trx) => {
      for (const [number, day] of [3, 5, 3].entries())
        await appendEntry(trx, { at: day * DAY_MS + number, kind: 'earn', key: `${number}`, postings: {} });
    });
    const quarters = (await ownQuarters(db, 1, 3)).sort((a, b) => a - b);
    expect([quarters, await ownQuarters(db, 2, 2)]).toEqual([[3 * DAY_MS, 5 * DAY_MS], [5 * DAY_MS]]);
    const right = () => Promise.all([3, 4, 5].map((day) => areRight(db, [day * DAY_MS, (day + 1) * DAY_MS])));
    const [both, quarterWrong, dayWrong] = [
      [true, true],
      [false, false],
      [true, false],
    ];
    expect(await right()).toEqual([both, both, both]);
    await db
      .updateTable('own_sums')
      .set({ requests: 9 })
      .where('begins', '=', 5 * DAY_MS)
      .execute();
    const stray = { span: QUARTER_MS, begins: 4 * DAY_MS, points: 0, requests: 1, spent: 0 };
    await db.insertInto('own_sums').values(stray).execute();
    // On the fifth day both are wrong in the same way: what the days are held against are the quarters.
    expect(await right()).toEqual([both, quarterWrong, [false, true]]);
    await rebuildOwnEntries(db);
    expect([await right(), await areRight(db)]).toEqual([[both, both, both], both]);
    await db.deleteFrom('own_sums').where('span', '=', DAY_MS).execute();
    expect(await right()).toEqual([dayWrong, both, dayWrong]);
    await db.destroy();
  });
});
