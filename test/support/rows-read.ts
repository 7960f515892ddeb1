import { type CompiledQuery, sql } from 'kysely';
import type { Db } from '../../src-main/store/database.ts';

/**
 * How many entries of its index a query steps over in the first table that it reads, by SQLite's own plan: those that meet what the plan
 * says it searches for. Where nothing has to be sorted, it stops at its limit.
 *
 * @param values what the query compares each column with
 */
export async function rowsRead(
  db: Db,
  query: CompiledQuery,
  values: Record<string, string | number>,
  limit = Number.POSITIVE_INFINITY,
): Promise<number> {
  const { rows } = await db.executeQuery<{ detail: string }>({ ...query, sql: `EXPLAIN QUERY PLAN ${query.sql}` });
  const details = rows.map(({ detail }) => detail);
  const [, table = '', index, terms = ''] =
    /^SEARCH (\w+) USING (?:COVERING )?(?:INDEX (\w+)|PRIMARY KEY) \((.*)\)$/.exec(details[0] ?? '') ?? [];
  if (!table) throw new Error(`This reads a table from end to end: ${details.join('; ')}`);
  const where = terms.replace(/(\w+)([=<>]+)\?/g, (_, column: string, compared: string) => {
    const value = values[column];
    return `"${column}" ${compared} ${typeof value === 'number' ? value : `'${value}'`}`;
  });
  const from = index ? `"${table}" INDEXED BY "${index}"` : `"${table}"`;
  const found = await sql.raw<{ met: number }>(`SELECT COUNT(*) AS met FROM ${from} WHERE ${where}`).execute(db);
  const met = found.rows[0]?.met ?? 0;
  return details.some((detail) => /TEMP B-TREE/.test(detail)) ? met : Math.min(met, limit);
}
