import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { boundedArray } from './bounded.ts';
import { earningTodaySchema, forecastSchema, MOST_FORECASTS } from './earning.ts';
import { saidSchema } from './saying-schema.ts';

/** By what a worker decides whom it serves, and how soon: what it owes, or points that others confirm (for a mesh of friends). */
export const CREDIT_RULES = ['claims', 'witnessed'] as const;
export type CreditRule = (typeof CREDIT_RULES)[number];

export const creditSummarySchema = z.object({
  /** Credits that can be spent: what others should owe this node, by its own record. */
  available: z.number(),
  /** What this node owes others, in all: they may spend it here. */
  owed: z.number(),
  /** What requests in flight may cost. */
  reserved: z.number(),
  spent: z.number(),
  /** Points earned in all, bonuses included: what the tier is read from. */
  points: z.number(),
  tier: z.string(),
  next: z.object({ tier: z.string(), missing: z.number() }).optional(),
  served: z.number(),
  /** Points, since midnight where the machine stands. */
  earnedToday: z.number(),
  /** Points of the last seven days, today included. */
  earnedWeek: z.number(),
  /** Points where the present tier begins. */
  tierFrom: z.number(),
  /** Answers that were served, but whose clients have not signed for them yet: requests, credits set aside for them, and points they would count for. */
  pending: z.object({ requests: z.number(), credits: z.number(), points: z.number() }),
  rule: z.enum(CREDIT_RULES),
  /**
   * What strangers are served on trust: what that came to in all; what has come back of all that others owed this node; the most that
   * those of one address range may have had, and what of that is forgiven a day.
   */
  gifts: z.object({ given: z.number(), back: z.number(), most: z.number(), perDay: z.number() }),
  achievements: z.array(z.object({ id: z.string(), title: z.string(), bonus: z.number(), at: z.number() })),
});
export type CreditSummary = z.infer<typeof creditSummarySchema>;

export const creditEntrySchema = z.object({
  seq: z.number(),
  at: z.number(),
  kind: z.string(),
  requestId: z.string().nullable(),
  /** Change of what others owe this node. */
  amount: z.number(),
  /** Change of the own points. */
  points: z.number(),
  /** What happened, from this node's view. */
  happened: z.string(),
  said: saidSchema,
});
export type CreditEntry = z.infer<typeof creditEntrySchema>;

export const ledgerReportSchema = z.object({
  ok: z.boolean(),
  entries: z.number(),
  receipts: z.number(),
  openReservations: z.number(),
  /** Up to this entry all was proven before and not read again; absent where everything was read. */
  provenBefore: z.number().optional(),
  problems: z.array(z.string()),
  /** By a problem’s place among them: `said[0]`. */
  said: saidSchema,
});
export type LedgerReport = z.infer<typeof ledgerReportSchema>;

/** How the look at database and ledger stands that a node takes by itself, while it works. */
export const ledgerCheckSchema = z.object({
  /** `failed`: it could not be made. */
  state: z.enum(['waiting', 'running', 'sound', 'damaged', 'failed']),
  /** Unix milliseconds: since when that is so. */
  since: z.number(),
  /** Whether the node before did not come to its end. */
  unclean: z.boolean(),
  /** Entries that were read so far, of how many; 0 of 0 as long as the file itself is read. */
  read: z.number(),
  entries: z.number(),
  problems: z.array(z.string()),
  /** By a problem’s place among them. */
  said: saidSchema,
});
export type LedgerCheckReport = z.infer<typeof ledgerCheckSchema>;

/** Which entries of the ledger are wanted. */
export const entryFilterSchema = z.object({
  kinds: boundedArray(z.string().max(40), 20).optional(),
  /** Unix milliseconds: from here, and up to but without there. */
  from: z.number().optional(),
  to: z.number().optional(),
});
export type EntryFilter = z.infer<typeof entryFilterSchema>;

export const daySchema = z.object({
  /** Midnight where the machine stands, Unix milliseconds. */
  at: z.number(),
  points: z.number(),
  /** Requests that this node served. */
  requests: z.number(),
  /** Credits that it spent. */
  spent: z.number(),
});
export type CreditDay = z.infer<typeof daySchema>;

/** Where the points come from: sums over the whole ledger. */
export const pointSourcesSchema = z.object({
  speed: z.number(),
  complexity: z.number(),
  quality: z.number(),
  bonuses: z.number(),
  /** Taken for failures; 0 or less. */
  penalties: z.number(),
  /** Points of receipts that did not count, by why. */
  uncounted: z.object({ pairCap: z.number(), tooOld: z.number() }),
});
export type PointSources = z.infer<typeof pointSourcesSchema>;

