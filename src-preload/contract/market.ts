import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { errorSchema } from './error-schema.ts';
import { videoTicketSchema } from './focus.ts';
import { MAX_JUDGED_CHARS } from './focus-limits.ts';
import { hexPattern } from './limits.ts';
import { OFFER_KINDS } from './market-names.ts';

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
  /** Whether videos are scored at the market that is open, as was set when it was opened: nothing comes into the list without that. */
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

const share = z.number().min(0).max(1);

/** A video that waits for a person of the market. */
export const marketReviewSchema = z.object({
  id,
  title: z.string(),
  description: z.string(),
  kind: z.enum(OFFER_KINDS),
  /** Of a boosted task, by the market’s own list; else 1. */
  multiplier: z.number(),
  seller: z.string(),
  /** 0 to 1: what counts where nobody says otherwise, what the market’s model said, and why. */
  score: z.number(),
  marketScore: z.number(),
  reason: z.string(),
  /** What the seller’s own model said, signed; null where that was not told. And what its rules said, which nobody can check. */
  sellerScore: z.number().nullable(),
  rulesScore: z.number(),
  /** What its seller says against being rejected; null where that is not why it is here. */
  appeal: z.string().nullable(),
  durationMs: z.number(),
  bytes: z.number(),
  since: z.number(),
  /** On the node’s computer. */
  file: z.string(),
});
export type MarketReview = z.infer<typeof marketReviewSchema>;

/** What a person says of one. */
const wordSchema = z
  .object({
    id,
    accept: z.boolean(),
    /** Default: the one that it has. */
    score: share.optional(),
    /** For the seller. */
    reason: z.string().trim().max(MAX_JUDGED_CHARS).default(''),
  })
  .refine(({ accept, reason }) => accept || reason !== '', { path: ['reason'] });

export const marketContract = {
  state: oc.output(marketStateSchema),
  /** How it stands, now and whenever it is opened or closed. */
  watch: oc.output(eventIterator(marketStateSchema)),
  /** Videos that wait for a person, the oldest first. */
  reviews: oc.output(z.array(marketReviewSchema)),
  /** A way to the video of one. */
  video: oc.input(z.object({ id })).output(videoTicketSchema),
  /** A person has looked at one, and decides: refused, it wants a reason. @throws BAD_REQUEST where it does not wait any more, or is worth too little to be listed */
  judge: oc.input(wordSchema).output(z.void()),
};
