import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../database.ts';

/** Rows that go together, and how often in one go: others are served in between, and the next go takes the rest. */
const AT_ONCE = 250;
const MOST_BATCHES = 40;

/** What of a market came to nothing: its rows are forgotten some day. What money depends on (paid purchases, what is owed, what was sold) is kept for good. */
export class MarketPastStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * Forgets what ended before then: purchases that nobody paid, offers that were rejected or withdrawn, and what the log says of anything but money. What
   * is remembered of the same content (`market_contents`, `market_scores`) goes by a time of its own. A part of it, where it is much.
   * @param before Unix milliseconds
   */
  async forget(before: number): Promise<void> {
    for (const forgetSome of [this.#purchases, this.#offers, this.#log]) {
      for (let batch = 0; batch < MOST_BATCHES; batch++) {
        if ((await forgetSome.call(this, before)) < AT_ONCE) break;
        await setImmediate();
      }
    }
  }

  /** With what is remembered of their buyers, where that is all. @returns how many */
  #purchases(before: number): Promise<number> {
    return this.#db.transaction().execute(async (trx) => {
      const some = trx
        .selectFrom('market_purchases')
        .select('id')
        .where('state', 'in', ['reverted', 'expired'])
        .where('locked_until', '<', before)
        .where('failed_at', '<', before)
        .limit(AT_ONCE);
      const gone = await trx.deleteFrom('market_purchases').where('id', 'in', some).returning('buyer').execute();
      if (gone.length === 0) return 0;
      const buyers = [...new Set(gone.map(({ buyer }) => buyer))];
      const others = trx.selectFrom('market_purchases').select('buyer').where('buyer', 'in', buyers);
      await trx
        .deleteFrom('market_buyers')
        .where('buyer', 'in', buyers)
        .where('buyer', 'not in', others)
        .where(({ eb, or }) => or([eb('banned_until', 'is', null), eb('banned_until', '<', before)]))
        .execute();
      return gone.length;
    });
  }

  /** Those without a file that nobody has a purchase of. @returns how many */
  #offers(before: number): Promise<number> {
    return this.#db.transaction().execute(async (trx) => {
      const some = trx
        .selectFrom('market_offers')
        .select('id')
        .where('state', 'in', ['rejected', 'withdrawn'])
        .where('changed_at', '<', before)
        .where('next_byte', '=', 0)
        .where(({ exists, not, selectFrom }) =>
          not(exists(selectFrom('market_purchases').select('id').whereRef('offer', '=', 'market_offers.id'))),
        )
        .limit(AT_ONCE);
      const gone = await trx.deleteFrom('market_offers').where('id', 'in', some).returning('id').execute();
      if (gone.length === 0) return 0;
      const ids = gone.map(({ id }) => id);
      await trx.deleteFrom('market_looks').where('offer', 'in', ids).execute();
      return ids.length;
    });
  }

  /** @returns how many lines */
  async #log(before: number): Promise<number> {
    const some = this.#db
      .selectFrom('market_log')
      .select('seq')
      .where('at', '<', before)
      // In the words of the index that has only these: bound values it could not serve.
      .where(sql<boolean>`after NOT IN ('paid', 'owed', 'settled', 'purchased')`)
      .limit(AT_ONCE);
    const { numDeletedRows } = await this.#db.deleteFrom('market_log').where('seq', 'in', some).executeTakeFirst();
    return Number(numDeletedRows);
  }
}
