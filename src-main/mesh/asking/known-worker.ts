import { CLIPS_CAP } from '../inference/clip-messages.ts';
import type { InferenceMessage, Status, TermsMessage } from '../inference/messages.ts';
import type { Peer } from '../transport/peer.ts';
import type { Candidate, SelfReport } from './selection.ts';

const NOTHING_SAID: SelfReport = {
  ready: false,
  health: { score: 0, state: 'overloaded', capacity: 0 },
  queue: { waiting: 0, running: 0, parallel: 0, capacity: 0 },
  models: [],
};

/** One request of this client at a worker. */
export interface Asking {
  /** It is sent now, under this id: its answer is awaited, and a status from before has not counted it. */
  sent(requestId: string, wants: { logprobs: boolean }): void;
  /** It is settled, or came to nothing. Idempotent. */
  end(): void;
}

/** A worker that this node is connected to: what it said last, and what this client has with it. */
export class KnownWorker implements Candidate {
  readonly peer: Peer<InferenceMessage>;
  /** The last that it said of what it owes and gives; undefined until it did. */
  terms: TermsMessage | undefined;
  #status: Status | undefined;
  #statusAt = 0;
  /** Requests that are not settled yet. */
  readonly #open = new Set<Asking>();
  /** Those whose answers are awaited, by id. */
  readonly #awaited = new Map<string, { logprobs: boolean }>();
  /** Those that were sent after its last status: it cannot have counted them. */
  readonly #uncounted = new Set<string>();

  constructor(peer: Peer<InferenceMessage>) {
    this.peer = peer;
  }

  get id(): string {
    return this.peer.id;
  }

  get rttMs(): number | undefined {
    return this.peer.rttMs;
  }

  /** Whether it hands in clips, by its own word: it has said whether it takes questions for them. */
  get handsInClips(): boolean {
    return this.peer.hello.caps.includes(CLIPS_CAP);
  }

  /** Its last signed status; undefined until the first one. */
  get status(): Status | undefined {
    return this.#status;
  }

  /** When that came, in Unix milliseconds; 0 before. */
  get statusAt(): number {
    return this.#statusAt;
  }

  get selfReport(): SelfReport {
    const [status, sent] = [this.#status, this.#uncounted.size];
    if (!status || sent === 0) return status ?? NOTHING_SAID;
    return { ...status, queue: withSent(status.queue, sent) };
  }

  /** Whether no request of this client is with it: while one is, its price is on one side's books and not yet on the other's. */
  get isSettled(): boolean {
    return this.#open.size === 0;
  }

  /** An answer is awaited that its engine and its queue have nothing to do with, until the result is disposed of. */
  expects(requestId: string): Disposable {
    this.#awaited.set(requestId, { logprobs: false });
    return { [Symbol.dispose]: () => void this.#awaited.delete(requestId) };
  }

  /** What is wanted with the answer to a request; undefined when nobody awaits one. */
  awaits(requestId: string): { logprobs: boolean } | undefined {
    return this.#awaited.get(requestId);
  }

  /** It says how it is. @param status later than the last, and its own */
  heard(status: Status, now: number): void {
    this.#status = status;
    this.#statusAt = now;
    this.#uncounted.clear();
  }

  /** A request of this client is about to be sent. Whoever begins it ends it. */
  begin(): Asking {
    const ids: string[] = [];
    const asking: Asking = {
      sent: (requestId, wants) => {
        ids.push(requestId);
        this.#awaited.set(requestId, wants);
        this.#uncounted.add(requestId);
      },
      end: () => {
        this.#open.delete(asking);
        for (const requestId of ids) {
          this.#awaited.delete(requestId);
          this.#uncounted.delete(requestId);
        }
      },
    };
    this.#open.add(asking);
    return asking;
  }
}

/** The queue as it will be when the worker has taken in what was sent: free places first, then waiting. */
function withSent(queue: Status['queue'], sent: number): Status['queue'] {
  const running = Math.min(Math.max(queue.parallel, queue.running), queue.running + sent);
  return { ...queue, running, waiting: queue.waiting + sent - (running - queue.running) };
}
