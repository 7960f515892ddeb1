import { z } from 'zod';
import { nodeIdSchema, requestIdSchema, signatureSchema } from '../../../src-preload/contract/keys.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { Pace } from '../../base/pace.ts';
import type { Db } from '../../store/database.ts';
import { parseKey } from '../books/entry-keys.ts';
import { type Voucher, voucherBytes } from '../voucher.ts';
import { entriesOfKind } from './entries-of-kind.ts';
import type { Findings } from './findings.ts';
import type { Auditor } from './receipt-audit.ts';

/** Characters of a voucher as the ledger keeps it; an honest one has some six hundred. */
const MOST_CHARS = 2_000;

const voucherSchema = z.strictObject({
  body: z.strictObject({
    kind: z.enum(['claim', 'word']),
    by: nodeIdSchema,
    worker: nodeIdSchema,
    client: nodeIdSchema,
    credits: z.int().min(1),
    serial: requestIdSchema,
    expires: z.int(),
  }),
  sig: signatureSchema,
});

/** The voucher that an entry keeps as its proof; undefined when there is none to be read. */
export function readVoucher(memo: string): Voucher | undefined {
  if (memo.length > MOST_CHARS) return undefined;
  try {
    return voucherSchema.parse(JSON.parse(memo));
  } catch {
    return undefined; // the audit tells of it as a finding
  }
}

/** Holds the signatures (after entry `from` of the range, up to `upTo`) of vouchers that moved claims against who must have made them. */
export async function auditVouchers(
  db: Db,
  auditor: Auditor,
  range: { from: number; upTo: number },
  findings: Findings,
  pace: Pace,
): Promise<void> {
  for await (const { seq, key, memo } of entriesOfKind(db, 'standing', range, pace)) {
    const what = parseKey(key)?.what;
    if (what !== 'voucher' && what !== 'taken') continue;
    const party = what === 'taken' ? 'worker' : 'by';
    const voucher = readVoucher(memo);
    if (!voucher) continue; // its amounts have nothing to show: that has been told
    const { body, sig } = voucher;
    const genuine = body[party] === auditor.id && auditor.verify(body.by, voucherBytes(body), sig);
    if (!genuine) findings.add(say('ledger.voucherVoid', { seq: String(seq) }));
  }
}
