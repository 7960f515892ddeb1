import { oc } from '@orpc/contract';
import { z } from 'zod';

export const creditSummarySchema = z.object({
  /** Credits that can be spent now. */
  available: z.number(),
  /** Set aside for requests in flight. */
  reserved: z.number(),
  spent: z.number(),
  /** Points earned in all, bonuses included: what the tier is read from. */
  points: z.number(),
  tier: z.string(),
  next: z.object({ tier: z.string(), missing: z.number() }).optional(),
  served: z.number(),
  earnedToday: z.number(),
  achievements: z.array(z.object({ id: z.string(), title: z.string(), bonus: z.number(), at: z.number() })),
});
export type CreditSummary = z.infer<typeof creditSummarySchema>;

export const creditEntrySchema = z.object({
  seq: z.number(),
  at: z.number(),
  kind: z.string(),
  requestId: z.string().nullable(),
  /** Change of the own spendable credits. */
  amount: z.number(),
  memo: z.string(),
});
export type CreditEntry = z.infer<typeof creditEntrySchema>;

export const ledgerReportSchema = z.object({
  ok: z.boolean(),
  entries: z.number(),
  receipts: z.number(),
  openReservations: z.number(),
  problems: z.array(z.string()),
});
export type LedgerReport = z.infer<typeof ledgerReportSchema>;

export const creditsContract = {
  summary: oc.output(creditSummarySchema),
  /** The ledger, newest first. */
  entries: oc
    .input(z.object({ limit: z.int().min(1).max(1_000).default(50), before: z.int().min(0).optional() }))
    .output(z.array(creditEntrySchema)),
  /** Proves the ledger: every entry balances, every receipt verifies and is booked once, the hash chain holds. */
  verify: oc.output(ledgerReportSchema),
  /** Works out balances and score anew from the journal, then proves the ledger. */
  rebuild: oc.output(ledgerReportSchema),
};
