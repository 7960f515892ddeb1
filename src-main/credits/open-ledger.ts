import type { Logger } from 'pino';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { say } from '../../src-preload/contract/saying.ts';
import type { Db } from '../store/database.ts';
import { pruneOutbox } from '../store/receipts.ts';
import type { Trx, Writer } from '../store/writer.ts';
import { OWN } from './accounts.ts';
import { type Allowance, payAllowance } from './allowance.ts';
import { rebuildProjections } from './rebuild.ts';
import type { Auditor } from './receipt-audit.ts';
import { releaseOrphans } from './reservations.ts';
import { dayOf, LATE_MS } from './score.ts';
import { verifyLedger } from './verify-ledger.ts';

export interface LedgerOptions {
  db: Db;
  writer: Writer;
  auditor: Auditor;
  allowance: Allowance;
  /** Unix milliseconds. */
  now: () => number;
  log: Logger;
}

/**
 * Readies a ledger for work: what a process that died had set aside is given back, and a node new to credits gets its
 * grant. Where balances or reservations stand in the way because they are not what the journal gives, they are worked out
 * anew first.
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

async function settleUp(trx: Trx, { allowance, now, log }: LedgerOptions): Promise<void> {
  await payAllowance(trx, OWN, allowance, now());
  await pruneOutbox(trx, dayOf(now() - LATE_MS));
  const orphans = await releaseOrphans(trx, now());
  if (orphans > 0) log.warn({ orphans }, 'gave back credits that were set aside when the node stopped');
}

async function sound(
  { db, writer, auditor }: Pick<LedgerOptions, 'db' | 'writer' | 'auditor'>,
  work: (trx: Trx) => Promise<void>,
): Promise<void> {
  try {
    await writer.run(work);
  } catch (error) {
    if (!breaksRule(error)) throw error;
    const { problems } = await verifyLedger(db, auditor);
    throw damaged(problems, error);
  }
}

/** Whether the database refused something because the ledger would not add up. */
function breaksRule(error: unknown): error is Error {
  return error instanceof Error && String((error as { code?: unknown }).code).startsWith('SQLITE_CONSTRAINT');
}

function damaged([problem, ...others]: string[], cause: Error): QuarryError {
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
