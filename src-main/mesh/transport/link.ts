import type { Offence } from './guards/ban-list.ts';
import type { FrameBudget } from './guards/budgets.ts';
import type { Limits } from './guards/limits.ts';
import { encodeFrame, FrameDecoder } from './wire.ts';

/** What a frame that waits takes beside its bytes. */
const FRAME_OVERHEAD = 256;

export interface LinkOptions {
  /** Largest frame body in both directions, in bytes. */
  maxFrame: number;
  limits: Pick<Limits, 'outQueueBytes'>;
  /** What may come in: the peer's own, however often it opens the channel. */
  budget: FrameBudget;
  now: () => number;
  /** Hands bytes to the connection; false when it is full, until {@link Link.drain} is called. */
  write: (bytes: Buffer) => boolean;
  /** A frame came, whose body has so many bytes. */
  onFrame: (value: unknown, bytes: number) => void;
  /** Everything that waited was sent. */
  onDrain: () => void;
  /** The peer broke a rule. Nothing more is read from it. */
  onOffence: (offence: Offence, detail: string) => void;
  /** More bytes wait for the peer than it may let wait. */
  onSlow: () => void;
}

/** Frames over a channel, both ways: budgets on what comes in, a bounded queue for what goes out. */
export class Link {
  readonly #options: LinkOptions;
  readonly #decoder: FrameDecoder;
  #queue: Buffer[] = [];
  #queuedBytes = 0;
  #full = false;
  #closed = false;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#decoder = new FrameDecoder(options.maxFrame);
  }

  /** Bytes that wait because the peer reads slowly, with what each frame takes beside them. */
  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  /** Takes bytes from the channel, cut anywhere. */
  receive(bytes: Uint8Array): void {
    if (this.#closed) return;
    const { budget, now } = this.#options;
    if (!budget.bytes.take(bytes.length, now())) this.#fail('too many bytes', 'byte rate');
    const frames = this.#decoder.push(bytes);
    for (let frame = this.#next(frames); frame; frame = this.#next(frames)) {
      if (budget.frames.take(1, now())) this.#options.onFrame(frame.value, frame.bytes);
      else this.#fail('too many frames', 'frame rate');
    }
  }

  /** Only the decoder's own errors are the peer's fault. */
  #next<T>(frames: Iterator<T>): T | undefined {
    if (this.#closed) return undefined;
    try {
      const next = frames.next();
      return next.done ? undefined : next.value;
    } catch (error) {
      this.#fail('protocol error', error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  /**
   * Sends a message, at once or as soon as the peer reads.
   *
   * @returns false when the peer reads too slowly (go on after `onDrain`) or is gone
   * @throws PROTOCOL when the message is over the frame limit: a fault of ours
   */
  send(message: object): boolean {
    if (this.#closed) return false;
    const frame = encodeFrame(message, this.#options.maxFrame);
    if (!this.#full) {
      this.#full = !this.#options.write(frame);
      return !this.#full;
    }
    this.#queue.push(frame);
    this.#queuedBytes += frame.length + FRAME_OVERHEAD;
    if (this.#queuedBytes > this.#options.limits.outQueueBytes) {
      this.close();
      this.#options.onSlow();
    }
    return false;
  }

  /** The connection takes bytes again. */
  drain(): void {
    this.#full = false;
    let sent = 0;
    for (const frame of this.#queue) {
      if (this.#full) break;
      this.#full = !this.#options.write(frame);
      this.#queuedBytes -= frame.length + FRAME_OVERHEAD;
      sent++;
    }
    this.#queue = this.#queue.slice(sent);
    if (!this.#full && !this.#closed) this.#options.onDrain();
  }

  /** Nothing more is read or sent. */
  close(): void {
    this.#closed = true;
    this.#queue = [];
    this.#queuedBytes = 0;
  }

  #fail(offence: Offence, detail: string): void {
    this.close();
    this.#options.onOffence(offence, detail);
  }
}
