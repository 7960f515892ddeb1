import { randomBytes } from 'node:crypto';
import type {
  Booking,
  ClientCredits,
  Funding,
  Funds,
  Observed,
  Served,
  Standing,
  Terms,
  VoucherCredits,
  WorkerCredits,
} from '../../src-main/credits/credits.ts';
import type { Ending } from '../../src-main/credits/ending.ts';
import { type Pledge, pledgeBytes } from '../../src-main/credits/pledge.ts';
import { type Receipt, receiptBytes, type WorkerReceipt } from '../../src-main/credits/receipt.ts';
import { tierOf } from '../../src-main/credits/tiers.ts';
import { type Voucher, type VouchWish, voucherBytes } from '../../src-main/credits/voucher.ts';
import { type Identity, verify } from '../../src-main/mesh/transport/identity.ts';
import { type ErrorCode, QuarryError } from '../../src-preload/contract/errors.ts';

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
  /** Clients that are owed nothing, and served by gift. */
  readonly newcomers = new Set<string>();
  /** Credits that networks were given. */
  readonly gifts = new Map<string, number>();
  /** What clients are told; default: that nothing is owed, and much given. */
  readonly told = new Map<string, Partial<Terms>>();
  /** Vouchers that clients have brought. */
  readonly brought: Voucher[] = [];
  /** Tokens that were sent in requests that ended without a receipt, by request. */
  readonly streamed = new Map<string, number>();
  readonly #identity: Identity;

  constructor(identity: Identity) {
    this.#identity = identity;
  }

  standing(client: string): Standing {
    const points = this.points.get(client) ?? 0;
    return { points, tier: tierOf(points) };
  }

  async fund(request: Parameters<WorkerCredits['fund']>[0]): Promise<Funding> {
    const { requestId, client, host } = request;
    this.brought.push(...request.vouchers);
    if (this.broke.has(client))
      throw new QuarryError({ code: 'NO_CREDIT', message: 'no credit', retryAfterMs: 60_000 });
    if (this.reserved.has(requestId) || this.settled.has(requestId) || this.pledged.has(requestId)) {
      throw new QuarryError({ code: 'BAD_REQUEST', message: 'This request id was used before.', field: 'requestId' });
    }
    this.reserved.set(requestId, client);
    const { tier } = this.standing(client);
    const funds = this.newcomers.has(client) ? ('gift' as const) : ('claim' as const);
    return { funds, tier: funds === 'gift' ? 'newcomer' : tier, client, prefix: host, credits: 1 };
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
    return { points: receipt.body.points, achievements: [], earned: true, repeated };
  }

  async release({ requestId }: { requestId: string }, code: ErrorCode, asked?: { streamed: number }): Promise<void> {
    if (asked) this.streamed.set(requestId, asked.streamed);
    if (this.reserved.delete(requestId)) this.released.set(requestId, code);
  }

  terms(client: string): Terms {
    return { owed: 0, gift: 1_000, salt: '0'.repeat(32), voices: [], ...this.told.get(client) };
  }

  given(prefix: string): number {
    return this.gifts.get(prefix) ?? 0;
  }
}

/** Vouches for whom a test says. */
export class MemoryVouchers implements VoucherCredits {
  /** Who may have vouchers. */
  readonly vouchesFor = new Set<string>();
  readonly #identity: Identity;

  constructor(identity: Identity) {
    this.#identity = identity;
  }

  async vouch(wish: VouchWish): Promise<Voucher | undefined> {
    if (!this.vouchesFor.has(wish.client)) return undefined;
    const serial = randomBytes(16).toString('hex');
    const body = { ...wish, by: this.#identity.id, serial, expires: Date.now() + 600_000 };
    return { body, sig: this.#identity.sign(voucherBytes(body)) };
  }
}

/** A client's books in memory. */
export class MemoryClientCredits implements ClientCredits {
  readonly reserved = new Map<string, string>();
  readonly signed = new Map<string, Receipt>();
  readonly observed: Observed[] = [];
  readonly acknowledged = new Set<string>();
  readonly released = new Map<string, string>();
  /** Credits that workers should owe. */
  readonly owed = new Map<string, number>();
  /** By worker: whom to ask for vouchers. */
  readonly ways = new Map<string, string[]>();
  /** Where the credits of what was signed for came from, by request. */
  readonly funds = new Map<string, Funds>();
  readonly #identity: Identity;

  constructor(identity: Identity) {
    this.#identity = identity;
  }

  async open({ requestId, worker }: { requestId: string; worker: string }): Promise<void> {
    this.reserved.set(requestId, worker);
  }

  async pledge({ funds, ...pledge }: Omit<Pledge, 'client'> & { funds: Funds }): Promise<string> {
    this.funds.set(pledge.requestId, funds);
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

  async release(requestId: string, { code }: Ending): Promise<number> {
    this.reserved.delete(requestId);
    this.released.set(requestId, code);
    return 0;
  }

  async unacknowledged(worker: string): Promise<Receipt[]> {
    const open = [...this.signed.values()].filter(({ body }) => !this.acknowledged.has(body.requestId));
    return open.filter(({ body }) => body.worker === worker).slice(0, 100); // a page, as in the real books
  }

  async acknowledge(requestId: string): Promise<void> {
    this.acknowledged.add(requestId);
  }

  owedBy(worker: string): number {
    return this.owed.get(worker) ?? 0;
  }

  waysTo(worker: string, _terms: unknown, there: Iterable<string>): string[] {
    const ways = this.ways.get(worker) ?? [];
    return [...there].filter((id) => ways.includes(id));
  }

  async vouched(by: string, worker: string, credits: number): Promise<void> {
    this.owed.set(by, this.owedBy(by) - credits);
    this.owed.set(worker, this.owedBy(worker) + credits);
  }

  async corrected(worker: string, credits: number): Promise<void> {
    this.owed.set(worker, Math.min(this.owedBy(worker), credits));
  }
}

function voidReceipt(message: string): QuarryError {
  return new QuarryError({ code: 'BAD_REQUEST', message });
}
