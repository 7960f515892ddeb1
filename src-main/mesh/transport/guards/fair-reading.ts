import { LRUCache } from 'lru-cache';
import { greatest } from '../../../base/greatest.ts';
import { TokenBucket } from '../../../base/token-bucket.ts';
import { FairShares, type Share } from './fair-shares.ts';

/** What a message costs beside its bytes, as bytes: one of a single byte is decrypted, handed on and answered too. */
const MESSAGE_COST = 256;
/** Bytes, each message's cost with them, that are read of a connection before it has shown where it is: a hello is less. */
export const STRANGER_BYTES = 16 * 1024;
/** Networks that share as a rule, and nodes of one: as many as have places by default. */
const NETWORKS = 128;
const NEIGHBOURS = 32;
/** Networks whose use is remembered, connected or not. */
const MAX_PLACES = 4_096;
/** The part of the pace, and seconds of that at once, that those who use little may have while others are read. */
const AHEAD = { part: 1 / 4, seconds: 2 };
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
  /** It says more than a hello before it has shown where it is. Nothing more is read of it. */
  onStranger: () => void;
  /** Too much waits in all, and this would be read last. It is gone, and nothing more is read of this line. */
  onExcess: (bytes: number) => void;
}

/** Where a connection belongs that has shown where it is, and what its node has had there. */
interface Seat {
  place: Place;
  share: Share;
}

/** What one connection has said and nobody has read yet. */
class Line {
  readonly options: LineOptions;
  /** Undefined until it has shown where it is. */
  seat: Seat | undefined;
  /** What it may still say before that. */
  allowance = STRANGER_BYTES;
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

/** A network of those who connect, as one of those who share what is read; its nodes share that. */
class Place {
  readonly share: Share;
  readonly among = new FairShares(NEIGHBOURS);
  readonly #nodes = new Map<string, { share: Share; lines: number }>();
  /** Its lines in which messages wait. */
  readonly #lines = new Set<Line>();
  #next: Line | undefined;
  waiting = 0;

  constructor(share: Share) {
    this.share = share;
  }

  /** A line of a node comes in. @returns what the node has had */
  enter(id: string): Share {
    const node = this.#nodes.get(id) ?? { share: this.among.enter(), lines: 0 };
    node.lines++;
    this.#nodes.set(id, node);
    return node.share;
  }

  leave(id: string): void {
    const node = this.#nodes.get(id);
    if (node && --node.lines === 0) this.#nodes.delete(id);
  }

  /** The line that is read next of those that wait. */
  get next(): Line | undefined {
    this.#next ??= greatest(this.#lines, 1, (line) => -this.among.rank(shareOf(line), line.nextLength))[0];
    return this.#next;
  }

  get nextLength(): number {
    return this.next?.nextLength ?? 0;
  }

  /** The line that would be read last of those that wait. */
  get last(): Line | undefined {
    const end = (line: Line) => this.among.endOf(shareOf(line), line.nextLength, line.waiting);
    return greatest(this.#lines, 1, end)[0];
  }

  /** What waits in a line has changed by so many bytes. */
  changed(line: Line, bytes: number): void {
    this.waiting += bytes;
    this.#next = undefined;
    if (line.waiting > 0) this.#lines.add(line);
    else this.#lines.delete(line);
  }
}

const NOTHING: Share = { had: 0, since: 0 };
const shareOf = ({ seat }: Line) => seat?.share ?? NOTHING;

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
  /** It has shown where it is. Once. @param place those of one place share what one may use */
  welcome(place: string): void;
  /** Nothing more is read of it. Idempotent. */
  close(): void;
}

/**
 * What all peers together may have this node read: a pace, whoever they are and however many. As long as they keep to it nobody
 * waits. Beyond it each network has an equal share, and of that each of its nodes ({@link FairShares} says in what order); who
 * uses less than his share does not wait, and who has said nothing for a while, or comes new, is before those who have said much,
 * however long his message is. Nothing is lost but when too much waits: then who would be read last has to go.
 *
 * Who has not shown where he is takes part in none of this: he may say a hello, which is read at once, and no more. How many of those
 * come is the gate's to limit.
 *
 * Streams are not paused: udx-native never tells a sender to stop, so that what is not read would pile up below, uncounted.
 */
export class FairReading {
  readonly #pace: number;
  readonly #countsMessages: boolean;
  readonly #now: () => number;
  readonly #left: TokenBucket;
  readonly #ahead: TokenBucket;
  readonly #shares = new FairShares(NETWORKS);
  readonly #places = new LRUCache<string, Place>({ max: MAX_PLACES });
  readonly #lines = new Set<Line>();
  /** Those of whom messages wait. */
  readonly #waiting = new Set<Place>();
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
    const ahead = bytesPerSecond * AHEAD.part;
    this.#ahead = new TokenBucket(ahead, ahead * AHEAD.seconds, now());
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
      spendMessage: () => (this.#countsMessages || !line.seat) && this.#spend(line, MESSAGE_COST),
      welcome: (place) => this.#welcome(line, place),
      close: () => this.#drop(line),
    };
  }

