import { randomBytes } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { ExportRecording, ExportStep, PrepareStep, VideoTicket } from '../../../src-preload/contract/focus.ts';
import { removeLeftovers } from '../../base/atomic-file.ts';
import { EventQueue } from '../../base/event-queue.ts';
import { freeBytes } from '../../base/free-bytes.ts';
import { ListenerSet } from '../../base/listener-set.ts';
import { ifMissing, ignoring } from '../../base/swallowed.ts';
import { Turns } from '../../base/turns.ts';
import type { ProcessSpawner } from '../../process/process-spawner.ts';
import type { FocusRecordingStore } from '../../store/focus-recordings.ts';
import { diskFull, notPrepared, otherIsRecorded, unknownRecording } from '../focus-problems.ts';
import type { RecordingFiles } from '../recording/recording-files.ts';
import { makeVideo } from './media-job.ts';
import { Tickets } from './tickets.ts';

export interface VideosOptions {
  store: FocusRecordingStore;
  files: RecordingFiles;
  /** Of a recording to which something is being added there is no video. */
  isLive: (id: string) => boolean;
  spawner?: ProcessSpawner | undefined;
  /** Bytes free on the drive of a folder. Default: what the system says. */
  free?: (folder: string) => Promise<number>;
  /** Unix milliseconds. Default: the clock. */
  now?: () => number;
}

/** Until an exported file has to be taken. */
const TAKEN_WITHIN_MS = 10 * 60_000;
/** Left free on the drive, as by the recorder. */
const RESERVE_BYTES = 512 << 20;

interface Job {
  controller: AbortController;
  listeners: ListenerSet<[done: number]>;
  ended: Promise<unknown>;
}

/** The videos of recordings: made of their parts, shown, cut and handed out. One is worked on at a time. A resource. */
export class Videos {
  readonly #options: VideosOptions;
  readonly #tickets: Tickets;
  readonly #turns = new Turns();
  /** By recording; one that is being made for several who asked is made once. */
  readonly #preparing = new Map<string, Job & { ended: Promise<void> }>();
  readonly #jobs = new Map<Job, string>();
  readonly #barred = new Set<string>();
  #closed = false;

  constructor(options: VideosOptions) {
    this.#options = options;
    this.#tickets = new Tickets(options.now ?? Date.now);
  }

