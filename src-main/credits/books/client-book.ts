import { LRUCache } from 'lru-cache';
import { type Saying, say, sentence } from '../../../src-preload/contract/saying.ts';
import { appendEntry, balanceOf, findEntry, nextKey } from '../../store/credits/ledger.ts';
import type { OutboxRow } from '../../store/credits/ledger-tables.ts';
import { dropOpenPledge, findOpenPledge, placeOf, saveOpenPledge } from '../../store/credits/pledges.ts';
import { findReceipt, listOutbox, pruneOutbox, putIntoOutbox, removeFromOutbox } from '../../store/credits/receipts.ts';
import type { Trx } from '../../store/writer.ts';
import { BillRefused, type ClientCredits, type Funds, type Observed, type Terms } from '../credits.ts';
import { type Ending, owedAtEnd } from '../ending.ts';
import { type Pledge, pledgeBytes } from '../pledge.ts';
import { costOf } from '../price.ts';
import { type Receipt, receiptBytes, receiptId, type WorkerReceipt, workerReceiptSchema } from '../receipt.ts';
import { dayOf, LATE_MS } from '../score/score.ts';
import { owes } from './accounts.ts';
import type { BookOptions } from './book-options.ts';
import { broughtKeys, correctedKeys, partKey, payKey } from './entry-keys.ts';
import { BILL_REFUSED } from './memos.ts';
import { endPledge, idTaken, type Part, UNTIL_RESTART } from './parts.ts';
import { broughtPostings, correctedPostings, paidPostings } from './postings.ts';
import { billFault, mismatch } from './receipt-check.ts';
import { fromRow, toRow } from './receipt-row.ts';
import { HeardVoices } from './voices.ts';

/** Receipts sent again at once to a worker that has come back. */
const OUTBOX_PAGE = 100;
/** Workers for whom it is remembered whose vouchers they take. */
const WORKERS = 2_048;
/** Milliseconds for which a worker's next list does not count: to look everybody up in it costs longer than a choice should take. */
const VOICES_MS = 20_000;

/** A request that has not ended. */
interface Request {
  worker: string;
  /** Credits that it may cost. */
  most: number;
  pledged: boolean;
}

/** The books of a node that asks: what it has signed for, and what others should owe it. */
export class ClientBook implements ClientCredits {
  readonly #options: BookOptions;
  readonly #requests = new Map<string, Request>();
  /** The day up to which the outbox was pruned last. */
  #pruned = 0;
  /** Whose vouchers are taken, by worker. */
  readonly #voices = new LRUCache<string, HeardVoices>({ max: WORKERS });

  constructor(options: BookOptions) {
    this.#options = options;
  }

