import type { Logger } from 'pino';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { openPlaces } from '../../../base/open-places.ts';
import { TaskSet } from '../../../base/task-set.ts';
import type { Tier } from '../../../credits/tiers.ts';
import type { QueueLoad } from '../../../hardware/health.ts';
import type { Answering } from '../../../inference/backend.ts';
import { Admission, type WorkerHealth } from './admission.ts';
import {
  type Answer,
  idInUse,
  type Job,
  loadingTooLate,
  type Place,
  shuttingDown,
  stoppedMining,
  tooLate,
  type WorkObserver,
} from './job.ts';
import { ModelLoads } from './model-loads.ts';
import { type EngineInUse, NO_OTHER_ENGINES, type OtherEngines } from './other-engines.ts';
import { PositionNotices } from './position-notices.ts';
import { type QueueOptions, queueFull } from './queue.ts';
import { ServiceTime } from './service-time.ts';
import type { TierWaits } from './wait-stats.ts';
import { WaitingLines } from './waiting-lines.ts';

export interface DispatcherOptions {
  /** The worker's own engine: its model answers whoever names none. */
  backend: Answering;
  /** Models beside it. Default: there are none. */
  others?: OtherEngines | undefined;
  /** What newcomers of a network prefix have been given: the least-given goes first. */
  given: (prefix: string) => number;
  /** How healthy this node is while so many requests wait. */
  health: (queue: QueueLoad) => WorkerHealth;
  queue?: QueueOptions | undefined;
  requestsPerMinute?: Partial<Record<Tier, number>> | undefined;
  /** The load changed. */
  onChange: () => void;
  observer?: WorkObserver | undefined;
  now: () => number;
  log: Logger;
}

/** What a person may want to know of a worker. */
export interface WorkerReport {
  running: number;
  waiting: number;
  /** Requests decoded together. */
  parallel: number;
  queueCapacity: number;
  served: number;
  failed: number;
  /** Moving average of milliseconds a request; undefined until one was served. */
  averageMs: number | undefined;
  tokensPerSecond: number | undefined;
  waits: TierWaits[];
}

