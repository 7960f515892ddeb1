import { sql } from 'kysely';
import type { Logger } from 'pino';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say, type Words } from '../../../src-preload/contract/saying.ts';
import { dropForgiven } from '../../store/credits/gifts.ts';
import { rebuildOwnEntries } from '../../store/credits/own-entries.ts';
import { rebuildScoredEvents } from '../../store/credits/proofs.ts';
import { pruneOutbox } from '../../store/credits/receipts.ts';
import type { Db } from '../../store/database.ts';
import type { Trx, Writer } from '../../store/writer.ts';
import type { Auditor } from '../audit/receipt-audit.ts';
import { verifyLedger } from '../audit/verify-ledger.ts';
import { rebuildReservations, releaseReservations } from '../books/before-claims.ts';
import { saveScore } from '../books/own-score.ts';
import { endOpenPledges } from '../books/parts.ts';
import { readScoredEvents } from '../books/scored-events.ts';
import { dayOf, LATE_MS, ScoreReplay, type ScoreState } from '../score/score.ts';
import type { GiftRule } from '../standing/gifts.ts';

/** Events read at a time while a score is worked out anew. */
const PAGE = 200;

export interface LedgerOptions {
  db: Db;
  writer: Writer;
  auditor: Auditor;
  gifts: GiftRule;
  /** Unix milliseconds. */
  now: () => number;
  log: Logger;
}

/**
 * Readies a ledger for work: requests of a process that died are ended by what was signed for. Where balances or reservations stand in
 * the way because they are not what the journal gives, they are worked out anew first.
 *
 * @throws DISK_FULL; DATABASE_CORRUPT with what is wrong when the journal itself is damaged
 */
export async function openLedger(options: LedgerOptions): Promise<void> {
  const { writer, log } = options;
  try {
    await writer.run((trx) => settleUp(trx, options));
  } catch (error) {
    if (!breaksRule(error)) throw error;
    log.warn({ err: error }, 'balances or reservations are not what the journal gives: working them out anew');
    await rebuildLedger(options);
    await sound(options, (trx) => settleUp(trx, options));
  }
}

/**
 * Works out anew what follows from the journal.
 *
 * @throws DISK_FULL; DATABASE_CORRUPT with what is wrong when the journal itself is damaged
 */
export async function rebuildLedger(options: Pick<LedgerOptions, 'db' | 'writer' | 'auditor'>): Promise<void> {
  await sound(options, rebuildProjections);
}

/**
 * Throws away what follows from the journal and works it out anew: balances, open reservations, the own history
 * and this node's score. The journal and the receipts are not touched.
 */
async function rebuildProjections(trx: Trx): Promise<void> {
  await sql`DELETE FROM balances`.execute(trx);
  await sql`INSERT INTO balances SELECT account, SUM(amount) FROM postings GROUP BY account`.execute(trx);
  await rebuildReservations(trx);
  await rebuildOwnEntries(trx);
  await rebuildScoredEvents(trx);
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

async function settleUp(trx: Trx, { gifts, now, log }: LedgerOptions): Promise<void> {
  await pruneOutbox(trx, dayOf(now() - LATE_MS));
  await dropForgiven(trx, gifts.perDay, now());
  const requests = (await releaseReservations(trx, now())) + (await endOpenPledges(trx, gifts, now()));
  if (requests > 0) log.warn({ requests }, 'ended requests that ran or were not signed for when the node stopped');
}

async function sound(
  { db, writer, auditor }: Pick<LedgerOptions, 'db' | 'writer' | 'auditor'>,
  work: (trx: Trx) => Promise<void>,
): Promise<void> {
  try {
    await writer.run(work);
  } catch (error) {
    if (!breaksRule(error)) throw error;
    const { problems, said } = (await verifyLedger(db, auditor)).report;
    throw damaged(
      problems.map((problem, index) => said?.[index] ?? problem),
      error,
    );
  }
}

/** Whether the database refused something because the ledger would not add up. */
function breaksRule(error: unknown): error is Error {
  return error instanceof Error && String((error as { code?: unknown }).code).startsWith('SQLITE_CONSTRAINT');
}

function damaged([problem, ...others]: Words[], cause: Error): QuarryError {
  const params = { problem: problem ?? cause.message };
  return new QuarryError(
    {
      code: 'DATABASE_CORRUPT',
      message:
        others.length > 0
          ? say('credits.damagedMore', { ...params, more: others.length })
          : say('credits.damaged', params),
      hint: say('credits.restore'),
    },
    { cause },
  );
}
