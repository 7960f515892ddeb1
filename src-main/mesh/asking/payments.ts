import type { Logger } from 'pino';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { TaskSet } from '../../base/task-set.ts';
import { BillRefused, type ClientCredits, type Funds } from '../../credits/credits.ts';
import type { Ending } from '../../credits/ending.ts';
import type { Pledge } from '../../credits/pledge.ts';
import type { InferenceMessage } from '../inference/messages.ts';
import type { MeshNetwork } from '../transport/network.ts';
import type { Peer } from '../transport/peer.ts';
import type { AttemptEvent } from './attempt.ts';
import { ReceiptSender } from './receipt-sender.ts';

/** What a client signs for and pays. */
export class Payments {
  readonly #credits: ClientCredits;
  readonly #log: Logger;
  readonly #receipts: ReceiptSender;
  readonly #releases = new TaskSet();

  constructor(options: { network: MeshNetwork<InferenceMessage>; credits: ClientCredits; log: Logger }) {
    this.#credits = options.credits;
    this.#log = options.log;
    this.#receipts = new ReceiptSender(options);
  }

  open(): void {
    this.#receipts.open();
  }

  /** Waits for the books. */
  async close(): Promise<void> {
    await this.#releases.ended();
    await this.#receipts.close();
  }

  /** Notes a request that is to be paid for. @throws what the books do */
  async begin(request: { requestId: string; worker: string; maxTokens: number }): Promise<void> {
    await this.#credits.open(request);
  }

  /** Signs for what an answer has cost so far. @returns the signature. @throws what the books do */
  async pledge(pledge: Omit<Pledge, 'client'> & { funds: Funds }): Promise<string> {
    return await this.#credits.pledge(pledge);
  }

  /**
   * Signs the worker's bill if it is true. A false one is not paid, but the answer came all the same. Never throws.
   * @returns credits that the answer cost
   */
  async pay(peer: Peer<InferenceMessage>, answer: Extract<AttemptEvent, { type: 'result' }>): Promise<number> {
    const { bill, observed } = answer;
    try {
      const receipt = await this.#credits.countersign(bill, observed);
      this.#receipts.send(peer, receipt);
      peer.useful();
      return receipt.body.cost;
    } catch (error) {
      const { code, message } = QuarryError.from(error);
      this.#log.warn({ worker: peer.id, requestId: observed.requestId, err: error }, 'a receipt was not signed');
      if (code === 'BAD_REQUEST') peer.offend('false claim', message);
      // The answer is here all the same: what was signed for while it streamed is paid.
      const paid = await this.release(observed.requestId, { by: 'client', code, sent: observed.resultChars });
      return error instanceof BillRefused ? error.paid : paid;
    }
  }

  /**
   * Ends a request without a receipt. Never throws: what the books do not take now is ended at the next start.
   * @returns credits that what came of its answer cost
   */
  release(requestId: string, ending: Ending): Promise<number> {
    const release = this.#credits.release(requestId, ending).catch((error: unknown) => {
      this.#log.error({ err: error, requestId }, 'a request could not be ended in the books');
      return 0;
    });
    return this.#releases.add(release);
  }
}
