import type { Verify } from '../../base/signing.ts';
import type { Db } from '../../store/database.ts';
import { loadGifts } from '../../store/gifts.ts';
import { balancesUnder } from '../../store/ledger.ts';
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

/**
 * Reads them from the ledger again, where its balances were worked out anew. What was booked before is in what is read; what is booked
 * after that follows it, since the writer does one thing after the other.
 */
export async function reloadDues({ claims, debtors }: Dues, writer: Writer): Promise<void> {
  const read = await writer.run(async (trx) => ({ claims: await loadClaims(trx), owing: await loadOwing(trx) }));
  claims.restore(read.claims);
  debtors.restore(read.owing);
}

/** @param options `id`: this node's */
export async function loadDues(db: Db, options: { id: string; verify: Verify; gifts: GiftRule }): Promise<Dues> {
  const claims = new Claims(await loadClaims(db));
  const gifts = new Gifts(options.gifts, await loadGifts(db));
  const debtors = new Debtors(await loadOwing(db));
  return {
    claims,
    gifts,
    till: new Till(claims, gifts),
    bank: new VoucherBank({ id: options.id, claims, debtors }),
    desk: new VoucherDesk({ worker: options.id, claims, gifts, verify: options.verify }),
    debtors,
  };
}

const loadOwing = (db: Db) => balancesUnder(db, owes(''));

async function loadClaims(db: Db): Promise<Map<string, Account>> {
  const accounts = new Map<string, Account>();
  const of = (peer: string) => {
    const account = accounts.get(peer) ?? { served: 0, drawn: 0, moved: 0, trusted: 0 };
    accounts.set(peer, account);
    return account;
  };
  for (const [peer, balance] of await balancesUnder(db, ISSUE_SERVICE)) of(peer).served = -balance;
  for (const [peer, balance] of await balancesUnder(db, word(''))) of(peer).trusted = balance;
  for (const [peer, balance] of await balancesUnder(db, moved(''))) of(peer).moved = balance;
  const free = new Map(await balancesUnder(db, claim('')));
  for (const [peer, balance] of free) if (balance > 0) of(peer);
  for (const [peer, account] of accounts) account.drawn = account.served - (free.get(peer) ?? 0);
  return accounts;
}