/**
 * The path of a request through a worker, whichever door it came by, in order: admission (rate) → the door (is it genuine?) → admission
 * (health, model, room) → the door (fund) → its model, loaded if need be → queue, or the line of newcomers → job (engine, pieces) → the
 * door (the answer's end). Who waits for a model to be loaded has none of the engine's places meanwhile, and who
 * waits in line holds no model in memory. The places are those of the
 * machine, whichever model answers: engines beside each other share its processor, and each has as many sequences.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #admission: Admission;
  readonly #loads: ModelLoads;
  readonly #lines: WaitingLines;
  readonly #notices: PositionNotices;
  readonly #service = new ServiceTime();
  /** Every admitted job, by its key. */
  readonly #jobs = new Map<string, Job>();
  readonly #tasks = new TaskSet();
  /** Looks again when newcomers may have the engine. */
  #soon: NodeJS.Timeout | undefined;
  #running = 0;
  #served = 0;
  #failed = 0;
  #draining = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#admission = new Admission(options.requestsPerMinute);
    const { queue, given, others = NO_OTHER_ENGINES, now } = options;
    this.#loads = new ModelLoads(others, now);
    this.#lines = new WaitingLines({ queue, given, now });
    this.#notices = new PositionNotices(this.#lines, (job, ahead) => this.#expectedWaitMs(job, ahead));
  }

  /** Counts a request against its client's rate: before anything is looked at that costs more. @throws RATE_LIMIT */
  count(client: string, tier: Tier): void {
    this.#admission.countAgainstRate(client, { tier }, this.#options.now());
  }

  /**
   * Takes a job. From then on every way ends in its `deliver` or its `refuse`.
   * @throws OVERLOADED, ENGINE_UNAVAILABLE, MODEL_NOT_FOUND, QUEUE_FULL; BAD_REQUEST where another has its key
   */
  take(job: Job): void {
    if (this.#draining) throw shuttingDown();
    this.#admit(job);
    this.#jobs.set(job.key, job);
    const { deadlineMs, model = '' } = job;
    job.begin(() => this.stop(job, job.isLoading ? loadingTooLate(model, deadlineMs) : tooLate(deadlineMs)));
    void this.#tasks.add(this.#enqueue(job));
  }

  /** Ends a job before its time: a waiting one here and now, a running one as soon as the engine lets go. One that has ended stays as it is. */
  stop(job: Job, why: QuarryError): void {
    if (this.#jobs.get(job.key) !== job) return;
    job.abort(why);
    if (this.#lines.remove(job)) void this.#tasks.add(this.#fail(job, why));
    this.#changed();
  }

  /** Starts what waits, as far as there is room: after every change of queue or backend. */
  serveNext(): void {
    while (this.#running < this.#parallel && !this.#draining) {
      const next = this.#lines.take();
      if (!next) break;
      this.#running++;
      void this.#tasks.add(this.#serve(next));
    }
    this.#lookAgain();
    this.#changed();
  }

  health(): WorkerHealth {
    const health = this.#healthWith(0);
    return this.#draining ? { ...health, accepting: false, reason: shuttingDown().message } : health;
  }

  /** Requests that may wait now, newcomers aside. */
  get open(): number {
    return openPlaces(this.#lines.capacity, this.health());
  }

  report(): WorkerReport {
    return {
      running: this.#running,
      waiting: this.#lines.size,
      parallel: this.#parallel,
      queueCapacity: this.#lines.capacity,
      served: this.#served,
      failed: this.#failed,
      averageMs: this.#service.averageMs,
      tokensPerSecond: this.#service.tokensPerSecond,
      waits: this.#lines.waits(),
    };
  }

  /** Ends what runs and waits with NOT_RUNNING and resolves when the engine has let go, and whoever pays. */
  async endAll(why: QuarryError = stoppedMining()): Promise<void> {
    for (const job of this.#jobs.values()) this.stop(job, why);
    await this.#tasks.ended();
  }

  /** Takes nothing more and ends what waits with NOT_RUNNING; resolves when what runs has come to its end, with whoever pays. */
  async drain(): Promise<void> {
    this.#draining = true;
    for (const job of this.#jobs.values()) if (!job.started) this.stop(job, shuttingDown());
    this.#changed();
    await this.#tasks.ended();
  }

  /** {@link endAll}, for good. */
  async close(): Promise<void> {
    this.#draining = true;
    clearTimeout(this.#soon);
    const ended = this.endAll(shuttingDown());
    this.#notices.close();
    await ended;
  }

  #admit(job: Job): void {
    if (this.#jobs.has(job.key)) throw idInUse();
    const { capacity: queueCapacity } = this.#lines;
    // Who outranks one that waits is taken though there is no room: when it is paid for, the other makes room.
    const health = this.health();
    const full = this.#waiting >= openPlaces(queueCapacity, health);
    const less = full && this.#lines.outrankedBy(job.client, job.tier) ? 1 : 0;
    this.#admission.checkConditions(job, {
      health: less > 0 ? this.#healthWith(less) : health,
      backend: this.#options.backend.status(),
      others: this.#loads.names(),
      waiting: this.#waiting - less,
      queueCapacity,
    });
  }

  async #enqueue(job: Job): Promise<void> {
    try {
      job.place = await job.fund();
    } catch (error) {
      this.#forget(job);
      job.refuse(QuarryError.from(error));
      return;
    }
    try {
      if (job.aborted) throw job.aborted;
      // Held until it is in line, not longer: who waits there keeps nobody else's model out of memory.
      using _loaded = await this.#load(job, job.place);
      if (job.aborted) throw job.aborted;
      this.#makeRoom(job, job.place);
      this.#notices.tell(job, this.#lines.add(job));
      this.serveNext();
    } catch (error) {
      await this.#fail(job, job.aborted ?? error);
    }
  }

  /** Loads the model of a job that wants another one than the worker's own. */
  async #load(job: Job, place: Place): Promise<EngineInUse | undefined> {
    const { model, signal } = job;
    if (model === undefined || model === this.#options.backend.status().model?.name) return undefined;
    const onLoading = (ms: number) => {
      const ahead = this.#lines.size;
      job.isLoading = true;
      job.waits(ahead, ms + this.#expectedWaitMs(job, ahead));
    };
    try {
      const loaded = await this.#loads.engineFor(model, { place, signal, onLoading });
      job.other = model;
      return loaded;
    } finally {
      job.isLoading = false;
      this.#changed();
    }
  }

  /** Where a line is full, one that waits gives its place to one that goes before it. */
  #makeRoom(job: Job, { client, tier, isNewcomer }: Place): void {
    const { capacity } = this.#lines;
    const full = this.#waiting > openPlaces(capacity, this.#healthWith(1));
    const outranked = isNewcomer ? this.#lines.outrankedByNewcomer(job) : full && this.#lines.outrankedBy(client, tier);
    if (outranked) {
      job.hasPutOut = true;
      this.stop(outranked, queueFull(capacity));
    } else if (full && !isNewcomer) throw queueFull(capacity);
  }

  async #serve(job: Job): Promise<void> {
    const { now } = this.#options;
    const startedAt = now();
    try {
      if (job.other !== undefined) job.answeredBy(await this.#loads.again(job.other, job.signal));
      this.#deliver(job, await job.run(this.#options.backend, this.#options.observer));
    } catch (error) {
      void this.#tasks.add(this.#fail(job, job.aborted ?? error));
    } finally {
      this.#running--;
      this.#lines.used(job, now() - startedAt, this.#parallel);
      this.serveNext();
    }
  }

  #deliver(job: Job, answer: Answer): void {
    job.deliver(answer);
    this.#forget(job);
    this.#served++;
    const { result, processingMs } = answer;
    this.#service.record(processingMs, result.tokensPerSecond);
    this.#options.observer?.served(result);
  }

  async #fail(job: Job, cause: unknown): Promise<void> {
    const { log } = this.#options;
    const error = QuarryError.from(cause);
    this.#failed++;
    this.#forget(job);
    job.refuse(error);
    try {
      // Who has put somebody out takes nothing back: putting out and leaving would else be free.
      await job.release(error.code, job.started || job.hasPutOut ? { streamed: job.streamed } : undefined);
    } catch (failure) {
      log.error({ err: failure, job: job.key }, 'what was set aside could not be given back');
    }
  }

  #forget(job: Job): void {
    job.end();
    this.#jobs.delete(job.key);
  }

  #changed(): void {
    this.#notices.touch();
    this.#options.onChange();
  }

  /** Health when so many fewer wait. */
  #healthWith(fewer: number): WorkerHealth {
    const { size, newcomers, capacity } = this.#lines;
    return this.#options.health({ length: Math.max(0, size - newcomers - fewer), capacity });
  }

  /** Those whose credits are being set aside count too: every admitted prompt is memory. Newcomers have a bound of their own. */
  get #waiting(): number {
    return this.#jobs.size - this.#running - this.#lines.newcomers;
  }

  get #parallel(): number {
    return Math.max(1, this.#options.backend.status().model?.parallel ?? 1);
  }

  /** Newcomers may have to wait although the engine is idle. */
  #lookAgain(): void {
    clearTimeout(this.#soon);
    const waitMs = this.#draining ? 0 : this.#lines.newcomersWaitMs;
    if (waitMs > 0) this.#soon = setTimeout(() => this.serveNext(), waitMs);
  }

  #expectedWaitMs(job: Job, ahead: number): number {
    const byOthers = this.#service.expectedWaitMs(ahead, this.#running, this.#parallel);
    return Math.max(byOthers, this.#lines.shareWaitMs(job));
  }
}
