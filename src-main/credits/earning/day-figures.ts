import { Turns } from '../../base/turns.ts';
import type { EntryKind } from '../../store/credits/entry-kinds.ts';
import type { ReceiptRow } from '../../store/credits/ledger-tables.ts';
import type { Db } from '../../store/database.ts';
import type { ReceiptBody } from '../receipt.ts';
import { pointsFor, speedPoints } from '../score/points.ts';
import type { NotCounted } from '../score/score.ts';

const PAGE = 500;

/** What the receipts and failures of one day come to. */
export interface DayFigures {
  /** Receipts that counted, what they counted for, and what was spent on them in all, in milliseconds. */
  answers: number;
  points: number;
  processingMs: number;
  /** Of those: too slow for any point for speed. */
  late: number;
  /** What the same answers would have brought more in half the time. */
  inHalfTheTime: number;
  /** Beyond what counts of one asker on a day: how many, and what they would have counted for. */
  uncounted: { answers: number; points: number };
  /** Failures of this node's own that cost it points, and how many. */
  failures: { count: number; points: number };
}

export const NOTHING: DayFigures = {
  answers: 0,
  points: 0,
  processingMs: 0,
  late: 0,
  inHalfTheTime: 0,
  uncounted: { answers: 0, points: 0 },
  failures: { count: 0, points: 0 },
};

interface Entry {
  seq: number;
  at: number;
  kind: EntryKind;
  points: number;
  body: ReceiptRow['body'] | null;
  reason: ReceiptRow['reason'] | null;
}

/** Adds up the entries of the present day. Each is read once while the node runs, and nothing of the days before. */
export class DaySums {
  readonly #db: Db;
  readonly #turns = new Turns();
  #since: number | undefined;
  #lastSeq = 0;
  #sums = structuredClone(NOTHING);

  constructor(db: Db) {
    this.#db = db;
  }

  /** @param since when the day began, Unix milliseconds */
  async read(since: number): Promise<DayFigures> {
    return await this.#turns.take(async () => {
      if (since !== this.#since) await this.#begin(since);
      await this.#catchUp(since);
      return structuredClone(this.#sums);
    });
  }

  async #begin(since: number): Promise<void> {
    const before = this.#db.selectFrom('own_entries').select('seq').where('at', '<', since);
    const last = await before.orderBy('at', 'desc').orderBy('seq', 'desc').limit(1).executeTakeFirst();
    this.#since = since;
    this.#lastSeq = last?.seq ?? 0;
    this.#sums = structuredClone(NOTHING);
  }

  async #catchUp(since: number): Promise<void> {
    for (;;) {
      const page = await this.#readPage();
      for (const entry of page) if (entry.at >= since) addEntry(this.#sums, entry);
      this.#lastSeq = page.at(-1)?.seq ?? this.#lastSeq;
      if (page.length < PAGE) return;
      await new Promise(setImmediate);
    }
  }

  async #readPage(): Promise<Entry[]> {
    return await this.#db
      .selectFrom('own_entries as own')
      .innerJoin('ledger_entries as entry', 'entry.seq', 'own.seq')
      .leftJoin('receipts', 'receipts.id', 'entry.receipt_id')
      .select(['own.seq', 'own.at', 'own.kind', 'own.points', 'receipts.body', 'receipts.reason'])
      .where('own.seq', '>', this.#lastSeq)
      .orderBy('own.seq')
      .limit(PAGE)
      .execute();
  }
}

function addEntry(sums: DayFigures, { kind, points, body, reason }: Entry): void {
  if (kind === 'penalty') {
    sums.failures.count++;
    sums.failures.points -= points;
  }
  if (kind === 'earn' && body !== null) addReceipt(sums, JSON.parse(body) as ReceiptBody, reason);
}

/** Adds a receipt of this node as a worker. @param reason why it counted for nothing, null where it did count */
export function addReceipt(
  sums: DayFigures,
  body: Pick<ReceiptBody, 'points' | 'processingMs' | 'promptChars' | 'resultChars'>,
  reason: string | null,
): void {
  if (reason === ('pair-cap' satisfies NotCounted)) {
    sums.uncounted.answers++;
    sums.uncounted.points += body.points;
  }
  if (reason !== null) return;
  sums.answers++;
  sums.points += body.points;
  sums.processingMs += body.processingMs;
  sums.late += speedPoints(body.processingMs) === 0 ? 1 : 0;
  sums.inHalfTheTime += pointsFor({ ...body, processingMs: body.processingMs / 2 }) - pointsFor(body);
}
