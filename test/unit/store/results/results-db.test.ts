import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect, promisify } from 'node:util';
import { Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectPostgres, shownUrl } from '../../../../src-main/store/results/postgres.ts';
import { lookAtServer, ResultsDb } from '../../../../src-main/store/results/results-db.ts';
import {
  POSTGRES,
  type ResultTables,
  resultMigrations,
  SQLITE,
} from '../../../../src-main/store/results/results-tables.ts';
import { openSqlite, QuarryDialect } from '../../../../src-main/store/sqlite.ts';
import { competitionContract } from '../../../support/competition-contract.ts';
import { datasetsContract } from '../../../support/datasets-contract.ts';
import { genuineContract } from '../../../support/genuine-contract.ts';
import { HAS_POSTGRES, startPostgres, type TestPostgres } from '../../../support/postgres.ts';
import { MOMENT, type ResultsPlace, resultsContract, signedResult } from '../../../support/results-contract.ts';

async function sqlitePlace(): Promise<ResultsPlace> {
  const dataDir = await mkdtemp(join(tmpdir(), 'quarry-results-'));
  return {
    options: { dataDir },
    connect: async () => new Kysely({ dialect: new QuarryDialect(openSqlite(join(dataDir, 'results.db'))) }),
    explain: 'EXPLAIN QUERY PLAN',
    wholeTable: /SCAN results(?! USING)|TEMP B-TREE FOR ORDER/,
    remove: () => rm(dataDir, { recursive: true, force: true }),
  };
}

describe('results on SQLite', () => {
  resultsContract(sqlitePlace);
  datasetsContract(sqlitePlace);
  competitionContract(sqlitePlace);
  genuineContract(sqlitePlace);

  it('say so where a name in the file is no text, and do not look at it for ever', async () => {
    const { options, connect, remove } = await sqlitePlace();
    const results = new ResultsDb(options);
    await results.open();
    await results.addAll([signedResult(), signedResult({ challengeId: 'another' })]);
    const db = await connect();
    await sql`UPDATE results SET miner = CAST(x'ff' AS TEXT) WHERE challenge_id = 'another'`.execute(db);
    await db.destroy();
    const { signer } = signedResult();
    await expect(results.means(MOMENT, { signers: [signer] })).rejects.toMatchObject({ code: 'DATABASE_CORRUPT' });
    await expect(results.means(MOMENT, { signers: ['nobody'] })).rejects.toMatchObject({ code: 'DATABASE_CORRUPT' });
    await results.close();
    await remove();
  });

  it('say what to do when another program does not let go of them', async () => {
    const { options, connect, remove } = await sqlitePlace();
    const results = new ResultsDb({ ...options, busyMs: 50 });
    await results.open();
    const other = await connect();
    await sql`BEGIN EXCLUSIVE`.execute(other);
    const busy = { code: 'DATABASE_UNREACHABLE', retryable: true, hint: expect.stringContaining('try again') };
    await expect(results.add(signedResult())).rejects.toMatchObject(busy);
    await sql`COMMIT`.execute(other);
    expect(await results.add(signedResult())).toBe(true);
    await other.destroy();
    await results.close();
    await remove();
  });

  it.skipIf(process.platform === 'win32')('are for their owner’s eyes only', async () => {
    const { options, remove } = await sqlitePlace();
    const results = new ResultsDb(options);
    await results.open();
    expect((await stat(join(options.dataDir, 'results.db'))).mode & 0o777).toBe(0o600);
    await results.close();
    await remove();
  });

  it.skipIf(process.platform === 'win32')('say so when their disk is full, and keep what they had', async () => {
    const { options, remove } = await sqlitePlace();
    const child = new URL('../../../support/results-child.ts', import.meta.url).pathname;
    // No file of this process may become larger than a megabyte.
    const script = `trap '' XFSZ; ulimit -f 1024; exec node '${child}' '${options.dataDir}' '' endless`;
    const { stdout } = await promisify(execFile)('bash', ['-c', script]);
    expect(JSON.parse(stdout)).toEqual({ code: 'DISK_FULL', kept: true });
    await remove();
  });
});

