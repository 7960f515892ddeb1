import { randomBytes } from 'node:crypto';
import { appendEntry, balanceOf, findEntry } from '../../store/ledger.ts';
import type { Trx } from '../../store/writer.ts';
import type { Wish } from '../standing/funding.ts';
import { mayDraw, VOUCHER_MS } from '../standing/vouchers.ts';
import { MAX_VOUCHERS, type Voucher, type VoucherBody, voucherBytes } from '../voucher.ts';
import { owes } from './accounts.ts';
import type { BookOptions } from './book-options.ts';
import { takenKey, voucherKey } from './entry-keys.ts';
import { takenPostings, vouchedPostings } from './postings.ts';

/** Vouchers on the books: this node's own, and those that it takes. Each is booked, with its signature, before anything comes of it. */
export class VoucherBook {
  readonly #options: BookOptions;

  constructor(options: BookOptions) {
    this.#options = options;
  }

  /** Takes what a client has brought, as far as it is good and pays for the request: what is owed to others, if that makes what this node owes the client enough;
   * else others' word, if a gift can follow it. What does not help is not taken, and may be brought again.
   *
   * @param wish `credits`: the price
   * @returns credits that others have given their word for
   */
  async take(vouchers: readonly Voucher[], wish: Omit<Wish, 'vouched'>): Promise<number> {
    const { claims, gifts } = this.#options.dues;
    const { client, network, credits } = wish;
    const of = (kind: VoucherBody['kind']) => vouchers.slice(0, MAX_VOUCHERS).filter(({ body }) => body.kind === kind);
    await this.#take(of('claim'), client, credits - claims.free(client));
    const isPaid = claims.knows(client) || claims.free(client) >= credits;
    if (isPaid || gifts.left(network, this.#options.now()) < credits) return 0;
    return await this.#take(of('word'), client, 0);
  }

  /**
   * Draws what a voucher says before it is let go: a claim from what the client has served this node itself, and from what the worker
   * owes this node, since that is what it signs over. A word goes only to whom this node has served, or been served by.
   *
   * @returns undefined when the client may not have it there
   */
  async vouch(wish: Pick<VoucherBody, 'kind' | 'worker' | 'client' | 'credits'>): Promise<Voucher | undefined> {
    const { identity, dues, now } = this.#options;
    const { kind, worker, client, credits } = wish;
    const isParty = worker === identity.id || client === identity.id || worker === client;
    if (isParty || !(Number.isSafeInteger(credits) && credits > 0)) return undefined;
    const { claims, debtors } = dues;
    if (!mayDraw(claims, wish)) return undefined;
    const serial = randomBytes(16).toString('hex');
    const body: VoucherBody = { kind, by: identity.id, worker, client, credits, serial, expires: now() + VOUCHER_MS };
    if (kind === 'word') return debtors.knows(worker) || claims.knows(worker) ? await this.#word(body) : undefined;
    return debtors.of(worker) >= credits ? await this.#signOver(body) : undefined;
  }

  async #word(body: VoucherBody): Promise<Voucher | undefined> {
    const { claims } = this.#options.dues;
    claims.trust(body.client, body.credits);
    try {
      return await this.#options.writer.run((trx) => this.#sign(trx, body));
    } catch (error) {
      claims.trust(body.client, -body.credits);
      throw error;
    }
  }

  async #signOver(body: VoucherBody): Promise<Voucher | undefined> {
    const { writer, dues } = this.#options;
    const { client, worker, credits } = body;
    if (!dues.claims.hold(client, credits)) return undefined;
    let drawn = 0;
    try {
      // What the worker owes may be less by now: others are vouched for, and it serves this node.
      const voucher = await writer.run(async (trx) =>
        (await balanceOf(trx, owes(worker))) < credits ? undefined : await this.#sign(trx, body),
      );
      if (voucher) drawn = credits;
      return voucher;
    } finally {
      dues.claims.settle(client, credits, drawn);
      dues.debtors.spent(worker, drawn);
    }
  }

  async #sign(trx: Trx, body: VoucherBody): Promise<Voucher> {
    const { identity, now } = this.#options;
    const voucher = { body, sig: identity.sign(voucherBytes(body)) };
    const entry = { at: now(), kind: 'standing', key: voucherKey(body), memo: JSON.stringify(voucher) } as const;
    await appendEntry(trx, { ...entry, postings: vouchedPostings(body) });
    return voucher;
  }

  /** Takes those that are good and new, if they come to `least` credits; else none. @returns credits that were taken */
  async #take(vouchers: readonly Voucher[], client: string, least: number): Promise<number> {
    const { dues, writer, now } = this.#options;
    const held = vouchers.filter((voucher) => !dues.desk.hold(voucher, client, now()));
    const used = new Set<Voucher>();
    let taken: readonly Voucher[] = [];
    try {
      if (held.length > 0 && sumOf(held) >= least) {
        taken = await writer.run(async (trx) => {
          for (const voucher of held)
            if ((await findEntry(trx, takenKey(voucher.body))) !== undefined) used.add(voucher);
          const fresh = held.filter((voucher) => !used.has(voucher));
          if (sumOf(fresh) < least) return [];
          for (const voucher of fresh) await this.#keep(trx, voucher);
          return fresh;
        });
      }
      return sumOf(taken);
    } finally {
      for (const voucher of held) {
        if (taken.includes(voucher)) dues.desk.keep(voucher);
        else dues.desk.drop(voucher, used.has(voucher));
      }
    }
  }

  async #keep(trx: Trx, voucher: Voucher): Promise<void> {
    const { body } = voucher;
    const entry = {
      at: this.#options.now(),
      kind: 'standing',
      key: takenKey(body),
      memo: JSON.stringify(voucher),
    } as const;
    await appendEntry(trx, { ...entry, postings: takenPostings(body) });
  }
}

const sumOf = (vouchers: readonly Voucher[]) => vouchers.reduce((sum, { body }) => sum + body.credits, 0);
