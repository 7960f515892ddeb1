import { z } from 'zod';
import {
  MAX_APPEAL_CHARS,
  MAX_TASK_DESCRIPTION_CHARS,
  MAX_TASK_TITLE_CHARS,
} from '../../../../src-preload/contract/focus-limits.ts';
import { listedTaskId } from '../../../../src-preload/contract/focus-task-kinds.ts';
import { hexPattern } from '../../../../src-preload/contract/limits.ts';
import { OFFER_KINDS, OFFER_STATES, PURCHASE_STATES } from '../../../../src-preload/contract/market-names.ts';
import { ss58Schema } from '../../../bittensor/address-schema.ts';
import { signedScoreSchema } from '../focus/signed-score.ts';

/**
 * What buyers and sellers of videos say to a market, and what it answers. Every request is signed: see `bittensor/signed-requests`. Amounts are rao, as decimal text;
 * times are Unix milliseconds; hashes are hex without `0x`, but for those of the chain.
 */

/** All paths begin with it. */
export const MARKET_PATH = '/market/1';
/** A JSON body, at most. */
export const MAX_MARKET_BODY_BYTES = 64 * 1024;
/** A piece of a video that is uploaded, at most. */
export const MAX_PIECE_BYTES = 4 * 1024 * 1024;
/** A video, at most; a market may take less: see {@link termsSchema}. */
export const MAX_VIDEO_BYTES = 4 * 1024 ** 3;
/** A page of the list, of offers, and of purchases. */
export const MOST_LISTED = 100;

const HASH = hexPattern(32);
const U64 = 2n ** 64n - 1n;
/** @param most characters */
const line = (most: number) => z.string().trim().min(1).max(most);
const time = z.int().min(0);
/** What a market says: no more of it than a person reads, or fits a page. */
const title = z.string().max(MAX_TASK_TITLE_CHARS);
const count = z.number().min(0).max(Number.MAX_SAFE_INTEGER);
const videoBytes = z.int().min(1).max(MAX_VIDEO_BYTES);
const MAX_REASON_CHARS = 2_000;
const MAX_MESSAGE_CHARS = 4_000;
/** Debts of one offer. */
const MOST_OWED = 100;
const hex32 = z.string().regex(hexPattern(32));
const hex64 = z.string().regex(hexPattern(64));
const chainHash = z
  .string()
  .startsWith('0x')
  .refine((text) => HASH.test(text.slice(2)), 'no hash of the chain');
export const raoSchema = z
  .string()
  .regex(/^(0|[1-9]\d{0,19})$/, { abort: true })
  .refine((text) => BigInt(text) <= U64, 'more than the chain can hold');
/** Of offers and purchases: 32 hex, made by the market. An offer’s is its video’s. */
export const marketIdSchema = z.string().regex(hexPattern(16));

/** What the seller’s own computer says of the video. The market believes none of it: it scores by itself. */
export const scoreCardSchema = z.strictObject({
  /** Of the rules that made it. */
  version: line(40),
  score: z.number().min(0).max(1),
  at: time,
  /** Which task, by its id in the market’s list of that kind; none of kind `user`. Title and description are taken from there. */
  task: listedTaskId.optional(),
  /** The seller’s own score, by a model, of just this chain and this title and description: the lower one of the two counts. Where it is missing, the market’s counts alone. */
  signed: signedScoreSchema.optional(),
  /** The node that signed it: see `signing.ts`. */
  node: hex32,
  signature: hex64,
});

/** The end of the chain that the recorder signed chunk by chunk. */
export const chainProofSchema = z.strictObject({
  chunks: z.int().min(1).max(20_000),
  startedAt: time,
  node: hex32,
  /** Link of the last chunk. */
  link: hex32,
  signature: hex64,
});

/** `POST /offers`. @see offerSchema for the answer, 201 */
export const submitSchema = z.strictObject({
  title: line(MAX_TASK_TITLE_CHARS),
  description: z.string().trim().max(MAX_TASK_DESCRIPTION_CHARS),
  kind: z.enum(OFFER_KINDS),
  /** Paid at most so much, where the market’s price would be more; null takes its price. */
  wish: raoSchema.nullable(),
  /** Who is paid. */
  seller: ss58Schema,
  sha256: hex32,
  bytes: z.int().min(1_024).max(MAX_VIDEO_BYTES),
  durationMs: z
    .int()
    .min(1)
    .max(24 * 3_600_000),
  scoreCard: scoreCardSchema,
  chain: chainProofSchema,
});
export type Submit = z.infer<typeof submitSchema>;

/** `POST /offers/<id>/appeal`: a person of the market shall look at what its model rejected; once, and as long as the video is kept. Answers {@link offerSchema}. */
export const appealSchema = z.strictObject({
  /** What was overlooked. */
  note: line(MAX_APPEAL_CHARS),
});

