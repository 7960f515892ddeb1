import { setImmediate } from 'node:timers/promises';
import { type Insertable, Kysely, sql } from 'kysely';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { dataPath } from '../../base/data-folder.ts';
import { explainSqliteError } from '../../base/sqlite-error.ts';
import { ignoring } from '../../base/swallowed.ts';
import { Turns } from '../../base/turns.ts';
import { CompetitionStore } from '../competition/competition-store.ts';
import type { CompetitionTables } from '../competition/competition-tables.ts';
import { migrate, refuseNewer } from '../migrate.ts';
import { openSqlite, QuarryDialect } from '../sqlite.ts';
import { Endpoints } from './endpoints.ts';
import { Leases } from './leases.ts';
import { MinerHotkeys } from './miner-hotkeys.ts';
import { noteMiners } from './miners-seen.ts';
import { PacedSlice } from './paced-slice.ts';
import { connectPostgres, explainPostgresError, shownUrl } from './postgres.ts';
import { ResultList } from './result-list.ts';
import { resultOf, rowOf, type StoredResult } from './result-rows.ts';
import { type Cursor, deleteQuery, pageQuery, type Slice, someQuery } from './results-queries.ts';
import { BOOK, POSTGRES, type ResultRow, type ResultTables, resultMigrations, SQLITE } from './results-tables.ts';
import { type Counted, meansOf } from './score-means.ts';
import type { MinerMean } from './score-tally.ts';
import { checkResult, checkWhole, type SignedResult } from './signed-result.ts';
import { StoredDatasets } from './stored-datasets.ts';

export interface ResultsDbOptions {
  dataDir: string;
  /** A PostgreSQL server, `postgres://…`, that several validators may share. Default: `results.db` in the data folder. */
  url?: string | undefined;
  /** Milliseconds that SQLite waits for another program that holds the file. Default 5,000. */
  busyMs?: number;
}

/** Results that one call takes or gives. */
export const MOST_RESULTS = 500;
/** Bytes of the payloads that one call takes: it is one statement, and on its way it is held more than once. */
const MOST_BYTES = 8 * 1024 * 1024;
/** Of the payloads that one call gives: they are in memory together. */
export const PAGE_BYTES = 2 * 1024 * 1024;
/** Results of one page of an export: some milliseconds, also where their payloads lie far apart. */
const EXPORTED_TOGETHER = 100;
/** Results forgotten in one go, at most: each is taken out of every index, and its pages are overwritten and given back. */
export const DELETED_TOGETHER: Slice = { rows: 200, bytes: 4 * 1024 * 1024 };
/** Results that are fetched by their numbers in one go. */
export const FETCHED_TOGETHER: Slice = { rows: 64, bytes: 512 * 1024 };
/** A database that is open, and how to talk about it. */
interface Backing {
  db: Kysely<ResultTables>;
  explain(error: unknown): unknown;
}

/**
 * What validators keep: signed results, and the data sets that they ask out of. On SQLite in the data folder, or on a PostgreSQL server that a fleet shares; the same
 * statements on both. What a method has written when it returns is durable.
 *
 * Any method may throw DATABASE_UNREACHABLE (retryable), DISK_FULL, or NOT_RUNNING while it is not open.
 */