/** What each model has done for the mesh lately, by the receipts of this node’s last answers: a thousand at most. */
export const modelStatisticsSchema = z.object({
  /** How many answers that is, and when the first of them was given: Unix milliseconds, null without any. */
  answers: z.number(),
  since: z.number().nullable(),
  /** The one with the most answers first. */
  models: z
    .array(
      z.object({
        name: z.string(),
        answers: z.number(),
        /** Written, in all. */
        tokens: z.number(),
        /** While it wrote: the middle of its answers; null where none was long enough to tell. */
        tokensPerSecond: z.number().nullable(),
        points: z.number(),
        /** An hour of serving with it, over the last seven days; null with too few data. */
        pointsPerHour: z.number().nullable(),
        /** Unix milliseconds. */
        lastAt: z.number(),
      }),
    )
    .max(100),
});
export type ModelStatistics = z.infer<typeof modelStatisticsSchema>;

/** A request that this node served. Its text is kept nowhere. */
export const servedRequestSchema = z.object({
  requestId: z.string(),
  at: z.number(),
  client: z.string(),
  model: z.string(),
  promptTokens: z.number().optional(),
  completionTokens: z.number(),
  processingMs: z.number(),
  points: z.number(),
});
export type ServedRequest = z.infer<typeof servedRequestSchema>;

/** Those who have served this node, and what it owes them for that: the greatest debt first. */
export const trustedPeersSchema = z.object({
  peers: z.array(
    z.object({
      peer: z.string(),
      /** Credits that it may spend here. */
      owed: z.number(),
      /** Credits that it has served this node in all. */
      served: z.number(),
      /** Where its requests stand here. */
      tier: z.string(),
    }),
  ),
  /** How many there are. */
  total: z.number(),
  /** Credits that this node owes all of them. */
  owed: z.number(),
});
export type TrustedPeers = z.infer<typeof trustedPeersSchema>;

/** Those who should owe this node something for what it has served them, by its own record: the greatest debt first. */
export const debtorsSchema = z.object({
  peers: z.array(
    z.object({
      peer: z.string(),
      /** Credits that this node may spend there. */
      owes: z.number(),
      /** Whether it is connected now; absent where this node is on no mesh. */
      inReach: z.boolean().optional(),
    }),
  ),
  /** How many there are. */
  total: z.number(),
  /** Credits that all of them owe. */
  owes: z.number(),
  /** … and those of them that are connected now. */
  inReach: z.number().optional(),
});
export type Debtors = z.infer<typeof debtorsSchema>;

/** Which part of a list is wanted. */
const pageSchema = z
  .object({ limit: z.int().min(1).max(200).default(20), offset: z.int().min(0).default(0) })
  .default({ limit: 20, offset: 0 });

export const creditsContract = {
  summary: oc.output(creditSummarySchema),
  /** The ledger, newest first. */
  entries: oc
    .input(
      entryFilterSchema.extend({ limit: z.int().min(1).max(1_000).default(50), before: z.int().min(0).optional() }),
    )
    .output(z.array(creditEntrySchema)),
  /** The kinds of entries that there are; those of before the claims where this ledger has some. */
  kinds: oc.output(z.array(z.string())),
  /** The ledger as CSV, oldest first, in pieces. */
  csv: oc.input(entryFilterSchema.default({})).output(eventIterator(z.string())),
  /** The last days, today last; days without anything are there too. */
  days: oc
    .input(z.object({ days: z.int().min(1).max(366).default(30) }).default({ days: 30 }))
    .output(z.array(daySchema)),
  sources: oc.output(pointSourcesSchema),
  /** What today has brought, what kept it from bringing more, and how that compares. */
  today: oc.output(earningTodaySchema),
  /** What each model that this node has or could have would bring a day. */
  forecasts: oc.output(z.array(forecastSchema).max(MOST_FORECASTS)),
  /** Who is trusted here, and why: a page. */
  trusted: oc.input(pageSchema).output(trustedPeersSchema),
  /** Who owes this node something, how much, and whether it is in reach: a page. */
  debtors: oc.input(pageSchema).output(debtorsSchema),
  /** What this node served last, newest first. */
  served: oc
    .input(z.object({ limit: z.int().min(1).max(200).default(20) }).default({ limit: 20 }))
    .output(z.array(servedRequestSchema)),
  /** The same by model, as sums. */
  byModel: oc.output(modelStatisticsSchema),
  /** A signal whenever the ledger grew; at most once a second. */
  watch: oc.output(eventIterator(z.object({ seq: z.number() }))),
  /**
   * Proves the ledger: every entry balances, every receipt verifies and is booked once, the hash chain holds. It goes on from where the
   * last proof ended, unless everything is wanted.
   */
  verify: oc.input(z.object({ full: z.boolean().default(false) }).default({ full: false })).output(ledgerReportSchema),
  /** What the node has found by itself; null where it was opened for a single command. */
  check: oc.output(ledgerCheckSchema.nullable()),
  /** Works out balances and score anew from the journal, then proves the ledger. */
  rebuild: oc.output(ledgerReportSchema),
};
