import type { NoiseStream } from '@hyperswarm/secret-stream';
import type { Offence } from './guards/ban-list.ts';
import type { PeerBudget } from './guards/budgets.ts';
import { type FairReading, type ReadingLine, STRANGER_BYTES } from './guards/fair-reading.ts';
import type { PartialMessages } from './guards/partial-messages.ts';
import { GuardedMux, MAX_ENCRYPTED_MESSAGE } from './mux.ts';

/** One encrypted connection to another node. The networks that both take part in share it, a channel each. */
export class Connection {
  /** The other node's id, 64 hex: proven by the Noise handshake. */
  readonly id: string;
  /** Where what is said to it goes. Whether the other node is there is proven only when {@link Connection.isProven} says so. */
  readonly host: string;
  /** With whom it shares what one may have here; undefined until it has shown where it is. */
  #place: string | undefined;
  readonly stream: NoiseStream;
  readonly mux: GuardedMux;
  /** Its place among all whose words this node reads. */
  readonly line: ReadingLine;
  /** What this node takes from the other one, over all its channels and connections. */
  readonly budget: PeerBudget;
  /** Networks on which a valid hello came in. */
  readonly greeted = new Set<string>();
  /** Networks whose channel this node has opened, whether or not the other end has. */
  readonly joined = new Set<string>();
  /** When something of it came that was no frame yet, or was read; in the time of this node. */
  heardAt: number;
  readonly #onClose: (reason: string) => void;
  readonly #helloTimer: NodeJS.Timeout;
  #reason: string | undefined;

  constructor(
    stream: NoiseStream,
    options: {
      budget: (id: string) => PeerBudget;
      reading: FairReading;
      partial: PartialMessages;
      helloTimeoutMs: number;
      now: () => number;
      /** No hello within the time. `isFault` is false when nobody with its key ever said a word, or there was no network in common. */
      onNoHello: (isFault: boolean) => void;
      /** The stream carries what no honest node sends; `detail` says what. */
      onAttack: (offence: Offence, detail: string) => void;
      /** An encrypted message is too long, whoever wrote it. */
      onTooLong: () => void;
      /** So many bytes of it wait to be read, or to be whole, that it has to go. */
      onExcess: (bytes: number) => void;
      onClose: (reason: string) => void;
    },
  ) {
    this.id = stream.remotePublicKey.toString('hex');
    this.host = stream.rawStream.remoteHost;
    this.stream = stream;
    this.budget = options.budget(this.id);
    this.heardAt = options.now();
    const { reading, onAttack, onExcess } = options;
    const onStranger = () => onAttack('too many bytes', 'before hello');
    this.line = reading.line({ id: this.id, read: (message) => this.mux.read(message), onStranger, onExcess });
    this.mux = new GuardedMux(stream, { line: this.line, mayOpen: () => this.budget.mayOpen(), onAttack });
    this.#onClose = options.onClose;
    options.partial.watch(stream, {
      most: () => (this.isProven ? MAX_ENCRYPTED_MESSAGE : STRANGER_BYTES),
      place: () => this.#place,
      onPart: () => {
        this.heardAt = options.now();
      },
      onExceeded: options.onTooLong,
      onExcess,
    });
    this.#helloTimer = setTimeout(() => {
      // A handshake alone says nothing of the key: whoever has seen one can send it again.
      if (this.greeted.size === 0) options.onNoHello(this.joined.size > 0 && stream.rawBytesRead > 0);
    }, options.helloTimeoutMs);
    stream.on('error', (error: Error) => {
      this.#reason ??= error.message;
    });
    stream.on('close', () => this.#closed());
  }

  /** Whether this node started it. */
  get outgoing(): boolean {
    return this.stream.isInitiator;
  }

  /** Whether the other node has shown that it hears what is sent to the host. */
  get isProven(): boolean {
    return this.#place !== undefined;
  }

  /** It has shown that. @param place those of one place share what one may have read here */
  prove(place: string): void {
    this.#place = place;
    this.line.welcome(place);
  }

  /** For the log: where it comes from, by its own word as long as that is not proven. */
  get origin(): { host: string } | { claimedHost: string } {
    return this.isProven ? { host: this.host } : { claimedHost: this.host };
  }

  /** Why it ended; undefined while it lasts or when the other side ended it. */
  get reason(): string | undefined {
    return this.#reason;
  }

  /** Ends the connection with all its channels. What was not sent yet is lost. */
  close(reason: string): void {
    this.#reason ??= reason;
    this.stream.destroy();
  }

  /** Ends the connection if no network uses it any more. */
  closeIfIdle(): void {
    if (this.greeted.size === 0) this.close('no network in common');
  }

  #closed(): void {
    clearTimeout(this.#helloTimer);
    this.line.close();
    this.#onClose(this.#reason ?? 'closed by the peer');
  }
}
