import { appendEntry, type Postings } from '../../store/credits/ledger.ts';
import { pledgedUnder } from '../../store/credits/pledges.ts';
import type { Tables } from '../../store/database.ts';
import type { Trx } from '../../store/writer.ts';
import { available, clientHolder, type Holder, OWN, reserved, SCORE_EARNED, SCORE_ISSUED, spent } from './accounts.ts';
import { parseKey, releaseKey } from './entry-keys.ts';
import { STOPPED } from './memos.ts';

/*
 * What entries of before the claims look like: then credits came from grants and points, lay on an account of their holder, and were set
 * aside by an entry. Old ledgers are read and proven as they are; nothing of the kind is booked any more, but for the end of what was
 * set aside then.
 */

/** Credits that were set aside for a request. */
export type Reservation = Tables['reservations'];

/** Who paid for a request: this node itself, or the client that asked it. */
export function payer({ role, peer }: Pick<Reservation, 'role' | 'peer'>): Holder {
  return role === 'client' ? OWN : clientHolder(peer);
}

/** What ended a reservation: what was charged is spent, the rest of what was set aside came back. */
export function settlementPostings(holder: Holder, setAside: number, charged: number): Postings {
  return {
    [reserved(holder)]: -setAside,
    [available(holder)]: setAside - charged,
    [spent(holder)]: charged,
  };
}

/** Points were both: credits to spend, and score. */
export function issuePoints(from: string, points: number): Postings {
  return { [from]: -points, [available(OWN)]: points, [SCORE_ISSUED]: -points, [SCORE_EARNED]: points };
}

/** Works out anew what is set aside: by entries that none has ended. One has the other node in its memo, and the amount on an account «…:reserved». */
export async function rebuildReservations(trx: Trx): Promise<void> {
  await trx.deleteFrom('reservations').execute();
  const open = await trx
    .selectFrom('ledger_entries as entry')
    .innerJoin('postings', (join) => join.onRef('postings.entry', '=', 'entry.seq').on('account', 'like', '%:reserved'))
    .select(['seq', 'key', 'memo', 'amount'])
    .where('kind', '=', 'reserve')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('ledger_entries as end').select('end.seq').whereRef('end.closes', '=', 'entry.seq'))),
    )
    .execute();
  for (const { seq, key, memo, amount } of open) {
    const entry = parseKey(key);
    if (entry?.what !== 'reserve') continue; // an audit tells of it as a finding
    const row = { role: entry.side, request_id: entry.requestId, peer: memo, amount, entry: seq };
    await trx.insertInto('reservations').values(row).execute();
  }
}

/** Ends what an older Quarry had set aside: what was signed for is paid, the rest comes back. @returns how many requests that were */
export async function releaseReservations(trx: Trx, now: number): Promise<number> {
  const open = await trx.selectFrom('reservations').selectAll().execute();
  for (const { entry, role, peer, request_id, amount } of open) {
    const charged = await pledgedUnder(trx, entry);
    await appendEntry(trx, {
      at: now,
      kind: 'release',
      key: releaseKey(entry),
      requestId: request_id,
      closes: entry,
      memo: STOPPED,
      postings: settlementPostings(payer({ role, peer }), amount, charged),
    });
    await trx.deleteFrom('reservations').where('entry', '=', entry).execute();
  }
  return open.length;
}
