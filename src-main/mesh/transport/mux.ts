import type { NoiseStream } from '@hyperswarm/secret-stream';
import Protomux from 'protomux';
import type { Offence } from './guards/ban-list.ts';
import type { ReadingLine } from './guards/fair-reading.ts';

/**
 * Largest encrypted message to take in. The stream below would gather up to 16 MiB for a stranger before anyone could
 * look at it; ours are at most a frame, and Hypercore's replication batches are far smaller than this.
 */
export const MAX_ENCRYPTED_MESSAGE = 4 * 1024 * 1024;
/** Most messages of one batch: two bytes are one, and each costs much more to read. Hypercore's batches have some hundreds at most. */
const MAX_BATCHED = 8_192;

interface MuxOptions {
  /** Where messages wait until they are read. */
  line: ReadingLine;
  /** Asked for every channel that the other side opens. */
  mayOpen: () => boolean;
  /** Ends the connection; nothing more is read. */
  onAttack: (offence: Offence, detail: string) => void;
}

/**
 * Several named channels over one connection. Protomux lets a batch hold batches without end; 100 KB of them overflow the
 * stack, and that error would end the process. Ours refuses the second level, which no honest peer ever sends, and what has too many
 * messages. It also counts the channels that the other side opens: each is looked up, often on the disk, and answered. What comes is
 * read when its turn comes.
 */
export class GuardedMux extends Protomux {
  readonly #options: MuxOptions;
  #inBatch = false;
  #batched = 0;

  constructor(stream: NoiseStream, options: MuxOptions) {
    super(stream);
    this.#options = options;
  }

  /** Reads a message that has waited for its turn. */
  read(message: Uint8Array): void {
    if (!this.stream.destroying) super._ondata(message);
  }

  protected override _ondata(message: Uint8Array): void {
    this.#options.line.take(message);
  }

  protected override _decode(remoteId: number, state: unknown): unknown {
    this.#options.line.spendMessage();
    if (this.#inBatch && ++this.#batched > MAX_BATCHED) this.#refuse('too many frames', 'batch');
    return super._decode(remoteId, state);
  }

  protected override _onopensession(state: unknown): unknown {
    if (!this.#options.mayOpen()) this.#refuse('too many frames', 'channels opened');
    return super._onopensession(state);
  }

  protected override _onbatch(state: unknown): void {
    if (this.#inBatch) {
      this.#refuse('protocol error', 'nested batch');
    }
    this.#inBatch = true;
    this.#batched = 0;
    try {
      super._onbatch(state);
    } finally {
      this.#inBatch = false;
    }
  }

  #refuse(offence: Offence, detail: string): never {
    this.#options.onAttack(offence, detail);
    throw new Error(detail); // Protomux reads no further
  }
}
