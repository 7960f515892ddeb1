import type { Db } from './database.ts';
import { entriesUnder } from './ledger.ts';
import type { PledgeRow } from './ledger-tables.ts';
import type { Trx } from './writer.ts';

/** Credits that were signed for under a reservation; 0 when nothing was. @param entry the `reserve` entry */
export async function pledgedUnder(db: Db, entry: number): Promise<number> {
  const row = await db.selectFrom('pledges').select('credits').where('entry', '=', entry).executeTakeFirst();
  return row?.credits ?? 0;
}

/** Credits that were signed for by request id, under all its reservations. @param prefix what their keys begin with */
export async function pledgedByKey(db: Db, prefix: string): Promise<number> {
  const { credits } = await entriesUnder(db, prefix)
    .innerJoin('pledges', 'pledges.entry', 'ledger_entries.seq')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('credits'), eb.val(0)).as('credits'))
    .executeTakeFirstOrThrow();
  return credits;
}

/** Keeps the greatest that was signed for. */
export async function savePledge(trx: Trx, row: PledgeRow): Promise<void> {
  await trx
    .insertInto('pledges')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('entry')
        .doUpdateSet({ credits: row.credits, sig: row.sig })
        .where('pledges.credits', '<', row.credits),
    )
    .execute();
}

export async function dropPledge(trx: Trx, entry: number): Promise<void> {
  await trx.deleteFrom('pledges').where('entry', '=', entry).execute();
}
