import type { Db } from '../database.ts';
import type { Trx } from '../writer.ts';
import type { OpenPledgeRow, PledgeRow, Side } from './ledger-tables.ts';

type Place = Pick<OpenPledgeRow, 'role' | 'peer' | 'request_id'>;

/** Keeps the greatest that was signed for in a request that has not ended. */
export async function saveOpenPledge(trx: Trx, row: OpenPledgeRow): Promise<void> {
  await trx
    .insertInto('open_pledges')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['role', 'peer', 'request_id'])
        .doUpdateSet({ credits: row.credits, sig: row.sig })
        .where('open_pledges.credits', '<', row.credits),
    )
    .execute();
}

export async function findOpenPledge(db: Db, { role, peer, request_id }: Place): Promise<OpenPledgeRow | undefined> {
  return await db
    .selectFrom('open_pledges')
    .selectAll()
    .where('role', '=', role)
    .where('peer', '=', peer)
    .where('request_id', '=', request_id)
    .executeTakeFirst();
}

/** What was signed for in requests that had not ended when the process before did. */
export async function listOpenPledges(db: Db): Promise<OpenPledgeRow[]> {
  return await db.selectFrom('open_pledges').selectAll().execute();
}

export async function dropOpenPledge(trx: Trx, { role, peer, request_id }: Place): Promise<void> {
  await trx
    .deleteFrom('open_pledges')
    .where('role', '=', role)
    .where('peer', '=', peer)
    .where('request_id', '=', request_id)
    .execute();
}

/** Keeps for good what was signed for, as the proof of the entry that books it. */
export async function keepPledge(trx: Trx, row: PledgeRow): Promise<void> {
  await trx.insertInto('pledges').values(row).execute();
}

/** Credits that an entry is proven by; 0 when there are none. @param entry of a part; before the claims, the `reserve` entry */
export async function pledgedUnder(db: Db, entry: number): Promise<number> {
  const row = await db.selectFrom('pledges').select('credits').where('entry', '=', entry).executeTakeFirst();
  return row?.credits ?? 0;
}

/** Requests are by side, peer and id. */
export const placeOf = (role: Side, peer: string, requestId: string): Place => ({ role, peer, request_id: requestId });
