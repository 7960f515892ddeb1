import type { Db } from '../database.ts';
import type { TableGroup } from '../migrate.ts';

/** One transfer on a chain, and what it paid for. */
export interface UsedPayment {
  /** Hash of the chain's first block, `0x…`. */
  chain: string;
  /** Hash of the block, `0x…`. */
  block: string;
  /** Place among the events of the block: a call may carry several transfers. */
  event: number;
  /** What was bought. */
  order: string;
  /** Unix milliseconds. */
  usedAt: number;
}

interface PaymentTables {
  used_payments: { chain: string; block: string; event: number; for_order: string; used_at: number };
}

const SCHEMA = [
  'CREATE TABLE used_payments (chain TEXT NOT NULL, block TEXT NOT NULL, event INTEGER NOT NULL, for_order TEXT NOT NULL, used_at INTEGER NOT NULL, PRIMARY KEY (chain, block, event)) STRICT, WITHOUT ROWID',
];

export const payments: TableGroup<PaymentTables> = { migrations: { '0523-used-payments': SCHEMA } };

/** Which payments on a chain have been taken for something: each is good for one order. */
export class PaymentStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * Takes a payment for an order. On the disk when this resolves.
   * @returns false when another order has it; true also when this one had it already
   */
  async use({ chain, block, event, order, usedAt }: UsedPayment): Promise<boolean> {
    const row = { chain, block, event, for_order: order, used_at: usedAt };
    await this.#db
      .insertInto('used_payments')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const kept = this.#db.selectFrom('used_payments').select('for_order').where('chain', '=', chain);
    const { for_order } = await kept.where('block', '=', block).where('event', '=', event).executeTakeFirstOrThrow();
    return for_order === order;
  }
}
