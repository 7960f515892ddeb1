import { z } from 'zod';
import { POLICY_RULES } from './activity.ts';
import { saidSchema } from './saying-schema.ts';

/** What keeps a node from earning more: see docs/credits.md, «Why you earn less than you could». */
export const SHORTFALL_KINDS = [
  /** Answers that would have brought more in half the time. */
  'slow',
  'paused',
  'throttled',
  'stopped',
  'failed',
  /** Other programs needed the processor or the memory. */
  'refusing',
  'alone',
  'off',
  /** Failures of this node's own, each of which costs a point. */
  'penalties',
  /** Requests that were refused because there was no room. */
  'busy',
  /** Answers to those who had asked as often as counts on a day. */
  'pair-cap',
  /** Answers that nobody has signed for yet: their points are waiting, and not missed. */
  'unsigned',
] as const;
export type ShortfallKind = (typeof SHORTFALL_KINDS)[number];

export const shortfallSchema = z.object({
  kind: z.enum(SHORTFALL_KINDS),
  /** Points missed (of `unsigned`: waiting). Absent where there is too little to tell from: then the duration is all that is known. */
  points: z.number().optional(),
  /** Answers, requests or failures that it is about. */
  count: z.number().optional(),
  /** How long that was today, in milliseconds. */
  ms: z.number().optional(),
  rule: z.enum(POLICY_RULES).optional(),
  /** Mining was stopped, or Quarry did not run: told last, and its points are not counted among those that were missed. Absent for all else. */
  ownChoice: z.literal(true).optional(),
  /** What happened, and what that means: a sentence each. */
  text: z.string(),
  why: z.string(),
  said: saidSchema,
  /** Where that is put right: a page’s address, `/settings/policy`, and the setting there. Absent where nobody can. */
  fix: z.object({ path: z.string(), setting: z.string().optional() }).optional(),
});
export type Shortfall = z.infer<typeof shortfallSchema>;

/** Most reasons in one answer. */
export const MOST_SHORTFALLS = 5;

/** What this day has brought, against what it could have and against other days. Days begin at midnight where the machine stands. */
export const earningTodaySchema = z.object({
  /** Midnight, Unix milliseconds. */
  since: z.number(),
  /** Points, bonuses included. */
  earned: z.number(),
  /** Answers that nobody has signed for yet, and what they would count for. */
  waiting: z.object({ answers: z.number(), points: z.number() }),
  /** Requests of others today: answered, failed, or refused because there was no room. */
  asked: z.number(),
  /** What kept it from earning more: most points first, then what only a duration is known of, and last what was the owner’s choice. */
  reasons: z.array(shortfallSchema).max(MOST_SHORTFALLS),
  /** What the durations are reckoned with: points an hour of serving over the last seven days; absent with too few data. */
  pointsPerHour: z.number().optional(),
  /** The median of the last up to four days of the same weekday: whole, and up to this time of day. Absent with fewer than two. */
  usual: z.object({ days: z.number(), points: z.number(), soFar: z.number() }).optional(),
  /** The best of the last seven days, today included; absent where none brought anything. */
  bestDay: z.object({ at: z.number(), points: z.number() }).optional(),
  /** The next tier, and in how many days at the rate of the last seven; those are absent where that is not known. Absent in the last tier. */
  nextTier: z.object({ tier: z.string(), missing: z.number(), days: z.number().optional() }).optional(),
});
export type EarningToday = z.infer<typeof earningTodaySchema>;

/** What a model would probably bring here. Models of which nothing can be said have none. */
export const forecastSchema = z.object({
  /** As the library or the catalogue calls it. */
  model: z.string(),
  /** Points a day. */
  perDay: z.object({ low: z.number(), likely: z.number(), high: z.number() }),
  /** `receipts`: from what this model has brought here; `estimate`: from its speed, for the answers that were asked of this node. */
  basis: z.enum(['receipts', 'estimate']),
  /** What is taken for granted. */
  assumes: z.object({
    /** Hours of serving and answers a day: as over the last seven days. */
    hoursPerDay: z.number(),
    answersPerDay: z.number(),
    /** How many answers it is reckoned from. */
    from: z.number(),
    /** Points an answer. */
    pointsPerAnswer: z.number(),
    /** Of an estimate: how fast it would write. */
    tokensPerSecond: z.number().optional(),
  }),
  /** «About 240 points a day with this model, if …» */
  text: z.string(),
  said: saidSchema,
});
export type Forecast = z.infer<typeof forecastSchema>;

/** Most models in one answer. */
export const MOST_FORECASTS = 200;
