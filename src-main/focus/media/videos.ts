import { randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type {
  ExportRecording,
  ExportStep,
  PrepareStep,
  Recording,
  StripStep,
  VideoTicket,
} from '../../../src-preload/contract/focus.ts';
import { FOCUS_VIDEO_PATH, STRIP_NAME } from '../../../src-preload/contract/focus-limits.ts';
import { writeAtomically } from '../../base/atomic-file.ts';
import { KeptExports, type MOST_EXPORTS } from '../../base/kept-exports.ts';
import { ifMissing, ignoring } from '../../base/swallowed.ts';
import { type Lasts, Tickets } from '../../base/tickets.ts';
import { notPrepared, otherIsRecorded } from '../focus-problems.ts';
import { partEnds } from '../recording/recording-files.ts';
import { chaptersOf } from './chapters.ts';
import { isMadeOf, noteMadeOf } from './made-of.ts';
import { makeFile, takeStills } from './media-job.ts';
import { type MadeStrip, madeStripSchema, type StillsJob } from './media-tasks.ts';
import type { Still } from './stills.ts';
import { followed, type Job, type JobTools, VideoJobs, type VideoJobsOptions } from './video-jobs.ts';
import type { VideoKind } from './video-road.ts';

export interface VideosOptions extends VideoJobsOptions {
  /** Told when something was made that is kept for some time, and when it is gone. */
  onMade?: () => Promise<void>;
  /** Unix milliseconds. Default: the clock. */
  now?: () => number;
}

/** Until an exported file has to be taken. */
const TAKEN_WITHIN_MS = 10 * 60_000;

/** Which pictures: at these times, milliseconds, or so many spread over all of it; at most 96. */
export type StillsWanted = StillsJob['moments'] & {
  /** Pixels of the longer side, at most 1 280; a smaller picture stays as it is. */
  side: number;
  /** Whether they are those that are shown then, and not the key frames at or before, which take less time. Default false. */
  exact?: boolean;
};

/** The videos of recordings: made of their parts, shown, cut and handed out. One is worked on at a time. A resource. */
export class Videos {
  readonly #options: VideosOptions;
  readonly #tickets: Tickets;
  /** To exported files, and to those of others, by their paths. */
  readonly #exports: Tickets;
  readonly #jobs: VideoJobs;
  readonly #kept = new KeptExports();

  constructor(options: VideosOptions) {
    this.#options = options;
    this.#jobs = new VideoJobs(options);
    const { now = Date.now } = options;
    this.#tickets = new Tickets(now, FOCUS_VIDEO_PATH);
    this.#exports = new Tickets(now, FOCUS_VIDEO_PATH);
  }

  /** What the work of a node before this one has left is deleted. Idempotent. */
  async open(): Promise<void> {
    await this.#options.files.removeLeftovers();
  }

  /** Ends all work. Idempotent. */
  async close(): Promise<void> {
    await this.#jobs.close();
  }

  /**
   * Makes a recording’s video, unless it is there and has all of it. It goes on when whoever asked has left.
   * @throws BAD_REQUEST for a recording that is not there, is being recorded or has no pictures; DISK_FULL
   */
  async *prepare(id: string, signal?: AbortSignal): AsyncGenerator<PrepareStep, void, undefined> {
    if (!(await this.#isPrepared(id)))
      yield* followed(
        this.#jobs.share(id, 'prepare', (tools) => this.#remux(id, tools)),
        signal,
      );
    yield { done: 1 };
  }

  /** A way to a video that was prepared. @param lasts as of {@link Tickets.give} @throws BAD_REQUEST for one that was not */
  async view(id: string, lasts?: Lasts): Promise<VideoTicket> {
    if (!(await this.#isPrepared(id))) throw notPrepared();
    return this.#tickets.give(id, lasts);
  }

  /** A way to a file that lies elsewhere, as a video that waits to be looked at. @param lasts as of {@link Tickets.give} */
  show(path: string, lasts?: Lasts): VideoTicket {
    return this.#exports.give(path, lasts);
  }

  /** Where the video or the exported file lies that a ticket is for, or small pictures of the video; undefined for one that is not valid. */
  fileOf(ticket: string, kind: VideoKind): string | undefined {
    const { isLive, files } = this.#options;
    const id = this.#tickets.subjectOf(ticket);
    if (id === undefined || isLive(id)) return this.#exports.subjectOf(ticket);
    return kind === 'strip' ? files.strip(id).picture : files.video(id);
  }

  /**
   * Writes a recording’s video, or pieces of it, to a file that whoever asked may take: it is there for ten minutes, until the signal, or until
   * {@link MOST_EXPORTS} newer ones wait; and it gives way to what is recorded.
   * @throws as {@link prepare}; BAD_REQUEST for a piece in which no picture begins
   */
  async *export(
    { id, spans, metadata, ...wanted }: ExportRecording,
    signal?: AbortSignal,
    lasts?: Lasts,
  ): AsyncGenerator<ExportStep, void, undefined> {
    let joined = 0; // half of the work, where it has to be joined first
    for await (const { done } of this.prepare(id, signal)) {
      if (done === 1) continue; // to its end: joining may yet fail
      joined = 0.5;
      yield { type: 'progress', done: done / 2 };
    }
    const { files, store } = this.#options;
    const { title = '', description = '', startedAt: date = 0 } = (await store.get(id)) ?? {};
    const path = files.export(id, randomBytes(6).toString('hex'));
    const task = { ...wanted, spans: spans ?? null, tags: metadata ? { title, description, date } : null };
    const make = (tools: JobTools) => makeFile({ task: 'edit', from: files.video(id), ...task }, path, tools);
    const job = this.#jobs.begin(id, make, signal);
    try {
      for await (const { done } of followed(job, signal))
        yield { type: 'progress', done: joined + done * (1 - joined) };
      const made = await job.ended;
      const gone = await this.#kept.keep(path);
      await this.#options.onMade?.();
      yield { type: 'done', path, download: this.#exports.give(path, lasts).path, ...made };
      // The next step is asked for by whoever carries these, before this one has come to whoever takes the file.
      const until = signal ? AbortSignal.any([signal, gone]) : gone;
      await pause(TAKEN_WITHIN_MS, undefined, { signal: until }).catch(
        ignoring('it was taken, or nobody wants it any more'),
      );
    } finally {
      // What is called off while its file is put in its place would leave it there.
      job.controller.abort();
      await job.ended.catch(ignoring('it was called off, or whoever asked has heard why'));
      await this.#kept.remove(path);
      await this.#options.onMade?.().catch(ignoring('a node that closes counts no more; the next one counts anew'));
    }
  }

  /**
   * Single pictures of a recording, as JPEG: for who looks through it, or judges it.
   * @returns in the order of the times that were asked for, each with the time of its own
   * @throws as {@link prepare}; BAD_REQUEST for what cannot be decoded, and where they are more than 32 MiB together; the signal’s reason
   */
  async stills(id: string, { side, exact = false, ...moments }: StillsWanted, signal?: AbortSignal): Promise<Still[]> {
    await this.#prepared(id, signal);
    const task = { from: this.#options.files.video(id), moments, side, exact };
    return await this.#jobs.begin(id, (tools) => takeStills(task, tools), signal).ended;
  }

  /**
   * A way to small pictures of a video that was prepared. They are made when they are first asked for, and kept beside it.
   * Making them goes on when whoever asked has left.
   * @throws BAD_REQUEST for a video that was not prepared, and for what cannot be decoded; DISK_FULL
   */
  async *strip(id: string, signal?: AbortSignal, lasts?: Lasts): AsyncGenerator<StripStep, void, undefined> {
    const making = await this.#makingStrip(id);
    if (making) for await (const { done } of followed(making, signal)) yield { type: 'progress', done };
    const { changes: _, ...strip } = await this.#madeStrip(id);
    const { path, expiresAt } = this.#tickets.give(id, lasts);
    yield { type: 'done', strip: { ...strip, path: `${path}/${STRIP_NAME}`, expiresAt } };
  }

  /** Where something else begins to be on the screen: see {@link chaptersOf}. @throws as {@link strip} */
  async chapters(id: string): Promise<number[]> {
    await (await this.#makingStrip(id))?.ended;
    const { changes } = await this.#madeStrip(id);
    return chaptersOf(changes, await this.#options.store.activity(id));
  }

  /** Ends what is being made of a recording, and lets nothing be made of it while the work runs. */
  without<T>(id: string, work: () => Promise<T>): Promise<T> {
    return this.#jobs.without(id, work);
  }

  /** Ends what is being made of a recording that goes on, and deletes what was exported of it. */
  async leave({ id, title }: Pick<Recording, 'id' | 'title'>): Promise<void> {
    await this.#jobs.leave(id, otherIsRecorded(title));
    await this.#options.files.removeExports(id);
  }

  async #prepared(id: string, signal?: AbortSignal): Promise<void> {
    for await (const _ of this.prepare(id, signal));
  }

  /** Undefined where they are there. */
  async #makingStrip(id: string): Promise<Job<void> | undefined> {
    if (!(await this.#isPrepared(id))) throw notPrepared();
    const { about, picture } = this.#options.files.strip(id);
    const make = async (tools: JobTools) => {
      const task = { task: 'strip', from: this.#options.files.video(id) } as const;
      const made = await makeFile(task, picture, { ...tools, overwrite: true });
      await writeAtomically(about, JSON.stringify(made), 0o600);
      await this.#options.onMade?.();
    };
    return (await stat(about).catch(ifMissing)) ? undefined : this.#jobs.share(id, 'strip', make);
  }

  async #madeStrip(id: string): Promise<MadeStrip> {
    return madeStripSchema.parse(JSON.parse(await readFile(this.#options.files.strip(id).about, 'utf8')));
  }

  async #remux(id: string, tools: JobTools): Promise<void> {
    const { store, files, isLive } = this.#options;
    const chunks = await store.chunks(id);
    const ends = partEnds(chunks);
    const parts = [...ends].map(([part, bytes]) => ({ path: files.part(id, part), bytes }));
    await files.removeVideo(id);
    const { bytes } = await makeFile({ task: 'remux', parts }, files.video(id), { ...tools, overwrite: true });
    await noteMadeOf(files, id, { link: chunks.at(-1)?.link ?? '', bytes });
    if (!isLive(id)) return await this.#options.onMade?.();
    // It goes on meanwhile: who went on with it has removed its video before or after this was made.
    await files.removeVideo(id);
    await this.#jobs.check(id);
  }

  async #isPrepared(id: string): Promise<boolean> {
    const { store, files, isLive } = this.#options;
    const last = await store.lastChunk(id);
    return last !== undefined && !isLive(id) && (await isMadeOf(files, id, last.link));
  }
}
