import type { Pledge } from './pledge.ts';
import type { Receipt, ReceiptBody, WorkerReceipt } from './receipt.ts';
import type { Tier } from './tiers.ts';

/** How this node sees another: points that receipts and witnesses confirm, and the tier they stand for. */
export interface Standing {
  points: number;
  tier: Tier;
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
  maxTokens: number;
}

/** What came of a receipt. */
export interface Booking {
  /** Points that it counts for. */
  points: number;
  /** Ids of achievements that it brought. */
  achievements: string[];
  /** It was on the books already: its client has sent it again. */
  repeated: boolean;
}

/** What the mesh worker asks of the credit book. */
export interface WorkerCredits {
  /** From memory, no disk: called for every prompt frame. */
  standing(client: string): Standing;
  /**
   * Sets aside the most that the request can cost, on the client's account at this worker. When it resolves, it
   * survives the death of the process; a restart gives open reservations back.
   * @throws NO_CREDIT with `retryAfterMs` until the next refill; BAD_REQUEST when the request id is taken: by a reservation
   * (an answer that is not countersigned yet keeps it), by a part that was paid, or by a receipt; RATE_LIMIT with `retryAfterMs` when too many new clients have come
   */
  reserve(request: { requestId: string; client: string; host: string; maxTokens: number }): Promise<{ cost: number }>;
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
   * Ends a request without a receipt: what the client signed for is paid, the rest comes back; all of it where the worker itself
   * failed, which costs it a point (see score/points.ts). `reason` is an error's code. Idempotent; no effect after settle.
   */
  release(requestId: string, reason: string): Promise<void>;
}

/** What the mesh client asks of the credit book. */
export interface ClientCredits {
  /** Sets aside the price from this node's own credits. @throws NO_CREDIT */
  reserve(request: { requestId: string; worker: string; maxTokens: number }): Promise<{ cost: number }>;
  /**
   * Signs for what the answer has cost so far. When it resolves, this node knows it after its death, too.
   * @returns the signature, 128 hex
   * @throws BAD_REQUEST when it is more than was set aside
   */
  pledge(pledge: Omit<Pledge, 'client'>): Promise<string>;
  /**
   * Checks the worker's bill against what was seen, signs it, and books it durably before it returns.
   * @throws BAD_REQUEST when the bill does not match what was seen; then nothing is owed beyond what was pledged
   */
  countersign(bill: WorkerReceipt, observed: Observed): Promise<Receipt>;
  /** Ends a request without a receipt: what was signed for is paid, unless the worker itself failed (see score/points.ts). */
  release(requestId: string, reason: string): Promise<void>;
  /** Receipts that this worker has not acknowledged yet: sent again when it is seen. */
  unacknowledged(worker: string): Promise<Receipt[]>;
  acknowledge(requestId: string): Promise<void>;
}
