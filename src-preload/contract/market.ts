import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { errorSchema } from './error-schema.ts';
import { hexPattern } from './limits.ts';

const id = z.string().regex(hexPattern(16));
const rao = z.string();

/** A market of videos that this node serves: how it is doing. Amounts are rao, times Unix milliseconds. */
export const marketStateSchema = z.object({
  running: z.boolean(),
  /** Why it could not be opened. */
  error: errorSchema.optional(),
  /** ss58 of the hotkey in whose name it sells, and the port it listens on; null while it does not. */
  market: z.string().nullable(),
  port: z.number().nullable(),
  /** Whether videos are scored: nothing comes into the list without that. */
  scores: z.boolean(),
  /** How many there are in each state; those without are left out. */
  offers: z.record(z.string(), z.number()),
  purchases: z.record(z.string(), z.number()),
  /** Of videos on the disk. */
  bytes: z.number(),
  /** Of the last 24 hours: what was sold and spent, what may be spent, and what of it is left. */
  day: z.object({ sold: z.number(), spent: rao, budget: rao, left: rao }),
  /** Requests since it was opened. */
  answered: z.number(),
  refused: z.array(z.object({ status: z.number(), count: z.number() })),
});
export type MarketState = z.infer<typeof marketStateSchema>;

/** A video that waits for a person of the market. */
export const marketReviewSchema = z.object({
  id,
  title: z.string(),
  description: z.string(),
  seller: z.string(),
  score: z.number(),
  reason: z.string(),
  durationMs: z.number(),
  bytes: z.number(),
  since: z.number(),
});
export type MarketReview = z.infer<typeof marketReviewSchema>;

export const marketContract = {
  state: oc.output(marketStateSchema),
  /** How it stands, now and whenever it is opened or closed. */
  watch: oc.output(eventIterator(marketStateSchema)),
  /** Videos that wait for a person, the oldest first. */
  reviews: oc.output(z.array(marketReviewSchema)),
  /** A person has looked at one. @param reason for the seller, where it is refused */
  judge: oc
    .input(z.object({ id, accept: z.boolean(), reason: z.string().trim().max(500).default('') }))
    .output(z.void()),
};
