import { randomBytes } from 'node:crypto';
import { Changes } from '../../base/changes.ts';
import { countPayment } from '../../bittensor/chain/payment-rule.ts';
import type { Payment, PaymentBook, PaymentClaim, PaymentTerms } from '../../bittensor/chain/payments.ts';
import type { MarketChain } from '../../subnets/omega/market/server/payment-check.ts';

/** Hash of its first block: no chain that holds money has it. */
const GENESIS = `0x${'de'.repeat(32)}`;
const FEE = 125_000n;

export interface SimulatedTransfer {
  /** `0x…` */
  hash: string;
  from: string;
  to: string;
  amount: bigint;
  /** Undefined until a block has it. */
  block?: number;
  /** Whether it moved anything: one that is refused is in its block all the same. */
  ok?: boolean;
}

/** What happened to an account since it was settled. Rao. */
export interface SimulatedAccount {
  before: bigint;
  came: bigint;
  /** Without fees. */
  went: bigint;
  fees: bigint;
  after: bigint;
}

/**
 * A chain that is none: balances, blocks and what happened in them, in the memory of this process. Blocks come one after the other, and each is final with the next. Payments
 * count by the rule of `bittensor/chain/payment-rule.ts`. A resource.
 */
export class SimulatedChain implements MarketChain {
  readonly changes = new Changes();
  readonly #balances = new Map<string, bigint>();
  /** What each was settled with. */
  readonly #first = new Map<string, bigint>();
  /** Coldkeys, by hotkey. */
  readonly #owners = new Map<string, string>();
  readonly #transfers: SimulatedTransfer[] = [];
  readonly #timer: NodeJS.Timeout;
  #block = 1_000;

  /** @param blockMs between two blocks */
  constructor(blockMs: number) {
    this.#timer = setInterval(() => this.#makeBlock(), blockMs);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Number of the newest block that nothing undoes. */
  get finalised(): number {
    return this.#block - 1;
  }

  /** Somebody with a hotkey, and something to spend. */
  settle(coldkey: string, hotkey: string, rao: bigint): void {
    this.#balances.set(coldkey, rao);
    this.#first.set(coldkey, rao);
    this.#owners.set(hotkey, coldkey);
  }

  balance(address: string): bigint {
    return this.#balances.get(address) ?? 0n;
  }

  /** All that moved, with what it began and ended with: it adds up. */
  account(address: string): SimulatedAccount {
    const moved = this.#transfers.filter(({ ok }) => ok);
    const sum = (some: typeof moved) => some.reduce((all, { amount }) => all + amount, 0n);
    const sent = moved.filter(({ from }) => from === address);
    return {
      before: this.#first.get(address) ?? 0n,
      came: sum(moved.filter(({ to }) => to === address)),
      went: sum(sent),
      fees: FEE * BigInt(sent.length),
      after: this.balance(address),
    };
  }

  /** Hands a transfer in: the next block takes it. */
  handIn(transfer: Pick<SimulatedTransfer, 'from' | 'to' | 'amount'>): SimulatedTransfer {
    const kept = { ...transfer, hash: `0x${randomBytes(32).toString('hex')}` };
    this.#transfers.push(kept);
    return kept;
  }

  async genesis(): Promise<string> {
    return GENESIS;
  }

  async head(): Promise<number> {
    return this.#block;
  }

  async ownerOf(hotkey: string): Promise<string | undefined> {
    return this.#owners.get(hotkey);
  }

  takePayment(book: PaymentBook, claim: PaymentClaim, terms: PaymentTerms): Promise<Payment> {
    const look = async ({ block, extrinsic }: PaymentClaim) => {
      const event = this.#transfers.findIndex((one) => one.hash === extrinsic && one.block === block);
      const found = this.#transfers[event];
      const call = found && { succeeded: found.ok === true, transfers: [{ ...found, event }] };
      return { hash: `0x${block.toString(16).padStart(64, '0')}`, call };
    };
    return countPayment({ genesis: GENESIS, finalised: this.finalised, look }, book, claim, terms, Date.now);
  }

  #makeBlock(): void {
    this.#block++;
    for (const transfer of this.#transfers.filter(({ block }) => block === undefined)) {
      const { from, to, amount } = transfer;
      const ok = this.balance(from) >= amount + FEE;
      if (ok) {
        this.#balances.set(from, this.balance(from) - amount - FEE);
        this.#balances.set(to, this.balance(to) + amount);
      }
      Object.assign(transfer, { block: this.#block, ok });
    }
    this.changes.tell();
  }
}
