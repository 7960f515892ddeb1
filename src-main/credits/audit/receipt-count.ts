import { sql } from 'kysely';
import type { Pace } from '../../base/pace.ts';
import type { Db } from '../../store/database.ts';

/** Receipts that are counted in one go. */
const AT_ONCE = 20_000;
/** More of them are counted by the first three digits of their ids. */
const SHARES = 0x1000;

/** Place of the last receipt in the order in which they were kept; without one that was taken out by force, that is how many there are. */
export async function lastReceipt(db: Db): Promise<number> {
  const { rows } = await sql<{ place: number | null }>`SELECT MAX(rowid) AS place FROM receipts`.execute(db);
  return rows[0]?.place ?? 0;
}

/** How many receipts are kept up to a place, counted a little at a time. */
export async function countReceipts(db: Db, lastPlace: number, pace: Pace): Promise<number> {
  const shares = lastPlace > AT_ONCE ? SHARES : 1;
  let count = 0;
  for (let share = 0; share < shares; share++) {
    const from = share === 0 ? '' : digits(share);
    const to = share === shares - 1 ? '\u{10ffff}' : digits(share + 1);
    const { rows } = await sql<{ count: number }>`
      SELECT COUNT(*) AS count FROM receipts WHERE id >= ${from} AND id < ${to} AND rowid <= ${lastPlace}`.execute(db);
    count += rows[0]?.count ?? 0;
    await pace.breathe();
  }
  return count;
}

const digits = (share: number) => share.toString(16).padStart(3, '0');
