import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Pace } from '../../base/pace.ts';
import type { Db } from '../../store/database.ts';

const PAGE = 200;

/** Entries in one look at what was moved. */
const STEP = 500;

/** What is kept of all accounts, in the order of their names, as it was after entry `head`, however much is booked meanwhile. */
export async function* keptBalances(
  db: Db,
  head: number,
  pace: Pace,
): AsyncGenerator<{ account: string; balance: number }, void, undefined> {
  for (let after = ''; ; ) {
    const page = await db
      .selectFrom('balances as kept')
      .select([
        'account',
        sql<number>`balance - COALESCE((SELECT SUM(amount) FROM postings WHERE account = kept.account AND entry > ${head}), 0)`.as(
          'balance',
        ),
      ])
      .where('account', '>', after)
      .orderBy('account')
      .limit(PAGE)
      .execute();
    yield* page;
    const last = page.at(-1);
    if (!last) return;
    after = last.account;
    await pace.breathe();
  }
}

/** What the entries after `after`, up to `upTo`, have added to each account that they touch. */
export async function movedBetween(db: Db, after: number, upTo: number, pace: Pace): Promise<Map<string, number>> {
  const moved = new Map<string, number>();
  for (let from = after; from < upTo; from += STEP) {
    const postings = await db
      .selectFrom('postings')
      .select(['account', 'amount'])
      .where('entry', '>', from)
      .where('entry', '<=', Math.min(from + STEP, upTo))
      .execute();
    for (const { account, amount } of postings) moved.set(account, (moved.get(account) ?? 0) + amount);
    await pace.breathe();
  }
  return moved;
}

/** One figure for what is on all accounts; an account with nothing on it is as good as none. Added in the order of their names. */
export class BalanceDigest {
  readonly #hash = createHash('sha256').update('quarry-balances/v1\n');

  add(account: string, balance: number): void {
    if (balance !== 0) this.#hash.update(`${JSON.stringify([account, balance])}\n`);
  }

  /** 64 hex; nothing can be added then. */
  hex(): string {
    return this.#hash.digest('hex');
  }
}
