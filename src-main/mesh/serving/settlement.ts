import type { Logger } from 'pino';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { TaskSet } from '../../base/task-set.ts';
import type { Booking, WorkerCredits } from '../../credits/credits.ts';
import type { Receipt } from '../../credits/receipt.ts';
import { PROTOCOL_VERSION } from '../transport/envelope.ts';
import type { InferenceMessage } from '../transport/messages.ts';
import { MAX_REASON_CHARS } from '../transport/messages.ts';
import type { Peer } from '../transport/peer.ts';

/** Receipts that wait for the disk. More are left unanswered: the client sends them again when it next says hello. */
const MAX_PENDING = 1_024;

export interface SettlementOptions {
  worker: string;
  credits: Pick<WorkerCredits, 'settle'>;
  /** A receipt is on the books, durably. */
  onBooked?: (receipt: Receipt, booking: Booking) => void;
  log: Logger;
}

/** Books the receipts that clients send back, and tells them when it is done. */
export class Settlement {
  readonly #options: SettlementOptions;
  readonly #pending = new TaskSet();

  constructor(options: SettlementOptions) {
    this.#options = options;
  }

  receive(peer: Peer<InferenceMessage>, receipt: Receipt): void {
    const { worker, client } = receipt.body;
    if (worker !== this.#options.worker || client !== peer.id) {
      peer.offend('false claim', 'a receipt of others');
      return;
    }
    if (this.#pending.size >= MAX_PENDING) return;
    void this.#pending.add(this.#settle(peer, receipt));
  }

  /** Waits until what was received is booked. */
  async close(): Promise<void> {
    await this.#pending.ended();
  }

  async #settle(peer: Peer<InferenceMessage>, receipt: Receipt): Promise<void> {
    const { credits, onBooked, log } = this.#options;
    const { requestId } = receipt.body;
    try {
      const booking = await credits.settle(receipt);
      peer.send({ v: PROTOCOL_VERSION, type: 'receipt', status: 'booked', requestId });
      if (!booking.repeated) onBooked?.(receipt, booking);
    } catch (error) {
      const { code, message } = QuarryError.from(error);
      log.warn({ peer: peer.id, requestId, code, err: error }, 'a receipt was not booked');
      // Anything but a void receipt is this node's own trouble: the client keeps it and sends it again later.
      if (code !== 'BAD_REQUEST') return;
      const reason = message.slice(0, MAX_REASON_CHARS);
      peer.send({ v: PROTOCOL_VERSION, type: 'receipt', status: 'void', requestId, reason });
    }
  }
}
