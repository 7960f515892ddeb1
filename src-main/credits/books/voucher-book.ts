import { randomBytes } from 'node:crypto';
import { appendEntry, balanceOf, findEntry, type Postings } from '../../store/credits/ledger.ts';
import { keepVoucher } from '../../store/credits/vouchers.ts';
import type { Trx } from '../../store/writer.ts';
import type { VoucherCredits } from '../credits.ts';
import type { Wish } from '../standing/funding.ts';
import { type Booked, VOUCHER_MS } from '../standing/vouchers.ts';
import { sumOf, type Voucher, type VoucherBody, type VouchWish, voucherBytes } from '../voucher.ts';
import { owes } from './accounts.ts';
import type { BookOptions } from './book-options.ts';
import { takenKey, voucherKey } from './entry-keys.ts';
import { takenPostings, vouchedPostings } from './postings.ts';

/**
 * Vouchers on the books: this node's own, and those that it takes. What is decided is in `standing/vouchers.ts`; each is booked, with its
 * signature, before anything comes of it.
 */
export class VoucherBook implements VoucherCredits {
  readonly #options: BookOptions;

  constructor(options: BookOptions) {
    this.#options = options;
  }

  /** Takes what a client has brought, as far as it is good and pays for the request. @returns credits that others have given their word for */
  async take(vouchers: readonly Voucher[], wish: Omit<Wish, 'vouched'>): Promise<number> {
    const { dues, writer, now } = this.#options;
    return await dues.desk.take(vouchers, wish, now(), (held, least) =>
      writer.run((trx) => this.#bookTaken(trx, held, least)),
    );
  }

  /** Draws what a voucher says before it is let go. @returns undefined when the client may not have it there */
  async vouch({ kind, worker, client, credits }: VouchWish): Promise<Voucher | undefined> {
    const { identity, dues, writer, now } = this.#options;
    const serial = randomBytes(16).toString('hex');
    const body: VoucherBody = { kind, by: identity.id, worker, client, credits, serial, expires: now() + VOUCHER_MS };
    return await dues.bank.draw(body, () => writer.run((trx) => this.#bookVouched(trx, body)));
  }

  /** What the worker owes may be less by now: it serves this node. */
  async #bookVouched(trx: Trx, body: VoucherBody): Promise<Voucher | undefined> {
    const { identity } = this.#options;
    if (body.kind === 'claim' && (await balanceOf(trx, owes(body.worker))) < body.credits) return undefined;
    const voucher = { body, sig: identity.sign(voucherBytes(body)) };
    await this.#book(trx, voucher, voucherKey(body), vouchedPostings(body));
    return voucher;
  }

  async #bookTaken(trx: Trx, vouchers: readonly Voucher[], least: number): Promise<Booked> {
    const known = new Set<Voucher>();
    for (const voucher of vouchers) {
      if ((await findEntry(trx, takenKey(voucher.body))) !== undefined) known.add(voucher);
    }
    const taken = vouchers.filter((voucher) => !known.has(voucher));
    if (sumOf(taken) < least) return { taken: [], known };
    for (const voucher of taken) {
      await this.#book(trx, voucher, takenKey(voucher.body), takenPostings(voucher.body));
    }
    return { taken, known };
  }

  /** With what proves it. */
  async #book(trx: Trx, voucher: Voucher, key: string, postings: Postings): Promise<void> {
    const entry = await appendEntry(trx, { at: this.#options.now(), kind: 'standing', key, postings });
    await keepVoucher(trx, entry, voucher);
  }
}
