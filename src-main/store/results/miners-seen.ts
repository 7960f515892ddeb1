import type { Insertable, Kysely } from 'kysely';
import type { ResultRow, ResultTables } from './results-tables.ts';

/** Miners that are looked up in one statement. */
const TOGETHER = 500;

/** Keeps when miners came to be known, beside the results that tell of them: these are forgotten one day, and who was first is to stay the first. */
export async function noteMiners(
  db: Kysely<ResultTables>,
  rows: readonly Pick<Insertable<ResultRow>, 'miner' | 'created_at'>[],
): Promise<void> {
  const firsts = new Map<string, number>();
  for (const { miner, created_at: at } of rows) firsts.set(miner, Math.min(firsts.get(miner) ?? at, at));
  // In one order for everybody, as the results are written.
  const seen = [...firsts]
    .map(([miner, first_at]) => ({ miner, first_at }))
    .sort((a, b) => (a.miner < b.miner ? -1 : 1));
  await db
    .insertInto('miners_seen')
    .values(seen)
    .onConflict((conflict) => conflict.column('miner').doNothing())
    .execute();
}

/** When the first result of each of these miners came about, Unix milliseconds. */
export async function firstSeen(
  db: Kysely<ResultTables>,
  miners: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const firsts = new Map<string, number>();
  for (let from = 0; from < miners.length; from += TOGETHER) {
    const some = miners.slice(from, from + TOGETHER);
    const rows = await db.selectFrom('miners_seen').selectAll().where('miner', 'in', some).execute();
    for (const { miner, first_at } of rows) firsts.set(miner, first_at);
  }
  return firsts;
}
