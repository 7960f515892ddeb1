import { randomUUID } from 'node:crypto';
import type { ChainDraft, SentCall } from '../../../src-preload/contract/chain.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { arrived } from '../../subnets/omega/market/client/claimed-transfer.ts';
import type {
  ClaimedTransfer,
  FoundCall,
  Payments,
  PaymentTrace,
  WantedPayment,
} from '../../subnets/omega/market/client/ports.ts';
import type { SimulatedChain, SimulatedTransfer } from './simulated-chain.ts';

const FEE = '125000';

/** Stands in the place of the wallet's desk: drafts and sends transfers of one account on a chain that is none. No key signs, no money moves. */
export class SimulatedDesk implements Payments {
  readonly #chain: SimulatedChain;
  readonly #address: string;
  readonly #drafts = new Map<string, WantedPayment>();
  readonly #sent: { at: number; order: string; transfer: SimulatedTransfer }[] = [];
  /** The next transfer is of more than there is: the chain takes it in, and refuses it there. */
  failsNext = false;

  constructor(chain: SimulatedChain, address: string) {
    this.#chain = chain;
    this.#address = address;
  }

  genesis(): Promise<string> {
    return this.#chain.genesis();
  }

  async spendable(address: string): Promise<bigint> {
    return this.#chain.balance(address);
  }

  async draft(wanted: WantedPayment): Promise<ChainDraft> {
    const id = randomUUID();
    this.#drafts.set(id, wanted);
    const { amount } = wanted;
    const left = this.#chain.balance(this.#address) - BigInt(amount) - BigInt(FEE);
    return {
      ...{ id, action: { action: 'transfer', ...wanted }, signedBy: 'coldkey', from: this.#address, sealing: 'plain' },
      call: { pallet: 'Balances', name: 'transferKeepAlive', args: [] },
      ...{ moves: amount, amount, fee: FEE, left: left < 0n ? null : String(left), warnings: [] },
    };
  }

  async *send(
    { id, order }: { id: string; order: string },
    signal: AbortSignal,
  ): AsyncGenerator<SentCall, void, undefined> {
    const wanted = this.#drafts.get(id);
    if (!wanted) throw new QuarryError({ code: 'BAD_REQUEST', message: say('chainCalls.draftGone') });
    this.#drafts.delete(id);
    const all = this.#chain.balance(this.#address);
    const amount = this.failsNext ? all : BigInt(wanted.amount); // all of it leaves nothing for the fee
    this.failsNext = false;
    const transfer = this.#chain.handIn({ from: this.#address, to: wanted.to, amount });
    this.#sent.push({ at: Date.now(), order, transfer });
    yield* this.watch(this.#sent.length, signal);
  }

  async sent({ from, to, amount, since, order }: PaymentTrace): Promise<FoundCall[]> {
    const same = this.#sent.flatMap(({ at, order: its, transfer }, index) => {
      const isIt =
        its === order &&
        at >= since &&
        transfer.from === from &&
        transfer.to === to &&
        String(transfer.amount) === amount;
      return isIt && transfer.ok !== false ? [this.#view(index + 1)] : [];
    });
    return same.flatMap((call) => (call ? [{ ...call, isNamed: true }] : []));
  }

  arrived(transfer: ClaimedTransfer): Promise<void> {
    return arrived((...payment) => this.#chain.takePayment(...payment), transfer);
  }

  async *watch(id: number, signal: AbortSignal): AsyncGenerator<SentCall, void, undefined> {
    for (let last: SentCall['state'] | undefined; !signal.aborted; ) {
      const { changes } = this.#chain;
      const { count } = changes;
      const call = this.#view(id);
      if (!call) return;
      if (call.state !== last) yield call;
      last = call.state;
      if (last !== 'waiting') return;
      await changes.after(count, signal);
    }
  }

  #view(id: number): SentCall | undefined {
    const sent = this.#sent[id - 1];
    if (!sent) return undefined;
    const { hash, to, amount, block = null, ok } = sent.transfer;
    const isFinal = block !== null && block <= this.#chain.finalised;
    return {
      ...{
        id,
        at: sent.at,
        network: 'local',
        action: 'transfer',
        state: isFinal ? (ok ? 'done' : 'failed') : 'waiting',
      },
      ...{ from: this.#address, to, netuid: null, moves: String(amount), fee: FEE, hash, block },
      ...(isFinal &&
        !ok && { error: new QuarryError({ code: 'CHAIN_REFUSED', message: say('trade.demo.poor') }).toJSON() }),
    };
  }
}
