import type {
  Booking,
  ClientCredits,
  Funding,
  Funds,
  Observed,
  Served,
  Standing,
  Terms,
  WorkerCredits,
} from '../../src-main/credits/credits.ts';
import { type Pledge, pledgeBytes } from '../../src-main/credits/pledge.ts';
import { type Receipt, receiptBytes, type WorkerReceipt } from '../../src-main/credits/receipt.ts';
import { tierOf } from '../../src-main/credits/tiers.ts';
import { type Identity, verify } from '../../src-main/mesh/transport/identity.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';

/** A worker's books in memory: what was reserved, settled and given back, for tests of the mesh alone. */
export class MemoryWorkerCredits implements WorkerCredits {
  readonly reserved = new Map<string, string>();
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

  async fund({ requestId, client, host }: Parameters<WorkerCredits['fund']>[0]): Promise<Funding> {
    if (this.broke.has(client))
      throw new QuarryError({ code: 'NO_CREDIT', message: 'no credit', retryAfterMs: 60_000 });
    if (this.reserved.has(requestId) || this.settled.has(requestId) || this.pledged.has(requestId)) {
      throw new QuarryError({ code: 'BAD_REQUEST', message: 'This request id was used before.', field: 'requestId' });
    }
    this.reserved.set(requestId, client);
    return { funds: 'claim', tier: this.standing(client).tier, client, network: host, credits: 1 };
  }

  async keepPledge({ requestId, credits }: Omit<Pledge, 'worker'>): Promise<void> {
    this.pledged.set(requestId, credits);
  }

  bill(served: Served): WorkerReceipt {
    const body = { v: 2 as const, ...served, worker: this.#identity.id, points: 5, cost: 1 };
    return { body, workerSig: this.#identity.sign(receiptBytes(body)) };
  }

  async settle(receipt: Receipt): Promise<Booking> {
    const { client, requestId } = receipt.body;
    if (!verify(client, receiptBytes(receipt.body), receipt.clientSig)) throw voidReceipt('wrong signature');
    const repeated = this.settled.has(requestId);
    this.settled.set(requestId, receipt);
    this.reserved.delete(requestId);
    return { points: receipt.body.points, achievements: [], repeated };
  }

  async release({ requestId }: { requestId: string }, reason: string): Promise<void> {
    if (this.reserved.delete(requestId)) this.released.set(requestId, reason);
  }

  terms(): Terms {
    return { owed: 0, gift: 1_000, salt: '0'.repeat(32), voices: [] };
  }

  given(): number {
    return 0;
  }

  async vouch(): Promise<undefined> {
    return undefined;
  }
}

/** A client's books in memory. */
export class MemoryClientCredits implements ClientCredits {
  readonly reserved = new Map<string, string>();
  readonly signed = new Map<string, Receipt>();
  readonly observed: Observed[] = [];
  readonly acknowledged = new Set<string>();
  readonly released = new Map<string, string>();
  readonly #identity: Identity;

  constructor(identity: Identity) {
    this.#identity = identity;
  }

  async open({ requestId, worker }: { requestId: string; worker: string }): Promise<void> {
    this.reserved.set(requestId, worker);
  }

  async pledge({ funds: _, ...pledge }: Omit<Pledge, 'client'> & { funds: Funds }): Promise<string> {
    return this.#identity.sign(pledgeBytes({ ...pledge, client: this.#identity.id }));
  }

  async countersign(bill: WorkerReceipt, observed: Observed): Promise<Receipt> {
    const { body } = bill;
    const { requestId, resultHash, promptHash } = observed;
    if (body.requestId !== requestId || body.resultHash !== resultHash || body.promptHash !== promptHash) {
      throw voidReceipt('not what was seen');
    }
    const receipt = { ...bill, clientSig: this.#identity.sign(receiptBytes(body)) };
    this.observed.push(observed);
    this.signed.set(requestId, receipt);
    this.reserved.delete(requestId);
    return receipt;
  }

  async release(requestId: string, reason: string): Promise<void> {
    this.reserved.delete(requestId);
    this.released.set(requestId, reason);
  }

  async unacknowledged(worker: string): Promise<Receipt[]> {
    const open = [...this.signed.values()].filter(({ body }) => !this.acknowledged.has(body.requestId));
    return open.filter(({ body }) => body.worker === worker).slice(0, 100); // a page, as in the real books
  }

  async acknowledge(requestId: string): Promise<void> {
    this.acknowledged.add(requestId);
  }

  owedBy(): number {
    return 0;
  }

  waysTo(): string[] {
    return [];
  }

  async vouched(): Promise<void> {}

  async corrected(): Promise<void> {}
}

function voidReceipt(message: string): QuarryError {
  return new QuarryError({ code: 'BAD_REQUEST', message });
}
