import { Pace } from '../../base/pace.ts';
import type { Verify } from '../../base/signing.ts';
import { loadGifts } from '../../store/credits/gifts.ts';
import { balancesUnder } from '../../store/credits/ledger.ts';
import type { Db } from '../../store/database.ts';
import type { Writer } from '../../store/writer.ts';
import { type Account, Claims } from '../standing/claims.ts';
import { Debtors } from '../standing/debtors.ts';
import { Till } from '../standing/funding.ts';
import { type GiftRule, Gifts } from '../standing/gifts.ts';
import { VoucherBank, VoucherDesk } from '../standing/vouchers.ts';
import { claim, ISSUE_SERVICE, moved, owes, word } from './accounts.ts';

/**
 * What this node and others owe each other, in memory: what decides about requests. It follows from the ledger, which is written first.
 * What is set aside for requests that have not ended is here alone.
 */
export interface Dues {
  readonly claims: Claims;
  readonly gifts: Gifts;
  readonly till: Till;
  readonly bank: VoucherBank;
  readonly desk: VoucherDesk;
  readonly debtors: Debtors;
}

/** Balances in one look. */
const PAGE = 1_000;

/**
 * Reads them from the ledger again, where its balances were worked out anew. What was booked before is in what is read; what is booked
 * after that follows it, since the writer does one thing after the other. It does not breathe: what is decided meanwhile would be lost.
 */
export async function reloadDues({ claims, debtors }: Dues, writer: Writer): Promise<void> {
  const pace = new Pace({ sliceMs: Number.POSITIVE_INFINITY });
  const read = await writer.run(async (trx) => ({
    accounts: await readAccounts(trx, pace),
    owing: await readOwing(trx, pace),
  }));
  claims.restore(read.accounts);
  debtors.restore(read.owing);
}

/**
 * Reads them before anybody is served, a page at a time: a node that has dealt with many does other things in between.
 *
 * @param options `id`: this node's
 */
export async function loadDues(
  db: Db,
  options: { id: string; verify: Verify; gifts: GiftRule; pace?: Pace },
): Promise<Dues> {
  const { pace = new Pace() } = options;
  const claims = new Claims(await readAccounts(db, pace));
  const gifts = new Gifts(options.gifts, await loadGifts(db));
  const debtors = new Debtors(await readOwing(db, pace));
  return {
    claims,
    gifts,
    till: new Till(claims, gifts),
    bank: new VoucherBank({ id: options.id, claims, debtors }),
    desk: new VoucherDesk({ worker: options.id, claims, gifts, verify: options.verify }),
    debtors,
  };
}

/** Those who owe nothing any more are among them: they are known. */
async function readOwing(db: Db, pace: Pace): Promise<Map<string, number>> {
  const owing = new Map<string, number>();
  for await (const page of balances(db, owes(''), pace)) for (const [peer, credits] of page) owing.set(peer, credits);
  return owing;
}

async function readAccounts(db: Db, pace: Pace): Promise<Map<string, Account>> {
  const accounts = new Map<string, Account>();
  const add = async (prefix: string, enter: (account: Account, balance: number) => void) => {
    for await (const page of balances(db, prefix, pace)) {
      for (const [peer, balance] of page) {
        if (balance === 0) continue;
        const account = accounts.get(peer) ?? { served: 0, drawn: 0, moved: 0, trusted: 0 };
        accounts.set(peer, account);
        enter(account, balance);
      }
    }
  };
  await add(ISSUE_SERVICE, (account, balance) => {
    account.served = -balance;
    account.drawn -= balance;
  });
  await add(claim(''), (account, free) => {
    account.drawn -= free;
  });
  await add(word(''), (account, balance) => {
    account.trusted = balance;
  });
  await add(moved(''), (account, balance) => {
    account.moved = balance;
  });
  return accounts;
}

async function* balances(db: Db, prefix: string, pace: Pace): AsyncGenerator<[peer: string, balance: number][]> {
  for (let after = ''; ; ) {
    const page = await balancesUnder(db, prefix, { after, limit: PAGE });
    const last = page.at(-1);
    if (!last) return;
    yield page;
    [after] = last;
    await pace.breathe();
  }
}
