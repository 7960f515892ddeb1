import { Kysely, PostgresDialect } from 'kysely';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import { SEALED_SERVER } from '../../base/sealed-server.ts';
import { ignoring } from '../../base/swallowed.ts';
import type { ResultTables } from './results-tables.ts';

const CONNECT_TIMEOUT_MS = 10_000;
/** Nothing that we ask takes so long; a server that hangs must not hang us. */
const QUERY_TIMEOUT_MS = 60_000;
const MOST_CONNECTIONS = 4;
/** Of the type `bigint`, in PostgreSQL’s catalogue. */
const BIGINT = 20;

/**
 * Connections to a PostgreSQL server, made when they are needed. The driver is loaded only here: most nodes never need it.
 *
 * @param url `postgres://user:password@host:port/database`, with the driver’s options behind a `?`
 * @throws CONFIG_INVALID when the address is sealed and cannot be read here
 */
export async function connectPostgres(url: string): Promise<Kysely<ResultTables>> {
  if (url === SEALED_SERVER) throw sealed();
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: url,
    max: MOST_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: QUERY_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS + CONNECT_TIMEOUT_MS,
    application_name: 'quarry',
    // The driver gives a bigint as text, because a number may be too small for it. All of ours are below 2^53.
    types: { getTypeParser: (oid, format) => (oid === BIGINT ? Number : pg.types.getTypeParser(oid, format)) },
  });
  const broken = ignoring(
    'a broken connection leaves the pool, and the query on it, or the next one, says what is wrong',
  );
  pool.on('error', broken);
  pool.on('connect', (client) => client.on('error', broken));
  return new Kysely<ResultTables>({ dialect: new PostgresDialect({ pool }) });
}

function sealed(): QuarryError {
  const [message, hint] = [say('results.sealed'), say('results.setAgain')];
  return new QuarryError({ code: 'CONFIG_INVALID', message, hint, field: 'database' });
}

/**
 * The server and its database as a person may see them: without the password, and without options that may hold one. Of a
 * mistyped address, in which the password may stand anywhere, nothing; of a user’s name only a plain one.
 */
export function shownUrl(url: string): string {
  const parsed = /^postgres(ql)?:\/\//.test(url) ? URL.parse(url) : null;
  if (!parsed) return 'postgres://…';
  const { protocol, username, host, pathname, hash } = parsed;
  if (hash || /[@:]|%40|%3a/i.test(pathname) || /%40|%3a/i.test(host)) return `${protocol}//…`;
  const user = /^[\w.-]*$/.test(username) ? username : '…';
  return `${protocol}//${user && `${user}@`}${host}${pathname}`;
}

interface Meaning {
  code: 'CONFIG_INVALID' | 'DATABASE_UNREACHABLE' | 'DISK_FULL';
  says: Saying;
  hint: Saying;
}

const NO_ENTRY: Meaning = {
  code: 'CONFIG_INVALID',
  says: say('results.noEntry'),
  hint: say('results.checkUser'),
};
const NO_DATABASE: Meaning = {
  code: 'CONFIG_INVALID',
  says: say('results.noDatabase'),
  hint: say('results.create'),
};
const NO_RIGHT: Meaning = {
  code: 'CONFIG_INVALID',
  says: say('results.noRight'),
  hint: say('results.grant'),
};
const FULL: Meaning = {
  code: 'DISK_FULL',
  says: say('results.full'),
  hint: say('results.freeSpace'),
};
const SILENT: Meaning = {
  code: 'DATABASE_UNREACHABLE',
  says: say('results.silent'),
  hint: say('results.checkServer'),
};

/** PostgreSQL’s own codes (five characters) and those of Node; of a class, its first two characters. */
const MEANINGS: Record<string, Meaning> = {
  '28P01': NO_ENTRY,
  '28000': NO_ENTRY,
  '3D000': NO_DATABASE,
  '3F000': NO_RIGHT,
  '42501': NO_RIGHT,
  '53100': FULL,
  '08': SILENT,
  '53': SILENT,
  '57': SILENT,
  ECONNREFUSED: SILENT,
  ECONNRESET: SILENT,
  EHOSTUNREACH: SILENT,
  ENETUNREACH: SILENT,
  ENOENT: SILENT,
  ENOTFOUND: SILENT,
  EAI_AGAIN: SILENT,
  EPIPE: SILENT,
  ETIMEDOUT: SILENT,
};

/** What the driver says without a code when nobody answers, or no longer. */
const SILENCE = /timeout|terminated|connection ended|not queryable/i;

/** Turns errors of the server and of the way to it into ones that tell a person what to do; others pass unchanged. */
export function explainPostgresError(error: unknown, place: string): unknown {
  if (error instanceof QuarryError || !(error instanceof Error)) return error;
  const { code = '' } = error as { code?: string };
  const silent = code === '' && SILENCE.test(error.message) ? SILENT : undefined;
  const meaning = MEANINGS[code] ?? MEANINGS[code.slice(0, 2)] ?? silent;
  if (!meaning) return error;
  const why = meaning.says;
  return new QuarryError(
    {
      code: meaning.code,
      message: code ? say('results.refusedWith', { place, why, code }) : say('results.refused', { place, why }),
      hint: meaning.hint,
      retryable: meaning.code === 'DATABASE_UNREACHABLE',
      ...(meaning.code === 'CONFIG_INVALID' && { field: 'database' }),
    },
    { cause: error },
  );
}
