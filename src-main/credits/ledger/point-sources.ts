import type { PointSources } from '../../../src-preload/contract/credits.ts';
import { Turns } from '../../base/turns.ts';
import type { EntryKind } from '../../store/credits/entry-kinds.ts';
import type { ReceiptRow } from '../../store/credits/ledger-tables.ts';
import type { Db } from '../../store/database.ts';
import type { ReceiptBody } from '../receipt.ts';
import { complexityPoints, qualityPoints, speedPoints } from '../score/points.ts';
import type { NotCounted } from '../score/score.ts';

const PAGE = 500;

/** An entry that may have changed the score, with its receipt if it has one. */
interface Source {
  seq: number;
  kind: EntryKind;
  points: number;
  body: ReceiptRow['body'] | null;
  reason: ReceiptRow['reason'] | null;
}

/**
 * Where this node's points come from. The ledger only grows, so each entry is read once: the sums stay in memory, and a
 * later question reads what came since.
 */
export class PointSourceSums {
  readonly #db: Db;
  readonly #sums: PointSources = {
    speed: 0,
    complexity: 0,
    quality: 0,
    bonuses: 0,
    penalties: 0,
    uncounted: { pairCap: 0, tooOld: 0 },
  };
  #lastSeq = 0;
  readonly #turns = new Turns();

  constructor(db: Db) {
    this.#db = db;
  }

  /** Sums over the whole ledger. All but `uncounted` add up to the points that the node has. */
  async read(): Promise<PointSources> {
    await this.#turns.take(() => this.#catchUp());
    return structuredClone(this.#sums);
  }

  async #catchUp(): Promise<void> {
    for (;;) {
      const page = await this.#readPage();
      for (const source of page) this.#add(source);
      if (page.length < PAGE) return;
      await new Promise(setImmediate); // the first question may be about a long ledger
    }
  }

  async #readPage(): Promise<Source[]> {
    return await this.#db
      .selectFrom('own_entries as own')
      .innerJoin('ledger_entries as entry', 'entry.seq', 'own.seq')
      .leftJoin('receipts', 'receipts.id', 'entry.receipt_id')
      .select(['own.seq', 'own.kind', 'own.points', 'receipts.body', 'receipts.reason'])
      .where('own.seq', '>', this.#lastSeq)
      .orderBy('own.seq')
      .limit(PAGE)
      .execute();
  }

  #add({ seq, kind, points, body, reason }: Source): void {
    if (kind === 'bonus') this.#sums.bonuses += points;
    if (kind === 'penalty') this.#sums.penalties += points;
    if (kind === 'earn' && body !== null) this.#addReceipt(JSON.parse(body) as ReceiptBody, reason);
    this.#lastSeq = seq;
  }

  #addReceipt(body: ReceiptBody, reason: string | null): void {
    const sums = this.#sums;
    if (reason === ('too-old' satisfies NotCounted)) sums.uncounted.tooOld += body.points;
    else if (reason !== null) sums.uncounted.pairCap += body.points;
    else {
      sums.speed += speedPoints(body.processingMs);
      sums.complexity += complexityPoints(body.promptChars);
      sums.quality += qualityPoints(body.resultChars);
    }
  }
}
