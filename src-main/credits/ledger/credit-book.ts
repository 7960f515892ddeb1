import type { Logger } from 'pino';
import type {
  CreditDay,
  CreditEntry,
  CreditRule,
  CreditSummary,
  Debtors,
  EntryFilter,
  LedgerReport,
  PointSources,
  ServedRequest,
  TrustedPeers,
} from '../../../src-preload/contract/credits.ts';
import type { Saying } from '../../../src-preload/contract/saying.ts';
import { ListenerSet } from '../../base/listener-set.ts';
import type { Verify } from '../../base/signing.ts';
import type { EntryKind } from '../../store/credits/entry-kinds.ts';
import type { Db } from '../../store/database.ts';
import { Writer } from '../../store/writer.ts';
import type { Signer } from '../books/book-options.ts';
import { ClientBook } from '../books/client-book.ts';
import { loadDues, reloadDues } from '../books/dues.ts';
import { countScoredEvents, readScoredEvents, type ScoredEvent, scoredEventAt } from '../books/scored-events.ts';
import { endUnsignedAnswers } from '../books/unsigned.ts';
import { VoucherBook } from '../books/voucher-book.ts';
import { WorkerBook } from '../books/worker-book.ts';
import type { ClientCredits, PastEvent, Standing, VoucherCredits, WorkerCredits } from '../credits.ts';
import { DEFAULT_GIFTS, type GiftRule } from '../standing/gifts.ts';
import { type DebtsPage, listDebtors, listTrusted } from './debts.ts';
import { type HistoryPage, historyCsv, listEntries, listKinds, listServed } from './history.ts';
import { openLedger, rebuildLedger } from './open-ledger.ts';
import { PointSourceSums } from './point-sources.ts';
import { type ProofOptions, proveLedger } from './proofs.ts';
import { type EarnedAchievement, type Holdings, holdings, listAchievements, listDays, summarise } from './summary.ts';
import { watchLedger } from './watch-ledger.ts';

export interface CreditBookOptions {
  db: Db;
  identity: Signer;
  verify: Verify;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
  /** Confirmed points of another node, from memory. Default: everyone is a newcomer. */
  standing?: (id: string) => Standing;
  /** What a stranger's network prefix is given. Default: {@link DEFAULT_GIFTS}. */
  gifts?: GiftRule;
  /** `witnessed`: everybody is served without limit, in the order of confirmed points. Default `claims`. */
  rule?: CreditRule;
  log: Logger;
}

/** This node's credits: the books of both sides over one ledger, and what there is to see of them. */
export interface CreditBook {
  readonly worker: WorkerCredits;
  readonly client: ClientCredits;
  readonly vouchers: VoucherCredits;
  summary(): Promise<CreditSummary>;
  /** Whom this node owes something for what they have served it. */
  trusted(page: DebtsPage): TrustedPeers;
  /** Who owes this node something. @param isHere whether a peer is in reach; undefined where this node is on no mesh */
  debtors(page: DebtsPage, isHere?: (peer: string) => boolean): Debtors;
  /** What a peer should still owe this node, and this node it: credits, from memory. */
  between(peer: string): { owes: number; owed: number };
  /** Whether a peer has served this node for 10 credits and more itself. From memory. */
  hasEarned(peer: string): boolean;
  /** The part of the summary that may be asked for every second. */
  holdings(): Promise<Holdings>;
  /** Entries that touch this node's own credits or score, newest first. */
  entries(page: HistoryPage): Promise<CreditEntry[]>;
  /** The kinds of entries that there are, or may be. */
  kinds(): Promise<EntryKind[]>;
  /** The same entries as CSV, oldest first, in pieces. */
  csv(filter: EntryFilter): AsyncGenerator<string, void, undefined>;
  /** What the last days brought, by the calendar where the machine stands, today last. */
  days(days: number): Promise<CreditDay[]>;
  /** Where the points come from. */
  sources(): Promise<PointSources>;
  /** What this node served last, newest first. */
  served(limit: number): Promise<ServedRequest[]>;
  /** The number of the last entry, now and whenever there are more, at most once a second; ends with the signal or the book. */
  watch(signal?: AbortSignal): AsyncGenerator<{ seq: number }, void, undefined>;
  achievements(): Promise<EarnedAchievement[]>;
  /** @throws the signal's reason */
  verify(options?: ProofOptions): Promise<LedgerReport>;
  /** Works out balances, reservations and score anew from the journal. @throws DATABASE_CORRUPT when that is damaged */
  rebuild(): Promise<void>;
  /** Receipts and failures in the order of booking, from number `after` on: what the score log publishes. */
  scored(after: number, limit: number): Promise<ScoredEvent[]>;
  /** The number of the event at place `count` of that order; 0 for place 0, undefined when there are fewer. */
  scoredAt(count: number): Promise<number | undefined>;
  /** How many there are. */
  scoredCount(): Promise<number>;
  /** Why no receipt is booked now: those that come are left unanswered, and come again. Undefined when they are booked. */
  hold(why: Saying | undefined): void;
  /** Books what the own score log has after those, in its order. @throws BAD_REQUEST for a receipt that is void */
  recover(events: readonly PastEvent[]): Promise<void>;
  /** Calls `listener` when there is more in `scored`. @returns how to stop that */
  onScored(listener: () => void): () => void;
  /** Waits until everything asked for before is durable. The database stays open. Idempotent. */
  close(): Promise<void>;
}