/** An own offer: `GET /offers/<id>`, and what changes it answers. */
export const offerSchema = z.object({
  id: marketIdSchema,
  state: z.enum(OFFER_STATES),
  title,
  kind: z.enum(OFFER_KINDS),
  seller: ss58Schema,
  sha256: hex32,
  bytes: videoBytes,
  durationMs: count,
  /** Where the upload goes on: `PUT /offers/<id>/bytes` with `content-range: bytes <from>-<last>/<all>`, pieces of at most {@link MAX_PIECE_BYTES}. */
  nextByte: count,
  /** 0 to 1, by the market; null until it is there. */
  score: z.number().min(0).max(1).nullable(),
  /** What a buyer pays, all of it to the seller; null until it has a score. It does not change then. */
  price: raoSchema.nullable(),
  /** Why it was rejected, or what it waits for; in English, from the market. */
  reason: z.string().max(MAX_REASON_CHARS).nullable(),
  /** What the seller owes back to buyers who paid too late, the oldest first. */
  owed: z
    .array(
      z.object({
        purchase: marketIdSchema,
        to: ss58Schema,
        amount: raoSchema,
        paidIn: z.object({ block: count, extrinsic: chainHash }),
      }),
    )
    .max(MOST_OWED),
  createdAt: time,
  changedAt: time,
});
export type OfferView = z.infer<typeof offerSchema>;

/** `GET /offers?before=`: own ones, newest first. */
export const offersSchema = z.object({ offers: z.array(offerSchema).max(MOST_LISTED), more: z.boolean() });
/** `?before=`: `createdAt` of the last one that is known. */
export const pageSchema = z.strictObject({ before: z.coerce.number().int().min(0).optional() });

/** `GET /list`: what may be bought now. */
export const listSchema = z.object({
  videos: z
    .array(
      z.object({
        id: marketIdSchema,
        title,
        description: z.string().max(MAX_TASK_DESCRIPTION_CHARS),
        kind: z.enum(OFFER_KINDS),
        score: z.number().min(0).max(1),
        /** What is paid, neither more nor less. */
        price: raoSchema,
        /** Who gets it: all of it, straight from the buyer. */
        seller: ss58Schema,
        bytes: videoBytes,
        durationMs: count,
      }),
    )
    .max(MOST_LISTED),
  madeAt: time,
});
export type MarketList = z.infer<typeof listSchema>;

/** `POST /purchases`. @see purchaseSchema for the answer, 201; 200 where the same buyer has it locked already */
export const purchaseWishSchema = z.strictObject({
  video: marketIdSchema,
  /** As the list showed it: at another price nothing is bought (409). */
  price: raoSchema,
});

/** An own purchase: `GET /purchases/<id>`. */
export const purchaseSchema = z.object({
  id: marketIdSchema,
  state: z.enum(PURCHASE_STATES),
  video: marketIdSchema,
  title,
  sha256: hex32,
  bytes: videoBytes,
  /** Pay exactly this, from the coldkey `from` (the owner of the hotkey that signed) to `to`, in one transfer. */
  price: raoSchema,
  from: ss58Schema,
  to: ss58Schema,
  /** A payment in a block up to this one does not count; nor in one after `untilBlock`. */
  afterBlock: count,
  untilBlock: count,
  createdAt: time,
  /** When the lock ends by itself. */
  lockedUntil: time,
  /** The payment that counted; null where none did yet. */
  payment: z.object({ block: count, extrinsic: chainHash, at: time }).nullable(),
  /** The transfer back of a payment that came too late, where it is `settled`. */
  paidBack: z.object({ block: count, extrinsic: chainHash }).nullable().default(null),
  /** What to do next. `verify`: whoever has paid says so, now or again. `fetch`: the video is there until `keptUntil`. `wait`: it is owed back. */
  next: z.enum(['verify', 'fetch', 'wait', 'nothing']),
  keptUntil: time.nullable(),
  /** Locks in a row that ended without money, and how many make a ban. */
  failures: z.object({ inARow: count, ban: count }),
});
export type PurchaseView = z.infer<typeof purchaseSchema>;

/** `GET /purchases?before=`: own ones, newest first. */
export const purchasesSchema = z.object({ purchases: z.array(purchaseSchema).max(MOST_LISTED), more: z.boolean() });

/**
 * `POST /purchases/<id>/verify`: it is paid. Answers {@link purchaseSchema} in the state `paid` or `owed`, never an error with 200: 425 while the block is not
 * final (ask again after `retryAfter`), 400 `PAYMENT` with why where it does not count, 503 where the chain does not answer. It may be
 * asked again; who tells of too many payments that are none waits (429).
 *
 * `POST /offers/<id>/owed/<purchase>/settle`: the seller has paid back; the same body. Answers {@link offerSchema}.
 */
