import type { Pace } from '../../base/pace.ts';
import type { Db } from '../../store/database.ts';
import type { EntryKind, EntryRow } from '../../store/ledger-tables.ts';

/** Numbers of entries that are looked at in one go. */
const STEP = 500;

/** Entries of a kind, after entry `from` and up to `upTo`, in their order and a few at a time. */
export async function* entriesOfKind(
  db: Db,
  kind: EntryKind,
  { from, upTo }: { from: number; upTo: number },
  pace: Pace,
): AsyncGenerator<Pick<EntryRow, 'seq' | 'key' | 'request_id' | 'memo'>, void, undefined> {
  for (let after = from; after < upTo; after += STEP) {
    const rows = await db
      .selectFrom('ledger_entries')
      .select(['seq', 'key', 'request_id', 'memo'])
      .where('seq', '>', after)
      .where('seq', '<=', Math.min(after + STEP, upTo))
      .where('kind', '=', kind)
      .orderBy('seq')
      .execute();
    for (const row of rows) {
      yield row;
      await pace.breathe();
    }
    await pace.breathe();
  }
}
