import type { NoiseStream } from '@hyperswarm/secret-stream';
import { greatest } from '../../../base/greatest.ts';

/** Bytes of messages that are not whole yet, of all connections together. */
const MAX_BYTES = 32 * 1024 * 1024;
/** A message may take so many milliseconds, and then has to come at so many bytes a second on the average, or its sender holds memory for nothing. */
const FREE_MS = 15_000;
const SLOWEST = 32 * 1024;

/** A connection whose messages are watched as they come. */
export interface Sender {
  /** Bytes that a message may have now. */
  most: () => number;
  /** With whom it shares what all may have here; undefined before it has shown where it is, where `most` is little. */
  place: () => string | undefined;
  /** A part of a message came, and the message goes on. */
  onPart: () => void;
  /** Its message is longer than that, or said to be. Nobody has decrypted it, so it may be somebody else's. */
  onExceeded: () => void;
  /** Its message comes too slowly, or those that do not end take too much of all, and most of it where this comes from. */
  onExcess: (bytes: number) => void;
}

/** What has come of one connection's message. */
interface Part {
  sender: Sender;
  place: string;
  bytes: number;
}

/**
 * Encrypted messages that have begun and are not whole: the stream below gathers up to 16 MiB of each before anyone can look at it. One
 * that grows too long, or comes too slowly, ends its connection. Where all together take too much, it is the place with most of it that
 * loses its longest.
 */
export class PartialMessages {
  readonly #now: () => number;
  readonly #maxBytes: number;
  readonly #parts = new Map<Sender, Part>();
  #bytes = 0;

  /** @param now milliseconds that only grow */
  constructor(now: () => number, maxBytes = MAX_BYTES) {
    this.#now = now;
    this.#maxBytes = maxBytes;
  }

  /** Watches a stream until it closes. */
  watch(stream: NoiseStream, sender: Sender): void {
    let complete = stream.rawBytesRead;
    let pending = 0;
    let began = 0;
    stream.rawStream.on('data', (bytes: Uint8Array) => {
      if (stream.rawBytesRead !== complete) {
        complete = stream.rawBytesRead;
        pending = 0;
        this.#hold(sender, 0);
        if (stream._len > sender.most()) sender.onExceeded();
        return; // what of this belongs to the next message is less than a packet
      }
      sender.onPart();
      if (pending === 0) began = this.#now();
      pending += bytes.length;
      const lateMs = this.#now() - began - FREE_MS;
      // As much is set aside for it as its sender says.
      if (Math.max(pending, stream._len) > sender.most()) sender.onExceeded();
      else if (pending < (lateMs / 1_000) * SLOWEST) sender.onExcess(pending);
      else this.#hold(sender, pending);
    });
    stream.once('close', () => this.#hold(sender, 0));
  }

  #hold(sender: Sender, bytes: number): void {
    this.#bytes -= this.#parts.get(sender)?.bytes ?? 0;
    this.#parts.delete(sender);
    const place = sender.place();
    if (bytes === 0 || place === undefined) return;
    this.#bytes += bytes;
    this.#parts.set(sender, { sender, place, bytes });
    if (this.#bytes > this.#maxBytes) this.#makeRoom();
  }

  #makeRoom(): void {
    const places = Map.groupBy(this.#parts.values(), ({ place }) => place);
    const bytesOf = (parts: readonly Part[]) => parts.reduce((sum, { bytes }) => sum + bytes, 0);
    const [fullest = []] = greatest(places.values(), 1, bytesOf);
    const [longest] = greatest(fullest, 1, ({ bytes }) => bytes);
    if (!longest) return;
    this.#hold(longest.sender, 0);
    longest.sender.onExcess(longest.bytes);
  }
}
