import { randomUUID } from 'node:crypto';
import type { ChainDraft, SentCall } from '../../../src-preload/contract/chain.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say, told } from '../../../src-preload/contract/saying.ts';
import { Recent } from '../../base/recent.ts';
import { Turns } from '../../base/turns.ts';
import { readBalance, spendable } from '../chain/money.ts';
import type { Draft } from '../chain/submit.ts';
import type { Signer } from '../signer.ts';
import { watchOnly } from '../wallet/refusals.ts';
import type { KeyName } from '../wallet/wallets.ts';
import { cautionOf, leftAfter, prepareCall } from './actions/actions.ts';
import { addressOfKey } from './actions/own-key.ts';
import type { CallTools, Caution, PreparedCall, WantedAction } from './actions/prepared-call.ts';
import { refusedByChain } from './actions/refused.ts';
import type { CallBook } from './call-book.ts';

/** How long a draft is good for, milliseconds, and how many are kept. */
const DRAFT_MS = 10 * 60_000;
const MOST_DRAFTS = 64;
const MOST_VALUE = 2_000;

/** A draft that a person may say yes to: once. */
interface Drafted {
  view: ChainDraft;
  wanted: WantedAction;
  prepared: PreparedCall;
  /** The call's bytes, `0x…`. */
  data: string;
  /** Id of the call that came of it, from the yes on; none again when nothing was signed after all. */
  sent?: Promise<number> | undefined;
}

export interface CallDeskOptions extends CallTools {
  book: CallBook;
  /** Unix milliseconds. Default `Date.now` */
  now?: () => number;
}

/** A person's yes to a draft. */
export interface CallSending {
  /** Of the draft. */
  id: string;
  password: string | null;
  typed?: string | undefined;
  purpose?: string | undefined;
}

/**
 * Where people's calls are made: first a draft, which says what leaves whom and for what, then, with a password and what has to be typed,
 * the call itself. Nothing is signed that was not drafted, and each draft is good for one call.
 */
export class CallDesk {
  readonly #tools: CallTools;
  readonly #book: CallBook;
  readonly #drafts: Recent<Drafted>;
  /** One after the other: what is judged of a call holds until it is kept. */
  readonly #sending = new Turns();

  constructor({ book, now, ...tools }: CallDeskOptions) {
    this.#tools = tools;
    this.#book = book;
    this.#drafts = new Recent(DRAFT_MS, now, MOST_DRAFTS);
  }

