import type { Logger } from 'pino';
import { TaskSet } from '../../base/task-set.ts';
import type { ClientCredits } from '../../credits/credits.ts';
import type { Receipt } from '../../credits/receipt.ts';
import { PROTOCOL_VERSION } from '../transport/envelope.ts';
import type { InferenceMessage, ReceiptMessage } from '../transport/messages.ts';
import type { MeshNetwork } from '../transport/network.ts';
import type { Peer } from '../transport/peer.ts';

/** Receipts on their way whose answer is awaited. More are sent again when the worker is next met. */
const MAX_AWAITED = 10_000;
/** A client that ends after its answer leaves its worker so long to say that it has the receipt. */
const GOODBYE_MS = 1_000;

/** Brings signed receipts to their workers: at once, and again at the next hello until the worker says it has them. */
export class ReceiptSender {
  readonly #options: { network: MeshNetwork<InferenceMessage>; credits: ClientCredits; log: Logger };
  /** Worker by request id: only the worker that was sent a receipt may acknowledge it. */
  readonly #awaited = new Map<string, string>();
  readonly #tasks = new TaskSet();
  #onAnswered = () => {};
  readonly #onPeer = (peer: Peer<InferenceMessage>) => this.#met(peer);

  constructor(options: { network: MeshNetwork<InferenceMessage>; credits: ClientCredits; log: Logger }) {
    this.#options = options;
  }

  open(): void {
    const { network } = this.#options;
    for (const peer of network.peers.values()) this.#met(peer);
    network.on('peer', this.#onPeer);
  }

  send(peer: Peer<InferenceMessage>, receipt: Receipt): void {
    if (this.#awaited.size >= MAX_AWAITED) return;
    this.#awaited.set(receipt.body.requestId, peer.id);
    peer.send({ v: PROTOCOL_VERSION, type: 'receipt', status: 'signed', receipt });
  }

  /** Waits for the books, and a moment for workers; receipts not acknowledged by then are sent at the next start. */
  async close(): Promise<void> {
    this.#options.network.off('peer', this.#onPeer);
    await this.#acknowledged(GOODBYE_MS);
    await this.#tasks.ended();
  }

  #met(peer: Peer<InferenceMessage>): void {
    if (!peer.roles.includes('worker')) return;
    peer.onMessage((message) => {
      if (message.type === 'receipt' && message.status !== 'signed') this.#answered(peer, message);
    });
    this.#track(this.#resend(peer));
  }

  async #resend(peer: Peer<InferenceMessage>): Promise<void> {
    for (const receipt of await this.#options.credits.unacknowledged(peer.id)) this.send(peer, receipt);
  }

  #answered(
    peer: Peer<InferenceMessage>,
    { requestId, status, reason }: Exclude<ReceiptMessage, { status: 'signed' }>,
  ): void {
    if (this.#awaited.get(requestId) !== peer.id) return;
    this.#awaited.delete(requestId);
    this.#onAnswered();
    if (status === 'void')
      this.#options.log.warn({ worker: peer.id, requestId, reason }, 'the worker refuses a receipt');
    this.#track(this.#options.credits.acknowledge(requestId));
  }

  /** Resolves when every worker that is still there has answered, or the time is over. */
  #acknowledged(ms: number): Promise<void> {
    const { peers } = this.#options.network;
    const done = () => [...this.#awaited.values()].every((worker) => !peers.has(worker));
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