/** As in the test of the other database: what has shipped stays, and a new one is added here. */
const SHIPPED = [
  { name: '0001-results', sqlite: '422b530bfbe39489', postgres: 'd0bb00ccf5ab894d' },
  { name: '0002-results-in-time', sqlite: 'e3e117b87aae6ec6', postgres: 'e3e117b87aae6ec6' },
  { name: '0003-results-that-came', sqlite: '9e3f244ed925b4f1', postgres: '9e3f244ed925b4f1' },
  { name: '0004-results-of-miners', sqlite: '3ad9758b77f679e6', postgres: 'f24d060b0f344e83' },
  { name: '0005-leases', sqlite: '3b89b4cbdc7465e0', postgres: '85a841b764095527' },
  { name: '0006-endpoints', sqlite: '836c3c8206543c28', postgres: '9a2fd54781315171' },
  { name: '0007-datasets', sqlite: 'c95b669ed4424815', postgres: '4bb95022a81428b9' },
  { name: '0008-results-by-version', sqlite: 'bc617b72fbc2edc9', postgres: 'bc617b72fbc2edc9' },
  { name: '0009-miners-seen', sqlite: '8b4cec51f4ce5379', postgres: '4f7fa427ff1a7f24' },
  { name: '0010-results-by-signer', sqlite: '6b0797d1785a08ea', postgres: '6b0797d1785a08ea' },
  { name: '0011-signed-leases', sqlite: '02b0153a7a6cff07', postgres: 'fcb06aaf1398bc03' },
  { name: '0012-miner-hotkeys', sqlite: '5919cf22d1bd3bc3', postgres: 'd63317a192a1a7fb' },
  { name: '0013-scores-in-groups', sqlite: '3114f74ed2defa1a', postgres: '3114f74ed2defa1a' },
  { name: '0014-competitions', sqlite: '637eaae408ebcfd8', postgres: 'd66b57eb5f6abe89' },
];

it('the migrations that have shipped stay as they are, with the same names in both dialects', () => {
  const hashed = (statements: readonly string[] = []) =>
    createHash('sha256').update(statements.join(';\n')).digest('hex').slice(0, 16);
  const [sqlite, postgres] = [resultMigrations(SQLITE), resultMigrations(POSTGRES)];
  const names = Object.keys({ ...sqlite, ...postgres });
  const found = names.map((name) => ({ name, sqlite: hashed(sqlite[name]), postgres: hashed(postgres[name]) }));
  expect(found).toEqual(SHIPPED);
});

