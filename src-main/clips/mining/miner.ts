import type { Logger } from 'pino';
import type { DataState } from '../../../src-preload/contract/data.ts';
import type { SourceKind } from '../../../src-preload/contract/data-names.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say, told, wordsOf } from '../../../src-preload/contract/saying.ts';
import type { Sentence } from '../../../src-preload/contract/saying-schema.ts';
import { Changes } from '../../base/changes.ts';
import type { ClipJobStore, StoredJob } from '../../store/clips/clip-jobs.ts';
import type { ClipOrderRow } from '../../store/clips/clip-tables.ts';
import type { ClipFolder } from '../kept/clip-folder.ts';
import { noMedia } from '../media/media-words.ts';
import type { ClipTools, Conditions } from '../models/clip-tools.ts';
import { keptCursors, keptSources } from './kept-order.ts';
import type { VideoSearch, Wanted } from './video-search.ts';
import type { VideoProgress, VideoWork } from './video-work.ts';
import { reasonOf } from './video-work.ts';

export interface MinerOptions {
  jobs: ClipJobStore;
  folder: ClipFolder;
  search: VideoSearch;
  work: VideoWork;
  tools: Pick<ClipTools, 'media'>;
  conditions: Conditions;
  /** Told of whatever people wait for on a screen. */
  changes: Changes;
  log: Logger;
  /** Unix milliseconds. */
  now: () => number;
}

/** What it does at this moment. */
export type MinerState = Pick<DataState, 'mining' | 'fault'>;

/** What keeps everything from going on is looked at again after so many milliseconds: a disk has room again, a program is there. */
const LOOK_AGAIN_MS = 30_000;
/** Videos of an order that wait at the same time, at the most. */
const MOST_WAITING = 20;

const NOTHING_YET: VideoProgress = { done: null, fetched: null };

/** One run of the loop. */
interface Run {
  /** Ends it at once. */
  stop: AbortController;
  /** Ends it after the clip that is being made. */
  ending: AbortController;
  ended: Promise<void>;
}

/**
 * Looks for videos of a topic and makes clips of them, one video after the other, until there are as many as are wanted. What it is to do is in the database: a node that starts goes on.
 * A resource.
 */
export class Miner {
  readonly #options: MinerOptions;
  readonly #wake = new Changes();
  #run: Run | undefined;
  #isClosed = false;
  #state: MinerState = { mining: 'off', fault: null };
  /** The video that is worked on. */
  #now: { number: number; progress: VideoProgress; cancel: AbortController; ended: Promise<void> } | undefined;

  constructor(options: MinerOptions) {
    this.#options = options;
  }

  get state(): MinerState {
    return this.#state;
  }

  /** How far the step is that a video is at; undefined for one that is not worked on. */
  progressOf(number: number): VideoProgress | undefined {
    return this.#now?.number === number ? this.#now.progress : undefined;
  }