export const paidSchema = z.strictObject({
  /** Number of the block. */
  block: z.int().min(1).max(0xffff_ffff),
  /** Hash of the call in it. */
  extrinsic: chainHash,
});
export type Paid = z.infer<typeof paidSchema>;

/** `GET /stats`. */
export const statsSchema = z.object({
  /** Who serves it, as in every signature. */
  market: ss58Schema,
  /** Hash of the chain’s first block that payments are looked for in. */
  chain: chainHash,
  terms: z.object({
    /** How long a lock lasts, how many in a row may end without money, and how long a ban lasts. */
    lockMs: count,
    failures: count,
    banMs: count,
    /** Locks of one buyer (coldkey) at a time, and in 24 h, paid or not. */
    locksAtOnce: count,
    purchasesADay: count,
    maxVideoBytes: count,
    /** How long after it was sold a video can be fetched. */
    keepMs: count,
  }),
  /** Of the last 24 h. */
  day: z.object({
    sold: count,
    spent: raoSchema,
    /** What may be spent in 24 h, and what of it is left, without what is locked now. */
    budget: raoSchema,
    left: raoSchema,
  }),
  listed: count,
  /** Of who asks. */
  own: z.object({ spent: raoSchema, share: count, bannedUntil: time.nullable() }),
});
export type MarketStats = z.infer<typeof statsSchema>;

/** `GET /tasks`: what the market wants recordings of, in the order in which it wants them. */
export const tasksSchema = z.object({
  tasks: z
    .array(
      z.object({
        id: listedTaskId,
        title: line(MAX_TASK_TITLE_CHARS),
        description: z.string().trim().max(MAX_TASK_DESCRIPTION_CHARS),
      }),
    )
    .max(MOST_LISTED),
});
export type MarketTask = z.infer<typeof tasksSchema>['tasks'][number];

export const MARKET_ERRORS = [
  /** 400: what was sent makes no sense. */
  'BAD_REQUEST',
  /** 400: the payment does not count. */
  'PAYMENT',
  /** 401: not signed as it should be, too old, or used before. */
  'UNAUTHORIZED',
  /** 403: another’s, or not for this hotkey. */
  'FORBIDDEN',
  /** 403, with `retryAfter`. */
  'BANNED',
  'NOT_FOUND',
  /** 409: not in this state. */
  'CONFLICT',
  /** 409: somebody else has a lock on it, with `retryAfter` until when at most. */
  'LOCKED',
  /** 409: the price is another by now. */
  'PRICE',
  /** 410: sold, withdrawn, or no longer kept. */
  'GONE',
  'TOO_LARGE',
  /** 425: not final yet. */
  'TOO_EARLY',
  /** 429: too many requests, locks, purchases or uploads. */
  'RATE_LIMIT',
  /** 429: the market has spent what it may in a day. */
  'BUDGET',
  /** 503: the chain does not answer, the disk is full, or the market closes. */
  'UNAVAILABLE',
  /** 500. */
  'INTERNAL',
] as const;
export type MarketErrorCode = (typeof MARKET_ERRORS)[number];

/** Every answer that is none of the above. The header `retry-after` says the same in seconds. */
export const marketErrorSchema = z.object({
  error: z.object({
    code: z.enum(MARKET_ERRORS),
    /** In English. */
    message: z.string().max(MAX_MESSAGE_CHARS),
    /** The field at fault. */
    field: z.string().max(MAX_MESSAGE_CHARS).optional(),
    /** Milliseconds. */
    retryAfter: z.number().max(Number.MAX_SAFE_INTEGER).optional(),
  }),
});
export type MarketErrorBody = z.infer<typeof marketErrorSchema>['error'];

/**
 * The one list of routes, below {@link MARKET_PATH}. `GET /purchases/<id>/video` answers the bytes, with `range` as HTTP has it; `DELETE /offers/<id>` withdraws.
 */
export const MARKET_ROUTES = {
  submit: 'POST /offers',
  offers: 'GET /offers',
  offer: 'GET /offers/:id',
  upload: 'PUT /offers/:id/bytes',
  withdraw: 'DELETE /offers/:id',
  appeal: 'POST /offers/:id/appeal',
  settle: 'POST /offers/:id/owed/:purchase/settle',
  list: 'GET /list',
  purchase: 'POST /purchases',
  purchases: 'GET /purchases',
  purchaseOf: 'GET /purchases/:id',
  verify: 'POST /purchases/:id/verify',
  revert: 'POST /purchases/:id/revert',
  video: 'GET /purchases/:id/video',
  stats: 'GET /stats',
  tasks: 'GET /tasks',
} as const;
