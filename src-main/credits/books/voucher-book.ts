import { randomBytes } from 'node:crypto';
import { appendEntry, findEntry } from '../../store/ledger.ts';
import { VOUCHER_MS } from '../standing/vouchers.ts';
import { type Voucher, type VoucherBody, voucherBytes } from '../voucher.ts';
import type { BookOptions } from './book-options.ts';
import { takenPostings, vouchedPostings } from './postings.ts';

/** Most vouchers that are taken for one request. */
const MOST_VOUCHERS = 3;

export const voucherKey = ({ serial }: Pick<VoucherBody, 'serial'>) => `voucher:${serial}`;
export const takenKey = ({ by, serial }: Pick<VoucherBody, 'by' | 'serial'>) => `taken:${by}:${serial}`;

/** Vouchers on the books: this node's own, and those that it takes. Each is booked, with its signature, before anything comes of it. */
export class VoucherBook {
  readonly #options: BookOptions;

  constructor(options: BookOptions) {
    this.#options = options;
  }

  /** Takes what a client has brought, as far as it is good. @returns credits that others have given their word for */
  async take(vouchers: readonly Voucher[], client: string): Promise<number> {
    let words = 0;
    for (const voucher of vouchers.slice(0, MOST_VOUCHERS)) {
      const { kind, credits } = voucher.body;
      if ((await this.#take(voucher, client)) && kind === 'word') words += credits;
    }
    return words;
  }

  /** Draws what a voucher says before it is let go. @returns undefined when the client may not have it */
  async vouch(wish: Pick<VoucherBody, 'kind' | 'worker' | 'client' | 'credits'>): Promise<Voucher | undefined> {
    const { identity, dues, writer, now } = this.#options;
    const { kind, worker, client, credits } = wish;
    const isParty = worker === identity.id || client === identity.id || worker === client;
    if (isParty || !(Number.isSafeInteger(credits) && credits > 0)) return undefined;
    const { claims } = dues;
    if (kind === 'word' ? !claims.trusts(client, credits) : !claims.hold(client, credits)) return undefined;
    if (kind === 'word') claims.trust(client, credits);
    const serial = randomBytes(16).toString('hex');
    const body: VoucherBody = { kind, by: identity.id, worker, client, credits, serial, expires: now() + VOUCHER_MS };
    const voucher = { body, sig: identity.sign(voucherBytes(body)) };
    try {
      await writer.run((trx) =>
        appendEntry(trx, {
          at: now(),
          kind: 'standing',
          key: voucherKey(body),
          memo: JSON.stringify(voucher),
          postings: vouchedPostings(body),
        }),
      );
    } catch (error) {
      if (kind === 'word') claims.trust(client, -credits);
      else claims.settle(client, credits, 0);
      throw error;
    }
    if (kind === 'claim') claims.settle(client, credits, credits);
    return voucher;
  }

  async #take(voucher: Voucher, client: string): Promise<boolean> {
    const { dues, writer, now } = this.#options;
    const { body } = voucher;
    if (dues.desk.hold(voucher, client, now())) return false;
    try {
      const isNew = await writer.run(async (trx) => {
        const key = takenKey(body);
        if ((await findEntry(trx, key)) !== undefined) return false;
        const memo = JSON.stringify(voucher);
        await appendEntry(trx, { at: now(), kind: 'standing', key, memo, postings: takenPostings(body) });
        return true;
      });
      if (isNew) dues.desk.keep(voucher);
      else dues.desk.drop(voucher, true);
      return isNew;
    } catch (error) {
      dues.desk.drop(voucher, false);
      throw error;
    }
  }
}