  /** Goes on with what a node before was doing. */
  async open(): Promise<void> {
    if ((await this.#options.jobs.order())?.is_on === 1) this.#start();
  }

  /** Ends at once; what is under way goes on where it was at the next start. Idempotent. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#run?.stop.abort();
    await this.#run?.ended;
  }

  /** Begins nothing more, and resolves when the clip that is being made is one. */
  async drain(): Promise<void> {
    this.#isClosed = true;
    await this.#rest();
  }

  /** Looks for clips of a topic. What was looked for before is not any more; what waits stays in the queue. */
  async mine(order: { topic: string; sources: readonly SourceKind[]; most: number }): Promise<void> {
    this.#run?.ending.abort(); // the clip that is being made is finished before the new search begins
    this.#wake.tell();
    const { topic, sources, most } = order;
    const begun = { is_on: 1, topic, sources: JSON.stringify(sources), most, made: 0, cursors: '{}' };
    await this.#options.jobs.setOrder(begun);
    this.#options.search.forget();
    this.#start();
  }

  /** Goes on with what is in the queue, and with what is looked for. */
  async resume(): Promise<void> {
    const { jobs, search } = this.#options;
    if (await jobs.order()) await jobs.setOn(true);
    else await jobs.setOrder({ is_on: 1, topic: null, sources: '[]', most: 0, made: 0, cursors: '{}' });
    search.forget();
    this.#start();
    this.#wake.tell();
  }

  /** Begins nothing more: returns at once, and says `ending` until what is under way has ended. */
  async stop(): Promise<void> {
    await this.#options.jobs.setOn(false);
    void this.#rest();
  }

  /** Takes a video out of the queue, with what was fetched of it; clips that were made of it stay. @throws BAD_REQUEST where that is too late */
  async cancel(number: number): Promise<void> {
    const { jobs, folder, changes, now } = this.#options;
    if (this.#now?.number === number) {
      this.#now.cancel.abort();
      await this.#now.ended;
    }
    const job = await jobs.get(number);
    if (!job) throw unknownJob(number);
    if (job.state === 'done' || job.state === 'skipped') throw hasEnded(number);
    const reason = reasonOf(say('clips.cancelled'));
    await jobs.set(number, { state: 'skipped', reason, bytes: 0, changed_at: now() });
    await folder.removeFetched(number);
    changes.tell();
    this.#wake.tell();
  }

  /** @returns how many videos wait again @throws BAD_REQUEST where a certain one does not */
  async retry(number: number | undefined): Promise<number> {
    const { jobs, now } = this.#options;
    const retried = await jobs.retry(number, now());
    if (retried === 0 && number !== undefined) throw (await jobs.get(number)) ? notFailed(number) : unknownJob(number);
    if (retried > 0) await this.resume();
    return retried;
  }

  #start(): void {
    if (this.#isClosed || (this.#run && !this.#run.ending.signal.aborted)) return;
    const [stop, ending, before] = [new AbortController(), new AbortController(), this.#run?.ended];
    const ended = this.#loop(stop.signal, ending.signal, before);
    const run = { stop, ending, ended };
    this.#run = run;
    this.#tell('working', null);
    void ended.finally(() => {
      if (this.#run !== run) return;
      this.#run = undefined;
      this.#tell('off', this.#state.fault);
    });
  }

  /** Has the loop end after what is under way. */
  async #rest(): Promise<void> {
    const run = this.#run;
    if (!run) return;
    run.ending.abort();
    this.#wake.tell();
    this.#tell('ending', null);
    await run.ended;
  }

  /** Never throws. */
  async #loop(stop: AbortSignal, ending: AbortSignal, before: Promise<void> | undefined): Promise<void> {
    await before;
    const either = AbortSignal.any([stop, ending]);
    while (!either.aborted) {
      try {
        if (!(await this.#step(stop, ending))) return;
      } catch (error) {
        if (either.aborted) return;
        const named = QuarryError.from(error);
        this.#options.log.warn({ err: error }, 'clips: mining does not go on');
        await this.#wait(LOOK_AGAIN_MS, told({ text: wordsOf(named, 'message') }), either);
      }
    }
  }

  /** One video, or one page of a source. @returns false where nothing is left to do */
  async #step(stop: AbortSignal, ending: AbortSignal): Promise<boolean> {
    const { jobs, now, tools } = this.#options;
    const either = AbortSignal.any([stop, ending]);
    const order = await jobs.order();
    if (order?.is_on !== 1) return false;
    await this.#gate(either);
    if (either.aborted) return false;
    if (!(await tools.media())) throw noMedia();
    const isOrdered = wants(order);
    const job = await jobs.next(now(), { isOrdered });
    if (job) return await this.#video(job, order, stop, ending);
    const looked = isOrdered ? await this.#look(order, either) : undefined;
    if (looked === 'found') return true;
    return await this.#pause({ isOrdered, later: looked, order }, either);
  }

  async #video(job: StoredJob, order: ClipOrderRow, stop: AbortSignal, ending: AbortSignal): Promise<boolean> {
    const { work, changes } = this.#options;
    const [cancel, { promise: ended, resolve }] = [new AbortController(), Promise.withResolvers<void>()];
    const now = { number: job.number, progress: NOTHING_YET, cancel, ended };
    this.#now = now;
    this.#tell('working', null);
    const onProgress = (progress: VideoProgress) => {
      now.progress = progress;
      changes.tell();
    };
    const isOfOrder = job.is_ordered === 1 && job.topic === order.topic;
    const most = isOfOrder ? Math.max(1, order.most - order.made) : Number.MAX_SAFE_INTEGER;
    const gate = () => this.#gate(AbortSignal.any([stop, ending, cancel.signal]));
    try {
      await work.work(job, { signal: AbortSignal.any([stop, cancel.signal]), ending, gate, onProgress, most });
    } catch (error) {
      if (!cancel.signal.aborted || stop.aborted) throw error;
    } finally {
      this.#now = undefined;
      resolve();
      changes.tell();
    }
    // Who cancelled it has yet to write that down.
    return !cancel.signal.aborted || (await this.#afterCancel(job.number, AbortSignal.any([stop, ending])));
  }

  async #afterCancel(number: number, signal: AbortSignal): Promise<boolean> {
    for (let count = this.#wake.count; !signal.aborted; count = this.#wake.count) {
      if ((await this.#options.jobs.get(number))?.state === 'skipped') return true;
      await this.#wake.after(count, signal, 100);
    }
    return true;
  }

  /** Asks a source. @returns when another look makes sense, where none does now; undefined where there is nothing more */
  async #look(order: ClipOrderRow, signal: AbortSignal): Promise<'found' | Later | undefined> {
    const { jobs, search, changes } = this.#options;
    this.#tell('searching', null);
    const most = Math.min(MOST_WAITING, order.most - order.made);
    const wanted: Wanted = {
      ...{ topic: order.topic ?? '', sources: keptSources(order.sources), most },
      cursors: keptCursors(order.cursors),
    };
    const looked = await search.more(wanted, signal);
    if (looked.state === 'ended') return undefined;
    if (looked.state === 'later') return looked;
    await jobs.setCursors(order.topic ?? '', JSON.stringify(looked.cursors));
    changes.tell();
    return 'found';
  }

  /** @returns false where there is nothing to wait for */
  async #pause(
    { isOrdered, later, order }: { isOrdered: boolean; later: Later | undefined; order: ClipOrderRow },
    signal: AbortSignal,
  ): Promise<boolean> {
    const { jobs, now } = this.#options;
    const dueAt = await jobs.nextDueAt({ isOrdered });
    const at = Math.min(dueAt ?? Number.MAX_SAFE_INTEGER, later?.at ?? Number.MAX_SAFE_INTEGER);
    if (at < Number.MAX_SAFE_INTEGER) {
      await this.#wait(Math.max(0, at - now()), later?.fault ?? told({ text: say('clips.triedLater') }), signal);
      return true;
    }
    if ((await jobs.order())?.is_on !== 1) return false;
    await jobs.setOn(false);
    const isShort = isOrdered && order.made < order.most;
    this.#tell('off', isShort ? told({ text: say('clips.nothingMore', { made: order.made }) }) : null);
    return false;
  }

  /** Resolves when nothing speaks against going on, or with the signal. */
  async #gate(signal: AbortSignal): Promise<void> {
    const { conditions } = this.#options;
    const before = this.#state;
    using _ended = disposable(conditions.subscribe(() => this.#wake.tell()));
    for (;;) {
      const { count } = this.#wake;
      const [reason] = conditions.against();
      if (!reason || signal.aborted) break;
      this.#tell('resting', told({ text: reason }));
      await this.#wake.after(count, signal, LOOK_AGAIN_MS);
    }
    if (this.#state !== before && this.#state.mining === 'resting') this.#tell(before.mining, before.fault);
  }

  /** Rests, until somebody wants something or the time is over. */
  async #wait(ms: number, fault: Sentence, signal: AbortSignal): Promise<void> {
    const { count } = this.#wake;
    this.#tell('resting', fault);
    await this.#wake.after(count, signal, Math.min(ms, 24 * 3_600_000));
  }

  #tell(mining: MinerState['mining'], fault: Sentence | null): void {
    const isEnding = this.#run?.ending.signal.aborted === true && mining !== 'off';
    this.#state = { mining: isEnding ? 'ending' : mining, fault };
    this.#options.changes.tell();
  }
}

interface Later {
  at: number;
  fault: Sentence;
}

/** Whether clips of a topic are still wanted. */
const wants = ({ topic, made, most }: ClipOrderRow) => topic !== null && made < most;

const disposable = (end: () => void): Disposable => ({ [Symbol.dispose]: end });

const unknownJob = (number: number) =>
  new QuarryError({ code: 'BAD_REQUEST', message: say('clips.noJob', { number: String(number) }), field: 'number' });
const hasEnded = (number: number) =>
  new QuarryError({ code: 'BAD_REQUEST', message: say('clips.jobEnded', { number: String(number) }), field: 'number' });
const notFailed = (number: number) =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: say('clips.notFailed', { number: String(number) }),
    field: 'number',
  });
