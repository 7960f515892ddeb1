import { say } from '../../../src-preload/contract/saying.ts';
import type { Pace } from '../../base/pace.ts';
import type { VoucherRow } from '../../store/credits/ledger-tables.ts';
import { vouchersBetween } from '../../store/credits/vouchers.ts';
import type { Db } from '../../store/database.ts';
import { parseKey } from '../books/entry-keys.ts';
import { type Voucher, voucherBytes, voucherSchema } from '../voucher.ts';
import type { Findings } from './findings.ts';
import type { Auditor } from './receipt-audit.ts';

/** The voucher that a row holds; undefined when it is none. */
export function readVoucher({
  kind,
  by,
  worker,
  client,
  credits,
  serial,
  expires,
  sig,
}: VoucherRow): Voucher | undefined {
  const body = { kind, by, worker, client, credits, serial, expires };
  return voucherSchema.safeParse({ body, sig }).data; // of one that is none the audit tells as a finding
}

/** Entries whose vouchers are looked for in one go. */
const STEP = 500;

/** Holds the signatures of vouchers that moved claims (by entries after `from`, up to `upTo`) against who must have made them. */
export async function auditVouchers(
  db: Db,
  auditor: Auditor,
  { from, upTo }: { from: number; upTo: number },
  findings: Findings,
  pace: Pace,
): Promise<void> {
  for (let after = from; after < upTo; after += STEP) {
    for (const row of await vouchersBetween(db, after, Math.min(after + STEP, upTo))) {
      await pace.breathe();
      const voucher = readVoucher(row);
      const party = PARTY[parseKey(row.key ?? '')?.what ?? ''];
      const genuine =
        voucher !== undefined &&
        party !== undefined &&
        voucher.body[party] === auditor.id &&
        auditor.verify(voucher.body.by, voucherBytes(voucher.body), voucher.sig);
      if (!genuine) findings.add(say('ledger.voucherVoid', { seq: String(row.entry) }));
    }
    await pace.breathe();
  }
}

/** As whom this node stands in a voucher, by the entry that books it. */
const PARTY: Record<string, 'by' | 'worker'> = { voucher: 'by', taken: 'worker' };
