import { z } from 'zod';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { SharedWork } from '../../base/shared-work.ts';
import { ignoring } from '../../base/swallowed.ts';
import { Turns } from '../../base/turns.ts';
import { hexOf } from '../hex.ts';
import type { Signer } from '../signer.ts';
import { type ChainCall, encodedCall, formFor, type KeyKind } from './calls.ts';
import { type Block, blockOf } from './chain-reader.ts';
import type { ChainConnection, Session } from './connection.ts';
import { callSignedByNobody, extrinsicHash, type SignedCall, signedCall } from './extrinsic.ts';
import { Forgotten } from './forgotten.ts';
import { fastest } from './networks.ts';
import { dispatchRefusal, poolRefusal, validityRefusal } from './refusals.ts';
import { RpcRefusal } from './rpc-socket.ts';
import type { ChainEvent, Runtime } from './runtime.ts';
import { littleEndian } from './scale.ts';
import { bigNumber, hash, header, nonsense, number, shaped } from './shapes.ts';

/** A call before anybody has signed it. */
export interface Draft {
  pallet: string;
  name: string;
  /** For a person: names in camelCase, and what was asked for. */
  args: { name: string; value: unknown }[];
  signedBy: KeyKind;
  /** The call itself, `0x…`: who confirms a call of a coldkey gives this back. */
  data: string;
  /** Rao, on top of what the call itself moves. 0 for most calls of hotkeys. */
  fee: bigint;
}

/** What became of a call. */
export interface Outcome {
  /** `0x…`, by which explorers know it. */
  hash: string;
  block: { number: number; hash: string };
  /** Place in its block. */
  extrinsic: number;
  /** What it did, in order. */
  events: ChainEvent[];
}

/** A call that is signed: enough to look for it in the blocks, also after a restart. */
export interface HandedIn extends SignedCall {
  /** Hash of the chain's first block. */
  genesis: string;
  /** The blocks after this one may have it in. */
  after: number;
  /** When it was signed, Unix milliseconds. */
  at: number;
}

/** What came of a call. `expired`: no block took it in, and none will. `unknown`: nobody told, nobody can tell any more, or who told is not to be believed. */
export type CallEnd =
  | { state: 'done'; outcome: Outcome }
  | { state: 'failed'; block: number; error: QuarryError }
  | { state: 'expired' }
  /** `block`: it is in there; `error`: why it is not known what it did. */
  | { state: 'unknown'; block?: number; error?: QuarryError };

export interface HandingIn {
  /** The `data` of the draft that a person has said yes to. A coldkey's call is not sent without. */
  confirmed?: string | undefined;
  /**
   * Keeps the call, on the disk, before anybody else has it: an endpoint that was given it, if only to try it out, can hand it in
   * whatever it says. When it throws, nobody has it.
   */
  keep: (call: HandedIn) => Promise<void>;
}

/** A call that an endpoint has. */
export interface Offered {
  call: HandedIn;
  /** What the endpoint says against it. It is one endpoint's word: only the blocks tell that it never comes about. */
  refusal?: QuarryError;
}

const FEE = z.object({ partialFee: bigNumber });
const APPLIED = z.union([
  z.object({ ok: z.object({ ok: z.unknown() }) }),
  z.object({ ok: z.object({ err: z.unknown() }) }),
  z.object({ err: z.unknown() }),
]);
/** Half an hour: twice as long as a signature counts on a chain that goes on. */
const OUTCOME_MS = 1_800_000;
/** A block. */
const ASK_AGAIN_MS = 12_000;
/** Blocks that may have come since the one that a signature begins with: finality is some blocks behind. */
const TOLD_LATE = 8;
/** «Already imported»: what is handed in twice is in. */
const KNOWN_ALREADY = 1013;

/** Hands calls in: never without a look at what would come of them, and never a coldkey's without a person's word. */
export class Submitter {
  readonly #connection: ChainConnection;
  /** By address: two calls at once would have the same nonce. */
  readonly #turns = new Map<string, Turns>();

  /** By number and by hash: all calls that are waited for are looked for in each block, and reading one takes the main thread a while. */
  readonly #blocks = new SharedWork<Block>();
  readonly #events = new SharedWork<{ runtime: Runtime; events: ChainEvent[] }>();

  readonly #outcomeMs: number;

