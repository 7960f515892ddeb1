import type { z } from 'zod';
import { BlobReader } from './blob-reader.ts';
import { BlobShelf } from './blob-shelf.ts';
import type { Channel } from './channel.ts';
import type { BytesMessage, ReadMessage } from './messages.ts';
import { Nonsense } from './nonsense.ts';

export interface ExchangeOptions<In extends { type: string }> {
  /** Everything that the other side may say. */
  schema: z.ZodType<In | ReadMessage | BytesMessage>;
  onMessage: (message: In) => void;
  /** The other side has hung up, or is gone. @param forGood it does not come back */
  onGone: (forGood: boolean) => void;
  /** It says what no such program says, or what lies here to be read cannot be read. */
  onFault: (error: unknown) => void;
  /** A share of something was sent, or read. Default: nobody looks. @param isNew for the first time */
  onBytes?: (way: 'sent' | 'read', bytes: number, isNew: boolean) => void;
  /** See `BlobReaderOptions`. */
  chunkMs?: number | undefined;
}

/** What is said over a channel, and over the next one when that breaks off: messages, and bytes that either side reads from the other. */
export class Exchange<In extends { type: string }> {
  readonly shelf: BlobShelf;
  readonly reader: BlobReader;
  readonly #options: ExchangeOptions<In>;
  #channel: Channel | undefined;

  constructor(options: ExchangeOptions<In>) {
    this.#options = options;
    const send = (message: object) => this.send(message);
    const { onFault: onError, onBytes, chunkMs } = options;
    this.shelf = new BlobShelf({ send, onError, onBytes: (bytes, isNew) => onBytes?.('sent', bytes, isNew) });
    this.reader = new BlobReader({
      send,
      isConnected: () => this.isConnected,
      onBytes: (bytes) => onBytes?.('read', bytes, true),
      ...(chunkMs !== undefined && { chunkMs }),
    });
  }

  get isConnected(): boolean {
    return this.#channel !== undefined;
  }

  /** Goes on over this channel; what was there is left. Who says something first says it before {@link restart}. */
  attach(channel: Channel): void {
    this.#channel?.close();
    this.#channel = channel;
    channel.onMessage((message) => {
      if (this.#channel === channel) this.#take(message);
    });
    channel.onClose((forGood) => {
      if (this.#channel !== channel) return;
      this.#channel = undefined;
      this.#options.onGone(forGood);
    });
  }

  /** Asks again for what did not come over the channel before. */
  restart(): void {
    this.shelf.restart();
    this.reader.restart();
  }

  /** Is lost where the other side is gone. */
  send(message: object): void {
    this.#channel?.send(message);
  }

  /** Hangs up. Idempotent. */
  close(): void {
    this.#channel?.close();
    this.#channel = undefined;
  }

  #take(raw: unknown): void {
    try {
      const { success, data, error } = this.#options.schema.safeParse(raw);
      if (!success) throw new Nonsense(faultOf(error));
      if (data.type === 'read') this.shelf.answer(data as ReadMessage);
      else if (data.type === 'bytes') this.reader.take(data as BytesMessage);
      else this.#options.onMessage(data as In);
    } catch (error) {
      this.#options.onFault(error);
    }
  }
}

/** The first fault of a message, without its content. */
export function faultOf({ issues: [issue] }: z.ZodError): string {
  return issue ? `${issue.path.join('.') || 'message'}: ${issue.code}` : 'message';
}
