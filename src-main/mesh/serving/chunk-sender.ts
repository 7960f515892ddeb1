import type { GenerateEvent, TokenLogprobs, TokenProbability } from '../../inference/backend.ts';
import type { InferenceMessage } from '../inference/messages.ts';
import { PROTOCOL_VERSION } from '../transport/envelope.ts';
import type { Peer } from '../transport/peer.ts';

type ChunkEvent = Extract<GenerateEvent, { type: 'chunk' }>;

/** Most tokens gathered into one frame: with 20 log-probabilities each they stay well under a frame's cap. */
const MAX_GATHERED = 200;
/** JSON has no −∞; nothing that is ever sampled comes near this. */
const LEAST_LOGPROB = -1e6;

/**
 * Sends an answer's pieces as they come. While the client reads too slowly, or so many pieces go to it that it would take
 * them for a flood, what comes in the meantime is gathered and goes out as one frame as soon as that is possible.
 */
export class ChunkSender {
  readonly #peer: Peer<InferenceMessage>;
  readonly #requestId: string;
  readonly #now: () => number;
  readonly #onDrain = () => this.#reopen();
  #seq = 0;
  #gathered: ChunkEvent | undefined;
  #open = true;
  #soon: NodeJS.Timeout | undefined;

  constructor(peer: Peer<InferenceMessage>, requestId: string, now: () => number) {
    this.#peer = peer;
    this.#requestId = requestId;
    this.#now = now;
    peer.on('drain', this.#onDrain);
  }

  push(chunk: ChunkEvent): void {
    if (this.#gathered && this.#gathered.tokens + chunk.tokens > MAX_GATHERED) this.#flush();
    this.#gathered = this.#gathered ? joined(this.#gathered, chunk) : chunk;
    this.#flushIfPaced();
  }

  /** Sends what is left; nothing may follow. */
  end(): void {
    this.#peer.off('drain', this.#onDrain);
    this.#flush();
  }

  #reopen(): void {
    this.#open = true;
    this.#flushIfPaced();
  }

  #flushIfPaced(): void {
    if (!this.#open || !this.#gathered) return;
    const { pace } = this.#peer;
    if (pace.take(1, this.#now())) this.#flush();
    else this.#soon ??= setTimeout(() => this.#retry(), pace.waitMs(1, this.#now()));
  }

  #retry(): void {
    this.#soon = undefined;
    this.#flushIfPaced();
  }

  #flush(): void {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    const chunk = this.#gathered;
    if (!chunk) return;
    this.#gathered = undefined;
    this.#open = this.#peer.send({
      v: PROTOCOL_VERSION,
      type: 'chunk',
      requestId: this.#requestId,
      seq: this.#seq++,
      text: chunk.text,
      tokens: chunk.tokens,
      logprobs: chunk.logprobs?.map(finite),
    });
  }
}

function joined(first: ChunkEvent, second: ChunkEvent): ChunkEvent {
  const logprobs = first.logprobs || second.logprobs;
  return {
    type: 'chunk',
    text: first.text + second.text,
    tokens: first.tokens + second.tokens,
    logprobs: logprobs && [...(first.logprobs ?? []), ...(second.logprobs ?? [])],
  };
}

function finite(token: TokenLogprobs): TokenLogprobs {
  return { ...clamped(token), top: token.top.map(clamped) };
}

function clamped({ token, bytes, logprob }: TokenProbability): TokenProbability {
  return { token, bytes, logprob: Math.min(0, Math.max(LEAST_LOGPROB, logprob)) };
}