/**
 * Opens the credit book on a database that this process alone writes. Requests of a process that died are ended by what was signed for.
 * Balances or reservations that stand in the way of that because they are not what the journal gives are rebuilt first.
 *
 * @throws DISK_FULL; DATABASE_CORRUPT, with what is wrong, when the journal itself is damaged
 */
export async function openCreditBook(options: CreditBookOptions): Promise<CreditBook> {
  const { db, identity, verify, gifts = DEFAULT_GIFTS, log } = options;
  const now = options.now ?? Date.now;
  const standing = options.standing ?? (() => ({ points: 0, tier: 'newcomer' }) as const);
  const writer = await Writer.open(db);
  const auditor = {
    id: identity.id,
    // Its own signature this node can make again, which is quicker than to check it.
    verify: (id: string, bytes: Uint8Array, sig: string) =>
      id === identity.id ? identity.sign(bytes) === sig : verify(id, bytes, sig),
    sign: (bytes: Uint8Array) => identity.sign(bytes),
  };
  await openLedger({ db, writer, auditor, gifts, now, log });
  const dues = await loadDues(db, { id: identity.id, verify, gifts });

  const scored = new ListenerSet();
  const book = { db, writer, identity, verify, dues, now };
  const { rule = 'claims' } = options;
  const friends = rule === 'witnessed';
  const vouchers = new VoucherBook(book);
  const worker = new WorkerBook({ ...book, vouchers, standing, gifts, friends, onScored: () => scored.tell() });
  const client = new ClientBook(book);
  const stopEnding = endUnsignedAnswers({ worker, writer, dues, gifts, now, log });
  const inMemory = () => ({
    available: dues.debtors.total,
    owed: dues.claims.total,
    reserved: client.reserved,
    pending: worker.pending,
  });
  const sources = new PointSourceSums(db);
  const closing = new AbortController();
  return {
    worker,
    client,
    vouchers,
    summary: () => summarise(db, { now: now(), gifts, rule, ...inMemory() }),
    holdings: () => holdings(db, dues.debtors.total),
    trusted: (page) => listTrusted(dues.claims, page, (peer) => worker.standing(peer).tier),
    debtors: (page, isHere) => listDebtors(dues.debtors, page, isHere),
    hasEarned: (peer) => dues.claims.hasEarned(peer),
    between: (peer) => ({ owes: dues.debtors.of(peer), owed: dues.claims.owed(peer) }),
    entries: (page) => listEntries(db, page),
    kinds: () => listKinds(db),
    csv: (filter) => historyCsv(db, filter),
    days: (days) => listDays(db, now(), days),
    sources: () => sources.read(),
    served: (limit) => listServed(db, limit),
    watch(signal) {
      const end = AbortSignal.any([closing.signal, ...(signal ? [signal] : [])]);
      return watchLedger(db, (listener) => writer.onCommit(listener), end);
    },
    achievements: () => listAchievements(db),
    verify: (how) => proveLedger({ db, writer, auditor, now, log }, how),
    async rebuild() {
      await rebuildLedger({ db, writer, auditor });
      await reloadDues(dues, writer);
    },
    scored: (after, limit) => readScoredEvents(db, after, limit),
    scoredAt: (count) => scoredEventAt(db, count),
    scoredCount: () => countScoredEvents(db),
    hold: (why) => worker.hold(why),
    recover: (events) => worker.recover(events),
    onScored: (listener) => scored.subscribe(listener),
    close() {
      stopEnding();
      closing.abort();
      return writer.close();
    },
  };
}