describe.skipIf(!HAS_POSTGRES)(`results on PostgreSQL${HAS_POSTGRES ? '' : ' (skipped: no PostgreSQL)'}`, () => {
  let server: TestPostgres;
  let admin: Kysely<ResultTables>;
  beforeAll(async () => {
    server = await startPostgres();
    admin = await connectPostgres(server.url());
    await sql`CREATE USER guarded PASSWORD 'right'`.execute(admin);
    await sql`CREATE USER poor`.execute(admin);
  });
  afterAll(async () => {
    await admin?.destroy();
    await server?.close();
  });

  /** Databases that are empty again: to make one takes a hundred times as long as to empty it. */
  const empty: string[] = [];
  let databases = 0;
  async function emptyDatabase(): Promise<string> {
    const name = empty.pop();
    if (name) return name;
    const made = `results_${++databases}`;
    await sql`CREATE DATABASE ${sql.id(made)}`.execute(admin);
    return made;
  }

  async function postgresPlace(): Promise<ResultsPlace & { url: string }> {
    const name = await emptyDatabase();
    const url = server.url(name);
    const remove = async () => {
      await expect.poll(() => connections(url)).toBe(0);
      const db = await connectPostgres(url);
      await sql`DROP SCHEMA public CASCADE`.execute(db);
      await sql`CREATE SCHEMA public`.execute(db);
      await sql`GRANT USAGE ON SCHEMA public TO PUBLIC`.execute(db);
      await db.destroy();
      empty.push(name);
    };
    return {
      url,
      options: { dataDir: '/nowhere', url },
      connect: () => connectPostgres(url),
      explain: 'EXPLAIN',
      wholeTable: /Seq Scan/,
      remove,
    };
  }

  resultsContract(postgresPlace);
  datasetsContract(postgresPlace);
  competitionContract(postgresPlace);
  genuineContract(postgresPlace);

  /** Results in a database of their own, and a connection of the test’s own to it. */
  async function opened() {
    const place = await postgresPlace();
    const results = new ResultsDb(place.options);
    await results.open();
    const db = await place.connect();
    const dispose = async () => {
      await results.close();
      await db.destroy();
      await place.remove();
    };
    return { results, db, url: place.url, [Symbol.asyncDispose]: dispose };
  }

  const connections = async (url: string) => {
    const database = new URL(url).pathname.slice(1);
    const { rows } = await sql`SELECT 1 FROM pg_stat_activity WHERE datname = ${database}`.execute(admin);
    return rows.length;
  };

  it('leave no connection behind', async () => {
    await using open = await opened();
    const { results, url } = open;
    await Promise.all(Array.from({ length: 8 }, (_, n) => results.add(signedResult({ challengeId: `${n}` }))));
    expect(await connections(url)).toBeGreaterThan(1);
    await results.close();
    await expect.poll(() => connections(url)).toBe(0);
    expect(await lookAtServer(url)).toMatch(/^PostgreSQL \d+/);
    await expect.poll(() => connections(url)).toBe(0);
  });

  it('say so when the server’s disk is full, and go on when there is room again', async () => {
    await using open = await opened();
    const { results, db } = open;
    const body = `BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END`;
    await sql
      .raw(`CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS '${body.replaceAll("'", "''")}'`)
      .execute(db);
    await sql`CREATE TRIGGER full_disk BEFORE INSERT ON results EXECUTE FUNCTION full_disk()`.execute(db);
    await expect(results.add(signedResult())).rejects.toMatchObject({ code: 'DISK_FULL' });
    await sql`DROP TRIGGER full_disk ON results`.execute(db);
    expect(await results.add(signedResult())).toBe(true);
  });

  it('say so when the server dies, even in the middle of a question, and go on when it is back', async () => {
    await using open = await opened();
    const { results, db, url } = open;
    await results.add(signedResult());
    const asking = sql`SELECT pg_sleep(30)`.execute(db).catch((error: unknown) => error);
    await expect.poll(() => connections(url)).toBe(2);
    await server.kill();
    expect(await asking).toBeInstanceOf(Error);
    await expect(results.page()).rejects.toMatchObject({ code: 'DATABASE_UNREACHABLE', retryable: true });
    await server.start();
    expect(await results.page()).toMatchObject([signedResult()]);
  });

  it.each([
    ['a wrong password', 'guarded:wr0ng-pass', 'postgres', /^The database postgres:\/\/guarded@127.*refuses this user/],
    ['a name that no database has', 'postgres', 'nothing', /no database of this name/],
  ])('are not opened with %s, and no password is shown', async (_what, user, database, says) => {
    const url = `postgres://${user}@127.0.0.1:${server.port}/${database}`;
    const attempts = [() => new ResultsDb({ dataDir: '/nowhere', url }).open(), () => lookAtServer(url)];
    for (const attempt of attempts) {
      const error = await attempt().catch((caught: Error) => caught);
      expect(error).toMatchObject({ code: 'CONFIG_INVALID', field: 'database', message: expect.stringMatching(says) });
      expect(inspected(error)).not.toContain('wr0ng');
    }
  });

  it.each(['CREATE', 'ALL'])('are not opened by a user without the right %s to the schema', async (right) => {
    const place = await postgresPlace();
    const db = await place.connect();
    await sql.raw(`REVOKE ${right} ON SCHEMA public FROM PUBLIC`).execute(db);
    await db.destroy();
    const url = place.url.replace('postgres@', 'poor@');
    await expect(new ResultsDb({ dataDir: '/nowhere', url }).open()).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    await place.remove();
  });

  it('can share a database with another program’s migrations', async () => {
    const place = await postgresPlace();
    const db = await place.connect();
    await sql`CREATE TABLE kysely_migration (name text, timestamp text)`.execute(db);
    await sql`INSERT INTO kysely_migration VALUES ('of another program', 'x')`.execute(db);
    await db.destroy();
    const results = new ResultsDb(place.options);
    await results.open();
    expect(await results.means(MOMENT, { signers: ['signer'] })).toEqual([]);
    await results.close();
    await place.remove();
  });
});

describe('a server', () => {
  it('that is not there is named without its password', async () => {
    const url = 'postgres://me:s3cret@127.0.0.1:1/db?password=s3cret';
    const error = await new ResultsDb({ dataDir: '/nowhere', url }).open().catch((caught: Error) => caught);
    expect(error).toMatchObject({
      code: 'DATABASE_UNREACHABLE',
      message: 'The database postgres://me@127.0.0.1:1/db cannot be reached (ECONNREFUSED).',
      hint: expect.any(String),
    });
    expect(inspected(error)).not.toContain('s3cret');
  });

  it.each([
    ['postgres://a:b@h:5/d?sslmode=require&password=x', 'postgres://a@h:5/d'],
    ['postgresql://h/d', 'postgresql://h/d'],
    ['postgres:///d?host=/run/postgresql', 'postgres:///d'],
    ['postgres://u%3As3cret@h:5/d', 'postgres://…@h:5/d'],
    ['postgres:u:s3cret@127.0.0.1/d', 'postgres://…'],
    ['postgres:/u:s3cret@127.0.0.1/d', 'postgres://…'],
    ['postgres:///u:s3cret@127.0.0.1/d', 'postgres://…'],
    ['postgres://u:12/s3cret@127.0.0.1/d', 'postgres://…'],
    ['postgres://u:12#s3cret@127.0.0.1/d', 'postgres://…'],
    ['postgres://u:s3cret/12@127.0.0.1/d', 'postgres://…'],
  ])('%s is shown as %s', (url, shown) => expect(shownUrl(url)).toBe(shown));
});

/** All that a log could show of an error, its causes too. */
function inspected(error: unknown): string {
  return `${JSON.stringify(error)} ${inspect(error, { depth: 10, showHidden: true })}`;
}
