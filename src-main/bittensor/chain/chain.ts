import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { taoText } from '../../../src-preload/contract/rao.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { Changes } from '../../base/changes.ts';
import type { Signer } from '../signer.ts';
import * as calls from './calls.ts';
import type { ChainReader } from './chain-reader.ts';
import { ChainConnection, type ChainState, type ConnectionOptions } from './connection.ts';
import { type Metagraph, readMetagraph } from './metagraph.ts';
import {
  type Balance,
  quoteSwap,
  readAlphaPrice,
  readBalance,
  readStakes,
  type Stake,
  type SwapQuote,
} from './money.ts';
import { readOwner, readTaoIn } from './owner.ts';
import { type Payment, type PaymentBook, type PaymentClaim, type PaymentTerms, takePayment } from './payments.ts';
import { header, shaped } from './shapes.ts';
import { type CallEnd, type Draft, type HandedIn, type HandingIn, type Offered, Submitter } from './submit.ts';
import {
  type Commitment,
  type Committed,
  type Hyperparameters,
  type OwnNeuron,
  readCommitments,
  readCommitted,
  readHyperparameters,
  readOwnNeuron,
  readRegistrationCost,
} from './subnet.ts';

/**
 * A chain of Bittensor: what it says, and what can be asked of it. Amounts are rao. Everything may throw CHAIN_UNREACHABLE (nobody is
 * there), DEADLINE (no answer in time) and PROTOCOL (an answer that makes no sense), all of which may pass.
 *
 * A call of a hotkey is just handed in; one of a coldkey is drafted first, shown to a person with its fee, and handed in with the
 * draft's `data` as that person's word. How calls are made: `calls.ts`; how they are made for people: `../calls/call-desk.ts`.
 */
export class Chain {
  readonly #connection: ChainConnection;
  readonly #submitter: Submitter;

  constructor(options: ConnectionOptions) {
    this.#connection = new ChainConnection(options);
    this.#submitter = new Submitter(this.#connection);
  }

  /** Begins to connect; does not wait for it. Idempotent. */
  open(): void {
    this.#connection.open();
  }

  /** Idempotent. */
  close(): Promise<void> {
    return this.#connection.close();
  }

  /** How the connection stands. {@link changes} tells when it is another. */
  get state(): ChainState {
    return this.#connection.state;
  }

  get changes(): Changes {
    return this.#connection.changes;
  }

  /** Reads the newest block, whatever the chain does meanwhile. @throws CHAIN_UNREACHABLE */
  read(): Promise<ChainReader> {
    return this.#connection.at();
  }

  /** Hash of the first block of the chain that is there. @throws CHAIN_UNREACHABLE */
  async genesis(): Promise<string> {
    return (await this.#connection.session()).genesis;
  }

  /** A subnet's neurons; undefined when there is no such subnet. */
  async metagraph(netuid: number): Promise<Metagraph | undefined> {
    return readMetagraph(await this.#connection.at(), netuid);
  }

  /** The same with what each has said in public, all at one block. */
  async committed(netuid: number): Promise<Committed | undefined> {
    return readCommitted(await this.#connection.at(), netuid);
  }

  /** A subnet's rules; undefined when there is no such subnet. */
  async hyperparameters(netuid: number): Promise<Hyperparameters | undefined> {
    return readHyperparameters(await this.#connection.at(), netuid);
  }

  /** What registering costs right now; undefined when there is no such subnet. */
  async registrationCost(netuid: number): Promise<bigint | undefined> {
    return readRegistrationCost(await this.#connection.at(), netuid);
  }

  /** A hotkey's neuron; undefined when it is not registered. */
  async neuron(netuid: number, hotkey: string): Promise<OwnNeuron | undefined> {
    return readOwnNeuron(await this.#connection.at(), netuid, hotkey);
  }

  /** What hotkeys have said on a subnet; those that said nothing are left out. */
  async commitments(netuid: number, hotkeys: readonly string[]): Promise<Map<string, Commitment>> {
    return readCommitments(await this.#connection.at(), netuid, hotkeys);
  }

  async balance(account: string): Promise<Balance> {
    return readBalance(await this.#connection.at(), account);
  }

  async stakes(coldkey: string): Promise<Stake[]> {
    return readStakes(await this.#connection.at(), coldkey);
  }

  /** Rao for one alpha; undefined where nothing tells. */
  async alphaPrice(netuid: number): Promise<bigint | undefined> {
    return readAlphaPrice(await this.#connection.at(), netuid);
  }

  /** What staking or unstaking would come to: its `limitPrice` is what `addStakeLimit` and `removeStakeLimit` take. */
  async quote(swap: Parameters<typeof quoteSwap>[1]): Promise<SwapQuote> {
    return quoteSwap(await this.#connection.at(), swap);
  }

  /**
   * The call that registers a hotkey for no more than a price. Where the runtime cannot hold to one (up to 381), the price is looked
   * at now: what somebody registers in between still makes it dearer, by a part.
   * @throws CHAIN_REFUSED when it costs more, or there is no such subnet
   */
  async registration(at: { netuid: number; hotkey: string; limitPrice: bigint }): Promise<calls.ChainCall> {
    const price = await this.registrationCost(at.netuid);
    if (price === undefined) {
      throw new QuarryError({ code: 'CHAIN_REFUSED', message: say('bittensor.chain.refused.noSubnet') });
    }
    if (price > at.limitPrice) {
      throw new QuarryError({
        code: 'CHAIN_REFUSED',
        message: say('bittensor.chain.dearer', { price: taoText(price) }),
        field: 'limitPrice',
      });
    }
    const { runtime } = await this.#connection.session();
    const limited = calls.registerUpTo(at);
    return calls.formFor(runtime, limited) ? limited : calls.burnedRegister(at);
  }

  /** What a call is, and what it costs besides: to be shown to a person. See {@link Submitter.draft}. */
  draft(call: calls.ChainCall, from: string): Promise<Draft> {
    return this.#submitter.draft(call, from);
  }

  /** Signs a call and hands it in. See {@link Submitter.handIn}; who calls it is `../calls/call-book.ts`, which keeps what was sent. */
  handIn(call: calls.ChainCall, signer: Signer, how: HandingIn): Promise<Offered> {
    return this.#submitter.handIn(call, signer, how);
  }

  /** What came of a call that was handed in. See {@link Submitter.end}. */
  end(call: HandedIn): Promise<CallEnd> {
    return this.#submitter.end(call);
  }

  /** Whether the runtime has a call. @throws CHAIN_UNREACHABLE */
  async has(call: calls.ChainCall): Promise<boolean> {
    return calls.formFor((await this.#connection.session()).runtime, call) !== undefined;
  }

  /** Number of the newest block, which may still be undone. @throws CHAIN_UNREACHABLE */
  async head(): Promise<number> {
    const { rpc } = await this.#connection.session();
    return shaped(header, await rpc.request('chain_getHeader')).number;
  }

  /** The coldkey of a hotkey. See {@link readOwner}. */
  async owner(hotkey: string): Promise<string | undefined> {
    return readOwner(await this.#connection.at(), hotkey);
  }

  /** Rao that a subnet gets in a block. See {@link readTaoIn}. */
  async taoIn(netuid: number): Promise<bigint | undefined> {
    return readTaoIn(await this.#connection.at(), netuid);
  }

  /** Whether an order was paid; a payment that counts is used up. See {@link takePayment}. */
  takePayment(book: PaymentBook, claim: PaymentClaim, terms: PaymentTerms): Promise<Payment> {
    return takePayment(this.#connection, book, claim, terms);
  }
}