  /** Ends all work. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#end([...this.#jobs.keys()]);
  }

  /**
   * Makes a recording’s video, unless it is there and has all of it. It goes on when whoever asked has left.
   * @throws BAD_REQUEST for a recording that is not there, is being recorded or has no pictures; DISK_FULL
   */
  async *prepare(id: string, signal?: AbortSignal): AsyncGenerator<PrepareStep, void, undefined> {
    if (!(await this.#isPrepared(id))) {
      const job = this.#preparing.get(id) ?? this.#beginPreparing(id);
      yield* followed(job.ended, job.listeners, signal);
    }
    yield { done: 1 };
  }

  /** A way to a video that was prepared. @throws BAD_REQUEST for one that was not */
  async view(id: string): Promise<VideoTicket> {
    if (!(await this.#isPrepared(id))) throw notPrepared();
    return this.#tickets.give(id);
  }

  /** Where the video lies that a ticket is for; undefined for one that is not valid. */
  fileOf(ticket: string): string | undefined {
    const id = this.#tickets.recordingOf(ticket);
    return id === undefined || this.#options.isLive(id) ? undefined : this.#options.files.video(id);
  }

  /**
   * Writes a recording’s video, or pieces of it, to a file that whoever asked may take: it is there for ten minutes, or until the signal.
   * @throws as {@link prepare}; BAD_REQUEST for a piece in which no picture begins
   */
  async *export(
    { id, spans, mute, boxes }: ExportRecording,
    signal?: AbortSignal,
  ): AsyncGenerator<ExportStep, void, undefined> {
    for await (const { done } of this.prepare(id, signal)) if (done < 1) yield { type: 'progress', done: done / 2 };
    const { files } = this.#options;
    const path = files.export(id, randomBytes(6).toString('hex'));
    const task = { spans: spans ?? null, mute, boxes };
    const make = (tools: MakeTools) => makeVideo({ task: 'edit', from: files.video(id), ...task }, path, tools);
    const { ended, listeners } = this.#begin(id, make, signal);
    try {
      for await (const { done } of followed(ended, listeners, signal)) yield { type: 'progress', done: (1 + done) / 2 };
      yield { type: 'done', path, ...(await ended) };
      // The next step is asked for by whoever carries these, before this one has come to whoever takes the file.
      await pause(TAKEN_WITHIN_MS, undefined, { signal }).catch(ignoring('it was taken, or nobody wants it any more'));
    } finally {
      await rm(path, { force: true });
    }
  }

  /** Ends what is being made of a recording, and lets nothing be made of it while the work runs. */
  async without<T>(id: string, work: () => Promise<T>): Promise<T> {
    this.#barred.add(id);
    try {
      await this.#end([...this.#jobs].flatMap(([job, of]) => (of === id ? job : [])));
      return await work();
    } finally {
      this.#barred.delete(id);
    }
  }

  #beginPreparing(id: string) {
    const job = this.#begin(id, (tools) => this.#remux(id, tools));
    this.#preparing.set(id, job);
    const forget = () => this.#preparing.delete(id);
    job.ended.then(forget, forget);
    return job;
  }

  #begin<T>(id: string, work: (tools: MakeTools) => Promise<T>, signal?: AbortSignal): Job & { ended: Promise<T> } {
    const [controller, listeners] = [new AbortController(), new ListenerSet<[done: number]>()];
    const until = signal ? AbortSignal.any([signal, controller.signal]) : controller.signal;
    const { spawner } = this.#options;
    const ended = this.#turns.take(async () => {
      until.throwIfAborted();
      await this.#check(id);
      return await work({ spawner, signal: until, onDone: (done) => listeners.tell(done) });
    });
    const job = { controller, listeners, ended };
    this.#jobs.set(job, id);
    const forget = () => this.#jobs.delete(job);
    ended.then(forget, forget);
    return job;
  }

  async #end(jobs: readonly Job[]): Promise<void> {
    for (const { controller } of jobs) controller.abort();
    await Promise.allSettled(jobs.map(({ ended }) => ended));
  }

  async #remux(id: string, tools: MakeTools): Promise<void> {
    const { store, files, isLive } = this.#options;
    await removeLeftovers(files.of(id), () => true);
    const parts = new Set((await store.chunks(id)).map(({ part }) => files.part(id, part)));
    await makeVideo({ task: 'remux', parts: [...parts] }, files.video(id), { ...tools, overwrite: true });
    if (!isLive(id)) return;
    // It goes on meanwhile: who went on with it has removed its video before or after this was made.
    await files.removeVideo(id);
    await this.#check(id);
  }

  /** @throws BAD_REQUEST, DISK_FULL where nothing can be made of a recording now */
  async #check(id: string): Promise<void> {
    const { store, files, isLive, free = freeBytes } = this.#options;
    const recording = this.#closed || this.#barred.has(id) ? undefined : await store.get(id);
    if (!recording || !(await store.lastChunk(id))) throw unknownRecording();
    if (isLive(id)) throw otherIsRecorded(recording.title);
    if ((await free(files.folder)) < recording.bytes + RESERVE_BYTES) throw diskFull();
  }

  async #isPrepared(id: string): Promise<boolean> {
    const { store, files, isLive } = this.#options;
    const last = await store.lastChunk(id);
    const made = await stat(files.video(id)).catch(ifMissing);
    return last !== undefined && made !== undefined && !isLive(id) && made.mtimeMs >= last.at;
  }
}

type MakeTools = { spawner: ProcessSpawner | undefined; signal: AbortSignal; onDone: (done: number) => void };

/** How far some work is, until it has ended. @throws what the work throws; the signal’s reason */
async function* followed(
  work: Promise<unknown>,
  listeners: ListenerSet<[done: number]>,
  signal?: AbortSignal,
): AsyncGenerator<{ done: number }, void, undefined> {
  const steps = new EventQueue<{ done: number }>();
  const stop = listeners.subscribe((done) => steps.push({ done }));
  const leave = () => steps.fail(signal?.reason);
  signal?.addEventListener('abort', leave);
  if (signal?.aborted) leave();
  work.then(
    () => steps.end(),
    (error) => steps.fail(error),
  );
  try {
    yield* steps;
  } finally {
    stop();
    signal?.removeEventListener('abort', leave);
  }
}
