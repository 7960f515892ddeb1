import type { Logger } from 'pino';
import type { LedgerReport } from '../../../src-preload/contract/credits.ts';
import { dropCheckpoint, putCheckpoint, readCheckpoint } from '../../store/credits/proofs.ts';
import type { Db } from '../../store/database.ts';
import type { Writer } from '../../store/writer.ts';
import { type Checkpoint, openCheckpoint, signCheckpoint } from '../audit/checkpoint.ts';
import type { Auditor } from '../audit/receipt-audit.ts';
import { type VerifyOptions, verifyLedger } from '../audit/verify-ledger.ts';

export interface ProofOptions extends Omit<VerifyOptions, 'from'> {
  /** Read everything, whatever was proven before. */
  full?: boolean;
  /** Read everything if that was done so many milliseconds ago, or longer. */
  fullAfterMs?: number;
}

export interface ProofTools {
  db: Db;
  writer: Writer;
  auditor: Auditor & { sign(bytes: Uint8Array): string };
  now: () => number;
  log: Logger;
}

/**
 * Proves the ledger from where the last proof ended, and keeps, signed by this node, how far that came. A checkpoint that is forged,
 * broken, another node's or not of this ledger is not believed: then everything is read.
 */
export async function proveLedger(
  tools: ProofTools,
  { full, fullAfterMs, ...options }: ProofOptions = {},
): Promise<LedgerReport> {
  const { db, writer, auditor, now, log } = tools;
  const known = full ? undefined : await lastCheckpoint(tools);
  const isOld = fullAfterMs !== undefined && known !== undefined && now() - known.fullAt >= fullAfterMs;
  const from = isOld ? undefined : known;
  const { report, reached } = await verifyLedger(db, auditor, { ...options, from });
  const resumed = report.provenBefore !== undefined;
  if (from && !resumed)
    log.warn({ entry: from.seq }, 'what was proven of the ledger before does not fit it: all was read');
  if (reached) {
    const fullAt = resumed && from ? from.fullAt : now();
    const row = signCheckpoint({ ...reached, fullAt }, (bytes) => auditor.sign(bytes));
    await writer.run((trx) => putCheckpoint(trx, row), { flush: false });
  } else if (!resumed) await writer.run((trx) => dropCheckpoint(trx), { flush: false });
  return report;
}

async function lastCheckpoint({ db, auditor, log }: ProofTools): Promise<Checkpoint | undefined> {
  const row = await readCheckpoint(db);
  const checkpoint = row && openCheckpoint(row, auditor);
  if (row && !checkpoint) log.warn('what was proven of the ledger before is not in this node’s words: all is read');
  return checkpoint;
}
