import { z } from 'zod';
import { type Saying, say } from './saying.ts';
import { saidSchema } from './saying-schema.ts';

/** The rules of the load policy. */
export const POLICY_RULES = ['battery', 'user', 'gpu', 'heat', 'quiet-hours'] as const;
export type PolicyRule = (typeof POLICY_RULES)[number];

/** What each of them has found, in a few words. */
export const RULE_WORDS: Readonly<Record<PolicyRule, Saying>> = {
  battery: say('activity.rule.battery'),
  user: say('activity.rule.user'),
  gpu: say('activity.rule.gpu'),
  heat: say('activity.rule.heat'),
  'quiet-hours': say('activity.rule.quiet-hours'),
};

/** How far back the history of a node is shown. */
export const HISTORY_RANGES = ['15m', '24h', '7d'] as const;
export type HistoryRange = (typeof HISTORY_RANGES)[number];

/**
 * Why a miner does not serve at full speed: the load policy, its owner, an engine that failed, other programs that need the computer
 * (`refusing`), nobody in reach, or that the computer (or the node) was off.
 */
export const GAP_KINDS = ['paused', 'throttled', 'stopped', 'failed', 'refusing', 'alone', 'off'] as const;
export type GapKind = (typeof GAP_KINDS)[number];

/** Most points, bands and payments in one answer. */
export const MOST_POINTS = 700;
export const MOST_BANDS = 200;
export const MOST_PAYMENTS = 200;

/** A time in which mining was not at full speed. */
export const bandSchema = z.object({
  /** Unix milliseconds, as is `to`: now, while it lasts. */
  from: z.number(),
  to: z.number(),
  /** Whether it lasts still. */
  open: z.boolean(),
  kind: z.enum(GAP_KINDS),
  /** Of a pause or a slower speed: the rule that was met. */
  rule: z.enum(POLICY_RULES).optional(),
  /** A few words for the chart: «Paused: computer in use». */
  reason: z.string(),
  said: saidSchema,
});
export type ActivityBand = z.infer<typeof bandSchema>;

/** What a node did over some time, for a chart. */
export const activityHistorySchema = z.object({
  range: z.enum(HISTORY_RANGES),
  /** Unix milliseconds: where the chart begins, and now. */
  from: z.number(),
  to: z.number(),
  /** How long each of the points stands for, in milliseconds. */
  bucketMs: z.number(),
  /** One for each stretch of `bucketMs`, oldest first. */
  points: z
    .array(
      z.object({
        /** Where the stretch begins, Unix milliseconds. */
        at: z.number(),
        /** Tokens generated for the mesh, over the time that the node was on; null where it was off. */
        tokensPerSecond: z.number().nullable(),
      }),
    )
    .max(MOST_POINTS),
  /** Oldest first; those too short to be seen are left out. */
  bands: z.array(bandSchema).max(MOST_BANDS),
  /** What was paid, together for a time that is as long as `paymentMs`; oldest first. */
  payments: z.array(z.object({ at: z.number(), points: z.number(), answers: z.number() })).max(MOST_PAYMENTS),
  paymentMs: z.number(),
});
export type ActivityHistory = z.infer<typeof activityHistorySchema>;
