import { EventQueue } from '../../base/event-queue.ts';
import { freeBytes } from '../../base/free-bytes.ts';
import { ListenerSet } from '../../base/listener-set.ts';
import { Turns } from '../../base/turns.ts';
import type { ProcessSpawner } from '../../process/process-spawner.ts';
import type { FocusRecordingStore } from '../../store/focus/focus-recordings.ts';
import { diskFull, otherIsRecorded, unknownRecording } from '../focus-problems.ts';
import type { RecordingFiles } from '../recording/recording-files.ts';
import { RESERVE_BYTES } from '../recording/recording-room.ts';

export interface VideoJobsOptions {
  store: FocusRecordingStore;
  files: RecordingFiles;
  /** Of a recording to which something is being added there is no video. */
  isLive: (id: string) => boolean;
  spawner?: ProcessSpawner | undefined;
  /** Bytes free on the drive of a folder. Default: what the system says. */
  free?: (folder: string) => Promise<number>;
}

/** Some work on a recording’s video, that can be ended and tells how far it is. */
export interface Job<T> {
  controller: AbortController;
  listeners: ListenerSet<[done: number]>;
  ended: Promise<T>;
}

export type JobTools = { spawner: ProcessSpawner | undefined; signal: AbortSignal; onDone: (done: number) => void };

/** Work on the videos of recordings, one after the other. A resource. */
export class VideoJobs {
  readonly #options: VideoJobsOptions;
  readonly #turns = new Turns();
  readonly #jobs = new Map<Job<unknown>, string>();
  /** What several may ask for, and is done once: by its name. */
  readonly #shared = new Map<string, Job<void>>();
  readonly #barred = new Set<string>();
  #closed = false;

  constructor(options: VideoJobsOptions) {
    this.#options = options;
  }

  /** Ends all work. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#end([...this.#jobs.keys()]);
  }

  /** Does something with a recording’s files when its turn has come. @throws what {@link check} and the work throw; the signal’s reason */
  begin<T>(id: string, work: (tools: JobTools) => Promise<T>, signal?: AbortSignal): Job<T> {
    const [controller, listeners] = [new AbortController(), new ListenerSet<[done: number]>()];
    const until = signal ? AbortSignal.any([signal, controller.signal]) : controller.signal;
    const { spawner } = this.#options;
    const ended = this.#turns.take(async () => {
      until.throwIfAborted();
      await this.check(id);
      return await work({ spawner, signal: until, onDone: (done) => listeners.tell(done) });
    });
    const job = { controller, listeners, ended };
    this.#jobs.set(job, id);
    const forget = () => this.#jobs.delete(job);
    ended.then(forget, forget);
    return job;
  }

  /** As {@link begin}; who asks while it is being done waits for the same. @param kind of the work */
  share(id: string, kind: string, work: (tools: JobTools) => Promise<void>): Job<void> {
    const name = `${kind} ${id}`;
    const going = this.#shared.get(name);
    if (going) return going;
    const job = this.begin(id, work);
    this.#shared.set(name, job);
    const forget = () => this.#shared.delete(name);
    job.ended.then(forget, forget);
    return job;
  }

  /** Ends what is being done with a recording, and lets nothing be done with it while this work runs. */
  async without<T>(id: string, work: () => Promise<T>): Promise<T> {
    this.#barred.add(id);
    try {
      await this.leave(id);
      return await work();
    } finally {
      this.#barred.delete(id);
    }
  }

  /** Ends what is being done with a recording. @param reason what those are told who wait for it */
  async leave(id: string, reason?: Error): Promise<void> {
    await this.#end(
      [...this.#jobs].flatMap(([job, of]) => (of === id ? job : [])),
      reason,
    );
  }

  /** @throws BAD_REQUEST, DISK_FULL where nothing can be made of a recording now */
  async check(id: string): Promise<void> {
    const { store, files, isLive, free = freeBytes } = this.#options;
    const recording = this.#closed || this.#barred.has(id) ? undefined : await store.get(id);
    if (!recording || !(await store.lastChunk(id))) throw unknownRecording();
    if (isLive(id)) throw otherIsRecorded(recording.title);
    if ((await free(files.folder)) < recording.bytes + RESERVE_BYTES) throw diskFull();
  }

  async #end(jobs: readonly Job<unknown>[], reason?: Error): Promise<void> {
    for (const { controller } of jobs) controller.abort(reason);
    await Promise.allSettled(jobs.map(({ ended }) => ended));
  }
}

/** How far some work is, until it has ended. @throws what the work throws; the signal’s reason */
export async function* followed(
  { ended, listeners }: Pick<Job<unknown>, 'ended' | 'listeners'>,
  signal?: AbortSignal,
): AsyncGenerator<{ done: number }, void, undefined> {
  const steps = new EventQueue<{ done: number }>();
  const stop = listeners.subscribe((done) => steps.push({ done }));
  const leave = () => steps.fail(signal?.reason);
  signal?.addEventListener('abort', leave);
  if (signal?.aborted) leave();
  ended.then(
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
