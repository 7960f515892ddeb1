import type { NoiseStream } from '@hyperswarm/secret-stream';
import Protomux from 'protomux';

/**
 * Largest encrypted message to take in. The stream below would gather up to 16 MiB for a stranger before anyone could
 * look at it; ours are at most a frame, and Hypercore's replication batches are far smaller than this.
 */
export const MAX_ENCRYPTED_MESSAGE = 4 * 1024 * 1024;

/**
 * Several named channels over one connection. Protomux lets a batch hold batches without end; 100 KB of them overflow the
 * stack, and that error would end the process. Ours refuses the second level, which no honest peer ever sends.
 */
export class GuardedMux extends Protomux {
  readonly #onNestedBatch: () => void;
  #inBatch = false;

  constructor(stream: NoiseStream, onNestedBatch: () => void) {
    super(stream);
    this.#onNestedBatch = onNestedBatch;
  }

  protected override _onbatch(state: unknown): void {
    if (this.#inBatch) {
      this.#onNestedBatch();
      throw new Error('nested batch');
    }
    this.#inBatch = true;
    try {
      super._onbatch(state);
    } finally {
      this.#inBatch = false;
    }
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
