import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { chainDraftSchema, raoSchema, sentCallSchema } from './chain.ts';
import { errorSchema } from './error-schema.ts';
import { recordingId } from './focus.ts';
import { MAX_APPEAL_CHARS, MAX_TASK_DESCRIPTION_CHARS } from './focus-limits.ts';
import { hexPattern } from './limits.ts';
import { OFFER_KINDS, OFFER_STATES } from './market-names.ts';
import { saidSchema } from './saying-schema.ts';

/** Of what this node buys and offers, made here; and of a video, made by the market. 32 hex. */
const orderId = z.string().regex(hexPattern(16));

/**
 * How far a purchase is. `locking`: the market is asked to keep it for us. `locked`: to be paid. `paying`: somebody said yes, the chain has not told yet. `paid`: final on
 * the chain, and to be told to the market. `bought`: the market has taken the payment, the video is fetched. `fetched`: it is here. `owed`: paid too late, to be paid
 * back, `settled` once that is done. `refused`, `reverted`, `expired`: over without money.
 */
export const PURCHASE_STEPS = [
  'locking',
  'locked',
  'paying',
  'paid',
  'bought',
  'fetched',
  'owed',
  'settled',
  'refused',
  'reverted',
  'expired',
] as const;
export type PurchaseStep = (typeof PURCHASE_STEPS)[number];

/** How far an offer is: `prepared` before anything has left this computer, `sending` until the market has told of it; then as the market says. */
export const OFFER_STEPS = ['prepared', 'sending', ...OFFER_STATES] as const;
export type OfferStep = (typeof OFFER_STEPS)[number];

const kind = z.enum(OFFER_KINDS);

/** A video that may be bought now. */
export const marketVideoSchema = z.object({
  id: orderId,
  title: z.string(),
  description: z.string(),
  kind,
  /** 0 to 1, by the market. */
  score: z.number(),
  price: raoSchema,
  /** ss58 of who would be paid all of it, as the market says; the payment names it once more before it is confirmed. */
  seller: z.string(),
  bytes: z.number(),
  durationMs: z.number(),
});
export type MarketVideo = z.infer<typeof marketVideoSchema>;

/** A purchase, and its receipt. */
export const ownPurchaseSchema = z.object({
  id: orderId,
  video: orderId,
  title: z.string(),
  state: z.enum(PURCHASE_STEPS),
  /** Where it was bought, and the names of whoever pays and signs. */
  url: z.string(),
  wallet: z.string(),
  hotkey: z.string(),
  price: raoSchema,
  /** Addresses of the two, once it is locked. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  bytes: z.number().nullable(),
  sha256: z.string().nullable(),
  /** Of the video that are here. */
  received: z.number(),
  lockedUntil: z.number().nullable(),
  /** The market has it so long. */
  keptUntil: z.number().nullable(),
  /** The payment: id of the call, `0x…`, and its block once nothing can undo that. */
  call: z.object({ id: z.number(), hash: z.string(), block: z.number().nullable() }).nullable(),
  /** On the node's computer. */
  file: z.string().nullable(),
  /** Why it does not go on, or goes on later. */
  error: errorSchema.nullable(),
  createdAt: z.number(),
});
export type OwnPurchase = z.infer<typeof ownPurchaseSchema>;

/** An offer of this node. */
export const ownOfferSchema = z.object({
  id: orderId,
  recording: z.string(),
  title: z.string(),
  description: z.string(),
  kind,
  state: z.enum(OFFER_STEPS),
  url: z.string(),
  /** At most so much is wanted; null for the market's price. */
  wish: raoSchema.nullable(),
  /** Who is paid. */
  seller: z.string(),
  bytes: z.number(),
  sentBytes: z.number(),
  durationMs: z.number(),
  sha256: z.string(),
  /** What the rules on this computer say, 0 to 1; what the market says, once it does. */
  ownScore: z.number(),
  /** What goes along of the score of one’s own model: its value, which model, and where it runs; null where none does. */
  signed: z.object({ score: z.number(), model: z.string(), host: z.string() }).nullable(),
  score: z.number().nullable(),
  price: raoSchema.nullable(),
  /** The market's words: why it was rejected, or what it waits for. */
  reason: z.string().nullable(),
  /** Whether its market can be asked to have a person look at it. */
  mayAppeal: z.boolean(),
  /** Whether it is not on the market yet, and does not go on by itself: `sendOffer` goes on with it, `withdraw` forgets it. */
  rests: z.boolean(),
  /** To be paid back to buyers who paid too late. */
  owed: z.array(z.object({ purchase: z.string(), to: z.string(), amount: raoSchema, isPaying: z.boolean() })),
  error: errorSchema.nullable(),
  createdAt: z.number(),
  changedAt: z.number(),
});
export type OwnOffer = z.infer<typeof ownOfferSchema>;

/** Of amounts of rao that a market tells: more than the chain has, where it makes them up. */
const sumSchema = z.string().regex(/^\d{1,40}$/);

/** How this node stands with its market. */
export const tradeStateSchema = z.object({
  /** What is set; null where nothing is, or not all that is needed. */
  market: z.object({ url: z.string(), key: z.string(), wallet: z.string(), hotkey: z.string() }).nullable(),
  /** Rao that may be spent in 24 hours, and what of it is spent or bound. */
  cap: raoSchema,
  spent: raoSchema,
  /** Those that are not over, and the newest; newest first. All of them come by page: `purchases`, `offers`. */
  purchases: z.array(ownPurchaseSchema),
  offers: z.array(ownOfferSchema),
  /** What came in for all offers, what is about to (somebody has a lock on them), and what is owed back: as the market says it. Rao. */
  earned: z.object({ settled: sumSchema, pending: sumSchema, owed: sumSchema }),
});
export type TradeState = z.infer<typeof tradeStateSchema>;

