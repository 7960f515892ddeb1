import type { NoiseStream } from '@hyperswarm/secret-stream';
import Protomux from 'protomux';
import type { Offence } from './ban-list.ts';
import type { ReadingLine } from './fair-reading.ts';

/**
 * Largest encrypted message to take in. The stream below would gather up to 16 MiB for a stranger before anyone could
 * look at it; ours are at most a frame, and Hypercore's replication batches are far smaller than this.
 */
export const MAX_ENCRYPTED_MESSAGE = 4 * 1024 * 1024;

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
 * stack, and that error would end the process. Ours refuses the second level, which no honest peer ever sends. It also counts
 * the channels that the other side opens: each is looked up, often on the disk, and answered. What comes is read when its turn comes.
 */
export class GuardedMux extends Protomux {
  readonly #options: MuxOptions;
  #inBatch = false;

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

/** Ends the stream when a single encrypted message grows over `maxBytes` before it is complete. */
export function capMessageSize(stream: NoiseStream, maxBytes: number, onExceeded: () => void): void {
  let complete = stream.rawBytesRead;
  let pending = 0;
  stream.rawStream.on('data', (bytes: Uint8Array) => {
    if (stream.rawBytesRead !== complete) {
      complete = stream.rawBytesRead;
      pending = 0;
    }
    pending += bytes.length;
    if (pending > maxBytes) onExceeded();
  });
}
