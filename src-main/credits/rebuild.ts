import { sql } from 'kysely';
import { rebuildOwnEntries } from '../store/own-entries.ts';
import type { Trx } from '../store/writer.ts';
import { saveScore } from './own-score.ts';
import { ScoreReplay, type ScoreState } from './score.ts';
import { readScoredEvents } from './scored-events.ts';

const PAGE = 200;

/**
 * Throws away what follows from the journal and works it out anew: balances, open reservations, the own history
 * and this node's score. The journal and the receipts are not touched.
 */
export async function rebuildProjections(trx: Trx): Promise<void> {
  await sql`DELETE FROM balances`.execute(trx);
  await sql`INSERT INTO balances SELECT account, SUM(amount) FROM postings GROUP BY account`.execute(trx);
  await sql`DELETE FROM reservations`.execute(trx);
  // A `reserve` entry has the role in its key, the other node in its memo, and the amount on an account «…:reserved».
  await sql`
    INSERT INTO reservations (role, request_id, peer, amount, entry)
    SELECT substr(key, 9, 6), request_id, memo, amount, seq
    FROM ledger_entries AS entry JOIN postings ON entry = seq AND account GLOB '*:reserved'
    WHERE kind = 'reserve' AND NOT EXISTS (SELECT 1 FROM ledger_entries WHERE closes = entry.seq)`.execute(trx);
  await rebuildOwnEntries(trx);
  await saveScore(trx, await scoreAnew(trx));
}

async function scoreAnew(trx: Trx): Promise<ScoreState> {
  const replay = new ScoreReplay();
  let events = await readScoredEvents(trx, 0, PAGE);
  for (let last = events.at(-1); last; last = events.at(-1)) {
    for (const event of events) {
      if (event.type === 'receipt') replay.receipt(event.receipt.body);
      else replay.failure();
    }
    events = await readScoredEvents(trx, last.seq, PAGE);
  }
  return replay.state;
}