/** What the market says of itself, and of us. */
export const marketStatsSchema = z.object({
  listed: z.number(),
  day: z.object({ sold: z.number(), spent: raoSchema, budget: raoSchema, left: raoSchema }),
  own: z.object({ spent: raoSchema, share: z.number(), bannedUntil: z.number().nullable() }),
  lockMs: z.number(),
  maxVideoBytes: z.number(),
});

export const marketShelfSchema = z.object({
  videos: z.array(marketVideoSchema),
  madeAt: z.number(),
  stats: marketStatsSchema,
});
export type MarketShelf = z.infer<typeof marketShelfSchema>;

/** What would happen if a video was bought. */
export const dryRunSchema = z.object({
  video: marketVideoSchema,
  /** ss58 of who would pay; null where that cannot be told. */
  from: z.string().nullable(),
  /** Rao: what that has now, and what of the limit of a day would be left; null where it cannot be told, or is too little. */
  balance: raoSchema.nullable(),
  capLeft: raoSchema.nullable(),
  /** Until it would have to be paid. */
  lockMs: z.number(),
  /** What would be done, one after the other. */
  steps: z.array(z.object({ text: z.string(), said: saidSchema })),
  /** Why it would not come about. */
  obstacles: z.array(errorSchema),
});
export type DryRun = z.infer<typeof dryRunSchema>;

export const offerStepSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('progress'), done: z.number() }),
  z.object({ type: z.literal('prepared'), offer: ownOfferSchema }),
]);
export type OfferPreparation = z.infer<typeof offerStepSchema>;

export const tradeDemoStepSchema = z.object({
  /** `failure`: what is meant to go wrong went wrong, and nobody lost anything by it. */
  kind: z.enum(['note', 'done', 'failure']),
  text: z.string(),
  said: saidSchema,
});
export type TradeDemoStep = z.infer<typeof tradeDemoStepSchema>;

const one = z.object({ id: orderId });
const page = z.object({ before: orderId.optional(), limit: z.int().min(1).max(100).default(50) });

/** A market of videos, as whoever buys and sells there sees it. */
export const tradeContract = {
  /** How this node stands with its market, now and whenever that changes. Asks nobody. */
  watch: oc.output(eventIterator(tradeStateSchema)),
  state: oc.output(tradeStateSchema),
  /** What was bought, by page, newest first. @param before id of the last one that is known */
  purchases: oc.input(page).output(z.object({ purchases: z.array(ownPurchaseSchema), more: z.boolean() })),
  /** What is offered, likewise. */
  offers: oc.input(page).output(z.object({ offers: z.array(ownOfferSchema), more: z.boolean() })),
  /** What may be bought now. */
  list: oc.output(marketShelfSchema),
  /** What would happen; spends and locks nothing. */
  dryRun: oc.input(z.object({ video: orderId })).output(dryRunSchema),
  /** Locks a video. @throws BAD_REQUEST with the field `cap` where the limit of a day does not allow it; what the market says */
  buy: oc.input(z.object({ video: orderId, price: raoSchema })).output(ownPurchaseSchema),
  /** The payment of a purchase that is locked. */
  draftPayment: oc.input(one).output(chainDraftSchema),
  /** Gives back to a buyer what came too late. @param purchase as the offer's `owed` has it */
  draftRepayment: oc.input(one.extend({ purchase: orderId })).output(chainDraftSchema),
  /** Signs and sends one of these drafts: as the chain's own `send`. */
  pay: oc
    .input(
      z.object({ id: z.string(), password: z.string().max(1_024).nullable(), typed: z.string().max(100).optional() }),
    )
    .output(eventIterator(sentCallSchema)),
  /** Gives a lock back before it is paid. */
  revert: oc.input(one).output(ownPurchaseSchema),
  /** Forgets a lock that is not paid, and tells the market nothing. */
  drop: oc.input(one).output(ownPurchaseSchema),
  /** Goes on with a purchase that rests. */
  goOn: oc.input(one).output(ownPurchaseSchema),
  /** Makes the video of a recording, and says what would be sent where. Nothing leaves this computer. */
  prepareOffer: oc
    .input(
      z.object({
        recording: recordingId,
        wish: raoSchema.nullable().default(null),
        /** ss58 of who is to be paid. Default: the wallet that is set. */
        seller: z.string().max(64).optional(),
        /** In the place of the recording's description. */
        note: z.string().max(MAX_TASK_DESCRIPTION_CHARS).optional(),
      }),
    )
    .output(eventIterator(offerStepSchema)),
  /** Sends what was prepared, and goes on with what rests. */
  sendOffer: oc.input(one).output(ownOfferSchema),
  /** Has a person of the market look at what its model rejected. @throws what the market says, such as that it has the video no more */
  appeal: oc.input(one.extend({ note: z.string().trim().min(1).max(MAX_APPEAL_CHARS) })).output(ownOfferSchema),
  /** Takes an offer back, or forgets what was prepared. */
  withdraw: oc.input(one).output(z.void()),
  /** The whole way of a video without money: a real market and real desks in this process, a simulated chain, a made-up recording. Nothing of it stays. */
  demo: oc.input(z.object({ withFailures: z.boolean().default(false) })).output(eventIterator(tradeDemoStepSchema)),
};
