import { billFault, receiptFault } from '../../src-main/credits/books/receipt-check.ts';
import type {
  Booking,
  ClientCredits,
  Observed,
  Served,
  Standing,
  WorkerCredits,
} from '../../src-main/credits/credits.ts';
import { type Pledge, pledgeBytes } from '../../src-main/credits/pledge.ts';
import { type Receipt, receiptBytes, type WorkerReceipt } from '../../src-main/credits/receipt.ts';
import { costOf, isGivenBack, pointsFor } from '../../src-main/credits/score/points.ts';
import { tierOf } from '../../src-main/credits/tiers.ts';
import { type Identity, verify } from '../../src-main/mesh/transport/identity.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';

/** Credits set aside for a request, and for whom. */
interface SetAside {
  peer: string;
  amount: number;
}

/** A worker's books in memory: what was reserved, settled and given back, for tests of the mesh alone. See `credits-contract.ts`. */
export class MemoryWorkerCredits implements WorkerCredits {
  readonly reserved = new Map<string, SetAside>();
  readonly settled = new Map<string, Receipt>();
  readonly released = new Map<string, string>();
  /** Points of a node; default 0. */
  readonly points = new Map<string, number>();
  /** Credits that were signed for, by request. */
  readonly pledged = new Map<string, number>();
  /** Clients without credit. */
  readonly broke = new Set<string>();
  readonly #identity: Identity;

  constructor(identity: Identity) {
    this.#identity = identity;
  }

  standing(client: string): Standing {
    const points = this.points.get(client) ?? 0;
    return { points, tier: tierOf(points) };
  }

  async reserve(request: Parameters<WorkerCredits['reserve']>[0]): Promise<{ cost: number }> {
    const { requestId, client: peer, maxTokens } = request;
    if (this.broke.has(peer)) throw new QuarryError({ code: 'NO_CREDIT', message: 'no credit', retryAfterMs: 60_000 });
    if (this.reserved.has(requestId) || this.settled.has(requestId) || this.pledged.has(requestId)) throw idTaken();
    this.reserved.set(requestId, { peer, amount: costOf(maxTokens) });
    return { cost: costOf(maxTokens) };
  }

  async keepPledge({ sig, ...said }: Omit<Pledge, 'worker'> & { sig: string }): Promise<void> {
    const { requestId, client, credits } = said;
    if (!verify(client, pledgeBytes({ ...said, worker: this.#identity.id }), sig))
      throw badRequest('not pledged', 'sig');
    const open = this.reserved.get(requestId);
    if (open?.peer !== client || credits > open.amount) throw badRequest('more than was set aside', 'credits');
    this.pledged.set(requestId, credits);
  }

  bill(served: Served): WorkerReceipt {
    const [points, cost] = [pointsFor(served), costOf(served.completionTokens)];
    const body = { v: 2 as const, ...served, worker: this.#identity.id, points, cost };
    return { body, workerSig: this.#identity.sign(receiptBytes(body)) };
  }

  async settle(receipt: Receipt): Promise<Booking> {
    const { client, requestId, worker, points } = receipt.body;
    if (worker !== this.#identity.id || receiptFault(receipt, verify)) throw badRequest('void', 'receipt');
    const earlier = this.settled.get(requestId);
    if (earlier && !isSame(earlier, receipt)) throw idTaken();
    if ((this.reserved.get(requestId)?.peer ?? client) !== client) throw idTaken();
    this.settled.set(requestId, receipt);
    this.reserved.delete(requestId);
    return { points, achievements: [], repeated: earlier !== undefined };
  }

  async release(requestId: string, reason: string): Promise<void> {
    if (!this.reserved.delete(requestId)) return;
    this.released.set(requestId, reason);
    if (isGivenBack(reason)) this.pledged.delete(requestId);
  }
}

/** A client's books in memory. See `credits-contract.ts`. */
export class MemoryClientCredits implements ClientCredits {
  readonly reserved = new Map<string, SetAside>();
  readonly signed = new Map<string, Receipt>();
  readonly observed: Observed[] = [];
  readonly acknowledged = new Set<string>();
  readonly released = new Map<string, string>();
  credits = 1_000;
  readonly #identity: Identity;

  constructor(identity: Identity) {
    this.#identity = identity;
  }

  async reserve(request: Parameters<ClientCredits['reserve']>[0]): Promise<{ cost: number }> {
    const { requestId, worker: peer, maxTokens } = request;
    const amount = costOf(maxTokens);
    if (this.reserved.has(requestId) || this.signed.has(requestId)) throw idTaken();
    if (this.credits < amount) throw new QuarryError({ code: 'NO_CREDIT', message: 'no credit', retryAfterMs: 60_000 });
    this.credits -= amount;
    this.reserved.set(requestId, { peer, amount });
    return { cost: amount };
  }

  async pledge(pledge: Omit<Pledge, 'client'>): Promise<string> {
    const open = this.reserved.get(pledge.requestId);
    if (open?.peer !== pledge.worker || pledge.credits > open.amount) throw badRequest('nothing set aside', 'receipt');
    return this.#identity.sign(pledgeBytes({ ...pledge, client: this.#identity.id }));
  }

  async countersign(bill: WorkerReceipt, observed: Observed): Promise<Receipt> {
    const { body } = bill;
    const { requestId, resultHash, promptHash, worker } = observed;
    const isMet = body.requestId === requestId && body.worker === worker && body.client === this.#identity.id;
    const isSeen = body.resultHash === resultHash && body.promptHash === promptHash;
    if (!isMet || !isSeen || billFault(bill, verify)) throw badRequest('not what was seen', 'receipt');
    const earlier = this.signed.get(requestId);
    if (earlier && !isSame(earlier, bill)) throw idTaken();
    if (earlier) return earlier;
    const open = this.reserved.get(requestId);
    if (open?.peer !== worker) throw badRequest('nothing set aside', 'receipt');
    const receipt = { ...bill, clientSig: this.#identity.sign(receiptBytes(body)) };
    this.observed.push(observed);
    this.signed.set(requestId, receipt);
    this.credits += open.amount - body.cost;
    this.reserved.delete(requestId);
    return receipt;
  }

  async release(requestId: string, reason: string): Promise<void> {
    const open = this.reserved.get(requestId);
    if (this.reserved.delete(requestId)) this.credits += open?.amount ?? 0;
    this.released.set(requestId, reason);
  }

  async unacknowledged(worker: string): Promise<Receipt[]> {
    const open = [...this.signed.values()].filter(({ body }) => !this.acknowledged.has(body.requestId));
    return open.filter(({ body }) => body.worker === worker).slice(0, 100); // a page, as in the real books
  }

  async acknowledge(requestId: string): Promise<void> {
    this.acknowledged.add(requestId);
  }
}

function isSame(one: WorkerReceipt, other: WorkerReceipt): boolean {
  return Buffer.compare(receiptBytes(one.body), receiptBytes(other.body)) === 0;
}

function idTaken(): QuarryError {
  return badRequest('This request id was used before.', 'requestId');
}

function badRequest(message: string, field: string): QuarryError {
  return new QuarryError({ code: 'BAD_REQUEST', message, field });
}