  #welcome(line: Line, name: string): void {
    if (!this.#lines.has(line)) return;
    const place = this.#places.get(name) ?? new Place(this.#shares.enter());
    this.#places.set(name, place);
    line.seat = { place, share: place.enter(line.options.id) };
  }

  #take(line: Line, message: Uint8Array): void {
    if (!this.#lines.has(line)) return;
    if (!line.seat) this.#hear(line, message);
    else {
      if (line.waiting === 0) this.#arrive(line.seat);
      if (line.waiting === 0 && this.#mayPass(line.seat.place, message)) this.#read(line, message);
      else this.#wait(line, message);
    }
  }

  #arrive({ place, share }: Seat): void {
    if (place.waiting === 0) this.#shares.arrive(place.share);
    place.among.arrive(share);
  }

  /** Reads what somebody says who has not shown where he is. */
  #hear(line: Line, message: Uint8Array): void {
    line.allowance -= message.length;
    if (line.allowance >= 0) line.options.read(message);
    else {
      this.#drop(line);
      line.options.onStranger();
    }
  }

  #mayPass(place: Place, message: Uint8Array): boolean {
    const now = this.#now();
    if (this.#waiting.size === 0 && this.#left.debt(now) === 0) return true;
    const cost = this.#countsMessages ? waits(message) : 0;
    return this.#shares.isLittle(place.share, cost) && this.#ahead.take(cost, now);
  }

  #read(line: Line, message: Uint8Array): void {
    const bytes = this.#countsMessages ? message.length : 0;
    if (line.seat) {
      this.#shares.begin(line.seat.place.share, bytes);
      line.seat.place.among.begin(line.seat.share, bytes);
    }
    this.#spend(line, bytes);
    line.options.read(message);
  }

  #spend(line: Line, bytes: number): void {
    const { seat } = line;
    if (!seat) {
      line.allowance -= bytes;
      return;
    }
    this.#left.spend(bytes, this.#now());
    this.#shares.spend(seat.place.share, bytes);
    seat.place.among.spend(seat.share, bytes);
  }

  #wait(line: Line, message: Uint8Array): void {
    line.push(message);
    this.#changed(line, waits(message));
    if (this.#waitingBytes > MAX_WAITING) this.#makeRoom();
    this.#serveSoon();
  }

  /** What waits in a line has changed by so many bytes. */
  #changed(line: Line, bytes: number): void {
    const place = line.seat?.place;
    if (!place) return;
    place.changed(line, bytes);
    this.#waitingBytes += bytes;
    if (place.waiting > 0) this.#waiting.add(place);
    else this.#waiting.delete(place);
  }

  /** Reads what waits until the pace is used up. */
  #serve(): void {
    this.#timer = undefined;
    for (let line = this.#first(); line && this.#left.debt(this.#now()) === 0; line = this.#first()) {
      const message = line.shift();
      if (!message) break;
      this.#changed(line, -waits(message));
      this.#read(line, message);
    }
    this.#serveSoon();
  }

  #serveSoon(): void {
    if (this.#waiting.size > 0) this.#timer ??= setTimeout(() => this.#serve(), this.#waitMs());
  }

  #waitMs(): number {
    return Math.max(1, this.#left.waitMs((this.#pace * SLICE_MS) / 1_000, this.#now()));
  }

  #first(): Line | undefined {
    const first = (place: Place) => -this.#shares.rank(place.share, this.#countsMessages ? place.nextLength : 0);
    return greatest(this.#waiting, 1, first)[0]?.next;
  }

  #makeRoom(): void {
    const end = (place: Place) => this.#shares.endOf(place.share, place.nextLength, place.waiting);
    const last = greatest(this.#waiting, 1, end)[0]?.last;
    if (!last) return;
    const { waiting } = last;
    this.#drop(last);
    last.options.onExcess(waiting);
  }

  #drop(line: Line): void {
    if (!this.#lines.delete(line)) return;
    const { waiting } = line;
    line.clear();
    if (waiting > 0) this.#changed(line, -waiting);
    line.seat?.place.leave(line.options.id);
    if (this.#waiting.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
