import { isDeepStrictEqual } from 'node:util';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import { ENTRY_KINDS } from '../../store/credits/entry-kinds.ts';
import type { Postings } from '../../store/credits/ledger.ts';
import type { EntryRow, ReceiptRow } from '../../store/credits/ledger-tables.ts';
import {
  available,
  clientHolder,
  type Holder,
  had,
  ISSUE_ALLOWANCE,
  ISSUE_BONUS,
  ISSUE_POINTS,
  issueStanding,
  OWN,
  owes,
  reserved,
} from '../books/accounts.ts';
import { issuePoints, payer, settlementPostings } from '../books/before-claims.ts';
import { type EntryKey, KIND_OF, parseKey, takenKey, voucherKey } from '../books/entry-keys.ts';
import {
  broughtPostings,
  correctedPostings,
  paidPostings,
  scorePostings,
  servedPostings,
  takenPostings,
  unpledgedPostings,
  vouchedPostings,
} from '../books/postings.ts';
import { achievementById } from '../score/achievements.ts';
import { FAILURE_PENALTY } from '../score/points.ts';
import type { Voucher } from '../voucher.ts';

/** A reservation that an audit has come across and that no entry has ended yet. */
export interface OpenReservation {
  holder: Holder;
  amount: number;
}

/** What is kept of the receipt that an entry books. */
export type BookedReceipt = Pick<ReceiptRow, 'role' | 'worker' | 'client' | 'counted' | 'charged'>;

/** An entry, and all that its amounts follow from. */
export interface AuditedEntry {
  row: EntryRow;
  postings: Postings;
  /** Undefined when it names none, or one that is not kept. */
  receipt: BookedReceipt | undefined;
  /** The reservation that it ends. */
  ends: OpenReservation | undefined;
  /** The voucher that it keeps as its proof; undefined when there is none to be read. */
  voucher: Voucher | undefined;
  /** Credits that were pledged while the answer streamed whose part it books. */
  pledged: number;
}

/** The postings that an entry may have: any of these. None, when it may not be there at all. */
function expected(key: EntryKey, entry: AuditedEntry): (Postings | undefined)[] {
  const { row, postings, ends, pledged } = entry;
  switch (key.what) {
    case 'earn':
      return earning(entry);
    case 'pay':
      return paying(entry);
    case 'part':
      if (pledged === 0) return [];
      return key.side === 'worker' ? served(key.peer, pledged) : [paid(entry, key.peer, pledged)];
    case 'unpledged':
      return pledged > 0 ? [] : [unpledged(entry, key.client)];
    case 'voucher':
    case 'taken':
      return [movedByVoucher(entry)];
    case 'brought':
      return [broughtPostings(key.by, row.memo, Math.max(0, postings[owes(row.memo)] ?? 0))];
    case 'corrected':
      return [correctedPostings(key.peer, Math.max(0, -(postings[owes(key.peer)] ?? 0)))];
    case 'bonus': {
      const bonus = achievementById(key.achievement)?.bonus;
      return bonus === undefined ? [] : [scorePostings(bonus), issuePoints(ISSUE_BONUS, bonus)];
    }
    case 'penalty':
      return [scorePostings(-FAILURE_PENALTY)];
    case 'allowance':
      return [moved(postings, ISSUE_ALLOWANCE, available(key.holder))];
    case 'standing':
      return [moved(postings, issueStanding(key.client), available(clientHolder(key.client)))];
    case 'reserve': {
      const holder = reservingHolder(row);
      return [moved(postings, available(holder), reserved(holder))];
    }
    case 'release':
      return [ends && settlementPostings(ends.holder, ends.amount, pledged)];
  }
}

/**
 * Holds an entry against what its key lets it book: a payment against its receipt and its reservation, a bonus against its
 * achievement, everything else against the pair of accounts it moves credits between.
 *
 * @returns what is wrong with it, as the end of a sentence; undefined when nothing is
 */
