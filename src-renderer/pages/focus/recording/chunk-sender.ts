import type { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { ChunkActivity, RecordingEnd, RecordingGrant, Taken } from '../../../../src-preload/contract/focus.ts';
import { toQuarryError } from '../../../api/errors.ts';
import { onThereAgain } from '../../../api/there-again.ts';

/** So much waits for the node at most. */
export const MOST_WAITING_BYTES = 64 * 1024 * 1024;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10_000;
/** Taken up anew so often without one chunk being taken: then it will not be. */
const MOST_REJOINS = 3;
/** Fewer than these are under way at any time. */
const MANY_CHUNKS = 4;
const LONGEST_FORGOTTEN_S = 600;
/** Said by a node that will say the same next time. */
const FINAL = new Set(['BAD_REQUEST', 'UNAUTHORIZED', 'DISK_FULL']);

export interface SentChunk {
  part: number;
  chunk: number;
  activity: ChunkActivity;
  bytes: Blob;
}

/** How it stands with what was not answered yet. */
export interface Waiting {
  bytes: number;
  /** The node does not answer. */
  isAway: boolean;
  /** It answers, and gets what it missed meanwhile. */
  isBehind: boolean;
  /** No more can be kept: whoever records has to stop for now. */
  isFull: boolean;
}

export interface SenderNeeds {
  /** Hands one chunk over. @throws what {@link toQuarryError} can name */
  hand(token: string, chunk: SentChunk): Promise<Taken>;
  goOn(newPart: boolean): Promise<RecordingGrant>;
  forgetLast(seconds: number): Promise<RecordingGrant>;
  /** What the node has of this stream cannot be continued: another stream has to begin, as a new part. */
  beginAnew(grant: RecordingGrant): void;
  waits(waiting: Waiting): void;
  /** The node takes no more. */
  ended(why: RecordingEnd): void;
  /** It cannot go on, and what waited is given up. */
  failed(error: QuarryError): void;
  wait(ms: number): Promise<void>;
}

/**
 * Hands over what was recorded: chunk by chunk, each once the one before was answered. What was not answered is kept, also while the node is away; a node
 * that was started anew is asked where to go on. All that waits is of one stream: whoever begins another one has none of the old one waiting.
 */
export class ChunkSender {
  readonly #needs: SenderNeeds;
  #grant: RecordingGrant;
  #queue: Omit<SentChunk, 'part'>[] = [];
  /** Number of the chunk that is recorded next. */
  #next: number;
  #bytes = 0;
  /** Milliseconds of the recording that the node has. */
  #takenMs: number;
  #isAway = false;
  #isFull = false;
  #isOver = false;
  /** Nothing more is handed over until what is to be forgotten is forgotten. */
  #isHeld = false;
  #rejoins = 0;
  #retryMs = FIRST_RETRY_MS;
  #running: Promise<void> | undefined;

  constructor(grant: RecordingGrant, needs: SenderNeeds) {
    this.#needs = needs;
    this.#grant = grant;
    this.#next = grant.nextChunk;
    this.#takenMs = grant.activeMs;
  }

  /** Takes the next chunk of the stream. An empty one is nothing. */
  push(bytes: Blob, activity: ChunkActivity): void {
    if (this.#isOver || bytes.size === 0) return;
    this.#queue.push({ chunk: this.#next++, activity, bytes });
    this.#bytes += bytes.size;
    this.#tell();
    this.#start();
  }

  /** Resolves when the node has everything, or takes no more. */
  async drained(): Promise<void> {
    while (this.#queue.length > 0 && !this.#isOver) await this.#start();
  }

  /**
   * Has everything forgotten that was recorded after so many milliseconds: what waits here at once, then what the node has. To be called when no more comes
   * of the stream; a new one begins after that.
   *
   * @returns undefined where the recording came to its end meanwhile
   */
  async forgetAfter(ms: number): Promise<RecordingGrant | undefined> {
    this.#isHeld = true;
    this.#drop(this.#queue.filter(({ activity }) => activity.activeMs <= ms));
    await this.#running;
    this.#isHeld = false;
    await this.drained();
    if (this.#isOver) return undefined;
    try {
      const grant = await this.#forgotten(ms);
      this.#follow(grant);
      return grant;
    } catch (error) {
      this.#fail(toQuarryError(error));
      return undefined;
    }
  }

  /** Gives up what waits, and takes no more. */
  end(): void {
    this.#isOver = true;
    this.#drop([]);
  }

  #start(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #run(): Promise<void> {
    for (let first = this.#queue[0]; first && !this.#isHeld && !this.#isOver; first = this.#queue[0]) {
      try {
        const { part, token } = this.#grant;
        this.#took(first.activity, await this.#needs.hand(token, { ...first, part }));
        this.#drop(this.#queue.filter((one) => one !== first));
      } catch (error) {
        await this.#mend(toQuarryError(error));
      }
    }
  }

  #took({ activeMs }: ChunkActivity, { ended }: Taken): void {
    this.#takenMs = activeMs;
    this.#isAway = false;
    this.#rejoins = 0;
    this.#retryMs = FIRST_RETRY_MS;
    if (!ended) return;
    this.end();
    this.#needs.ended(ended);
  }

  async #mend(error: QuarryError): Promise<void> {
    const isLost = error.code === 'UNAUTHORIZED' || error.code === 'BAD_REQUEST';
    if (isLost && this.#rejoins >= MOST_REJOINS) return this.#fail(error);
    try {
      if (isLost) await this.#rejoin();
      else await this.#bear(error);
    } catch (cause) {
      await this.#bear(cause).catch((last: unknown) => this.#fail(toQuarryError(last)));
    }
  }

  /** Asks the node where to go on. */
  async #rejoin(): Promise<void> {
    const grant = await this.#needs.goOn(false);
    this.#rejoins++;
    const first = this.#queue[0];
    const from = first?.chunk ?? this.#next;
    const isSame = grant.part === this.#grant.part && grant.nextChunk >= from && grant.nextChunk <= this.#next;
    if (isSame) {
      this.#grant = grant;
      this.#drop(this.#queue.filter(({ chunk }) => chunk >= grant.nextChunk));
      return;
    }
    const anew = await this.#needs.goOn(true);
    if (from === 0) {
      this.#grant = anew; // the whole stream waits here
      return;
    }
    this.#drop([]);
    this.#follow(anew);
    this.#needs.beginAnew(anew);
  }

  /** Where the node did not answer, it is asked how far it has come before it is told again: it may have heard. */
  async #forgotten(ms: number): Promise<RecordingGrant> {
    let haveMs = this.#takenMs;
    for (;;) {
      try {
        const seconds = Math.min(LONGEST_FORGOTTEN_S, Math.ceil((haveMs - ms) / 1_000));
        return await (seconds > 0 ? this.#needs.forgetLast(seconds) : this.#needs.goOn(true));
      } catch (error) {
        if (toQuarryError(error).code !== 'UNAUTHORIZED') await this.#bear(error);
        haveMs = await this.#haveMs();
      }
    }
  }

  async #haveMs(): Promise<number> {
    for (;;) {
      try {
        return (await this.#needs.goOn(false)).activeMs;
      } catch (error) {
        await this.#bear(error);
      }
    }
  }

  /** Waits until it makes sense to try again. @throws the error where it never will */
  async #bear(error: unknown): Promise<void> {
    const named = toQuarryError(error);
    if (FINAL.has(named.code) || this.#isOver) throw named;
    this.#isAway = true;
    this.#tell();
    await this.#pause();
    this.#retryMs = Math.min(2 * this.#retryMs, LONGEST_RETRY_MS);
  }

  /** Not longer than until the node is there again: the page looks for it more often, and at once where somebody wants it to. */
  async #pause(): Promise<void> {
    const there = Promise.withResolvers<void>();
    const stop = onThereAgain(there.resolve);
    await Promise.race([this.#needs.wait(this.#retryMs), there.promise]);
    stop();
  }

  #follow(grant: RecordingGrant): void {
    this.#grant = grant;
    this.#next = grant.nextChunk;
    this.#takenMs = grant.activeMs;
    this.#isAway = false;
    this.#retryMs = FIRST_RETRY_MS;
    this.#tell();
  }

  #fail(error: QuarryError): void {
    if (this.#isOver) return;
    this.end();
    this.#needs.failed(error);
  }

  #drop(kept: Omit<SentChunk, 'part'>[]): void {
    this.#queue = kept;
    this.#bytes = kept.reduce((sum, { bytes }) => sum + bytes.size, 0);
    this.#tell();
  }

  #tell(): void {
    // It goes on only once there is room for a while.
    this.#isFull = this.#bytes > (this.#isFull ? MOST_WAITING_BYTES / 2 : MOST_WAITING_BYTES);
    const isBehind = !this.#isAway && this.#queue.length >= MANY_CHUNKS;
    this.#needs.waits({ bytes: this.#bytes, isAway: this.#isAway, isBehind, isFull: this.#isFull });
  }
}
