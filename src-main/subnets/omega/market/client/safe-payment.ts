import { randomUUID } from 'node:crypto';
import type { ChainDraft, SentCall } from '../../../../../src-preload/contract/chain.ts';
import { say } from '../../../../../src-preload/contract/saying.ts';
import { Recent } from '../../../../base/recent.ts';
import { Turns } from '../../../../base/turns.ts';
import { refused } from './market-problems.ts';
import type { Payments, PaymentTrace, WantedPayment } from './ports.ts';

/** Something that is paid for once. */
export interface Bill {
  wanted: WantedPayment;
  trace: PaymentTrace;
  /** Whether it is to be paid still, as it is kept. @throws why it is not */
  check(): Promise<void>;
  /** Keeps that somebody said yes, before anything is signed. */
  begin(): Promise<void>;
  /** Nothing was signed after all. */
  undo(): Promise<void>;
  /** Keeps which call pays it. */
  paidBy(call: SentCall): Promise<void>;
  /** Told of what was signed: it is followed from here on. */
  signed(): void;
}

/** Whether a call has paid for something else. */
export type IsUsed = (call: number) => Promise<boolean>;

/** As long as the draft of the desk behind it. */
const DRAFT_MS = 10 * 60_000;
const MOST_DRAFTS = 64;

/**
 * Pays bills by drafts that a person says yes to, each once: before a second one is drafted or signed it is looked for what was signed already, also in an earlier life of
 * the program. One is signed after the other, so at most one has no call yet that may have one.
 */
export class SafePayment {
  readonly #payments: Payments;
  readonly #isUsed: IsUsed;
  readonly #drafts: Recent<{ bill: Bill; id: string; sent?: Promise<SentCall> | undefined }>;
  readonly #turns = new Turns();

  constructor({ payments, isUsed, now }: { payments: Payments; isUsed: IsUsed; now?: (() => number) | undefined }) {
    this.#payments = payments;
    this.#isUsed = isUsed;
    this.#drafts = new Recent(DRAFT_MS, now, MOST_DRAFTS);
  }

  /**
   * The payment of a bill; nothing is signed.
   * @returns a draft whose id is good for {@link send} alone
   * @throws BAD_REQUEST where it was paid already: then it goes on with that
   */
  async draft(bill: Bill): Promise<ChainDraft> {
    await bill.check();
    if (await this.find(bill)) throw refused(say('trade.paidAlready'));
    const draft = await this.#payments.draft(bill.wanted);
    const { from, amount, genesis } = bill.trace;
    if (draft.from !== from) throw refused(say('trade.otherPayer', { from, own: draft.from }), 'trade.wallet');
    if (draft.moves !== amount) throw refused(say('trade.otherAmount'));
    if ((await this.#payments.genesis()) !== genesis) throw refused(say('trade.otherChain'), 'bittensor.network');
    const id = randomUUID();
    this.#drafts.set(id, { bill, id: draft.id });
    return { ...draft, id };
  }

  /**
   * Signs and sends a draft: who asks again hears of the same call.
   * @returns the call once it is kept
   * @throws as the desk, and then nothing was signed; BAD_REQUEST for a draft that is gone
   */
  async send(
    { id, ...word }: { id: string; password: string | null; typed?: string | undefined },
    signal: AbortSignal,
  ): Promise<{ bill: Bill; call: SentCall }> {
    const drafted = this.#drafts.get(id);
    if (!drafted) throw refused(say('chainCalls.draftGone'));
    const { bill } = drafted;
    drafted.sent ??= this.#turns.take(() => this.#send(bill, { id: drafted.id, ...word }, signal));
    drafted.sent.catch(() => {
      drafted.sent = undefined; // it may be tried again
    });
    return { bill, call: await drafted.sent };
  }

  async #send(
    bill: Bill,
    input: { id: string; password: string | null; typed?: string | undefined },
    signal: AbortSignal,
  ): Promise<SentCall> {
    await bill.check();
    if (await this.#find(bill)) throw refused(say('trade.paidAlready'));
    await bill.begin();
    try {
      for await (const call of this.#payments.send({ ...input, order: bill.trace.order }, signal)) {
        await bill.paidBy(call);
        return call; // it goes on by itself
      }
      throw refused(say('chainCalls.draftGone'));
    } catch (error) {
      const found = await this.#find(bill);
      if (!found) await bill.undo();
      if (found) return found;
      throw error;
    }
  }

  /** A call that was signed for a bill, or for none and is not known to pay for another; kept with it, if there is one. Waits for what is being signed. */
  find(bill: Bill): Promise<SentCall | undefined> {
    return this.#turns.take(() => this.#find(bill));
  }

  async #find(bill: Bill): Promise<SentCall | undefined> {
    for (const call of await this.#payments.sent(bill.trace)) {
      if (!call.isNamed && (await this.#isUsed(call.id))) continue;
      await bill.paidBy(call);
      return call;
    }
    return undefined;
  }
}
