import { type Kysely, sql } from 'kysely';
import type { Cursor } from './results-queries.ts';
import type { ResultTables } from './results-tables.ts';
import type { AskedIn } from './score-tally.ts';
import { MOST_SCORE } from './signed-result.ts';

/** Scores that go into one mean, of one signer: they lie beside each other in an index that has all that a mean needs. */
export interface ScoreGroup extends AskedIn {
  miner: string;
  signer: string;
}

/** A place in the order of groups: behind one of them, or behind all of a miner and a signer. */
export type GroupPlace = ScoreGroup | Pick<ScoreGroup, 'miner' | 'signer'>;

/** Scores of a group in the order of time, from after one of them. */
interface ScoreSlice {
  after: Cursor;
  rows: number;
}

/** The first group behind a place. */
export const nextGroupQuery = (db: Kysely<ResultTables>, after: GroupPlace) =>
  db
    .selectFrom('results')
    .select(['miner', 'signer', 'environment', 'environment_version as version', 'level'])
    .where(isBehind(after))
    .orderBy('miner')
    .orderBy('signer')
    .orderBy('environment')
    .orderBy('environment_version')
    .orderBy('level')
    .limit(1);

function isBehind(after: GroupPlace) {
  if (!('environment' in after)) return sql<boolean>`(miner, signer) > (${after.miner}, ${after.signer})`;
  const { miner, signer, environment, version, level } = after;
  return sql<boolean>`(miner, signer, environment, environment_version, level) > (${miner}, ${signer}, ${environment}, ${version}, ${level})`;
}

/** Scores one by one. */
export const scoresQuery = (db: Kysely<ResultTables>, group: ScoreGroup, { after, rows }: ScoreSlice) =>
  inTime(db, group, after)
    .select(['id', 'created_at', worth.as('score'), 'block'])
    .limit(rows);

/** The same, added up: `at` is of the first. */
export const sumQuery = (db: Kysely<ResultTables>, group: ScoreGroup, { after, rows }: ScoreSlice) =>
  db
    .selectFrom(
      inTime(db, group, after)
        .select([worth.as('score'), 'block', 'created_at'])
        .limit(rows)
        .as('slice'),
    )
    .select(({ fn }) => [
      fn.countAll<number | string>().as('count'),
      fn.sum<number | null>('score').as('sum'),
      // PostgreSQL refuses a square that is smaller than any number there is.
      sql<number | null>`sum(CASE WHEN abs(score) < 1e-150 THEN 0 ELSE score * score END)`.as('squares'),
      sql<number | string | null>`sum(CASE WHEN score = 0 THEN 1 ELSE 0 END)`.as('zeros'),
      sql<number | string | null>`sum(CASE WHEN score < 0 THEN 1 ELSE 0 END)`.as('negatives'),
      fn.min<number | null>('block').as('block'),
      fn.min<number | null>('created_at').as('at'),
    ]);

/** The last of a slice that is full. */
export const sumEndQuery = (db: Kysely<ResultTables>, group: ScoreGroup, { after, rows }: ScoreSlice) =>
  inTime(db, group, after)
    .select(['created_at', 'id'])
    .offset(rows - 1)
    .limit(1);

/** A question that brought no answer is as wrong as a wrong answer. What no validator writes, and no sum could hold, is worth nothing. */
const worth = sql<number>`CASE WHEN success = 1 AND abs(score) <= ${sql.lit(MOST_SCORE)} THEN score ELSE 0 END`;

const inTime = (db: Kysely<ResultTables>, group: ScoreGroup, after: Cursor) =>
  db
    .selectFrom('results')
    .where('miner', '=', group.miner)
    .where('signer', '=', group.signer)
    .where('environment', '=', group.environment)
    .where('environment_version', '=', group.version)
    .where('level', '=', group.level)
    .where(sql<boolean>`(created_at, id) > (${after.createdAt}, ${after.id})`)
    // What JavaScript rounds would be a place before itself, and the walk had no end.
    .where('created_at', '<=', Number.MAX_SAFE_INTEGER)
    .where('id', '<=', Number.MAX_SAFE_INTEGER)
    .orderBy('created_at')
    .orderBy('id');
