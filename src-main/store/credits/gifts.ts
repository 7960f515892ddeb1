import { sql } from 'kysely';
import type { Db } from '../database.ts';
import type { Trx } from '../writer.ts';

/** What a network prefix had been given at a time (Unix milliseconds), and not yet been forgiven. */
export interface GiftLevel {
  credits: number;
  at: number;
}

export async function loadGifts(db: Db): Promise<[prefix: string, level: GiftLevel][]> {
  const rows = await db.selectFrom('gifts').selectAll().execute();
  return rows.map(({ network: prefix, credits, at }) => [prefix, { credits, at }]);
}

export async function saveGift(trx: Trx, prefix: string, level: GiftLevel): Promise<void> {
  await trx
    .insertInto('gifts')
    .values({ network: prefix, ...level })
    .onConflict((conflict) => conflict.column('network').doUpdateSet(level))
    .execute();
}

/** Deletes what time has forgiven. @param perDay credits that it forgives a day */
export async function dropForgiven(trx: Trx, perDay: number, now: number): Promise<void> {
  await sql`DELETE FROM gifts WHERE credits <= (${now} - at) / 86400000.0 * ${perDay}`.execute(trx);
}
