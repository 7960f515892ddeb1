import type { Verify } from '../../base/signing.ts';
import { MAX_VOUCHERS, sumOf, type Voucher, type VoucherBody, type VouchWish, voucherBytes } from '../voucher.ts';
import type { Claims } from './claims.ts';
import type { Debtors } from './debtors.ts';
import type { Wish } from './funding.ts';
import type { Gifts } from './gifts.ts';

/** Milliseconds that a voucher is good for. */
export const VOUCHER_MS = 600_000;
/** Milliseconds by which the clocks of two honest nodes may differ. */
export const VOUCHER_SKEW_MS = 120_000;

/** Why a worker does not take a voucher. */
export type VoucherFault = 'party' | 'sum' | 'expired' | 'used' | 'signature' | 'uncovered';

/**
 * Lets clients have vouchers: it is decided, set aside, written down and signed by the caller, and then kept or given back. What is set aside
 * is promised to nobody else, however many ask at once.
 */
export class VoucherBank {
  readonly #id: string;
  readonly #claims: Claims;
  readonly #debtors: Debtors;
  /** By worker: what is being signed over of what it owes this node. */
  readonly #held = new Map<string, number>();

  constructor(options: { id: string; claims: Claims; debtors: Debtors }) {
    this.#id = options.id;
    this.#claims = options.claims;
    this.#debtors = options.debtors;
  }

  /**
   * Draws a claim from what the client has served this node itself, and from what the worker owes this node, since that is what it signs
   * over; a word from this node's trust in the client, and only for a worker whom it has served, or been served by.
   *
   * @param sign writes down and signs what the wish says; undefined where the ledger has it that the worker owes less by now
   * @returns undefined, and draws nothing, when the client may not have it there
   */
  async draw(wish: VouchWish, sign: () => Promise<Voucher | undefined>): Promise<Voucher | undefined> {
    if (!this.#hold(wish)) return undefined;
    let voucher: Voucher | undefined;
    try {
      voucher = await sign();
      return voucher;
    } finally {
      if (voucher) this.#keep(wish);
      else this.#drop(wish);
    }
  }

  #may({ kind, worker, client, credits }: VouchWish): boolean {
    const isParty = worker === this.#id || client === this.#id || worker === client;
    if (isParty || !(Number.isSafeInteger(credits) && credits > 0)) return false;
    if (kind === 'word') {
      return this.#claims.trusts(client, credits) && (this.#debtors.knows(worker) || this.#claims.knows(worker));
    }
    return this.#claims.own(client) >= credits && this.#debtors.of(worker) - this.#heldOf(worker) >= credits;
  }

  #hold(wish: VouchWish): boolean {
    if (!this.#may(wish)) return false;
    const { kind, worker, client, credits } = wish;
    if (kind === 'word') this.#claims.trust(client, credits);
    else {
      this.#claims.hold(client, credits);
      this.#held.set(worker, this.#heldOf(worker) + credits);
    }
    return true;
  }

  #keep({ kind, worker, client, credits }: VouchWish): void {
    if (kind === 'word') return;
    this.#claims.settle(client, credits, credits);
    this.#letGo(worker, credits);
    this.#debtors.spent(worker, credits);
  }

  #drop({ kind, worker, client, credits }: VouchWish): void {
    if (kind === 'word') {
      this.#claims.trust(client, -credits);
      return;
    }
    this.#claims.settle(client, credits, 0);
    this.#letGo(worker, credits);
  }

  #heldOf(worker: string): number {
    return this.#held.get(worker) ?? 0;
  }

  #letGo(worker: string, credits: number): void {
    const left = this.#heldOf(worker) - credits;
    if (left > 0) this.#held.set(worker, left);
    else this.#held.delete(worker);
  }
}

/** What came of vouchers that were set aside. */
export interface Booked {
  /** Those that were written down. */
  taken: readonly Voucher[];
  /** Those that the ledger had already, from before this process. */
  known: ReadonlySet<Voucher>;
}

/** Writes down those that the ledger does not have yet, if they come to `least` credits; else none. */
export type BookTaken = (vouchers: readonly Voucher[], least: number) => Promise<Booked>;

/** Takes vouchers at the worker: each once, and only as far as who vouches has served the worker. */
export class VoucherDesk {
  readonly #worker: string;
  readonly #claims: Claims;
  readonly #gifts: Gifts;
  readonly #verify: Verify;
  /** Vouchers that were taken, until none of their time can come again; oldest first. */
  readonly #taken = new Map<string, number>();

