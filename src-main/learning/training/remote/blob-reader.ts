import { createHash } from 'node:crypto';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { Changes } from '../../../base/changes.ts';
import { CHUNK_BYTES, WINDOW } from './limits.ts';
import type { Blob, BytesMessage, ReadMessage } from './messages.ts';
import { Nonsense } from './nonsense.ts';

/** Milliseconds in which a chunk comes. */
const CHUNK_MS = 60_000;

export interface BlobReaderOptions {
  send: (message: ReadMessage) => void;
  /** Whether the other side can be heard: as long as it cannot, a chunk may take any time. */
  isConnected: () => boolean;
  /** A share of something was taken. */
  onBytes: (bytes: number) => void;
  /** Default 60,000. */
  chunkMs?: number;
}

interface Reading {
  blob: Blob;
  /** Places of what comes next, and of what is to be asked for next. */
  received: number;
  asked: number;
  /** What came and was not taken yet. */
  chunks: Buffer[];
}

/** Reads what the other side has ready: some chunks are on their way at a time, and more are asked for as they are taken. One blob at a time. */
export class BlobReader {
  readonly #options: BlobReaderOptions;
  readonly #changes = new Changes();
  #reading: Reading | undefined;
  /** Chunks that were asked for and are not wanted any more. */
  #late = 0;

  constructor(options: BlobReaderOptions) {
    this.#options = options;
  }

  /**
   * Hands over every byte, in order.
   * @throws Nonsense when they are not those that were promised; WORKER_LOST when they do not come; the signal's reason; what `take` throws
   */
  async read(blob: Blob, take: (bytes: Buffer) => Promise<void> | void, signal: AbortSignal): Promise<void> {
    const reading: Reading = { blob, received: 0, asked: 0, chunks: [] };
    const hash = createHash('sha256');
    this.#reading = reading;
    try {
      for (let taken = 0; taken < blob.size; ) {
        this.#ask(reading, taken);
        const bytes = await this.#next(reading, signal);
        hash.update(bytes);
        await take(bytes);
        taken += bytes.length;
        this.#options.onBytes(bytes.length);
      }
    } finally {
      this.#reading = undefined;
      this.#late += Math.ceil((reading.asked - reading.received) / CHUNK_BYTES);
    }
    if (hash.digest('hex') !== blob.sha256) throw new Nonsense('bytes that are not those that were promised');
  }

  /** @throws Nonsense */
  take({ blob, at, data }: BytesMessage): void {
    const reading = this.#reading;
    if (reading?.blob.id !== blob) {
      if (--this.#late < 0) throw new Nonsense('bytes that nobody asked for');
      return;
    }
    const bytes = Buffer.from(data, 'base64');
    const isNext = at === reading.received && at < reading.asked;
    if (!isNext || bytes.length !== Math.min(CHUNK_BYTES, reading.blob.size - at)) {
      throw new Nonsense('bytes that nobody asked for');
    }
    reading.received += bytes.length;
    reading.chunks.push(bytes);
    this.#changes.tell();
  }

  /** Asks again, through another channel, for what was asked for and has not come. */
  restart(): void {
    this.#late = 0;
    if (!this.#reading) return;
    const { asked, received } = this.#reading;
    this.#reading.asked = received;
    this.#askUpTo(this.#reading, asked);
    this.#changes.tell();
  }

  #ask(reading: Reading, taken: number): void {
    this.#askUpTo(reading, Math.min(reading.blob.size, taken + WINDOW * CHUNK_BYTES));
  }

  #askUpTo(reading: Reading, end: number): void {
    for (; reading.asked < end; reading.asked = Math.min(reading.blob.size, reading.asked + CHUNK_BYTES)) {
      this.#options.send({ type: 'read', blob: reading.blob.id, at: reading.asked });
    }
  }

  async #next({ chunks }: Reading, signal: AbortSignal): Promise<Buffer> {
    const { isConnected, chunkMs = CHUNK_MS } = this.#options;
    for (;;) {
      signal.throwIfAborted();
      const bytes = chunks.shift();
      if (bytes) return bytes;
      const { count } = this.#changes;
      await this.#changes.after(count, signal, chunkMs);
      if (this.#changes.count === count && isConnected() && !signal.aborted) throw silent();
    }
  }
}

function silent(): QuarryError {
  return new QuarryError({ code: 'WORKER_LOST', message: say('remoteTraining.silent'), retryable: true });
}
