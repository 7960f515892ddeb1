import { z } from 'zod';
import type { Offer } from '../../../../store/market/market-rows.ts';
import { chainProofSchema, scoreCardSchema } from '../wire.ts';

/** A task as a market has it. */
export interface OfferedTask {
  title: string;
  description: string;
  /** What a score is multiplied by; 1 where the task is not boosted. */
  multiplier: number;
}

const proofSchema = z.object({
  scoreCard: scoreCardSchema,
  chain: chainProofSchema,
  /** Of the market’s own list, when it was offered. */
  multiplier: z.number().min(1).default(1),
  /** Of the seller’s own model, as its node signed it; null where that was not told. */
  ownScore: z.number().nullable().default(null),
  /** What the market’s own model said. */
  scored: z.object({ score: z.number(), reason: z.string() }).optional(),
  /** What its seller says against that. */
  appeal: z.string().optional(),
  /** What it shows the same as, for the person who looks. */
  alike: z.string().optional(),
});
/** What is kept beside an offer. */
export type Proof = z.infer<typeof proofSchema>;

export const proofText = (proof: Proof): string => JSON.stringify(proof);

export const proofOf = ({ proof }: Pick<Offer, 'proof'>): Proof => proofSchema.parse(JSON.parse(proof));