  constructor(options: { worker: string; claims: Claims; gifts: Gifts; verify: Verify }) {
    this.#worker = options.worker;
    this.#claims = options.claims;
    this.#gifts = options.gifts;
    this.#verify = options.verify;
  }

  /**
   * Takes what a client has brought, as far as it is good and pays for the request: what is owed to others, if that makes what this node
   * owes the client enough; else others' word, if a gift can follow it. What does not help is not taken, and may be brought again.
   *
   * @param wish `credits`: the price
   * @param book writes them down, while nobody can bring them again
   * @returns credits that others have given their word for
   */
  async take(vouchers: readonly Voucher[], wish: Omit<Wish, 'vouched'>, now: number, book: BookTaken): Promise<number> {
    const { client, prefix, credits } = wish;
    const of = (kind: VoucherBody['kind']) => vouchers.slice(0, MAX_VOUCHERS).filter(({ body }) => body.kind === kind);
    await this.#take(of('claim'), { client, least: credits - this.#claims.free(client) }, now, book);
    const isPaid = this.#claims.knows(client) || this.#claims.free(client) >= credits;
    if (isPaid || this.#gifts.left(prefix, now) < credits) return 0;
    return await this.#take(of('word'), { client, least: 0 }, now, book);
  }

  /** Why a voucher is not taken, whatever it would pay for. */
  faultOf({ body, sig }: Voucher, client: string, now: number): VoucherFault | undefined {
    const { by, credits, expires } = body;
    if (body.worker !== this.#worker || body.client !== client || by === client) return 'party';
    if (!(Number.isSafeInteger(credits) && credits > 0)) return 'sum';
    if (expires <= now - VOUCHER_SKEW_MS || expires > now + VOUCHER_MS + VOUCHER_SKEW_MS) return 'expired';
    this.#forget(now);
    if (this.#taken.has(keyOf(body))) return 'used';
    if (!this.#covers(body)) return 'uncovered';
    return this.#verify(by, voucherBytes(body), sig) ? undefined : 'signature';
  }

  /** Takes those that are good and new, if they come to `least` credits; else none. @returns credits that were taken */
  async #take(
    vouchers: readonly Voucher[],
    { client, least }: { client: string; least: number },
    now: number,
    book: BookTaken,
  ): Promise<number> {
    const held = vouchers.filter((voucher) => this.#hold(voucher, client, now));
    let booked: Booked = { taken: [], known: new Set() };
    try {
      if (held.length > 0 && sumOf(held) >= least) booked = await book(held, least);
      return sumOf(booked.taken);
    } finally {
      for (const voucher of held) {
        if (booked.taken.includes(voucher)) this.#keep(voucher);
        else this.#drop(voucher, booked.known.has(voucher));
      }
    }
  }

  /** What it says is set aside, and nobody can bring it again. @returns false, and does nothing, when it is no good */
  #hold(voucher: Voucher, client: string, now: number): boolean {
    if (this.faultOf(voucher, client, now)) return false;
    const { kind, by, credits } = voucher.body;
    this.#taken.set(keyOf(voucher.body), now + VOUCHER_MS + 2 * VOUCHER_SKEW_MS);
    if (kind === 'word') this.#claims.trust(by, credits);
    else this.#claims.hold(by, credits);
    return true;
  }

  #keep({ body: { kind, by, client, credits } }: Voucher): void {
    if (kind === 'word') return;
    this.#claims.settle(by, credits, 0);
    this.#claims.move(by, client, credits);
  }

  /** @param known the ledger has it already, from before this process: then it is not forgotten */
  #drop({ body }: Voucher, known: boolean): void {
    const { kind, by, credits } = body;
    if (!known) this.#taken.delete(keyOf(body));
    if (kind === 'word') this.#claims.trust(by, -credits);
    else this.#claims.settle(by, credits, 0);
  }

  #covers({ kind, by, credits }: VoucherBody): boolean {
    return kind === 'word' ? this.#claims.trusts(by, credits) : this.#claims.free(by) >= credits;
  }

  /** All are kept equally long: only the front can be due. */
  #forget(now: number): void {
    for (const [key, until] of this.#taken) {
      if (until > now) return;
      this.#taken.delete(key);
    }
  }
}

const keyOf = ({ by, serial }: VoucherBody) => `${by} ${serial}`;
