import { say } from '../../../src-preload/contract/saying.ts';
import type { Pace } from '../../base/pace.ts';
import type { EntryRow, Side } from '../../store/credits/ledger-tables.ts';
import { findReceipt } from '../../store/credits/receipts.ts';
import type { Db } from '../../store/database.ts';
import { parseKey } from '../books/entry-keys.ts';
import { findPart, findUnpledged } from '../books/parts.ts';
import { fromRow } from '../books/receipt-row.ts';
import { pledgeBytes } from '../pledge.ts';
import type { Findings } from './findings.ts';
import type { Auditor } from './receipt-audit.ts';

/** Rows, or numbers of entries, that are looked at in one go. */
const PAGE = 500;

/** Holds the signatures (after entry `from`, up to `upTo`) under which parts of answers were paid against whoever must have made them. */
export async function auditPledges(
  db: Db,
  auditor: Auditor,
  { from, upTo }: { from: number; upTo: number },
  findings: Findings,
  pace: Pace,
): Promise<void> {
  for (let after = from; ; ) {
    const rows = await db
      .selectFrom('pledges')
      .innerJoin('ledger_entries', 'ledger_entries.seq', 'pledges.entry')
      .select(['entry', 'prompt_hash', 'credits', 'sig', 'key', 'memo', 'request_id'])
      .where('entry', '>', after)
      .where('entry', '<=', upTo)
      .orderBy('entry')
      .limit(PAGE)
      .execute();
    for (const { entry, prompt_hash, credits, sig, key, memo, request_id } of rows) {
      await pace.breathe();
      const { side, peer } = partiesOf(key, memo);
      const [worker, client] = side === 'worker' ? [auditor.id, peer] : [peer, auditor.id];
      const said = { requestId: request_id ?? '', worker, client, promptHash: prompt_hash, credits };
      if (!side || !auditor.verify(client, pledgeBytes(said), sig))
        findings.add(say('ledger.pledgeVoid', { entry: String(entry) }));
    }
    const last = rows.at(-1);
    if (!last) return;
    after = last.entry;
  }
}

/** Who pledged: an entry of before the claims has the other node in its memo. */
function partiesOf(key: string, memo: string): { side?: Side; peer: string } {
  const entry = parseKey(key);
  if (entry?.what === 'part') return entry;
  return entry?.what === 'reserve' ? { side: entry.side, peer: memo } : { peer: '' };
}

/** Looks whether requests of which something was drawn that nobody had pledged were paid more than once by a receipt that came later. */
export async function auditUnpledged(
  db: Db,
  { id }: Pick<Auditor, 'id'>,
  range: { from: number; upTo: number },
  findings: Findings,
  pace: Pace,
): Promise<void> {
  for await (const { seq, key, request_id } of releases(db, range, pace)) {
    const entry = parseKey(key);
    if (entry?.what !== 'unpledged') continue;
    if (entry.requestId !== request_id || (await overpaid(db, id, entry))) {
      const fault = say('ledger.nothingToShow', { kind: 'release' });
      findings.add(say('ledger.entryFault', { seq: String(seq), fault }));
    }
  }
}

/** Entries after `from`, up to `upTo`, that end something without a receipt: in their order and a few at a time. */
async function* releases(
  db: Db,
  { from, upTo }: { from: number; upTo: number },
  pace: Pace,
): AsyncGenerator<Pick<EntryRow, 'seq' | 'key' | 'request_id'>, void, undefined> {
  for (let after = from; after < upTo; after += PAGE) {
    const rows = await db
      .selectFrom('ledger_entries')
      .select(['seq', 'key', 'request_id'])
      .where('seq', '>', after)
      .where('seq', '<=', Math.min(after + PAGE, upTo))
      .where('kind', '=', 'release')
      .orderBy('seq')
      .execute();
    for (const row of rows) {
      yield row;
      await pace.breathe();
    }
    await pace.breathe();
  }
}

/** Two clients may have chosen the same id, and one of them have paid. */
async function overpaid(db: Db, worker: string, request: { client: string; requestId: string }): Promise<boolean> {
  const { client, requestId } = request;
  const receipt = await findReceipt(db, worker, requestId);
  if (receipt?.client !== client || receipt.charged === 0) return false;
  const part = (await findPart(db, client, requestId))?.credits ?? 0;
  return receipt.charged + part + (await findUnpledged(db, client, requestId)) > fromRow(receipt).body.cost;
}