  /**
   * What an action would be.
   * @throws BAD_REQUEST with the field at fault; CHAIN_REFUSED for what the chain would refuse, as far as it can be seen
   */
  async draft(wanted: WantedAction): Promise<ChainDraft> {
    const { chain, wallets } = this.#tools;
    const prepared = await prepareCall(this.#tools, wanted);
    const key = signingKey(wanted, prepared);
    const { sealing } = await wallets.find(key);
    if (sealing === null) throw watchOnly('wallet');
    const from = await addressOfKey(wallets, key);
    const draft = await chain.draft(prepared.call, from);
    const { left, caution } = await this.#judged(wanted, prepared, { from, fee: draft.fee });
    const { amount, moves, replaces } = prepared;
    const view: ChainDraft = {
      id: randomUUID(),
      action: wanted,
      call: callView(draft),
      signedBy: prepared.call.signedBy,
      from,
      sealing,
      moves: String(moves),
      ...(prepared.now !== undefined && { now: String(prepared.now) }),
      ...(amount !== undefined && { amount: String(amount) }),
      fee: String(draft.fee),
      left: left === null ? null : String(left),
      ...(prepared.swap && { swap: swapView(prepared.swap) }),
      ...(replaces !== undefined && { replaces: replaces.slice(0, MOST_VALUE) }),
      warnings: caution.warnings.map((text) => told({ text })),
      ...(caution.typed !== undefined && { typed: caution.typed }),
    };
    this.#drafts.set(view.id, { view, wanted, prepared, data: draft.data });
    return view;
  }

  async #judged(wanted: WantedAction, prepared: PreparedCall, { from, fee }: { from: string; fee: bigint }) {
    const can = spendable(await readBalance(await this.#tools.chain.read(), from));
    const caution = await cautionOf(this.#tools, wanted, prepared, { can, fee });
    return { left: leftAfter(prepared, { can, fee }), caution };
  }

  /**
   * Signs and sends what was drafted, and tells of it until it is known what came of it. Whoever stops listening does not stop the call,
   * and who asks again hears of the same one. A purpose is kept with the call, for whoever looks for it by that.
   * @throws BAD_REQUEST for a draft that is gone or no longer holds, and with the field `typed`; UNAUTHORIZED with the field `password`;
   *   CHAIN_REFUSED, CHAIN_UNREACHABLE. Nothing is signed then
   */
  async *send(
    { id, password, typed, purpose }: CallSending,
    signal: AbortSignal,
  ): AsyncGenerator<SentCall, void, undefined> {
    const drafted = this.#drafts.get(id);
    if (!drafted) throw new QuarryError({ code: 'BAD_REQUEST', message: say('chainCalls.draftGone') });
    const { view } = drafted;
    if (view.typed !== undefined && typed?.trim() !== view.typed) {
      throw new QuarryError({ code: 'BAD_REQUEST', message: say('chainCalls.notTyped'), field: 'typed' });
    }
    drafted.sent ??= this.#sending.take(() => this.#send(drafted, { password, purpose }));
    const unsent = () => {
      drafted.sent = undefined;
    };
    drafted.sent.catch(unsent); // it may be tried again
    yield* this.#book.watch(await drafted.sent, signal);
  }

  /** @returns id of the call, which is on its way */
  async #send(drafted: Drafted, { password, purpose }: Pick<CallSending, 'password' | 'purpose'>): Promise<number> {
    const { view, prepared, wanted } = drafted;
    const { caution, left } = await this.#judged(wanted, prepared, { from: view.from, fee: BigInt(view.fee) });
    if (!saysAsMuch(view, caution)) {
      throw new QuarryError({ code: 'BAD_REQUEST', message: say('chainCalls.nowOtherwise') });
    }
    if (left === null) throw refusedByChain(say('chainCalls.tooPoor', { account: view.from }), 'amount');
    const sign = (signer: Signer) => this.#sign(drafted, signer, purpose);
    return this.#tools.wallets.withKey(signingKey(wanted, prepared), password, sign);
  }

  async #sign({ view, wanted, prepared, data }: Drafted, signer: Signer, purpose: string | undefined): Promise<number> {
    if (signer.address !== view.from) {
      throw new QuarryError({ code: 'BAD_REQUEST', message: say('bittensor.wallet.contradicts') });
    }
    // What costs more than its limit by now is refused here, also where the runtime knows no limit.
    const fresh =
      prepared.fleeting || wanted.action === 'register'
        ? await prepareCall(this.#tools, pinned(wanted, prepared))
        : prepared;
    const confirmed = prepared.fleeting ? undefined : data;
    const { action } = wanted;
    return this.#book.send({ action, call: fresh.call, about: prepared, fee: view.fee, confirmed, purpose }, signer);
  }
}

/** Whether a draft said all that is to be said of it now, such as that the same was sent a moment ago. */
function saysAsMuch({ warnings, typed }: ChainDraft, now: Caution): boolean {
  const said = new Set(warnings.map(({ said }) => said?.text?.key));
  return now.warnings.every(({ key }) => said.has(key)) && (now.typed === undefined || now.typed === typed);
}

/** A registration at the limit that was shown, whatever it costs by now. */
function pinned(wanted: WantedAction, { moves }: PreparedCall): WantedAction {
  return wanted.action === 'register' ? { ...wanted, limitPrice: String(moves) } : wanted;
}

function signingKey(wanted: WantedAction, { call }: PreparedCall): KeyName {
  const { wallet, hotkey } = wanted as { wallet: string; hotkey?: string };
  return call.signedBy === 'coldkey' ? { wallet } : { wallet, hotkey };
}

function callView({ pallet, name, args }: Draft): ChainDraft['call'] {
  return { pallet, name, args: args.map((arg) => ({ name: arg.name, value: textOf(arg.value).slice(0, MOST_VALUE) })) };
}

/** A value of a call as a person may read it. */
function textOf(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'Id' in value) return String(value.Id);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function swapView({ out, slippage, price, limitPrice }: NonNullable<PreparedCall['swap']>): ChainDraft['swap'] {
  return { out: String(out), slippage, price: String(price), limitPrice: String(limitPrice) };
}