export class ResultsDb {
  /** Which challenges are being asked, and by whom. */
  readonly leases = new Leases(
    (query) => this.#ask(query),
    () => (this.#options.url ? POSTGRES : SQLITE).clock,
  );
  /** Miners at addresses of their own. */
  readonly endpoints = new Endpoints((query) => this.#ask(query));
  /** Which hotkeys stand for miners. */
  readonly hotkeys = new MinerHotkeys((query) => this.#ask(query));
  /** Data sets that challenges are made of. */
  readonly datasets = new StoredDatasets((query) => this.#ask(query));
  /** Results as people look through them. */
  readonly list = new ResultList((query) => this.#ask(query));
  readonly #options: ResultsDbOptions;
  #backing: Promise<Backing> | undefined;

  constructor(options: ResultsDbOptions) {
    this.#options = options;
  }

  /**
   * Connects, and brings the tables up to date. Idempotent.
   * @throws DATABASE_UNREACHABLE (also when another program holds the file), DATABASE_NEWER, DATABASE_CORRUPT, DISK_FULL;
   *   CONFIG_INVALID when the server refuses the user
   */
  async open(): Promise<void> {
    this.#backing ??= openBacking(this.#options);
    try {
      await this.#backing;
    } catch (error) {
      this.#backing = undefined;
      throw error;
    }
  }

  /** Waits for what is being asked, then leaves no connection behind. Idempotent. */
  async close(): Promise<void> {
    const backing = this.#backing;
    this.#backing = undefined;
    const opened = await backing?.catch(ignoring('whoever opened it was told why that failed'));
    await opened?.db.destroy();
  }

  /** What a competition keeps. @param server ss58 of the hotkey that serves it */
  competition(server: string): CompetitionStore {
    // Its tables are some of ours, which Kysely’s type does not see.
    return new CompetitionStore(
      (query) => this.#ask((db) => query(db as unknown as Kysely<CompetitionTables>)),
      server,
    );
  }

  /** @returns whether it is new: of one signer, miner and challenge only the first result is kept. @throws BAD_REQUEST */
  async add(result: SignedResult): Promise<boolean> {
    return (await this.addAll([result])) === 1;
  }

  /** All or none, at most {@link MOST_RESULTS} and 8 MiB of payloads. @returns how many are new. @throws BAD_REQUEST */
  async addAll(results: readonly SignedResult[]): Promise<number> {
    if (results.length === 0) return 0;
    refuseMore(results.length);
    // In one order for everybody: two that write the same results at once would otherwise wait for each other.
    const rows = results.map(checkResult).map(rowOf).sort(byKey);
    refuseLarger(rows);
    // Before the results, and not in one transaction with them, which would hold the file over several turns: a miner may be known without any.
    await this.#ask((db) => noteMiners(db, rows));
    const { numInsertedOrUpdatedRows = 0n } = await this.#ask((db) =>
      db
        .insertInto('results')
        .values(rows)
        .onConflict((conflict) => conflict.columns(['signer', 'miner', 'challenge_id']).doNothing())
        .executeTakeFirstOrThrow(),
    );
    return Number(numInsertedOrUpdatedRows);
  }

  /**
   * A page of results, newest first: as many as asked for, or fewer where their payloads have 2 MiB together, but at least
   * one. After the last result comes an empty page.
   *
   * @param before the last one of the page before; @param limit at most {@link MOST_RESULTS}
   * @throws BAD_REQUEST
   */
  async page({ before, limit = 100 }: { before?: Cursor | undefined; limit?: number } = {}): Promise<StoredResult[]> {
    refuseMore(limit);
    if (before) {
      checkWhole('before.createdAt', before.createdAt);
      checkWhole('before.id', before.id, Number.MAX_SAFE_INTEGER);
    }
    const rows = await this.#ask((db) => pageQuery(db, before, { rows: limit, bytes: PAGE_BYTES }).execute());
    return rows.map(resultOf).sort(newestFirst);
  }

  /** One result by its number; undefined where there is none. @throws BAD_REQUEST */
  async get(id: number): Promise<StoredResult | undefined> {
    checkWhole('id', id, Number.MAX_SAFE_INTEGER);
    const row = await this.#ask((db) => db.selectFrom('results').selectAll().where('id', '=', id).executeTakeFirst());
    return row && resultOf(row);
  }

  /** Results by their numbers, in no order; those that there are not are left out. */
  async *some(ids: readonly number[]): AsyncGenerator<StoredResult, void, undefined> {
    for (let at = 0; at < ids.length; at += FETCHED_TOGETHER.rows) {
      let wanted = ids.slice(at, at + FETCHED_TOGETHER.rows);
      while (wanted.length > 0) {
        const asked = wanted;
        const rows = await this.#ask((db) => someQuery(db, asked, FETCHED_TOGETHER).execute());
        yield* rows.map(resultOf);
        const found = new Set(rows.map(({ id }) => id));
        wanted = found.size === 0 ? [] : asked.filter((id) => !found.has(id));
      }
    }
  }

  /** Every result, newest first, page by page: what comes in meanwhile is left out. */
  async *export(): AsyncGenerator<StoredResult, void, undefined> {
    let results = await this.page({ limit: EXPORTED_TOGETHER });
    while (results.length > 0) {
      yield* results;
      await setImmediate();
      results = await this.page({ before: results.at(-1), limit: EXPORTED_TOGETHER });
    }
  }

  /** How each miner did in each environment: see {@link meansOf}. @param since Unix milliseconds @throws BAD_REQUEST */
  means(since: number, counted: Counted): Promise<MinerMean[]> {
    return meansOf((query) => this.#ask(query), since, counted);
  }

  /**
   * Forgets results from before a moment, in Unix milliseconds, the oldest first, with turns for others in between: where it
   * fails on the way, or the signal ends it, some are gone already. SQLite keeps everybody waiting meanwhile: there each turn is as short as the last
   * ones allow. @returns how many there were. @throws BAD_REQUEST
   */
  async deleteBefore(moment: number, signal?: AbortSignal): Promise<number> {
    checkWhole('moment', moment);
    const paced = new PacedSlice(DELETED_TOGETHER);
    let deleted = 0;
    while (!signal?.aborted) {
      const slice = this.#options.url ? DELETED_TOGETHER : paced.now;
      const begun = performance.now();
      const { numDeletedRows } = await this.#ask((db) => deleteQuery(db, moment, slice).executeTakeFirstOrThrow());
      paced.took(performance.now() - begun);
      if (numDeletedRows === 0n) return deleted;
      deleted += Number(numDeletedRows);
      await setImmediate();
    }
    return deleted;
  }

  async #ask<T>(query: (db: Kysely<ResultTables>) => Promise<T>): Promise<T> {
    const backing = await this.#backing;
    if (!backing) throw new QuarryError({ code: 'NOT_RUNNING', message: say('results.closed') });
    try {
      return await query(backing.db);
    } catch (error) {
      throw backing.explain(error);
    }
  }
}

/**
 * Looks whether the server is there and lets us in; changes nothing.
 * @returns what it calls itself: «PostgreSQL 15.18» @throws as {@link ResultsDb.open}
 */
export async function lookAtServer(url: string): Promise<string> {
  const db = await connectPostgres(url);
  try {
    await refuseNewer(db, { migrations: resultMigrations(POSTGRES), book: BOOK, place: shownUrl(url) });
    const { rows } = await sql<{ version: string }>`SELECT current_setting('server_version') AS version`.execute(db);
    return `PostgreSQL ${rows[0]?.version.split(' ')[0]}`;
  } catch (error) {
    throw explainPostgresError(error, shownUrl(url));
  } finally {
    await db.destroy();
  }
}

/**
 * Files are opened one after the other: a migration holds the right to write over several turns of the event loop, and
 * SQLite, waiting for it in the same process, would stop the loop that has to end it.
 */
const openings = new Turns();

function openBacking(options: ResultsDbOptions): Promise<Backing> {
  return options.url ? connectAndMigrate(options) : openings.take(() => connectAndMigrate(options));
}

async function connectAndMigrate({ dataDir, url, busyMs }: ResultsDbOptions): Promise<Backing> {
  const path = dataPath(dataDir, 'results');
  const place = url ? shownUrl(url) : path;
  const db = url
    ? await connectPostgres(url)
    : new Kysely<ResultTables>({ dialect: new QuarryDialect(openSqlite(path, busyMs)) });
  const explain = (error: unknown) => (url ? explainPostgresError : explainSqliteError)(error, place);
  try {
    await migrate(db, { migrations: resultMigrations(url ? POSTGRES : SQLITE), book: BOOK, place });
    return { db, explain };
  } catch (error) {
    await db.destroy();
    throw explain(error);
  }
}

function refuseMore(count: number): void {
  if (Number.isInteger(count) && count >= 1 && count <= MOST_RESULTS) return;
  throw new QuarryError({ code: 'BAD_REQUEST', message: say('results.tooMany', { count, most: MOST_RESULTS }) });
}

function refuseLarger(rows: readonly Insertable<ResultRow>[]): void {
  const bytes = rows.reduce((sum, { payload }) => sum + Buffer.byteLength(payload), 0);
  if (bytes <= MOST_BYTES) return;
  throw new QuarryError({
    code: 'BAD_REQUEST',
    message: say('results.tooLarge', { count: rows.length, most: MOST_BYTES }),
    hint: say('results.fewer'),
  });
}

function byKey(a: Insertable<ResultRow>, b: Insertable<ResultRow>): number {
  const key = ({ signer, miner, challenge_id }: Insertable<ResultRow>) => `${signer}\n${miner}\n${challenge_id}`;
  return key(a) < key(b) ? -1 : 1;
}

function newestFirst(a: Cursor, b: Cursor): number {
  return b.createdAt - a.createdAt || b.id - a.id;
}
