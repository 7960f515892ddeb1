import { DecayingWeights } from '../../base/decaying-weights.ts';
import { greatest } from '../../base/greatest.ts';
import { TokenBucket } from '../../base/token-bucket.ts';

/** What a message costs beside its bytes, as bytes: one of a single byte is decrypted, handed on and answered too. */
const MESSAGE_COST = 256;
/** Milliseconds in which what a node had read counts half. */
const HALF_LIFE_MS = 2_000;
/** Nodes whose use is remembered, connected or not: more than there are connections. */
const NODES = 4_096;
/** The name under which everybody's use is added up: no node's id. */
const ALL = 'all';
/**
 * Who uses little is read although the pace is used up, while what was read too much is less than so many seconds of it: the largest
 * message of somebody else is less than that, and keeps nobody waiting.
 */
const AHEAD_SECONDS = 2;
/** Milliseconds of the pace that are read in one go. */
const SLICE_MS = 10;
/** Most bytes that wait, of all nodes together, each message's cost with them. */
const MAX_WAITING = 32 * 1024 * 1024;

/** What a message takes while it waits, in bytes. */
const waits = ({ length }: Uint8Array) => length + MESSAGE_COST;

export interface LineOptions {
  /** The node's id: its lines share what it may use. */
  id: string;
  /** Reads a message whose turn has come. */
  read: (message: Uint8Array) => void;
  /** Too much waits in all, and most of it in this line. It is gone, and nothing more is read of this line. */
  onExcess: (bytes: number) => void;
}

/** What one connection has said and nobody has read yet. */
class Line {
  readonly options: LineOptions;
  /** The first of those that came last, and the last of those that came first: each message moves once. */
  #came: Uint8Array[] = [];
  #next: Uint8Array[] = [];
  waiting = 0;

  constructor(options: LineOptions) {
    this.options = options;
  }

  /** Bytes of the message that is the next. */
  get nextLength(): number {
    return (this.#next.at(-1) ?? this.#came[0])?.length ?? 0;
  }

  push(message: Uint8Array): void {
    this.#came.push(message);
    this.waiting += waits(message);
  }

  shift(): Uint8Array | undefined {
    if (this.#next.length === 0) {
      this.#next = this.#came.reverse();
      this.#came = [];
    }
    const message = this.#next.pop();
    if (message) this.waiting -= waits(message);
    return message;
  }

  clear(): void {
    this.#came = [];
    this.#next = [];
    this.waiting = 0;
  }
}

/** A connection's place in the {@link FairReading}. */
export interface ReadingLine {
  /** Whether messages of it wait. */
  readonly isWaiting: boolean;
  /** A message came: it is read now, or when its turn has come. */
  take(message: Uint8Array): void;
  /** Something cost as much as to read so many bytes. */
  spend(bytes: number): void;
  /** As {@link ReadingLine.spend}, for the message of one channel, beside its bytes. */
  spendMessage(): void;
  /** Nothing more is read of it. Idempotent. */
  close(): void;
}

/**
 * What all peers together may have this node read: a pace, whoever they are and however many. As long as they keep to it nobody
 * waits. Beyond it messages wait, and are read in the order of what their senders had read lately, least first; of those who
 * use less than half of an equal share none waits. Nothing is lost but when too much waits: then who has most of it has to go.
 *
 * Streams are not paused: udx-native never tells a sender to stop, so that what is not read would pile up below, uncounted.
 */
export class FairReading {
  readonly #pace: number;
  readonly #countsMessages: boolean;
  readonly #now: () => number;
  readonly #left: TokenBucket;
  readonly #use = new DecayingWeights(HALF_LIFE_MS, NODES);
  readonly #lines = new Set<Line>();
  /** Those in which messages wait. */
  readonly #waiting = new Set<Line>();
  #waitingBytes = 0;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param bytesPerSecond read of all together; as much at once
   * @param countsMessages false: messages cost nothing by themselves, only what is spent for them
   * @param now milliseconds
   */
  constructor(bytesPerSecond: number, countsMessages: boolean, now: () => number) {
    this.#pace = bytesPerSecond;
    this.#countsMessages = countsMessages;
    this.#now = now;
    this.#left = new TokenBucket(bytesPerSecond, bytesPerSecond, now());
  }

  /** Lets somebody in. The caller closes the line. */
  line(options: LineOptions): ReadingLine {
    const line = new Line(options);
    this.#lines.add(line);
    return {
      get isWaiting() {
        return line.waiting > 0;
      },
      take: (message) => this.#take(line, message),
      spend: (bytes) => this.#spend(line, bytes),
      spendMessage: () => this.#countsMessages && this.#spend(line, MESSAGE_COST),
      close: () => this.#drop(line),
    };
  }

  #take(line: Line, message: Uint8Array): void {
    if (!this.#lines.has(line)) return;
    if (line.waiting === 0 && this.#mayPass(line, message.length)) this.#read(line, message);
    else this.#wait(line, message);
  }

  #mayPass(line: Line, bytes: number): boolean {
    const now = this.#now();
    const debt = this.#left.debt(now);
    if (debt === 0) return true;
    const isLittle = this.#useWith(line, bytes) < this.#use.of(ALL, now) / (2 * this.#lines.size);
    return isLittle && debt < this.#pace * AHEAD_SECONDS;
  }

  /** What a line's node had read lately, and would have with so many bytes more: who is new has used nothing, and may say a lot. */
  #useWith({ options: { id } }: Line, bytes: number): number {
    return this.#use.of(id, this.#now()) + (this.#countsMessages ? bytes : 0);
  }

  #read(line: Line, message: Uint8Array): void {
    if (this.#countsMessages) this.#spend(line, message.length);
    line.options.read(message);
  }

  #spend({ options: { id } }: Line, bytes: number): void {
    const now = this.#now();
    this.#left.spend(bytes, now);
    this.#use.add(id, bytes, now);
    this.#use.add(ALL, bytes, now);
  }

  #wait(line: Line, message: Uint8Array): void {
    line.push(message);
    this.#waiting.add(line);
    this.#waitingBytes += waits(message);
    if (this.#waitingBytes > MAX_WAITING) this.#makeRoom();
    this.#serveSoon();
  }

  /** Reads what waits until the pace is used up. */
  #serve(): void {
    this.#timer = undefined;
    for (let line = this.#first(); line && this.#left.debt(this.#now()) === 0; ) {
      const message = line.shift();
      if (line.waiting === 0) this.#waiting.delete(line);
      if (message) {
        this.#waitingBytes -= waits(message);
        this.#read(line, message);
      }
      if (!this.#waiting.has(line)) line = this.#first();
    }
    this.#serveSoon();
  }

  #serveSoon(): void {
    if (this.#waiting.size > 0) this.#timer ??= setTimeout(() => this.#serve(), this.#waitMs());
  }

  #waitMs(): number {
    return Math.max(1, this.#left.waitMs((this.#pace * SLICE_MS) / 1_000, this.#now()));
  }

  /** Of those that wait, the line of the node that will have had least read. */
  #first(): Line | undefined {
    return greatest(this.#waiting, 1, (line) => -this.#useWith(line, line.nextLength))[0];
  }

  #makeRoom(): void {
    const [most] = greatest(this.#waiting, 1, ({ waiting }) => waiting);
    if (!most) return;
    const { waiting } = most;
    this.#drop(most);
    most.options.onExcess(waiting);
  }

  #drop(line: Line): void {
    this.#lines.delete(line);
    if (!this.#waiting.delete(line)) return;
    this.#waitingBytes -= line.waiting;
    line.clear();
    if (this.#waiting.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
