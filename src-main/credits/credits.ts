import { type ErrorCode, QuarryError } from '../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../src-preload/contract/saying.ts';
import type { Ending } from './ending.ts';
import type { Pledge } from './pledge.ts';
import type { Receipt, ReceiptBody, WorkerReceipt } from './receipt.ts';
import type { Tier } from './tiers.ts';
import type { Voucher, VouchWish } from './voucher.ts';

/** How this node sees another: points that receipts and witnesses confirm, and the tier of its claim here. */
export interface Standing {
  points: number;
  tier: Tier;
}

/** Where the credits for a request come from. */
export const FUNDS = [
  /** What this node owes the client. */
  'claim',
  /** A gift to the client's network prefix, before those to others: somebody has vouched for it by word. */
  'word',
  /** A gift to the client's network prefix. */
  'gift',
  /** A gift among friends, without limit: where everybody is served (`credits.rule`). */
  'friend',
] as const;
export type Funds = (typeof FUNDS)[number];

/** Credits that are set aside for a request, and where they come from. */
export interface Funding {
  readonly funds: Funds;
  /** How soon it is served. */
  readonly tier: Tier;
  readonly client: string;
  readonly prefix: string;
  readonly credits: number;
}

/** What a worker tells a client of its standing there. */
export interface Terms {
  /** Credits that the worker owes the client, in all: what is set aside for requests that have not ended is among them. */
  owed: number;
  /** Credits that the worker would give to the client's network prefix now. */
  gift: number;
  /** 32 hex. */
  salt: string;
  /** Whose vouchers the worker takes, at most 256: the first 8 bytes of SHA-256 over the salt and the id, both as text; 16 hex. */
  voices: string[];
}

/** What was served, as the worker measured it; points, cost and signatures are added by the credit book. */
export type Served = Omit<ReceiptBody, 'v' | 'worker' | 'points' | 'cost'>;

/** What the client saw with its own eyes and clock, to hold against the worker's bill. */
export interface Observed {
  requestId: string;
  worker: string;
  promptHash: string;
  resultHash: string;
  promptChars: number;
  resultChars: number;
  /** Milliseconds between sending the prompt and the end of the answer, by the client's clock. */
  elapsedMs: number;
  /** Milliseconds between the first chunk and the end of the answer, by the client's clock; 0 when it came in one piece. */
  streamMs: number;
  /** Tokens of the answer, as the worker told with its end: no more than may be in what came. */
  completionTokens: number;
  /** Where the worker said that the credits for the request come from; a gift where it said nothing. */
  funds: Funds;
}

/** What came of a receipt. */
export interface Booking {
  /** Points that it counts for. */
  points: number;
  /** Ids of achievements that it brought. */
  achievements: string[];
  /** It was paid out of what this node owes its client, or is a friend's: no gift. */
  earned: boolean;
  /** It was on the books already: its client has sent it again. */
  repeated: boolean;
}

/** What a node once did, out of its own score log. */
export type PastEvent =
  | { type: 'receipt'; receipt: Receipt }
  /** `place` in the log; `at` in Unix milliseconds. */
  | { type: 'failure'; place: number; requestId: string; at: number };

