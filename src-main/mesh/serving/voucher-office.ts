import type { Logger } from 'pino';
import { TaskSet } from '../../base/task-set.ts';
import type { VoucherCredits } from '../../credits/credits.ts';
import type { InferenceMessage, VoucherMessage, VouchMessage } from '../inference/messages.ts';
import { PROTOCOL_VERSION } from '../transport/envelope.ts';
import type { MeshNetwork } from '../transport/network.ts';
import type { Peer } from '../transport/peer.ts';
import { type Paced, PacedClients } from './paced-clients.ts';

/** Vouchers that one client is signed a second, and at once: each is a signature and a write to disk. */
const PACE = { perSecond: 3, burst: 12 };
/** What it asks for beyond that, and is refused: so much is forgiven a second, and at once. */
const EXCESS = { perSecond: 5, burst: 50 };

export interface VoucherOfficeOptions {
  network: MeshNetwork<InferenceMessage>;
  credits: VoucherCredits;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
  log: Logger;
}

/** Signs vouchers for those who have served this node, whether or not it serves anybody itself: see credits/voucher.ts. */
export class VoucherOffice {
  readonly #options: VoucherOfficeOptions;
  readonly #now: () => number;
  readonly #clients: PacedClients<Paced>;
  readonly #tasks = new TaskSet();
  #unfollow = () => {};
  #closed = false;

  constructor(options: VoucherOfficeOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#clients = new PacedClients({ pace: PACE, excess: EXCESS, now: this.#now, begin: (paced) => paced });
  }

  open(): void {
    this.#unfollow = this.#options.network.follow((peer) => this.#attach(peer));
  }

  /** Waits for the books. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#unfollow();
    await this.#tasks.ended();
  }

  #attach(peer: Peer<InferenceMessage>): void {
    peer.onMessage((message) => {
      if (message.type === 'vouch' && !this.#closed) this.#asked(peer, message);
    });
  }

  #asked(peer: Peer<InferenceMessage>, asked: VouchMessage): void {
    const { pace, excess } = this.#clients.of(peer.id);
    if (pace.take(1, this.#now())) void this.#tasks.add(this.#vouch(peer, asked));
    else if (excess.take(1, this.#now())) answer(peer, asked, { refused: 'too many' });
    else peer.offend('too many vouchers', 'asked for without end');
  }

  async #vouch(peer: Peer<InferenceMessage>, asked: VouchMessage): Promise<void> {
    const { kind, worker, credits } = asked;
    try {
      const voucher = await this.#options.credits.vouch({ kind, worker, client: peer.id, credits });
      answer(peer, asked, voucher ? { voucher } : { refused: 'not owed' });
    } catch (error) {
      this.#options.log.error({ err: error, peer: peer.id }, 'a voucher could not be signed');
      answer(peer, asked, { refused: 'failed' });
    }
  }
}

function answer(
  peer: Peer<InferenceMessage>,
  { requestId }: VouchMessage,
  said: Pick<VoucherMessage, 'voucher'> | Pick<VoucherMessage, 'refused'>,
): void {
  peer.send({ v: PROTOCOL_VERSION, type: 'voucher', requestId, ...said });
}
