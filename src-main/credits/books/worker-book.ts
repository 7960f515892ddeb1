import { type ErrorCode, QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import { networkPrefix } from '../../base/network-prefix.ts';
import { ignoring } from '../../base/swallowed.ts';
import { saveGift } from '../../store/gifts.ts';
import { appendEntry } from '../../store/ledger.ts';
import { dropOpenPledge, findOpenPledge, placeOf, saveOpenPledge } from '../../store/pledges.ts';
import { findReceipt } from '../../store/receipts.ts';
import type { Trx } from '../../store/writer.ts';
import type { Booking, Funding, Served, Standing, Terms, WorkerCredits } from '../credits.ts';
import { owedAtEnd } from '../ending.ts';
import { type Pledge, pledgeBytes } from '../pledge.ts';
import { costOf, tokensFor } from '../price.ts';
import {
  type Receipt,
  type ReceiptBody,
  receiptBytes,
  receiptId,
  receiptSchema,
  type WorkerReceipt,
} from '../receipt.ts';
import { pointsFor } from '../score/points.ts';
import type { ScoreStep } from '../score/score.ts';
import { tierOfClaim } from '../standing/claims.ts';
import type { GiftRule } from '../standing/gifts.ts';
import type { BookOptions } from './book-options.ts';
import { earnKey } from './entry-keys.ts';
import { UNSIGNED } from './memos.ts';
import { bookAchievement, penalise, saveScore, scoreNext } from './own-score.ts';
import { bookUnpledged, endPledge, findPart, findUnpledged, idTaken, UNTIL_RESTART } from './parts.ts';
import { scorePostings, servedPostings } from './postings.ts';
import { CLOCK_SKEW_MS, receiptFault } from './receipt-check.ts';
import { toRow } from './receipt-row.ts';
import { Voices } from './voices.ts';
import type { VoucherBook } from './voucher-book.ts';

/** Milliseconds that a client has to sign for a whole answer; from then on, what it signed for while it streamed is what it pays. */
export const UNSIGNED_MS = 600_000;
/** Credits that a friend may be given: where everybody is served, without limit. */
const WITHOUT_LIMIT = 1_000_000;

export interface WorkerBookOptions extends BookOptions {
  vouchers: VoucherBook;
  /** Confirmed points of another node and their tier, from memory. */
  standing: (id: string) => Standing;
  /** What a stranger's network prefix is given. */
  gifts: GiftRule;
  /** Everybody is served without limit, in the order of the tier of confirmed points: for a mesh of friends. */
  friends: boolean;
  /** Called after a receipt or a failure has been booked: the score log has something to publish. */
  onScored: () => void;
}

/**
 * What a request may cost and has cost, from when its price is set aside until its receipt is booked or it ends without one: longer than its
 * job, which is over when the answer is out.
 */
interface Tab {
  readonly funding: Funding;
  /** Unix milliseconds: when it was taken, or when the answer ended. */
  at: number;
  running: boolean;
  /** Credits that the client has signed for. */
  pledged: number;
  /** Tokens of its answer, once that has ended and its bill is out. */
  billed: number | undefined;
  /** Credits that were counted for its prefix: once, when the answer ends. */
  counted: number | undefined;
  /** Its end is being written. */
  ending: Promise<unknown> | undefined;
}

/** Why a request ends without a receipt. */
interface Why {
  code: ErrorCode;
  /** What the ledger says of it. */
  memo: string;
  /** Tokens that were sent; undefined when the engine was not asked, or when the bill says it. */
  sent: number | undefined;
}

/** What a receipt is booked at. */
interface Price {
  /** Credits that are drawn, or given. */
  charged: number;
  /** Credits that the client has signed for by it, beyond what it had paid as a part. */
  signed: number;
  byClaim: boolean;
}

/** The books of a node that serves: what its clients may have, what they have had, and its own points. */
export class WorkerBook implements WorkerCredits {
  readonly #options: WorkerBookOptions;
  readonly #voices: Voices;
  /** By request id; undefined while one is being looked at. */
  readonly #tabs = new Map<string, Tab | undefined>();

  constructor(options: WorkerBookOptions) {
    this.#options = options;
    this.#voices = new Voices(options.dues.claims);
  }

  /** Answers that nobody has signed for yet. */
  get pending(): { requests: number; credits: number } {
    const pending = [...this.#tabs.values()].flatMap((tab) => (tab && !tab.running ? [tab.funding.credits] : []));
    return { requests: pending.length, credits: pending.reduce((sum, credits) => sum + credits, 0) };
  }

  standing(client: string): Standing {
    const { standing, friends, identity, dues } = this.#options;
    const confirmed = standing(client);
    if (friends || client === identity.id) return confirmed;
    return { points: confirmed.points, tier: tierOfClaim(dues.claims.free(client)) };
  }

  async fund(request: Parameters<WorkerCredits['fund']>[0]): Promise<Funding> {
    const { requestId, client, host, maxTokens, vouchers } = request;
    if (this.#tabs.has(requestId)) throw idTaken();
    this.#tabs.set(requestId, undefined);
    try {
      await this.#refuseUsed(client, requestId);
      const wish = { client, prefix: networkPrefix(host), credits: costOf({ completionTokens: maxTokens }) };
      const words = await this.#options.vouchers.take(vouchers, wish);
      const funding = this.#fund({ ...wish, vouched: words >= wish.credits });
      this.#tabs.set(requestId, {
        funding,
        at: this.#options.now(),
        running: true,
        pledged: 0,
        billed: undefined,
        counted: undefined,
        ending: undefined,
      });
      return funding;
    } catch (error) {
      this.#tabs.delete(requestId);
      throw error;
    }
  }

  async keepPledge({ sig, ...said }: Omit<Pledge, 'worker'> & { sig: string }): Promise<void> {
    const { writer, identity, verify } = this.#options;
    const { requestId, client, promptHash, credits } = said;
    if (!verify(client, pledgeBytes({ ...said, worker: identity.id }), sig)) throw notPledged();
    const tab = this.#tabs.get(requestId);
    if (tab?.funding.client !== client || tab.ending || credits > tab.funding.credits) throw tooMuch();
    tab.pledged = Math.max(tab.pledged, credits);
    const { funds, prefix: network } = tab.funding;
    const row = { ...placeOf('worker', client, requestId), prompt_hash: promptHash, credits, sig, funds, network };
    await writer.run((trx) => saveOpenPledge(trx, row), UNTIL_RESTART);
  }

  bill(served: Served): WorkerReceipt {
    const { identity, now } = this.#options;
    const cost = costOf(served);
    const tab = this.#tabs.get(served.requestId);
    if (tab?.funding.client === served.client) {
      tab.running = false;
      tab.at = now();
      // An answer without a word is nothing that was sent, whatever it has cost to find none.
      tab.billed = served.resultChars > 0 ? served.completionTokens : 0;
      this.#count(tab, cost);
    }
    const body: ReceiptBody = { v: 2, ...served, worker: identity.id, points: pointsFor(served), cost };
    return { body, workerSig: identity.sign(receiptBytes(body)) };
  }

  async settle(receipt: Receipt): Promise<Booking> {
    this.#check(receipt);
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
    const tab = this.#tabs.get(requestId);
    if (tab?.funding.client === client) await this.#end(requestId, tab, { code, memo: code, sent: asked?.streamed });
  }

  terms(client: string, host: string): Terms {
    const { dues, friends, now } = this.#options;
    const gift = friends ? WITHOUT_LIMIT : dues.gifts.left(networkPrefix(host), now());
    return { owed: Math.max(0, dues.claims.owed(client)), gift, ...this.#voices.at(now()) };
  }

  given(prefix: string): number {
    const { dues, now } = this.#options;
    return dues.gifts.level(prefix, now());
  }

  /** Ends answers that nobody is going to sign for. @returns how many those were */
  async endUnsigned(): Promise<number> {
    const before = this.#options.now() - UNSIGNED_MS;
    const over = [...this.#tabs].filter(([, tab]) => tab && !tab.running && !tab.ending && tab.at < before);
    for (const [requestId, tab] of over) {
      if (tab) await this.#end(requestId, tab, { code: 'DEADLINE', memo: UNSIGNED, sent: undefined });
    }
    return over.length;
  }

  #fund(wish: { client: string; prefix: string; credits: number; vouched: boolean }): Funding {
    const { dues, friends, now } = this.#options;
    const { client, prefix, credits } = wish;
    if (friends) return { funds: 'friend', tier: this.standing(client).tier, client, prefix, credits };
    const funding = dues.till.fund(wish, now());
    if (!funding) throw this.#noCredit(wish);
    return funding;
  }

  /** NO_CREDIT, with the time until there is room for the client's prefix; without it when there never will be. */
  #noCredit({ client, prefix, credits: cost }: { client: string; prefix: string; credits: number }): QuarryError {
    const { dues, gifts, now } = this.#options;
    const owed = Math.max(0, dues.claims.free(client));
    const message = say('credits.short', { cost, owed });
    const retryAfterMs = dues.till.waitMs({ prefix, credits: cost }, now());
    if (retryAfterMs !== undefined) {
      const hint = say('credits.giftLater', { perDay: gifts.perDay });
      return new QuarryError({ code: 'NO_CREDIT', message, hint, retryable: true, retryAfterMs });
    }
    const hint = say('credits.askLess', { most: tokensFor(Math.max(owed, gifts.most)) });
    return new QuarryError({ code: 'NO_CREDIT', message, hint, retryable: false });
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
    this.#tabs.delete(requestId);
    if (fault) onScored();
  }

  #check(receipt: Receipt): void {
    const { identity, verify, now } = this.#options;
    const shape = receiptSchema.safeParse(receipt);
    if (!shape.success) throw voidReceipt(say('receipt.malformed'));
    if (receipt.body.worker !== identity.id) throw voidReceipt(say('receipt.otherWorker'));
    if (receipt.body.servedAt > now() + CLOCK_SKEW_MS) throw voidReceipt(say('receipt.future'), 'receipt.servedAt');
    const fault = receiptFault(receipt, verify);
    if (fault) throw voidReceipt(fault);
  }

  async #bookTab(receipt: Receipt, tab: Tab): Promise<Booking> {
    const { writer, dues, now } = this.#options;
    const { client, requestId, cost } = receipt.body;
    const charged = Math.min(cost, tab.funding.credits);
    this.#count(tab, charged);
    const booking = await writer.run(async (trx) => {
      await this.#saveGift(trx, tab);
      return await this.#book(trx, receipt, { charged, signed: charged, byClaim: tab.funding.funds === 'claim' });
    });
    const used = booking.repeated ? 0 : charged;
    if (!isGift(tab)) dues.till.settle(tab.funding, used, now());
    dues.debtors.served(client, used);
    this.#tabs.delete(requestId);
    return booking;
  }

  /** A receipt that comes when its request has ended, or after a restart: what was not paid as a part is paid now, if only as a gift. */
  async #bookLate(receipt: Receipt): Promise<Booking> {
    const { db, writer, dues } = this.#options;
    const { client, requestId, cost } = receipt.body;
    const part = await findPart(db, client, requestId);
    const signed = Math.max(0, cost - (part?.credits ?? 0));
    const rest = Math.max(0, signed - (await findUnpledged(db, client, requestId)));
    const byClaim = (part?.byClaim ?? true) && dues.claims.hold(client, rest);
    let used = 0;
    try {
      const booking = await writer.run((trx) => this.#book(trx, receipt, { charged: rest, signed, byClaim }));
      if (booking.repeated) return booking;
      used = rest;
      dues.debtors.served(client, signed);
      return booking;
    } finally {
      if (byClaim) dues.claims.settle(client, rest, used);
    }
  }

  async #book(trx: Trx, receipt: Receipt, price: Price): Promise<Booking> {
    const { identity, now } = this.#options;
    const { body } = receipt;
    const earlier = await findReceipt(trx, identity.id, body.requestId);
    if (earlier && earlier.id !== receiptId(body)) throw idTaken();
    if (earlier) return { points: earlier.counted, achievements: [], repeated: true };
    const step = await scoreNext(trx, body);
    await this.#bookReceipt(trx, receipt, step, price);
    await dropOpenPledge(trx, placeOf('worker', body.client, body.requestId));
    for (const achievement of step.achievements) await bookAchievement(trx, achievement, step.state, now());
    await saveScore(trx, step.state);
    return { points: step.counted, achievements: step.achievements.map(({ id }) => id), repeated: false };
  }

  async #bookReceipt(trx: Trx, receipt: Receipt, step: ScoreStep, price: Price): Promise<void> {
    const { client, requestId } = receipt.body;
    const { charged, signed, byClaim } = price;
    const row = toRow(receipt, 'worker', { counted: step.counted, reason: step.reason ?? null, charged });
    await trx.insertInto('receipts').values(row).execute();
    await appendEntry(trx, {
      at: this.#options.now(),
      kind: 'earn',
      key: earnKey(row.id),
      requestId,
      receiptId: row.id,
      memo: step.reason ?? '',
      postings: { ...servedPostings(client, charged, byClaim, signed), ...scorePostings(step.counted) },
    });
  }
}

/** Whether what a request takes is counted for its client's prefix. */
const isGift = ({ funding: { funds } }: Tab) => funds === 'gift' || funds === 'word';

function notPledged(): QuarryError {
  return new QuarryError({ code: 'BAD_REQUEST', message: say('credits.notPledged'), field: 'sig' });
}

function tooMuch(): QuarryError {
  return new QuarryError({ code: 'BAD_REQUEST', message: say('credits.pledgedTooMuch'), field: 'credits' });
}

function voidReceipt(why: Saying, field = 'receipt'): QuarryError {
  return new QuarryError({ code: 'BAD_REQUEST', message: say('credits.void', { why }), field });
}
