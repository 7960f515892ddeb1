import { type Kysely, sql } from 'kysely';
import type { ResultTables } from './results-tables.ts';

/** A place in the results, that of the last one seen. */
export interface Cursor {
  /** Unix milliseconds. */
  createdAt: number;
  id: number;
}

/**
 * How much one statement may have to do with. SQLite works in the thread that asks, and nobody else gets a turn meanwhile:
 * on a slow machine each of these is a matter of about ten milliseconds.
 */
export interface Slice {
  rows: number;
  /** Of payloads, in UTF-8. The row with which they are used up still belongs to it, so there is always one. */
  bytes: number;
}

/** Newest first, as many as a slice holds; whoever asks puts them in order. */
export function pageQuery(db: Kysely<ResultTables>, before: Cursor | undefined, slice: Slice) {
  const rows = db
    .selectFrom('results')
    .$if(before !== undefined, (query) =>
      query.where(sql<boolean>`(created_at, id) < (${before?.createdAt}, ${before?.id})`),
    );
  return db
    .selectFrom('results')
    .selectAll()
    .where('id', 'in', firstOf(db, rows, 'desc', slice));
}

/** By their numbers, as many as a slice holds. */
export function someQuery(db: Kysely<ResultTables>, ids: readonly number[], slice: Slice) {
  const rows = db.selectFrom('results').where('id', 'in', ids);
  return db
    .selectFrom('results')
    .selectAll()
    .where('id', 'in', firstOf(db, rows, 'asc', slice));
}

/** Oldest first, as many as a slice holds. */
export function deleteQuery(db: Kysely<ResultTables>, moment: number, slice: Slice) {
  const rows = db.selectFrom('results').where('created_at', '<', moment);
  return db.deleteFrom('results').where('id', 'in', firstOf(db, rows, 'asc', slice));
}

/** Whether one of these has signed it. */
export const bySigner = (signers: readonly string[]) => sql<boolean>`signer IN (${sql.join(signers)})`;

type Results = ReturnType<typeof fromResults>;
const fromResults = (db: Kysely<ResultTables>) => db.selectFrom('results');

/** The ids of the first results in time. Both databases know how long a text is without reading it. */
function firstOf(db: Kysely<ResultTables>, results: Results, order: 'asc' | 'desc', { rows, bytes }: Slice) {
  const sized = results
    .select(['id', 'created_at', sql<number>`octet_length(payload)`.as('bytes')])
    .orderBy('created_at', order)
    .orderBy('id', order)
    .limit(rows);
  const summed = db
    .selectFrom(sized.as('sized'))
    .select(['id', 'bytes'])
    .select(({ fn }) =>
      fn
        .sum<number>('bytes')
        .over((over) => over.orderBy('created_at', order).orderBy('id', order))
        .as('so_far'),
    );
  return db
    .selectFrom(summed.as('summed'))
    .select('id')
    .where(({ eb, ref }) => eb(ref('so_far'), '<', eb(ref('bytes'), '+', bytes)));
}
