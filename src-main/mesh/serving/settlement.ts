import type { Logger } from 'pino';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { TaskSet } from '../../base/task-set.ts';
import { TokenBucket } from '../../base/token-bucket.ts';
import type { Booking, WorkerCredits } from '../../credits/credits.ts';
import type { Receipt } from '../../credits/receipt.ts';
import type { InferenceMessage } from '../inference/messages.ts';
import { MAX_REASON_CHARS } from '../inference/messages.ts';
import { PROTOCOL_VERSION } from '../transport/envelope.ts';
import { QuietLog } from '../transport/guards/refusals.ts';
import type { Peer } from '../transport/peer.ts';
import { type Paced, PacedClients } from './paced-clients.ts';

/** Receipts of one client that are read a second, and at once. Each costs two signatures to check, and the disk. */
const PACE = { perSecond: 20, burst: 200 };
/** The same of all clients together: whoever pays must not keep the node from its work. */
const TOGETHER = { perSecond: 1_000, burst: 4_000 };
/** Receipts of one client that wait for the disk, and that wait for their turn. More are left unanswered: they come again. */
const AT_BOOKS = 32;
const IN_LINE = 128;
/** Unanswered ones that are forgiven a second, and at once. Nobody honest sends so many without an answer. */
const EXCESS = { perSecond: 10, burst: 500 };
/** Milliseconds in which one kind of trouble with a client's receipts is logged once. */
const QUIET_MS = 60_000;

export interface SettlementOptions {
  worker: string;
  credits: Pick<WorkerCredits, 'settle'>;
  /** A receipt is on the books, durably. */
  onBooked?: (receipt: Receipt, booking: Booking) => void;
  /** A receipt of this client has changed what it is owed here. */
  onSettled?: (client: Peer<InferenceMessage>) => void;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
  log: Logger;
}

interface Delivery {
  peer: Peer<InferenceMessage>;
  receipt: Receipt;
}

/** One client's receipts. */
interface Line extends Paced {
  waiting: Delivery[];
  atBooks: number;
  timer: NodeJS.Timeout | undefined;
}

/** Books the receipts that clients send back, each client's at a pace of its own, and tells them when it is done. */
export class Settlement {
  readonly #options: SettlementOptions;
  readonly #now: () => number;
  readonly #lines: PacedClients<Line>;
  readonly #together: TokenBucket;
  readonly #pending = new TaskSet();
  readonly #quiet: QuietLog;

  constructor(options: SettlementOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    const begin = (paced: Paced): Line => ({ ...paced, waiting: [], atBooks: 0, timer: undefined });
    this.#lines = new PacedClients({ pace: PACE, excess: EXCESS, now: this.#now, begin });
    this.#together = new TokenBucket(TOGETHER.perSecond, TOGETHER.burst, this.#now());
    this.#quiet = new QuietLog(QUIET_MS, this.#now);
  }

  receive(peer: Peer<InferenceMessage>, receipt: Receipt): void {
    const { worker, client } = receipt.body;
    if (worker !== this.#options.worker || client !== peer.id) {
      peer.offend('false claim', 'a receipt of others');
      return;
    }
    const line = this.#lines.of(peer.id);
    if (line.waiting.length >= IN_LINE) {
      if (!line.excess.take(1, this.#now())) peer.offend('too many receipts', 'sent without waiting for answers');
      return;
    }
    line.waiting.push({ peer, receipt });
    this.#serve(line);
  }

  /** A client is gone: what it sent and nobody looked at yet, it sends again when it comes back. */
  abandon(peer: Peer<InferenceMessage>): void {
    const line = this.#lines.peek(peer.id);
    if (!line) return;
    line.waiting = line.waiting.filter((delivery) => delivery.peer !== peer);
  }

  /** Waits until what is at the books is booked. What waits for its turn is left unanswered. Idempotent. */
  async close(): Promise<void> {
    for (const line of this.#lines.values()) {
      clearTimeout(line.timer);
      line.waiting = [];
    }
    await this.#pending.ended();
  }

  /** Takes to the books what may go there now; the rest when there is a place, or time for it. */
  #serve(line: Line): void {
    while (line.atBooks < AT_BOOKS && line.timer === undefined) {
      const [next] = line.waiting;
      if (!next) return;
      const now = this.#now();
      const waitMs = Math.max(line.pace.waitMs(1, now), this.#together.waitMs(1, now));
      if (waitMs > 0) {
        line.timer = setTimeout(() => {
          line.timer = undefined;
          this.#serve(line);
        }, waitMs);
        return;
      }
      line.pace.spend(1, now);
      this.#together.spend(1, now);
      line.waiting.shift();
      line.atBooks++;
      void this.#pending.add(this.#settle(line, next));
    }
  }

  async #settle(line: Line, { peer, receipt }: Delivery): Promise<void> {
    const booking = await this.#book(peer, receipt);
    line.atBooks--;
    this.#serve(line);
    if (!booking) return;
    peer.send({ v: PROTOCOL_VERSION, type: 'receipt', status: 'booked', requestId: receipt.body.requestId });
    if (booking.repeated) return;
    if (booking.earned) peer.useful();
    this.#options.onSettled?.(peer);
    try {
      this.#options.onBooked?.(receipt, booking);
    } catch (error) {
      this.#options.log.error({ err: error, peer: peer.id }, 'a receipt is booked, but somebody could not be told');
    }
  }

  /** @returns undefined when it was not booked; its client has been told if it never will be */
  async #book(peer: Peer<InferenceMessage>, receipt: Receipt): Promise<Booking | undefined> {
    const { requestId } = receipt.body;
    try {
      return await this.#options.credits.settle(receipt);
    } catch (error) {
      const { code, field, message } = QuarryError.from(error);
      this.#tellLog(peer, requestId, code, error);
      // Anything but a void receipt is this node's own trouble: the client keeps it and sends it again later.
      if (code !== 'BAD_REQUEST') return undefined;
      const reason = message.slice(0, MAX_REASON_CHARS);
      peer.send({ v: PROTOCOL_VERSION, type: 'receipt', status: 'void', requestId, reason });
      if (field === 'receipt') peer.blame('void receipt', reason);
      return undefined;
    }
  }

  #tellLog(peer: Peer<InferenceMessage>, requestId: string, code: string, err: unknown): void {
    const suppressed = this.#quiet.due(`${peer.id} ${code}`);
    if (suppressed === undefined) return;
    this.#options.log.warn({ peer: peer.id, requestId, code, err, suppressed }, 'a receipt was not booked');
  }
}