  /** @param outcomeMs how long to wait for the outcome of a call that was handed in. Default half an hour */
  constructor(connection: ChainConnection, outcomeMs = OUTCOME_MS) {
    this.#connection = connection;
    this.#outcomeMs = outcomeMs;
  }

  /**
   * What a call is and what it costs. Nothing is signed for that.
   * @param from ss58 of whoever would sign
   * @throws CHAIN_REFUSED when the runtime lacks the call
   */
  async draft(call: ChainCall, from: string): Promise<Draft> {
    const { runtime, genesis } = await this.#connection.session();
    const data = encodedCall(runtime, call);
    const form = formFor(runtime, call);
    if (!form) throw nonsense('a call that was there a moment ago');
    const extrinsic = callSignedByNobody(runtime, data, from, genesis);
    const reader = await this.#connection.at();
    const length = (extrinsic.length - 2) / 2;
    const asked = hexOf(Buffer.concat([Buffer.from(extrinsic.slice(2), 'hex'), littleEndian(length, 4)]));
    const answer = await reader.raw('TransactionPaymentApi_query_info', asked);
    const { partialFee: fee } = shaped(
      FEE,
      runtime.answer('TransactionPaymentApi', 'query_info', 'RuntimeDispatchInfo', answer),
    );
    const args = form.args.map(([name, value]) => ({ name, value }));
    return { pallet: form.pallet, name: form.name, args, signedBy: call.signedBy, data, fee };
  }

  /**
   * Signs a call, has it kept, has the endpoint try it without consequences, and hands it in. Calls of one key are numbered one after
   * the other.
   * @throws BAD_REQUEST without a person's word; CHAIN_REFUSED when the runtime lacks the call; CHAIN_UNREACHABLE. Nobody has the call then
   */
  handIn(call: ChainCall, signer: Signer, how: HandingIn): Promise<Offered> {
    return this.#turnOf(signer.address).take(() => this.#handIn(call, signer, how));
  }

