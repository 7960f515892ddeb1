import { type ErrorCode, QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import { networkPrefix } from '../../base/network-prefix.ts';
import { ignoring } from '../../base/swallowed.ts';
import { saveGift } from '../../store/credits/gifts.ts';
import { findOpenPledge, placeOf, saveOpenPledge } from '../../store/credits/pledges.ts';
import { findReceipt } from '../../store/credits/receipts.ts';
import type { Trx } from '../../store/writer.ts';
import type { Booking, Funding, PastEvent, Served, Standing, Terms, WorkerCredits } from '../credits.ts';
import { owedAtEnd } from '../ending.ts';
import { type Pledge, pledgeBytes } from '../pledge.ts';
import { costOf } from '../price.ts';
import { type Receipt, type ReceiptBody, receiptBytes, type WorkerReceipt } from '../receipt.ts';
import { pointsFor } from '../score/points.ts';
import type { BookOptions } from './book-options.ts';
import { ClientMeans, type ClientMeansOptions } from './client-means.ts';
import { bookReceipt, checkReceipt } from './earned.ts';
import { UNSIGNED } from './memos.ts';
import { penalise, penaliseAgain } from './own-score.ts';
import { bookUnpledged, endPledge, findPart, findUnpledged, idTaken, UNTIL_RESTART } from './parts.ts';
import { isGift, type Tab, Tabs } from './tabs.ts';
import type { VoucherBook } from './voucher-book.ts';

/** Milliseconds that a client has to sign for a whole answer; from then on, what it signed for while it streamed is what it pays. */
export const UNSIGNED_MS = 600_000;

export interface WorkerBookOptions extends BookOptions, ClientMeansOptions {
  vouchers: VoucherBook;
  /** Called after a receipt or a failure has been booked: the score log has something to publish. */
  onScored: () => void;
}

/** Why a request ends without a receipt. */
interface Why {
  code: ErrorCode;
  /** What the ledger says of it. */
  memo: string;
  /** Tokens that were sent; undefined when the engine was not asked, or when the bill says it. */
  sent: number | undefined;
}

/** The books of a node that serves: what its clients may have, what they have had, and its own points. */
export class WorkerBook implements WorkerCredits {
  readonly #options: WorkerBookOptions;
  readonly #means: ClientMeans;
  readonly #tabs = new Tabs();
  #held: Saying | undefined;

  constructor(options: WorkerBookOptions) {
    this.#options = options;
    this.#means = new ClientMeans(options);
  }

  /** Answers that nobody has signed for yet. */
  get pending(): Tabs['pending'] {
    return this.#tabs.pending;
  }

  standing(client: string): Standing {
    return this.#means.standing(client);
  }

  async fund(request: Parameters<WorkerCredits['fund']>[0]): Promise<Funding> {
    const { requestId, client, host, maxTokens, vouchers } = request;
    const { now, vouchers: voucherBook } = this.#options;
    const setAside = async () => {
      await this.#refuseUsed(client, requestId);
      const wish = { client, prefix: networkPrefix(host), credits: costOf({ completionTokens: maxTokens }) };
      const words = await voucherBook.take(vouchers, wish);
      return this.#means.fund({ ...wish, vouched: words >= wish.credits });
    };
    return await this.#tabs.open(requestId, setAside, now);
  }

  async keepPledge({ sig, ...said }: Omit<Pledge, 'worker'> & { sig: string }): Promise<void> {
    const { writer, identity, verify } = this.#options;
    const { requestId, client, promptHash, credits } = said;
    if (!verify(client, pledgeBytes({ ...said, worker: identity.id }), sig)) throw notPledged();
    const tab = this.#tabs.of(client, requestId);
    if (!tab || tab.ending || credits > tab.funding.credits) throw tooMuch();
    tab.pledged = Math.max(tab.pledged, credits);
    const { funds, prefix: network } = tab.funding;
    const row = { ...placeOf('worker', client, requestId), prompt_hash: promptHash, credits, sig, funds, network };
    await writer.run((trx) => saveOpenPledge(trx, row), UNTIL_RESTART);
  }

  bill(served: Served): WorkerReceipt {
    const { identity, now } = this.#options;
    const cost = costOf(served);
    const points = pointsFor(served);
    const tab = this.#tabs.of(served.client, served.requestId);
    if (tab) {
      tab.running = false;
      tab.at = now();
      // An answer without a word is nothing that was sent, whatever it has cost to find none.
      tab.billed = served.resultChars > 0 ? served.completionTokens : 0;
      tab.points = points;
      this.#count(tab, cost);
    }
    const body: ReceiptBody = { v: 2, ...served, worker: identity.id, points, cost };
    return { body, workerSig: identity.sign(receiptBytes(body)) };
  }

  /** Why no receipt is booked now; undefined when they are again. What its score log has comes first, in its order. */
  hold(why: Saying | undefined): void {
    this.#held = why;
  }

  /**
   * Books what this node did and its ledger does not know: entries of its own score log that come after those of the ledger.
   * @throws BAD_REQUEST for a receipt that is void
   */
  async recover(events: readonly PastEvent[]): Promise<void> {
    const { writer } = this.#options;
    for (const event of events) {
      if (event.type === 'failure') await writer.run((trx) => penaliseAgain(trx, event));
      else {
        checkReceipt(event.receipt, this.#options);
        await this.#bookLate(event.receipt);
      }
    }
  }

  async settle(receipt: Receipt): Promise<Booking> {
    checkReceipt(receipt, this.#options);
    if (this.#held) throw new QuarryError({ code: 'NOT_RUNNING', message: this.#held, retryable: true });
    const { client, requestId } = receipt.body;
    let tab = this.#tabs.get(requestId);
    while (tab?.ending) {
      await tab.ending.catch(ignoring('whoever ends it hears of it'));
      tab = this.#tabs.get(requestId);
    }
    if (tab && tab.funding.client !== client) throw idTaken();
    const booking = tab ? this.#bookTab(receipt, tab) : this.#bookLate(receipt);
    if (tab) {
      tab.ending = booking.catch(ignoring('it is thrown below')).finally(() => {
        tab.ending = undefined;
      });
    }
    const booked = await booking;
    this.#options.onScored();
    return booked;
  }

  async release(
    { client, requestId }: { client: string; requestId: string },
    code: ErrorCode,
    asked?: { streamed: number },
  ): Promise<void> {
    const tab = this.#tabs.of(client, requestId);
    if (tab) await this.#end(requestId, tab, { code, memo: code, sent: asked?.streamed });
  }

  terms(client: string, host: string): Terms {
    return this.#means.terms(client, host);
  }

  given(prefix: string): number {
    return this.#means.given(prefix);
  }

  /** Ends answers that nobody is going to sign for. @returns how many those were */
  async endUnsigned(): Promise<number> {
    const over = this.#tabs.unsigned(this.#options.now() - UNSIGNED_MS);
    for (const [requestId, tab] of over) {
      await this.#end(requestId, tab, { code: 'DEADLINE', memo: UNSIGNED, sent: undefined });
    }
    return over.length;
  }

  /** @throws BAD_REQUEST when a receipt, a part, or what was drawn without a signature has used the id up */
  async #refuseUsed(client: string, requestId: string): Promise<void> {
    const { db, identity } = this.#options;
    if (await findReceipt(db, identity.id, requestId)) throw idTaken();
    if (await findPart(db, client, requestId)) throw idTaken();
    if ((await findUnpledged(db, client, requestId)) > 0) throw idTaken();
  }

  /** What an answer given away has taken counts for the client's prefix, whether or not that signs. */
  #count(tab: Tab, credits: number): void {
    const { dues, now } = this.#options;
    if (tab.counted !== undefined || !isGift(tab)) return;
    tab.counted = Math.min(credits, tab.funding.credits);
    dues.till.settle(tab.funding, tab.counted, now());
  }

  async #saveGift(trx: Trx, tab: Tab): Promise<void> {
    const { dues, now } = this.#options;
    const { prefix } = tab.funding;
    if (tab.counted) await saveGift(trx, prefix, { credits: dues.gifts.level(prefix, now()), at: now() });
  }

  async #end(requestId: string, tab: Tab, why: Why): Promise<void> {
    tab.running = false;
    tab.ending ??= this.#bookEnd(requestId, tab, why).finally(() => {
      tab.ending = undefined;
    });
    await tab.ending;
  }

  async #bookEnd(requestId: string, tab: Tab, { code, memo, sent = tab.billed }: Why): Promise<void> {
    const { writer, dues, now, onScored } = this.#options;
    const { client, funds, credits: most } = tab.funding;
    const owed = owedAtEnd({ by: 'worker', code, sent }, tab.pledged);
    const { paid, fault } = owed;
    const used = Math.min(owed.used, most);
    const unpledged = funds === 'claim' ? used - paid : 0;
    this.#count(tab, used);
    const write = async (trx: Trx): Promise<number> => {
      const open = await findOpenPledge(trx, placeOf('worker', client, requestId));
      const part = await endPledge(trx, open, owed, memo, now());
      if (unpledged > 0) await bookUnpledged(trx, { client, requestId, credits: unpledged }, memo, now());
      await this.#saveGift(trx, tab);
      if (fault) await penalise(trx, { peer: client, requestId }, memo, now());
      return part?.credits ?? 0;
    };
    const toWrite = tab.pledged > 0 || tab.counted || fault || unpledged > 0;
    const booked = toWrite ? await writer.run(write, paid > 0 || fault ? {} : UNTIL_RESTART) : 0;
    if (!isGift(tab)) dues.till.settle(tab.funding, booked + unpledged, now());
    if (booked > 0) dues.debtors.served(client, booked);
    this.#tabs.close(requestId);
    if (fault) onScored();
  }

  async #bookTab(receipt: Receipt, tab: Tab): Promise<Booking> {
    const { writer, dues, now } = this.#options;
    const { client, requestId, cost } = receipt.body;
    const charged = Math.min(cost, tab.funding.credits);
    const byClaim = tab.funding.funds === 'claim';
    this.#count(tab, charged);
    const booking = await writer.run(async (trx) => {
      await this.#saveGift(trx, tab);
      return await bookReceipt(trx, receipt, { charged, signed: charged, byClaim, earned: !isGift(tab) }, now);
    });
    const used = booking.repeated ? 0 : charged;
    if (!isGift(tab)) dues.till.settle(tab.funding, used, now());
    dues.debtors.served(client, used);
    this.#tabs.close(requestId);
    return booking;
  }

  /** A receipt that comes when its request has ended, or after a restart: what was not paid as a part is paid now, if only as a gift. */
  async #bookLate(receipt: Receipt): Promise<Booking> {
    const { db, writer, dues, now } = this.#options;
    const { client, requestId, cost } = receipt.body;
    const part = await findPart(db, client, requestId);
    const signed = Math.max(0, cost - (part?.credits ?? 0));
    const rest = Math.max(0, signed - (await findUnpledged(db, client, requestId)));
    const byClaim = (part?.byClaim ?? true) && dues.claims.hold(client, rest);
    let used = 0;
    try {
      const price = { charged: rest, signed, byClaim, earned: byClaim };
      const booking = await writer.run((trx) => bookReceipt(trx, receipt, price, now));
      if (booking.repeated) return booking;
      used = rest;
      dues.debtors.served(client, signed);
      return booking;
    } finally {
      if (byClaim) dues.claims.settle(client, rest, used);
    }
  }
}

function notPledged(): QuarryError {
  return new QuarryError({ code: 'BAD_REQUEST', message: say('credits.notPledged'), field: 'sig' });
}

function tooMuch(): QuarryError {
  return new QuarryError({ code: 'BAD_REQUEST', message: say('credits.pledgedTooMuch'), field: 'credits' });
}