export function entryFault(entry: AuditedEntry): Saying | undefined {
  const { row, postings, receipt, ends } = entry;
  const { kind } = row;
  // The file may be anything: not every kind in it is one that the type knows.
  if (!ENTRY_KINDS.includes(kind)) return say('ledger.unknownKind', { kind });
  const books = kind === 'earn' || kind === 'pay';
  if (books && !receipt) return say('ledger.noReceipt', { kind });
  if (!books && row.receipt_id !== null) return say('ledger.receiptUnfit', { kind });
  if (ends && !books && kind !== 'release') return say('ledger.endsUnfit', { kind });
  const key = parseKey(row.key);
  const allowed = key && KIND_OF[key.what] === kind ? expected(key, entry).filter((one) => one !== undefined) : [];
  if (allowed.length === 0) return say('ledger.nothingToShow', { kind });
  const right = allowed.some((one) => isDeepStrictEqual({ ...postings }, withoutZeros(one)));
  return right ? undefined : say('ledger.wrongAmounts', { kind });
}

/** Whose credits a `reserve` entry sets aside: its side is in its key, the other node in its memo. */
export function reservingHolder({ key, memo }: Pick<EntryRow, 'key' | 'memo'>): Holder {
  const entry = parseKey(key);
  return payer({ role: entry?.what === 'reserve' ? entry.side : 'worker', peer: memo });
}

function earning(entry: AuditedEntry): (Postings | undefined)[] {
  const { row, receipt, ends, postings } = entry;
  if (receipt?.role !== 'worker') return [];
  const { client, charged, counted } = receipt;
  const payable = payment(clientHolder(client), charged, ends);
  const before = payable && { ...payable, ...issuePoints(ISSUE_POINTS, counted) };
  if (row.closes !== null) return [before];
  const signed = Math.max(charged, postings[owes(client)] ?? 0);
  return [...served(client, charged, signed).map((one) => ({ ...one, ...scorePostings(counted) })), before];
}

function paying(entry: AuditedEntry): (Postings | undefined)[] {
  const { row, receipt, ends } = entry;
  if (receipt?.role !== 'client') return [];
  if (row.closes !== null) return [payment(OWN, receipt.charged, ends)];
  return [paid(entry, receipt.worker, receipt.charged)];
}

function payment(holder: Holder, charged: number, ends: OpenReservation | undefined): Postings | undefined {
  if (ends && ends.holder !== holder) return undefined;
  return settlementPostings(holder, ends?.amount ?? 0, charged);
}

/** An answer is paid by what the worker owed its client, or given. */
const served = (client: string, credits: number, signed = credits) =>
  [true, false].map((byClaim) => servedPostings(client, credits, byClaim, signed));

/** How much a client has had that it did not sign for is for the worker to know: it draws on what that owes it, and nobody owes it for that. */
function unpledged({ postings }: AuditedEntry, client: string): Postings {
  return unpledgedPostings(client, Math.max(1, postings[had(client)] ?? 0));
}

/** What the worker had owed is for the client to know; it cannot be more than the price. */
function paid({ postings }: AuditedEntry, worker: string, credits: number): Postings {
  const owed = Math.min(credits, Math.max(0, -(postings[owes(worker)] ?? 0)));
  return paidPostings(worker, credits, owed);
}

/** Claims move by a voucher, which its entry is named after. */
function movedByVoucher({ row: { key }, voucher }: AuditedEntry): Postings | undefined {
  if (!voucher) return undefined;
  const { body } = voucher;
  if (key === takenKey(body)) return takenPostings(body);
  return key === voucherKey(body) ? vouchedPostings(body) : undefined;
}

/** Any amount may move from one account to the other, but not back; the sum of an entry is checked apart. */
function moved(postings: Postings, from: string, to: string): Postings {
  const amount = Math.max(0, postings[to] ?? 0);
  return { [from]: -amount, [to]: amount };
}

function withoutZeros(postings: Postings): Postings {
  return Object.fromEntries(Object.entries(postings).filter(([, amount]) => amount !== 0));
}
