import { isDeepStrictEqual } from 'node:util';
import type { Side } from '../../../src-preload/contract/mesh.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import type { Postings } from '../../store/ledger.ts';
import type { EntryKind, EntryRow, ReceiptRow } from '../../store/ledger-tables.ts';
import {
  available,
  clientHolder,
  type Holder,
  ISSUE_ALLOWANCE,
  ISSUE_BONUS,
  ISSUE_POINTS,
  issueStanding,
  OWN,
  reserved,
  SCORE_EARNED,
  SCORE_ISSUED,
} from '../books/accounts.ts';
import { issuePoints } from '../books/own-score.ts';
import { payer, settlementPostings } from '../books/reservations.ts';
import { achievementById } from '../score/achievements.ts';
import { FAILURE_PENALTY } from '../score/points.ts';

/** A reservation that an audit has come across and that no entry has ended yet. */
export interface OpenReservation {
  holder: Holder;
  amount: number;
}

/** What is kept of the receipt that an entry books. */
export type BookedReceipt = Pick<ReceiptRow, 'role' | 'client' | 'counted' | 'charged'>;

/** An entry, and all that its amounts follow from. */
export interface AuditedEntry {
  row: EntryRow;
  postings: Postings;
  /** Undefined when it names none, or one that is not kept. */
  receipt: BookedReceipt | undefined;
  /** The reservation that it ends. */
  ends: OpenReservation | undefined;
  /** Credits that were pledged under that reservation while the answer streamed. */
  pledged: number;
}

/** The postings that an entry of a kind must have; undefined when it may not be there at all. */
const EXPECTED: Record<EntryKind, (entry: AuditedEntry) => Postings | undefined> = {
  allowance: ({ row, postings }) => moved(postings, ISSUE_ALLOWANCE, available(middleOf(row.key) as Holder)),
  standing({ row, postings }) {
    const client = middleOf(row.key);
    return moved(postings, issueStanding(client), available(clientHolder(client)));
  },
  reserve({ row, postings }) {
    const holder = reservingHolder(row);
    return moved(postings, available(holder), reserved(holder));
  },
  release: ({ ends, pledged }) => ends && settlementPostings(ends.holder, ends.amount, pledged),
  earn({ receipt, ends }) {
    if (receipt?.role !== 'worker') return undefined;
    const paid = payment(clientHolder(receipt.client), receipt, ends);
    return paid && { ...paid, ...issuePoints(ISSUE_POINTS, receipt.counted) };
  },
  pay: ({ receipt, ends }) => (receipt?.role === 'client' ? payment(OWN, receipt, ends) : undefined),
  bonus({ row }) {
    const achievement = achievementById(row.key.slice('bonus:'.length));
    return achievement && issuePoints(ISSUE_BONUS, achievement.bonus);
  },
  penalty: () => ({ [SCORE_EARNED]: -FAILURE_PENALTY, [SCORE_ISSUED]: FAILURE_PENALTY }),
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
  const expected = expect(entry);
  if (!expected) return say('ledger.nothingToShow', { kind });
  const right = isDeepStrictEqual({ ...postings }, withoutZeros(expected));
  return right ? undefined : say('ledger.wrongAmounts', { kind });
}

/** Whose credits a `reserve` entry sets aside: its side is in its key, the other node in its memo. */
export function reservingHolder({ key, memo }: Pick<EntryRow, 'key' | 'memo'>): Holder {
  return payer({ role: key.split(':')[1] as Side, peer: memo });
}

function payment(holder: Holder, { charged }: BookedReceipt, ends: OpenReservation | undefined): Postings | undefined {
  if (ends && ends.holder !== holder) return undefined;
  return settlementPostings(holder, ends?.amount ?? 0, charged);
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