  async #handIn(call: ChainCall, signer: Signer, { confirmed, keep }: HandingIn): Promise<Offered> {
    const session = await this.#connection.session();
    const { rpc, runtime, genesis } = session;
    const data = encodedCall(runtime, call);
    if ((call.signedBy === 'coldkey' || confirmed !== undefined) && confirmed !== data) {
      throw new QuarryError({ code: 'BAD_REQUEST', message: say('bittensor.chain.notConfirmed'), field: 'confirmed' });
    }
    const since = await lastFinal(session);
    const nonce = shaped(number, await rpc.request('system_accountNextIndex', [signer.address]));
    const signed = await signedCall(runtime, data, signer, { genesis, nonce, since });
    const kept = { ...signed, genesis, after: since.number, at: Date.now() };
    await keep(kept);
    const refusal = await this.#offer(signed.bytes, rpc);
    return { call: kept, ...(refusal && { refusal }) };
  }

  /** @returns what the endpoint says against a call. Nothing, too, when it did not answer after it was given the call for good */
  async #offer(extrinsic: string, rpc: Session['rpc']): Promise<QuarryError | undefined> {
    try {
      await this.#tryOut(extrinsic);
    } catch (error) {
      return QuarryError.from(error);
    }
    try {
      await rpc.request('author_submitExtrinsic', [extrinsic]);
    } catch (error) {
      return saidAgainst(error);
    }
    return undefined;
  }

  /** Has the node apply the call to its newest block and forget it again. @throws what would come of it, if that is nothing good */
  async #tryOut(extrinsic: string): Promise<void> {
    const reader = await this.#connection.at();
    const answer = await reader.raw('BlockBuilder_apply_extrinsic', extrinsic);
    const applied = shaped(
      APPLIED,
      reader.runtime.answer('BlockBuilder', 'apply_extrinsic', 'ApplyExtrinsicResult', answer),
    );
    if ('err' in applied) throw validityRefusal(applied.err);
    if ('err' in applied.ok) throw dispatchRefusal(reader.runtime, applied.ok.err);
  }

  /** What came of a call that was handed in, now or in an earlier life of this program. Ends when the connection is closed. */
  async end(call: HandedIn): Promise<CallEnd> {
    const patience = AbortSignal.timeout(this.#outcomeMs);
    for (let at = call.after + 1; at <= call.lastBlock; at++) {
      const end = await this.#lookIn(at, call, patience);
      if (end) return end;
    }
    return { state: this.#canBeOver(call) ? 'expired' : 'unknown' };
  }

  /** Whether as many blocks as a signature counts for can have come by now: who says so sooner may keep the call, and hand it in yet. */
  #canBeOver({ at, after, lastBlock }: HandedIn): boolean {
    return Date.now() - at >= fastest(this.#connection.state.network, lastBlock - after - TOLD_LATE);
  }

  /** Waits for a block, and looks for a call in it, at whatever endpoint there is. */
  async #lookIn(at: number, { bytes, genesis }: HandedIn, patience: AbortSignal): Promise<CallEnd | undefined> {
    for (;;) {
      if (!(await this.#finalised(at, patience)) || patience.aborted) return { state: 'unknown' };
      const session = await this.#connection.session().catch(ignoring('another endpoint will come'));
      if (!session) continue;
      if (session.genesis !== genesis) return { state: 'unknown' };
      try {
        return await this.#found(session, at, bytes);
      } catch {
        // The block is there: this endpoint has it a moment later, or another one has, if this one is gone.
        const { changes } = this.#connection;
        if (!session.rpc.end) await changes.after(changes.count, patience, ASK_AGAIN_MS);
      }
    }
  }

  async #found(session: Session, at: number, extrinsic: string): Promise<CallEnd | undefined> {
    const block = await this.#blocks.take(String(at), () => blockOf(session.rpc, at));
    const place = block.extrinsics.indexOf(extrinsic);
    if (place < 0) return undefined;
    const told = await this.#events.take(block.hash, () => this.#eventsOf(block.hash)).catch(unlessRefused);
    if (told instanceof Forgotten) return { state: 'unknown', block: at, error: told };
    if (!told) return { state: 'unknown', block: at };
    const events = told.events.filter((event) => event.extrinsic === place);
    const ended = (as: string) => events.find(({ pallet, name }) => pallet === 'system' && name === as);
    const failure = ended('ExtrinsicFailed');
    if (failure) return { state: 'failed', block: at, error: dispatchRefusal(told.runtime, failure.data[0]) };
    if (!ended('ExtrinsicSuccess')) throw nonsense('a call without an outcome');
    const outcome = {
      hash: extrinsicHash(extrinsic),
      block: { number: at, hash: block.hash },
      extrinsic: place,
      events,
    };
    return { state: 'done', outcome };
  }

  async #eventsOf(block: string): Promise<{ runtime: Runtime; events: ChainEvent[] }> {
    const reader = await this.#connection.at(block);
    return { runtime: reader.runtime, events: await reader.events() };
  }

  /** Waits until a block can no longer be undone. @returns false when nobody tells of one any more */
  async #finalised(at: number, patience: AbortSignal): Promise<boolean> {
    const { changes } = this.#connection;
    for (;;) {
      const { count } = changes;
      const { state } = this.#connection;
      if ((state.finalised ?? -1) >= at) return true;
      if (patience.aborted || state.status === 'closed') return false;
      await changes.after(count, patience);
    }
  }

  #turnOf(address: string): Turns {
    const turns = this.#turns.get(address) ?? new Turns();
    this.#turns.set(address, turns);
    return turns;
  }
}

/** The newest block that nothing can undo and that the next one knows by its hash: the state of a block has those before it only. */
async function lastFinal({ rpc }: Session): Promise<{ number: number; hash: string }> {
  const head = shaped(hash, await rpc.request('chain_getFinalizedHead'));
  const { number: at, parentHash } = shaped(header, await rpc.request('chain_getHeader', [head]));
  return at === 0 ? { number: 0, hash: head } : { number: at - 1, hash: parentHash };
}

/** What the pool says against a call. Whether one is in that got no answer, the blocks will tell. */
function saidAgainst(error: unknown): QuarryError | undefined {
  if (!(error instanceof RpcRefusal)) return undefined; // no answer in time, or none any more
  return error.code === KNOWN_ALREADY ? undefined : poolRefusal(error);
}

/** Most nodes keep what happened in the blocks of the last hour only: then it is known that a call is in, and not what it did. */
function unlessRefused(error: unknown): Forgotten | undefined {
  if (error instanceof Forgotten) return error;
  if (!(error instanceof RpcRefusal)) throw error;
  return undefined;
}
