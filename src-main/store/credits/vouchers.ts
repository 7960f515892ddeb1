import type { Db } from '../database.ts';
import type { Trx } from '../writer.ts';
import type { VoucherRow } from './ledger-tables.ts';

/** Keeps a voucher for good, as the proof of the entry that books it. */
export async function keepVoucher(
  trx: Trx,
  entry: number,
  { body, sig }: { body: Omit<VoucherRow, 'entry' | 'sig'>; sig: string },
): Promise<void> {
  const { kind, by, worker, client, credits, serial, expires } = body;
  await trx.insertInto('vouchers').values({ entry, kind, by, worker, client, credits, serial, expires, sig }).execute();
}

/** Those that are kept after entry `after`, up to `upTo`, with the keys of their entries; null where there is no such entry. */
export async function vouchersBetween(
  db: Db,
  after: number,
  upTo: number,
): Promise<(VoucherRow & { key: string | null })[]> {
  return await db
    .selectFrom('vouchers')
    .leftJoin('ledger_entries', 'ledger_entries.seq', 'vouchers.entry')
    .selectAll('vouchers')
    .select('key')
    .where('entry', '>', after)
    .where('entry', '<=', upTo)
    .orderBy('entry')
    .execute();
}
