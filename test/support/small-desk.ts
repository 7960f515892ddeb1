import { randomUUID } from 'node:crypto';
import { Changes } from '../../src-main/base/changes.ts';
import type {
  ClaimedTransfer,
  FoundCall,
  Payments,
  PaymentTrace,
  WantedPayment,
} from '../../src-main/subnets/omega/market/client/ports.ts';
import type { ChainDraft, SentCall } from '../../src-preload/contract/chain.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { BUYER, MARKET_CHAIN } from './small-market.ts';

type Signed = SentCall & { to: string; order: string | null };

/** A desk whose calls a test brings into a block, or not. The password is «sesame». What was signed stays, as on a disk. */
export class SmallDesk implements Payments {
  readonly signed: Signed[] = [];
  readonly drafts = new Map<string, WantedPayment>();
  /** What others sent, and is on the chain. */
  readonly foreign: Omit<ClaimedTransfer, 'after'>[] = [];
  readonly changes = new Changes();
  /** From this block on the endpoint tells nothing. */
  unknownFrom = Number.POSITIVE_INFINITY;
  balance = 1_000_000_000_000n;
  chain = MARKET_CHAIN;
  from = BUYER;
  /** What comes of a call at once; `waiting` until {@link settle}. */
  fate: SentCall['state'] = 'done';
  block = 10;
  /** Comes after a call was kept, as if the connection had gone. */
  failAfterSigning: Error | undefined;
  /** While a call is kept, and nobody was told of it yet. */
  afterSigning: () => Promise<void> = async () => {};

  async genesis(): Promise<string> {
    return this.chain;
  }

  async spendable(): Promise<bigint> {
    return this.balance;
  }

  async draft(wanted: WantedPayment): Promise<ChainDraft> {
    const id = randomUUID();
    this.drafts.set(id, wanted);
    return {
      ...{ id, action: { action: 'transfer', ...wanted }, signedBy: 'coldkey', from: this.from, sealing: 'nacl' },
      call: { pallet: 'Balances', name: 'transferKeepAlive', args: [] },
      ...{ moves: wanted.amount, amount: wanted.amount, fee: '1000', left: '5', warnings: [] },
    };
  }

  async *send({ id, password, order }: { id: string; password: string | null; order: string }, signal: AbortSignal) {
    const wanted = this.drafts.get(id);
    if (!wanted) throw new QuarryError({ code: 'BAD_REQUEST', message: 'no such draft' });
    if (password !== 'sesame') throw new QuarryError({ code: 'UNAUTHORIZED', message: 'wrong', field: 'password' });
    const number = this.signed.length + 1;
    const hash = `0x${String(number).padStart(64, '0')}`;
    const call: Signed = {
      ...{ id: number, at: Date.now(), network: 'local', action: 'transfer', state: 'waiting', from: this.from },
      ...{ to: wanted.to, order, netuid: null, moves: wanted.amount, fee: '1000', hash, block: null },
    };
    this.signed.push(call);
    await this.afterSigning();
    if (this.failAfterSigning) throw this.failAfterSigning;
    if (this.fate !== 'waiting') setTimeout(() => this.settle(number, this.fate), 5);
    yield* this.watch(number, signal);
  }

  settle(id: number, state: SentCall['state']): void {
    const call = this.signed.find((one) => one.id === id);
    if (call) Object.assign(call, { state, block: state === 'done' || state === 'failed' ? ++this.block : null });
    this.changes.tell();
  }

  async sent({ from, to, amount, since, genesis, order }: PaymentTrace): Promise<FoundCall[]> {
    const isOpen = ({ state }: SentCall) => state === 'waiting' || state === 'unknown' || state === 'done';
    const same = (one: SentCall) => one.from === from && one.to === to && one.moves === amount && one.at >= since;
    const found = genesis === this.chain ? this.signed.filter((one) => same(one) && isOpen(one)) : [];
    const [named, others] = [found.filter((one) => one.order === order), found.filter((one) => one.order === null)];
    return [...named, ...others].map((one) => ({ ...one, isNamed: one.order !== null }));
  }

  async arrived({ after, ...transfer }: ClaimedTransfer): Promise<void> {
    if (transfer.block >= this.unknownFrom)
      throw new QuarryError({ code: 'CHAIN_UNREACHABLE', message: 'that block is forgotten', retryable: true });
    const isIt = (one: object) =>
      JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(transfer).sort());
    if (transfer.block > after && this.foreign.some(isIt)) return;
    throw new QuarryError({ code: 'BAD_REQUEST', message: 'there is no such transfer', field: 'payment' });
  }

  async *watch(id: number, signal: AbortSignal): AsyncGenerator<SentCall, void, undefined> {
    for (let last: string | undefined; !signal.aborted; ) {
      const { count } = this.changes;
      const call = this.signed.find((one) => one.id === id);
      if (!call) return;
      if (call.state !== last) yield { ...call };
      last = call.state;
      if (last !== 'waiting') return;
      await this.changes.after(count, signal);
    }
  }
}
