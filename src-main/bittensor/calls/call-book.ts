import type { Logger } from 'pino';
import type { SentCall } from '../../../src-preload/contract/chain.ts';
import { Changes } from '../../base/changes.ts';
import type { CallFate, SentCallRow, SentCallStore } from '../../store/bittensor/sent-calls.ts';
import type { ChainCall } from '../chain/calls.ts';
import type { Chain } from '../chain/chain.ts';
import { extrinsicHash } from '../chain/extrinsic.ts';
import type { CallEnd, HandedIn } from '../chain/submit.ts';
import type { Signer } from '../signer.ts';
import { movedIn } from './actions/actions.ts';
import type { PreparedCall, WantedAction } from './actions/prepared-call.ts';
import { sentCallView } from './sent-call-view.ts';

export interface CallBookOptions {
  store: SentCallStore;
  chain: Pick<Chain, 'handIn' | 'end' | 'state' | 'changes'>;
  log: Logger;
  /** Unix milliseconds. Default `Date.now` */
  now?: () => number;
}

/** What is kept of a call beside its bytes. */
export interface Sending {
  action: WantedAction['action'];
  call: ChainCall;
  about: Pick<PreparedCall, 'moves' | 'target' | 'netuid' | 'swap' | 'hides' | 'reveals'>;
  /** Rao. */
  fee: string;
  /** See {@link HandingIn}. */
  confirmed?: string | undefined;
  /** What it is for, where somebody looks for it by that again. */
  purpose?: string | undefined;
}

/**
 * The calls that were sent from here, and the only way to send one: each is on the disk before anybody hears of it, and is looked for in
 * the blocks until these tell what came of it, also by whoever runs after a crash. What an endpoint says against one is kept beside it.
 */
export class CallBook {
  readonly #options: CallBookOptions;
  readonly #now: () => number;
  readonly #changes = new Changes();
  /** By the call's id. */
  readonly #looking = new Map<number, Promise<void>>();
  readonly #closing = new AbortController();
  #watching: Promise<void> | undefined;

  constructor(options: CallBookOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** Goes on looking for calls whose end is not known: now, and each time that the chain is there again. Idempotent. */
  open(): void {
    this.#watching ??= this.#lookAgain();
  }

  /**
   * Signs a call, keeps it, hands it in, and looks for it in the blocks.
   * @returns its id, once an endpoint has it, and the book what that said against it
   * @throws as {@link Chain.handIn}, and when it cannot be kept: then nobody has it
   */
  async send(sending: Sending, signer: Signer): Promise<number> {
    let id = 0;
    const keep = async (handedIn: HandedIn) => {
      id = await this.#keep(handedIn, sending, signer.address);
    };
    const { call, refusal } = await this.#options.chain.handIn(sending.call, signer, {
      keep,
      confirmed: sending.confirmed,
    });
    void this.#follow(id, call);
    if (refusal) await this.#options.store.refuse(id, JSON.stringify(refusal.toJSON()));
    return id;
  }

  async #keep(call: HandedIn, { action, about, fee, purpose }: Sending, signer: string): Promise<number> {
    const { store, chain } = this.#options;
    const { moves, target, netuid, swap, hides, reveals } = about;
    const row = {
      at: call.at,
      network: chain.state.network,
      genesis: call.genesis,
      action,
      signer,
      target,
      netuid,
      moves: String(action === 'unstake' ? (swap?.out ?? 0n) : moves),
      fee,
      hash: extrinsicHash(call.bytes),
      extrinsic: call.bytes,
      after_block: call.after,
      last_block: call.lastBlock,
      purpose: purpose ?? null,
    };
    const id = await store.add(row, { ...(hides && { hides }), ...(reveals !== undefined && { reveals }) });
    this.#changes.tell();
    return id;
  }

  /** Looks for a call in the blocks until it is known what came of it. Never rejects. */
  #follow(id: number, call: HandedIn): Promise<void> {
    const found = this.#looking.get(id);
    if (found) return found;
    const unknown = (err: unknown): CallEnd => {
      this.#options.log.warn({ err, id }, 'what came of a call is not known');
      return { state: 'unknown' };
    };
    const end = this.#options.chain.end(call).catch(unknown);
    const looking = end
      .then((known) => this.#ended(id, known))
      .catch((err: unknown) => this.#options.log.error({ err, id }, 'what came of a call cannot be kept'))
      .finally(() => this.#looking.delete(id));
    this.#looking.set(id, looking);
    return looking;
  }

  async #lookAgain(): Promise<void> {
    const { chain, log } = this.#options;
    const { signal } = this.#closing;
    for (let wasThere = false; !signal.aborted; ) {
      const { count } = chain.changes;
      const isThere = chain.state.finalised !== undefined;
      const failed = (err: unknown) => log.warn({ err }, 'calls that were sent cannot be looked for');
      if (isThere && !wasThere) await this.#resume().catch(failed);
      wasThere = isThere;
      await chain.changes.after(count, signal);
    }
  }

  /** Those whose blocks have all come are looked for one after the other: they may be many, and their blocks old. */
  async #resume(): Promise<void> {
    const { store, chain } = this.#options;
    const { network, finalised = 0 } = chain.state;
    const open = (await store.open(this.#now())).filter((call) => call.network === network);
    for (const { id, extrinsic, genesis, at, after_block: after, last_block: lastBlock } of open) {
      if (this.#closing.signal.aborted) return;
      const looking = this.#follow(id, { bytes: extrinsic as `0x${string}`, genesis, at, after, lastBlock });
      if (lastBlock <= finalised) await looking;
    }
  }

  /** A call now, and each time that more is known, until it is known what came of it. */
  async *watch(id: number, signal: AbortSignal): AsyncGenerator<SentCall, void, undefined> {
    let last: SentCall['state'] | undefined;
    while (!signal.aborted) {
      const { count } = this.#changes;
      const row = await this.#options.store.get(id);
      if (!row) return;
      if (row.state !== last) yield sentCallView(row);
      last = row.state;
      if (last !== 'waiting') return;
      await this.#changes.after(count, signal);
    }
  }

  /** Stops looking; the next start goes on. It ends once the chain is closed, too: what that says then is not believed. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#looking.values(), this.#watching]);
  }

  async #ended(id: number, end: CallEnd): Promise<void> {
    if (this.#closing.signal.aborted && end.state === 'unknown') return;
    const { store } = this.#options;
    const call = await store.get(id);
    if (!call) return;
    await store.settle(id, fateOf(call, end));
    this.#changes.tell();
  }
}

function fateOf(call: SentCallRow, end: CallEnd): CallFate {
  if (end.state === 'failed') {
    return { state: 'failed', block: end.block, error: JSON.stringify(end.error.toJSON()), moves: '0' };
  }
  if (end.state === 'expired') return { state: 'expired' };
  if (end.state === 'unknown') {
    const { block = null, error } = end;
    return { state: 'unknown', block, error: error ? JSON.stringify(error.toJSON()) : null };
  }
  const { moves, fee } = movedIn(end.outcome.events, call);
  return {
    state: 'done',
    block: end.outcome.block.number,
    error: null, // of a look before, at an endpoint that no longer knew
    ...(moves !== undefined && { moves: String(moves) }),
    ...(fee !== undefined && { fee: String(fee) }),
  };
}
