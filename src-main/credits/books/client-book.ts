import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import { appendEntry, type Postings } from '../../store/ledger.ts';
import type { ReceiptRow } from '../../store/ledger-tables.ts';
import { dropPledge, savePledge } from '../../store/pledges.ts';
import { findReceipt, listOutbox, putIntoOutbox, removeFromOutbox } from '../../store/receipts.ts';
import type { Trx } from '../../store/writer.ts';
import type { ClientCredits, Funds, Observed } from '../credits.ts';
import { type Pledge, pledgeBytes } from '../pledge.ts';
import { type Receipt, receiptBytes, receiptId, type WorkerReceipt, workerReceiptSchema } from '../receipt.ts';
import { costOf } from '../score/points.ts';
import { OWN } from './accounts.ts';
import { payAllowance } from './allowance.ts';
import { billFault, mismatch } from './receipt-check.ts';
import { fromRow, toRow } from './receipt-row.ts';
import {
  findReservation,
  forget,
  idTaken,
  openReservation,
  type Reservation,
  releaseReservation,
  settlement,
  UNTIL_RESTART,
} from './reservations.ts';
import type { BookOptions } from './worker-book.ts';

/** Receipts sent again at once to a worker that has come back. */
const OUTBOX_PAGE = 100;

/** The books of a node that asks: what it may spend, and what it has signed. */
export class ClientBook implements ClientCredits {
  readonly #options: BookOptions;
  readonly #running = new Set<string>();

  constructor(options: BookOptions) {
    this.#options = options;
  }

  /** Ids of the requests that have neither been answered nor failed yet. */
  get running(): ReadonlySet<string> {
    return this.#running;
  }

  async open(request: { requestId: string; worker: string; maxTokens: number }): Promise<void> {
    const { writer, allowance, now } = this.#options;
    const { requestId, worker } = request;
    await writer.run(async (trx) => {
      if (await findReceipt(trx, worker, requestId)) throw idTaken();
      await payAllowance(trx, OWN, allowance, now());
      const amount = costOf(request.maxTokens);
      await openReservation(trx, { side: 'client', requestId, peer: worker, amount }, allowance, now());
    }, UNTIL_RESTART);
    this.#running.add(requestId);
  }

  async pledge({ funds: _, ...said }: Omit<Pledge, 'client'> & { funds: Funds }): Promise<string> {
    const { writer, identity } = this.#options;
    const { requestId, worker, promptHash, credits } = said;
    const sig = identity.sign(pledgeBytes({ ...said, client: identity.id }));
    await writer.run(async (trx) => {
      const open = await findReservation(trx, 'client', requestId);
      if (open?.peer !== worker || credits > open.amount) throw refused(say('receipt.nothingSetAside'));
      await savePledge(trx, { entry: open.entry, prompt_hash: promptHash, credits, sig });
    }, UNTIL_RESTART);
    return sig;
  }

  async countersign(bill: WorkerReceipt, observed: Observed): Promise<Receipt> {
    const { writer, now } = this.#options;
    this.#running.delete(observed.requestId);
    return await writer.run(async (trx) => {
      const open = await findReservation(trx, 'client', observed.requestId);
      const fault = this.#fault(bill, observed);
      if (fault && open) await releaseReservation(trx, open, `bill refused: ${fault}`, now());
      if (fault) throw refused(fault);
      return await this.#book(trx, bill, open);
    });
  }

  async release(requestId: string, reason: string): Promise<void> {
    const { writer, now } = this.#options;
    this.#running.delete(requestId);
    await writer.run(async (trx) => {
      const open = await findReservation(trx, 'client', requestId);
      if (open) await releaseReservation(trx, open, reason, now());
    });
  }

  async unacknowledged(worker: string): Promise<Receipt[]> {
    return (await listOutbox(this.#options.db, worker, OUTBOX_PAGE)).map(fromRow);
  }

  async acknowledge(requestId: string): Promise<void> {
    await this.#options.writer.run((trx) => removeFromOutbox(trx, requestId));
  }

  owedBy(): number {
    return 0;
  }

  waysTo(): string[] {
    return [];
  }

  async vouched(): Promise<void> {}

  async corrected(): Promise<void> {}

  #fault(bill: WorkerReceipt, observed: Observed): Saying | undefined {
    const { identity, verify, now } = this.#options;
    if (!workerReceiptSchema.safeParse(bill).success) return say('receipt.malformed');
    return mismatch(bill.body, observed, identity.id, now()) ?? billFault(bill, verify);
  }

  async #book(trx: Trx, bill: WorkerReceipt, open: Reservation | undefined): Promise<Receipt> {
    const { identity } = this.#options;
    const { body } = bill;
    const receipt: Receipt = { ...bill, clientSig: identity.sign(receiptBytes(body)) };
    const earlier = await findReceipt(trx, body.worker, body.requestId);
    if (earlier && earlier.id !== receiptId(body)) throw idTaken();
    if (earlier) return fromRow(earlier);
    if (open?.peer !== body.worker) throw refused(say('receipt.nothingSetAside'));
    const { charged, postings } = await settlement(trx, OWN, open.amount, body.cost);
    const row = toRow(receipt, 'client', { counted: 0, reason: null, charged });
    await trx.insertInto('receipts').values(row).execute();
    await this.#pay(trx, row, open, postings);
    await putIntoOutbox(trx, row);
    return receipt;
  }

  async #pay(trx: Trx, receipt: ReceiptRow, open: Reservation, postings: Postings): Promise<void> {
    await appendEntry(trx, {
      at: this.#options.now(),
      kind: 'pay',
      key: `pay:${receipt.id}`,
      requestId: receipt.request_id,
      receiptId: receipt.id,
      closes: open.entry,
      postings,
    });
    await dropPledge(trx, open.entry);
    await forget(trx, open);
  }
}

function refused(why: Saying): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: say('credits.refused', { why }),
    field: 'receipt',
  });
}