/** What the mesh worker asks of the credit book. */
export interface WorkerCredits {
  /** From memory, no disk: called for every prompt frame. */
  standing(client: string): Standing;
  /**
   * Sets aside the most that the request can cost: from what this node owes its client, else as a gift to the client's network prefix.
   * Takes the vouchers that the client has brought first, if the request can be served by them; what they move is the client's for
   * good, durably. What is set aside is in memory alone: a request that ends before the engine was asked leaves nothing behind.
   * @param request `host`: the address that the client comes from
   * @throws NO_CREDIT with `retryAfterMs` until its prefix may be given so much, without it when that will never be; BAD_REQUEST
   * when the request id is taken: by a request that has not ended (an answer that is not countersigned yet keeps it), by a part
   * that was paid, or by a receipt
   */
  fund(request: {
    requestId: string;
    client: string;
    host: string;
    maxTokens: number;
    vouchers: readonly Voucher[];
  }): Promise<Funding>;
  /**
   * Keeps what the client has signed for so far; when it resolves, that survives the death of the process.
   * @throws BAD_REQUEST when the signature is wrong, or it is more than was set aside
   */
  keepPledge(pledge: Omit<Pledge, 'worker'> & { sig: string }): Promise<void>;
  /** Prices and signs what was served: from now on the client owes it. */
  bill(served: Served): WorkerReceipt;
  /**
   * Books a receipt that both have signed: once, whatever how often it comes.
   * @throws BAD_REQUEST when it is void: with the field `receipt` when its client must have known that (a signature or a formula
   * is wrong), with another when an honest client may have met with it (this node's clock was set back; the id is taken)
   */
  settle(receipt: Receipt): Promise<Booking>;
  /**
   * Ends a request without a receipt: what it owes and has used up, see ending.ts; the rest of what was set aside comes back. A failure of
   * the worker itself costs it a point. Idempotent; no effect after settle.
   * @param code of the error that ended it here
   * @param asked tokens that were sent; undefined when the engine was not asked and nobody was put out for the request, or when the bill says it
   */
  release(request: { client: string; requestId: string }, code: ErrorCode, asked?: { streamed: number }): Promise<void>;
  /** What this node tells a client of its standing here. From memory. @param host the address that the client comes from */
  terms(client: string, host: string): Terms;
  /** Credits that newcomers of a network prefix have been given and not yet been forgiven: the least-given goes first. From memory. */
  given(prefix: string): number;
}

/** What any node that has been served is asked for, whether or not it serves the mesh itself. */
export interface VoucherCredits {
  /**
   * Draws what a voucher says from what the client has served this node and from what the worker owes it, or from its trust in the
   * client, and signs it then, durably.
   * @returns undefined when the client may not have it there
   */
  vouch(wish: VouchWish): Promise<Voucher | undefined>;
}

/** A bill that its client does not sign. BAD_REQUEST, with the field `receipt`. */
export class BillRefused extends QuarryError {
  /** Credits that the answer cost all the same: those that were pledged. */
  readonly paid: number;

  constructor(why: Saying, paid: number) {
    super({ code: 'BAD_REQUEST', message: say('credits.refused', { why }), field: 'receipt' });
    this.paid = paid;
  }
}

/** What the mesh client asks of the credit book. */
export interface ClientCredits {
  /** Notes a request: what it can cost at most. Whether it is served is the worker's to say. @throws BAD_REQUEST when the id is taken */
  open(request: { requestId: string; worker: string; maxTokens: number }): Promise<void>;
  /**
   * Signs for what the answer has cost so far. When it resolves, this node knows it after its death, too.
   * @param pledge `funds`: where the worker said that the credits come from
   * @returns the signature, 128 hex
   * @throws BAD_REQUEST when it is more than the request may cost
   */
  pledge(pledge: Omit<Pledge, 'client'> & { funds: Funds }): Promise<string>;
  /**
   * Checks the worker's bill against what was seen, signs it, and books it durably before it returns.
   * @throws BillRefused when the bill does not match what was seen; then nothing is owed beyond what was pledged
   */
  countersign(bill: WorkerReceipt, observed: Observed): Promise<Receipt>;
  /**
   * Ends a request without a receipt: what of that which was signed for is paid, see ending.ts. Idempotent; no effect after countersign.
   * @returns credits that it cost by this
   */
  release(requestId: string, ending: Ending): Promise<number>;
  /** Receipts that this worker has not acknowledged yet: sent again when it is seen. */
  unacknowledged(worker: string): Promise<Receipt[]>;
  acknowledge(requestId: string): Promise<void>;
  /** Credits that the worker should owe this node, by its own record: an expectation, and no right. From memory. */
  owedBy(worker: string): number;
  /**
   * Who of those that are there has been served by this node and may vouch for it at the worker whose terms these are. From memory. New
   * terms of one worker count 20 s after the last that did.
   */
  waysTo(worker: string, terms: Pick<Terms, 'salt' | 'voices'>, there: Iterable<string>): string[];
  /**
   * A peer has vouched for this node: it owes it so much less, and the worker so much more. Durable. If the worker does not take the
   * voucher, its terms will say so.
   */
  vouched(by: string, worker: string, credits: number): Promise<void>;
  /** A worker has said what it owes this node: less than was expected is taken as it is. Durable where it changes anything. */
  corrected(worker: string, credits: number): Promise<void>;
}
