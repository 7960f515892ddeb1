import { countPayment, type PaymentView } from '../../src-main/bittensor/chain/payment-rule.ts';
import type { Payment, PaymentBook, PaymentClaim, PaymentTerms } from '../../src-main/bittensor/chain/payments.ts';
import type { MarketChain } from '../../src-main/subnets/omega/market/server/payment-check.ts';

/** A transfer that happened. Those of one call have one hash. */
export interface Transfer {
  from: string;
  to: string;
  amount: bigint;
  block: number;
  extrinsic: string;
}

const GENESIS = `0x${'11'.repeat(32)}`;

/** A chain on which transfers happen when the test says so, and which counts payments by `bittensor/chain/payment-rule.ts`. How a real block is read is tested on real runtimes. */
export class ScriptedMarketChain implements MarketChain {
  readonly transfers: Transfer[] = [];
  /** Coldkeys, by hotkey. */
  readonly owners = new Map<string, string>();
  block = 100;
  /** Blocks up to this one are final; undefined for all. */
  finalised: number | undefined;
  /** Called wherever an answer takes time. May throw. */
  pause: () => Promise<void> = async () => {};

  /** @returns how the buyer tells of it */
  transfer(transfer: Pick<Transfer, 'from' | 'to' | 'amount'>): PaymentClaim {
    return this.call([transfer]);
  }

  /**
   * A call in a block of its own: a batch moves money more than once, and who signs for somebody else moves that one's.
   * @returns how a buyer tells of it
   */
  call(transfers: readonly Pick<Transfer, 'from' | 'to' | 'amount'>[]): PaymentClaim {
    this.block++;
    const extrinsic = `0x${(this.transfers.length + 1).toString(16).padStart(64, '0')}`;
    const { block } = this;
    this.transfers.push(...transfers.map((transfer) => ({ ...transfer, block, extrinsic })));
    return { block, extrinsic };
  }

  async genesis(): Promise<string> {
    return GENESIS;
  }

  async head(): Promise<number> {
    await this.pause();
    return this.block;
  }

  async ownerOf(hotkey: string): Promise<string | undefined> {
    await this.pause();
    return this.owners.get(hotkey);
  }

  async takePayment(book: PaymentBook, claim: PaymentClaim, terms: PaymentTerms): Promise<Payment> {
    await this.pause();
    const payment = await countPayment(this.#view(), book, claim, terms, () => 1);
    await this.pause();
    return payment;
  }

  #view(): PaymentView {
    const look = async ({ block, extrinsic }: PaymentClaim) => {
      const transfers = this.transfers.flatMap((one, event) =>
        one.block === block && one.extrinsic === extrinsic ? [{ ...one, event }] : [],
      );
      const call = transfers.length > 0 ? { succeeded: true, transfers } : undefined;
      return { hash: `0x${block.toString(16).padStart(64, '0')}`, call };
    };
    return { genesis: GENESIS, finalised: this.finalised ?? this.block, look };
  }
}
