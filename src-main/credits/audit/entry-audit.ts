import { isDeepStrictEqual } from 'node:util';
import type { Side } from '../../../src-preload/contract/mesh.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import type { Postings } from '../../store/ledger.ts';
import type { EntryKind, EntryRow, ReceiptRow } from '../../store/ledger-tables.ts';
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
import { takenKey, voucherKey } from '../books/voucher-book.ts';
import { achievementById } from '../score/achievements.ts';
import { FAILURE_PENALTY } from '../score/points.ts';
import { readVoucher } from './voucher-audit.ts';

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
  /** Credits that were pledged while the answer streamed whose part it books. */
  pledged: number;
}

/** The postings that an entry of a kind may have: any of these. None, when it may not be there at all. */
const EXPECTED: Record<EntryKind, (entry: AuditedEntry) => (Postings | undefined)[]> = {
  allowance: ({ row, postings }) => [moved(postings, ISSUE_ALLOWANCE, available(middleOf(row.key) as Holder))],
  standing: (entry) => [claimsMoved(entry)],
  reserve({ row, postings }) {
    const holder = reservingHolder(row);
    return [moved(postings, available(holder), reserved(holder))];
  },
  release(entry) {
    const { row, ends, pledged } = entry;
    if (row.closes !== null) return [ends && settlementPostings(ends.holder, ends.amount, pledged)];
    const [what, side, peer = ''] = row.key.split(':');
    if (what === 'unpledged') return pledged > 0 ? [] : [unpledged(entry, side ?? '')];
    if (what !== 'part' || pledged === 0) return [];
    return side === 'worker' ? served(peer, pledged) : [paid(entry, peer, pledged)];
  },
  earn(entry) {
    const { row, receipt, ends } = entry;
    if (receipt?.role !== 'worker') return [];
    const { client, charged, counted } = receipt;
    const payable = payment(clientHolder(client), charged, ends);
    const before = payable && { ...payable, ...issuePoints(ISSUE_POINTS, counted) };
    if (row.closes !== null) return [before];
    const signed = Math.max(charged, entry.postings[owes(client)] ?? 0);
    return [...served(client, charged, signed).map((one) => ({ ...one, ...scorePostings(counted) })), before];
  },
  pay(entry) {
    const { row, receipt, ends } = entry;
    if (receipt?.role !== 'client') return [];
    if (row.closes !== null) return [payment(OWN, receipt.charged, ends)];
    return [paid(entry, receipt.worker, receipt.charged)];
  },
  bonus({ row }) {
    const bonus = achievementById(row.key.slice('bonus:'.length))?.bonus;
    return bonus === undefined ? [] : [scorePostings(bonus), issuePoints(ISSUE_BONUS, bonus)];
  },
  penalty: () => [scorePostings(-FAILURE_PENALTY)],
};

/**
 * Holds an entry against what its kind may book: a payment against its receipt and its reservation, a bonus against its
 * achievement, everything else against the pair of accounts it moves credits between.
 *
 * @returns what is wrong with it, as the end of a sentence; undefined when nothing is
 */
export function entryFault(entry: AuditedEntry): Saying | undefined {
  const { row, postings, receipt, ends } = entry;
  const { kind } = row;
  // The file may be anything: not every kind in it is one that the type knows.
  const expect = Object.hasOwn(EXPECTED, kind) ? EXPECTED[kind] : undefined;
  if (!expect) return say('ledger.unknownKind', { kind });
  const books = kind === 'earn' || kind === 'pay';
  if (books && !receipt) return say('ledger.noReceipt', { kind });
  if (!books && row.receipt_id !== null) return say('ledger.receiptUnfit', { kind });
  if (ends && !books && kind !== 'release') return say('ledger.endsUnfit', { kind });
  const expected = expect(entry).filter((one) => one !== undefined);
  if (expected.length === 0) return say('ledger.nothingToShow', { kind });
  const right = expected.some((one) => isDeepStrictEqual({ ...postings }, withoutZeros(one)));
  return right ? undefined : say('ledger.wrongAmounts', { kind });
}

/** Whose credits a `reserve` entry sets aside: its side is in its key, the other node in its memo. */
export function reservingHolder({ key, memo }: Pick<EntryRow, 'key' | 'memo'>): Holder {
  return payer({ role: key.split(':')[1] as Side, peer: memo });
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

/** Claims move by vouchers; what others should owe this node, by those that it brings, and by their own word. */
function claimsMoved({ row, postings }: AuditedEntry): Postings | undefined {
  const { key, memo } = row;
  const [what, by = ''] = key.split(':');
  if (what === 'voucher' || what === 'taken') {
    const body = readVoucher(memo)?.body;
    if (!body || key !== (what === 'taken' ? takenKey(body) : voucherKey(body))) return undefined;
    return what === 'taken' ? takenPostings(body) : vouchedPostings(body);
  }
  if (what === 'brought') return broughtPostings(by, memo, Math.max(0, postings[owes(memo)] ?? 0));
  if (what === 'corrected') return correctedPostings(by, Math.max(0, -(postings[owes(by)] ?? 0)));
  const client = middleOf(key);
  return moved(postings, issueStanding(client), available(clientHolder(client)));
}

/** Any amount may move from one account to the other, but not back; the sum of an entry is checked apart. */
function moved(postings: Postings, from: string, to: string): Postings {
  const amount = Math.max(0, postings[to] ?? 0);
  return { [from]: -amount, [to]: amount };
}

/** What stands between the first and the last colon of a key. */
function middleOf(key: string): string {
  return key.slice(key.indexOf(':') + 1, key.lastIndexOf(':'));
}

function withoutZeros(postings: Postings): Postings {
  return Object.fromEntries(Object.entries(postings).filter(([, amount]) => amount !== 0));
}
