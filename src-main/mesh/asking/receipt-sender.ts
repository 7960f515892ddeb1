import type { Logger } from 'pino';
import { TaskSet } from '../../base/task-set.ts';
import type { ClientCredits } from '../../credits/credits.ts';
import type { Receipt } from '../../credits/receipt.ts';
import type { InferenceMessage, ReceiptMessage } from '../inference/messages.ts';
import { PROTOCOL_VERSION } from '../transport/envelope.ts';
import type { MeshNetwork } from '../transport/network.ts';
import type { Peer } from '../transport/peer.ts';

/** Receipts on their way to one worker whose answer is awaited: as many as a worker takes at once. More wait in the outbox. */
const MAX_AWAITED = 128;
/** A client that ends after its answer leaves its worker so long to say that it has the receipt. */
const GOODBYE_MS = 1_000;

type Answer = Exclude<ReceiptMessage, { status: 'signed' }>;

/** What is between this node and a worker while they are connected. */
interface Meeting {
  /** What became of each receipt that was sent: an answer is awaited, or being written down. */
  readonly sent: Map<string, 'awaited' | 'answered'>;
  /** With no more than so many on their way, the outbox is looked into again; undefined when it holds nothing else. */
  goOnAt: number | undefined;
  end(): void;
}

/** Brings signed receipts to their workers: at once, and again at the next hello until the worker says it has them. */
export class ReceiptSender {
  readonly #options: { network: MeshNetwork<InferenceMessage>; credits: ClientCredits; log: Logger };
  readonly #meetings = new Map<Peer<InferenceMessage>, Meeting>();
  readonly #tasks = new TaskSet();
  #onAnswered = () => {};
  #unfollow = () => {};
  #closing = false;

  constructor(options: { network: MeshNetwork<InferenceMessage>; credits: ClientCredits; log: Logger }) {
    this.#options = options;
  }

  open(): void {
    this.#unfollow = this.#options.network.follow(
      (peer) => this.#met(peer),
      (peer) => this.#left(peer),
    );
  }

  /** Sends a receipt that is in the outbox; one for which there is no room now goes when there is, or at the next meeting. */
  send(peer: Peer<InferenceMessage>, receipt: Receipt): void {
    const meeting = this.#meetings.get(peer);
    const { requestId } = receipt.body;
    if (!meeting) return;
    if (meeting.sent.size >= MAX_AWAITED) {
      meeting.goOnAt = MAX_AWAITED / 2;
      return;
    }
    meeting.sent.set(requestId, 'awaited');
    peer.send({ v: PROTOCOL_VERSION, type: 'receipt', status: 'signed', receipt });
  }

  /** Waits for the books, and a moment for workers; receipts not acknowledged by then are sent at the next start. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.#acknowledged(GOODBYE_MS);
    this.#unfollow();
    for (const peer of [...this.#meetings.keys()]) this.#left(peer);
    await this.#tasks.ended();
  }

  #met(peer: Peer<InferenceMessage>): void {
    if (this.#closing || !peer.sides.includes('worker')) return;
    const listener = (message: InferenceMessage) => {
      if (message.type === 'receipt' && message.status !== 'signed') this.#answered(peer, message);
    };
    peer.onMessage(listener);
    this.#meetings.set(peer, { sent: new Map(), goOnAt: undefined, end: () => peer.off('message', listener) });
    this.#track(this.#sendOutbox(peer));
  }

  #left(peer: Peer<InferenceMessage>): void {
    this.#meetings.get(peer)?.end();
    this.#meetings.delete(peer);
    this.#onAnswered();
  }

  /** Sends the oldest receipts of the outbox that are not on their way: a page of them, and the next as answers come. */
  async #sendOutbox(peer: Peer<InferenceMessage>): Promise<void> {
    const receipts = await this.#options.credits.unacknowledged(peer.id);
    const meeting = this.#meetings.get(peer);
    if (!meeting) return;
    const waiting = receipts.filter(({ body }) => !meeting.sent.has(body.requestId));
    meeting.goOnAt = waiting.length > 0 ? Math.floor((meeting.sent.size + waiting.length) / 2) : undefined;
    for (const receipt of waiting) this.send(peer, receipt);
  }

  #answered(peer: Peer<InferenceMessage>, { requestId, status, reason }: Answer): void {
    const meeting = this.#meetings.get(peer);
    if (meeting?.sent.get(requestId) !== 'awaited') return;
    meeting.sent.set(requestId, 'answered');
    this.#onAnswered();
    if (status === 'void')
      this.#options.log.warn({ worker: peer.id, requestId, reason }, 'the worker refuses a receipt');
    this.#track(this.#acknowledge(peer, meeting, requestId));
  }

  /** Takes a receipt out of the outbox; then, and not before, may the outbox be read again. */
  async #acknowledge(peer: Peer<InferenceMessage>, meeting: Meeting, requestId: string): Promise<void> {
    try {
      await this.#options.credits.acknowledge(requestId);
    } finally {
      meeting.sent.delete(requestId);
    }
    if (meeting.goOnAt === undefined || meeting.sent.size > meeting.goOnAt) return;
    meeting.goOnAt = undefined;
    await this.#sendOutbox(peer);
  }

  /** Resolves when every worker that is still there has answered, or the time is over. */
  #acknowledged(ms: number): Promise<void> {
    const done = () => [...this.#meetings.values()].every(({ sent }) => ![...sent.values()].includes('awaited'));
    if (done()) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#onAnswered = () => {
        if (!done()) return;
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #track(task: Promise<void>): void {
    const { log } = this.#options;
    void this.#tasks.add(task.catch((err: unknown) => log.error({ err }, 'receipts could not be read or written')));
  }
}
