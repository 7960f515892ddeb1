import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { loadGifts, saveGift } from '../../store/credits/gifts.ts';
import { appendEntry, balanceOf, findEntry } from '../../store/credits/ledger.ts';
import type { OpenPledgeRow } from '../../store/credits/ledger-tables.ts';
import { dropOpenPledge, keepPledge, listOpenPledges, pledgedUnder } from '../../store/credits/pledges.ts';
import type { Db } from '../../store/database.ts';
import type { Trx, WriteOptions } from '../../store/writer.ts';
import { type Owed, owedAtEnd } from '../ending.ts';
import { type GiftRule, Gifts } from '../standing/gifts.ts';
import { claim, had, owes } from './accounts.ts';
import { partKey, unpledgedKey } from './entry-keys.ts';
import { STOPPED } from './memos.ts';
import { paidPostings, servedPostings, unpledgedPostings } from './postings.ts';

/** What a pledge is kept for need not survive a power cut: a request's end is written with a flush. */
export const UNTIL_RESTART: WriteOptions = { flush: false };

/** What became of a part. */
export interface Part {
  credits: number;
  /** At the worker: it was paid by what that owed its client. */
  byClaim: boolean;
  /** At the client: so much of it the worker had owed it. */
  owed: number;
}

/** Books what a client has signed for in a request that ends without a receipt. */
async function bookPart(trx: Trx, open: OpenPledgeRow, memo: string, now: number): Promise<Part> {
  const { role, peer, request_id, credits, prompt_hash, sig } = open;
  const fromClaim = open.funds === 'claim';
  const byClaim = role === 'worker' && fromClaim && (await balanceOf(trx, claim(peer))) >= credits;
  const owed = role === 'client' && fromClaim ? Math.min(credits, await balanceOf(trx, owes(peer))) : 0;
  const entry = await appendEntry(trx, {
    at: now,
    kind: 'release',
    key: partKey(role, peer, request_id),
    requestId: request_id,
    memo: memo.slice(0, 200),
    postings: role === 'worker' ? servedPostings(peer, credits, byClaim) : paidPostings(peer, credits, owed),
  });
  await keepPledge(trx, { entry, prompt_hash, credits, sig });
  await dropOpenPledge(trx, open);
  return { credits, byClaim, owed };
}

/** Ends what was signed for in a request: books it if it is paid. @param memo why it ends */
export async function endPledge(
  trx: Trx,
  open: OpenPledgeRow | undefined,
  { paid }: Pick<Owed, 'paid'>,
  memo: string,
  now: number,
): Promise<Part | undefined> {
  if (open && paid > 0) return await bookPart(trx, open, memo, now);
  if (open) await dropOpenPledge(trx, open);
  return undefined;
}

/** Draws what a client has had from its claim, though it has not signed for it. @param memo why it ends */
export async function bookUnpledged(
  trx: Trx,
  { client, requestId, credits }: { client: string; requestId: string; credits: number },
  memo: string,
  now: number,
): Promise<void> {
  await appendEntry(trx, {
    at: now,
    kind: 'release',
    key: unpledgedKey(client, requestId),
    requestId,
    memo: memo.slice(0, 200),
    postings: unpledgedPostings(client, credits),
  });
}

/** Credits that were drawn for a client's request without its signature. */
export async function findUnpledged(db: Db, client: string, requestId: string): Promise<number> {
  const entry = await findEntry(db, unpledgedKey(client, requestId));
  if (entry === undefined) return 0;
  const drawn = db.selectFrom('postings').select('amount').where('entry', '=', entry);
  return (await drawn.where('account', '=', had(client)).executeTakeFirst())?.amount ?? 0;
}

/** The part of a client's request that was booked here; undefined when there was none. */
export async function findPart(
  db: Db,
  client: string,
  requestId: string,
): Promise<Pick<Part, 'credits' | 'byClaim'> | undefined> {
  const entry = await findEntry(db, partKey('worker', client, requestId));
  if (entry === undefined) return undefined;
  const drawn = db.selectFrom('postings').select('amount').where('entry', '=', entry);
  const byClaim = (await drawn.where('account', '=', claim(client)).executeTakeFirst()) !== undefined;
  return { credits: await pledgedUnder(db, entry), byClaim };
}

/**
 * Ends the requests of a process that died, by what it had written down.
 * @returns how many those were
 */
export async function endOpenPledges(trx: Trx, rule: GiftRule, now: number): Promise<number> {
  const open = await listOpenPledges(trx);
  if (open.length === 0) return 0;
  const gifts = new Gifts(rule, await loadGifts(trx));
  for (const pledge of open) {
    const { role, peer, request_id, credits, funds, network: prefix } = pledge;
    const owed = owedAtEnd({ by: role, code: 'DIED' }, credits);
    await endPledge(trx, pledge, owed, STOPPED, now);
    if (role !== 'worker') continue;
    if (funds === 'gift' || funds === 'word') {
      gifts.settle(prefix, 0, owed.used, now);
      await saveGift(trx, prefix, { credits: gifts.level(prefix, now), at: now });
    } else if (funds === 'claim' && owed.used > owed.paid) {
      const unpledged = Math.min(owed.used - owed.paid, await balanceOf(trx, claim(peer)));
      const request = { client: peer, requestId: request_id, credits: unpledged };
      if (unpledged > 0) await bookUnpledged(trx, request, STOPPED, now);
    }
  }
  return open.length;
}

export function idTaken(): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: say('credits.idTaken'),
    hint: say('credits.newId'),
    field: 'requestId',
  });
}
