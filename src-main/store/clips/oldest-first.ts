import { sql } from 'kysely';
import type { Db } from '../database.ts';

/** A table of which so many rows are kept. */
export interface Bounded {
  table: string;
  /** What is less is older. There is an index of it. */
  by: string;
  most: number;
  /** What is told of the rows that go. Default: nothing. */
  returning?: readonly string[];
}

/**
 * Deletes the oldest rows of what is too much, with those that are as old. Counted is in an index, and only what goes is read: finding the oldest one that stays would pass over all that stay.
 * @returns what went, as far as it is wanted
 */
export async function deleteOldest<Row>(db: Db, { table, by, most, returning = [] }: Bounded): Promise<Row[]> {
  const [of, age] = [sql.table(table), sql.ref(by)];
  const counted = await sql<{ count: number }>`SELECT count(*) AS count FROM ${of}`.execute(db);
  const tooMany = (counted.rows[0]?.count ?? 0) - most;
  if (tooMany <= 0) return [];
  const told = returning.length > 0 ? sql`RETURNING ${sql.join(returning.map((name) => sql.ref(name)))}` : sql``;
  const { rows } = await sql<Row>`DELETE FROM ${of} WHERE ${age} <=
    (SELECT ${age} FROM ${of} ORDER BY ${age} LIMIT 1 OFFSET ${tooMany - 1}) ${told}`.execute(db);
  return rows;
}
