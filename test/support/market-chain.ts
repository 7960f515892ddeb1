import type { Payment, PaymentBook, PaymentClaim, PaymentTerms } from '../../src-main/bittensor/chain/payments.ts';
import type { MarketChain } from '../../src-main/subnets/omega/market/server/payment-check.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { type SayingKey, say } from '../../src-preload/contract/saying.ts';

/** A transfer that happened. */
export interface Transfer {
  from: string;
  to: string;
  amount: bigint;
  block: number;
  extrinsic: string;
}

const GENESIS = `0x${'11'.repeat(32)}`;

/** A chain on which transfers happen when the test says so, and which counts payments as `bittensor/chain/payments.ts` does: that is tested on real runtimes. */
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
  transfer(transfer: Pick<Transfer, 'from' | 'to' | 'amount'>): { block: number; extrinsic: string } {
    this.block++;
    const extrinsic = `0x${(this.transfers.length + 1).toString(16).padStart(64, '0')}`;
    this.transfers.push({ ...transfer, block: this.block, extrinsic });
    return { block: this.block, extrinsic };
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
    const { order, from, to, atLeast, atMost = atLeast, since, until = Number.POSITIVE_INFINITY } = terms;
    if (claim.block > (this.finalised ?? this.block)) throw unpaid('bittensor.chain.payment.notFinal');
    if (claim.block <= since) throw unpaid('bittensor.chain.payment.tooOld');
    if (claim.block > until) throw unpaid('bittensor.chain.payment.tooLate');
    const event = this.transfers.findIndex((one) => one.block === claim.block && one.extrinsic === claim.extrinsic);
    const found = this.transfers[event];
    if (!found) throw unpaid('bittensor.chain.payment.unknown');
    if (found.from !== from || found.to !== to || found.amount < atLeast || found.amount > atMost) {
      throw unpaid('bittensor.chain.payment.other');
    }
    const hash = `0x${claim.block.toString(16).padStart(64, '0')}`;
    if (!(await book.use({ chain: GENESIS, block: hash, event, order, usedAt: 1 }))) {
      throw unpaid('bittensor.chain.payment.used');
    }
    await this.pause();
    return { block: { number: claim.block, hash }, event, amount: found.amount };
  }
}

function unpaid(key: SayingKey & `bittensor.chain.payment.${string}`): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: say(key as 'bittensor.chain.payment.used'),
    field: 'payment',
  });
}
