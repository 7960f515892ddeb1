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
   * (an answer that is not countersigned yet keeps it) or by a receipt; RATE_LIMIT with `retryAfterMs` when too many new clients have come
   */
  reserve(request: { requestId: string; client: string; maxTokens: number }): Promise<{ cost: number }>;
  /** Prices and signs what was served: from now on the client owes it. */
  bill(served: Served): WorkerReceipt;
  /**
   * Books a receipt that both have signed: once, whatever how often it comes.
   * @throws BAD_REQUEST when it is void: with the field `receipt` when its client must have known that (a signature or a formula
   * is wrong), with another when an honest client may have met with it (this node's clock was set back; the id is taken)
   */
  settle(receipt: Receipt): Promise<Booking>;
  /**
   * Gives a reservation back. Idempotent; no effect after settle. `reason` is an error's code: faults of the worker itself
   * (see score/points.ts) cost it a point. A request that was served but not countersigned is not given back: the client owes it.
   */
  release(requestId: string, reason: string): Promise<void>;
}

/** What the mesh client asks of the credit book. */
export interface ClientCredits {
  /** Sets aside the price from this node's own credits. @throws NO_CREDIT */
  reserve(request: { requestId: string; worker: string; maxTokens: number }): Promise<{ cost: number }>;
  /**
   * Checks the worker's bill against what was seen, signs it, and books it durably before it returns.
   * @throws BAD_REQUEST when the bill does not match what was seen; then nothing is owed
   */
  countersign(bill: WorkerReceipt, observed: Observed): Promise<Receipt>;
  release(requestId: string, reason: string): Promise<void>;
  /** Receipts that this worker has not acknowledged yet: sent again when it is seen. */
  unacknowledged(worker: string): Promise<Receipt[]>;
  acknowledge(requestId: string): Promise<void>;
}