  /** What the requests that have not ended may cost. */
  get reserved(): number {
    let sum = 0;
    for (const { most } of this.#requests.values()) sum += most;
    return sum;
  }

  async open({ requestId, worker, maxTokens }: Parameters<ClientCredits['open']>[0]): Promise<void> {
    const { db } = this.#options;
    if (this.#requests.has(requestId)) throw idTaken();
    this.#requests.set(requestId, { worker, most: costOf({ completionTokens: maxTokens }), pledged: false });
    const used =
      (await findReceipt(db, worker, requestId)) ?? (await findEntry(db, partKey('client', worker, requestId)));
    if (used === undefined) return;
    this.#requests.delete(requestId);
    throw idTaken();
  }

  async pledge({ funds, ...said }: Omit<Pledge, 'client'> & { funds: Funds }): Promise<string> {
    const { writer, identity } = this.#options;
    const { requestId, worker, promptHash, credits } = said;
    const request = this.#requests.get(requestId);
    if (request?.worker !== worker || credits > request.most) throw nothingSetAside();
    const sig = identity.sign(pledgeBytes({ ...said, client: identity.id }));
    request.pledged = true;
    const row = { ...placeOf('client', worker, requestId), prompt_hash: promptHash, credits, sig, funds, network: '' };
    await writer.run((trx) => saveOpenPledge(trx, row), UNTIL_RESTART);
    return sig;
  }

  async countersign(bill: WorkerReceipt, observed: Observed): Promise<Receipt> {
    const { writer } = this.#options;
    const { requestId } = observed;
    const fault = this.#fault(bill, observed);
    if (fault) {
      const ending = { by: 'client', code: 'PROTOCOL', sent: observed.resultChars } as const;
      throw new BillRefused(fault, await this.#end(requestId, ending, `${BILL_REFUSED}${sentence(fault)}`));
    }
    const request = this.#requests.get(requestId);
    const { receipt, paid } = await writer.run((trx) => this.#book(trx, bill, observed.funds, request));
    if (paid) this.#paid(receipt.body.worker, paid);
    this.#requests.delete(requestId);
    return receipt;
  }

  async release(requestId: string, ending: Ending): Promise<number> {
    return await this.#end(requestId, ending, ending.code);
  }

  async unacknowledged(worker: string): Promise<Receipt[]> {
    return (await listOutbox(this.#options.db, worker, OUTBOX_PAGE)).map(fromRow);
  }

  async acknowledge(requestId: string): Promise<void> {
    await this.#options.writer.run((trx) => removeFromOutbox(trx, requestId));
  }

  owedBy(worker: string): number {
    return this.#options.dues.debtors.of(worker);
  }

  waysTo(worker: string, terms: Pick<Terms, 'salt' | 'voices'>, there: Iterable<string>): string[] {
    if (terms.voices.length === 0) return [];
    const { debtors } = this.#options.dues;
    const voices = this.#voicesOf(worker, terms);
    const ways: string[] = [];
    for (const peer of there) if (peer !== worker && debtors.knows(peer) && voices.has(peer)) ways.push(peer);
    return ways;
  }

  async vouched(by: string, worker: string, credits: number): Promise<void> {
    const { writer, dues, now } = this.#options;
    const moved = await writer.run(async (trx) => {
      const amount = Math.min(Math.floor(credits), await balanceOf(trx, owes(by)));
      if (!(amount > 0) || by === worker) return 0;
      const key = await nextKey(trx, broughtKeys(by));
      const postings = broughtPostings(by, worker, amount);
      await appendEntry(trx, { at: now(), kind: 'standing', key, memo: worker, postings });
      return amount;
    });
    if (moved === 0) return;
    dues.debtors.spent(by, moved);
    dues.debtors.served(worker, moved);
  }

  async corrected(worker: string, credits: number): Promise<void> {
    const { writer, dues, now } = this.#options;
    if (dues.debtors.of(worker) <= Math.max(0, credits)) return;
    const less = await writer.run(async (trx) => {
      const amount = (await balanceOf(trx, owes(worker))) - Math.max(0, Math.floor(credits));
      if (amount <= 0) return 0;
      const key = await nextKey(trx, correctedKeys(worker));
      await appendEntry(trx, { at: now(), kind: 'standing', key, postings: correctedPostings(worker, amount) });
      return amount;
    }, UNTIL_RESTART);
    if (less > 0) dues.debtors.spent(worker, less);
  }

  /** @returns credits that were paid */
  async #end(requestId: string, ending: Ending, memo: string): Promise<number> {
    const { writer, now } = this.#options;
    const request = this.#requests.get(requestId);
    if (!request) return 0;
    const { worker, pledged } = request;
    let part: Part | undefined;
    if (pledged) {
      part = await writer.run(async (trx) => {
        const open = await findOpenPledge(trx, placeOf('client', worker, requestId));
        return await endPledge(trx, open, owedAtEnd(ending, open?.credits ?? 0), memo, now());
      });
      if (part) this.#paid(worker, part);
    }
    this.#requests.delete(requestId);
    return part?.credits ?? 0;
  }

  /** By the list that was looked at last, unless there is another and that one is old. */
  #voicesOf(worker: string, terms: Pick<Terms, 'salt' | 'voices'>): HeardVoices {
    const known = this.#voices.get(worker);
    const now = this.#options.now();
    if (known && (known.salt === terms.salt || (now >= known.at && now < known.at + VOICES_MS))) return known;
    const heard = new HeardVoices(terms, now);
    this.#voices.set(worker, heard);
    return heard;
  }

  /** The worker has served this node so much; so much of it was what it owed. */
  #paid(worker: string, { credits, owed }: Pick<Part, 'credits' | 'owed'>): void {
    const { claims, debtors } = this.#options.dues;
    claims.earn(worker, credits);
    debtors.spent(worker, owed);
  }

  #fault(bill: WorkerReceipt, observed: Observed): Saying | undefined {
    const { identity, verify, now } = this.#options;
    if (!workerReceiptSchema.safeParse(bill).success) return say('receipt.malformed');
    return mismatch(bill.body, observed, identity.id, now()) ?? billFault(bill, verify);
  }

  async #book(
    trx: Trx,
    bill: WorkerReceipt,
    funds: Funds,
    request: Request | undefined,
  ): Promise<{ receipt: Receipt; paid: Pick<Part, 'credits' | 'owed'> | undefined }> {
    const { identity, now } = this.#options;
    const { body } = bill;
    const { worker, requestId, cost: credits } = body;
    const receipt: Receipt = { ...bill, clientSig: identity.sign(receiptBytes(body)) };
    const earlier = await findReceipt(trx, worker, requestId);
    if (earlier && earlier.id !== receiptId(body)) throw idTaken();
    if (earlier) return { receipt: fromRow(earlier), paid: undefined };
    const ended = (await findEntry(trx, partKey('client', worker, requestId))) !== undefined;
    if (request?.worker !== worker || ended) throw nothingSetAside();
    const owed = funds === 'claim' ? Math.min(credits, await balanceOf(trx, owes(worker))) : 0;
    const row = toRow(receipt, 'client', { counted: 0, reason: null, charged: credits });
    await trx.insertInto('receipts').values(row).execute();
    const entry = await appendEntry(trx, {
      at: now(),
      kind: 'pay',
      key: payKey(row.id),
      requestId,
      receiptId: row.id,
      postings: paidPostings(worker, credits, owed),
    });
    await dropOpenPledge(trx, placeOf('client', worker, requestId));
    await this.#keepUntilTaken(trx, { ...row, receipt_id: row.id, entry });
    return { receipt, paid: { credits, owed } };
  }

  /** Those that nobody came for go once a day; the first time is when the ledger is opened. */
  async #keepUntilTaken(trx: Trx, { request_id, worker, receipt_id, entry, day }: OutboxRow): Promise<void> {
    const last = dayOf(this.#options.now() - LATE_MS);
    if (last !== this.#pruned) await pruneOutbox(trx, last);
    this.#pruned = last;
    await putIntoOutbox(trx, { request_id, worker, receipt_id, entry, day });
  }
}

function nothingSetAside(): BillRefused {
  return new BillRefused(say('receipt.nothingSetAside'), 0);
}
