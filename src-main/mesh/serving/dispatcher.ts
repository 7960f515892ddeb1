import type { Logger } from 'pino';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { openPlaces } from '../../base/open-places.ts';
import { TaskSet } from '../../base/task-set.ts';
import type { Funding, WorkerCredits } from '../../credits/credits.ts';
import type { Tier } from '../../credits/tiers.ts';
import type { QueueLoad } from '../../hardware/health.ts';
import type { Answering } from '../../inference/backend.ts';
import type { InferenceMessage, PledgeMessage, Prompt } from '../inference/messages.ts';
import { refusalMessage } from '../inference/refusal-message.ts';
import { PROTOCOL_VERSION } from '../transport/envelope.ts';
import type { Peer } from '../transport/peer.ts';
import type { Refusals } from '../transport/refusals.ts';
import { Admission, type WorkerHealth } from './admission.ts';
import { PromptIntake } from './intake.ts';
import {
  type Answer,
  cancelled,
  idInUse,
  Job,
  jobKey,
  shuttingDown,
  stoppedMining,
  tooLate,
  type WorkObserver,
} from './job.ts';
import { PledgeDesk } from './pledge-desk.ts';
import { PositionNotices } from './position-notices.ts';
import { type QueueOptions, queueFull } from './queue.ts';
import { ServiceTime } from './service-time.ts';
import type { TierWaits } from './wait-stats.ts';
import { WaitingLines } from './waiting-lines.ts';

export interface DispatcherOptions {
  /** This node's id. */
  worker: string;
  backend: Answering;
  credits: WorkerCredits;
  /** How healthy this node is while so many requests wait. */
  health: (queue: QueueLoad) => WorkerHealth;
  queue?: QueueOptions;
  requestsPerMinute?: Partial<Record<Tier, number>>;
  /** Milliseconds. */
  maxDeadlineMs: number;
  refusals: Refusals;
  /** The load changed. */
  onChange: () => void;
  /** A client has brought vouchers, or is owed too little: what it knows of its standing here is no longer true. */
  onTerms?: (client: Peer<InferenceMessage>) => void;
  observer?: WorkObserver;
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
 * The path of a request through a worker, in order: admission (rate) → intake (is it genuine?) → admission (health, model, room) →
 * credits (fund) → queue, or the line of newcomers → job (engine, chunks) → the answer's end with the worker's signed receipt.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #intake: PromptIntake;
  readonly #admission: Admission;
  readonly #lines: WaitingLines;
  readonly #notices: PositionNotices;
  readonly #service = new ServiceTime();
  /** Every admitted job, by client and request id. */
  readonly #jobs = new Map<string, Job>();
  readonly #tasks = new TaskSet();
  readonly #pledges: PledgeDesk;
  /** Looks again when newcomers may have the engine. */
  #soon: NodeJS.Timeout | undefined;
  #running = 0;
  #served = 0;
  #failed = 0;
  #closed = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#intake = new PromptIntake(options.worker);
    this.#admission = new Admission(options.requestsPerMinute);
    const { queue, credits, now } = options;
    this.#lines = new WaitingLines({ queue, given: (prefix) => credits.given(prefix), now });
    this.#pledges = new PledgeDesk(options);
    this.#notices = new PositionNotices(this.#lines, (job, ahead) => this.#expectedWaitMs(job, ahead));
  }

  /** A prompt came in. Every way on ends in an answer, an `inference_error`, or the end of the connection. */
  receive(peer: Peer<InferenceMessage>, prompt: Prompt): void {
    try {
      const job = this.#admit(peer, prompt);
      if (job) void this.#tasks.add(this.#enqueue(job));
    } catch (error) {
      this.#refuse(peer, prompt.requestId, QuarryError.from(error));
    }
  }

  cancel(peer: Peer<InferenceMessage>, requestId: string): void {
    const job = this.#jobs.get(jobKey(peer, requestId));
    if (job) this.#stop(job, cancelled(say('mesh.clientCancelled')));
  }

  /** A client has signed for what its answer has cost so far: it may go on as soon as that is kept. */
  pledged(peer: Peer<InferenceMessage>, pledge: PledgeMessage): void {
    const job = this.#jobs.get(jobKey(peer, pledge.requestId));
    if (job) this.#pledges.bring(job, pledge);
  }

  /** A client that is gone wants no answers. */
  abandon(peer: Peer<InferenceMessage>): void {
    for (const job of this.#jobs.values()) if (job.peer === peer) this.#stop(job, cancelled(say('mesh.clientLeft')));
  }

  /** Starts what waits, as far as there is room: after every change of queue or backend. */
  serveNext(): void {
    while (this.#running < this.#parallel && !this.#closed) {
      const next = this.#lines.take();
      if (!next) break;
      this.#running++;
      void this.#tasks.add(this.#serve(next));
    }
    this.#lookAgain();
    this.#changed();
  }

  health(): WorkerHealth {
    return this.#healthWith(0);
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

  /** Ends what runs and waits with NOT_RUNNING and resolves when the engine and the books have let go. */
  async endAll(why: QuarryError = stoppedMining()): Promise<void> {
    for (const job of this.#jobs.values()) this.#stop(job, why);
    await this.#tasks.ended();
    await this.#pledges.close();
  }

  /** {@link endAll}, for good. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#soon);
    const ended = this.endAll(shuttingDown());
    this.#notices.close();
    await ended;
  }

  /** From the cheapest check to the dearest. Undefined when the peer was dropped for what it sent. */
  #admit(peer: Peer<InferenceMessage>, prompt: Prompt): Job | undefined {
    const { credits, backend, now } = this.#options;
    const standing = credits.standing(peer.id);
    this.#admission.countAgainstRate(peer.id, standing, now());
    const verdict = this.#intake.check(prompt, peer.id, now());
    if ('offence' in verdict) {
      peer.offend(verdict.offence, verdict.detail);
      return undefined;
    }
    if ('refusal' in verdict) throw verdict.refusal;
    if (this.#jobs.has(jobKey(peer, prompt.requestId))) throw idInUse();
    const { capacity: queueCapacity } = this.#lines;
    // Who outranks one that waits is taken though there is no room: when it is paid for, the other makes room.
    const health = this.health();
    const full = this.#waiting >= openPlaces(queueCapacity, health);
    const less = full && this.#lines.outrankedBy(peer.id, standing.tier) ? 1 : 0;
    this.#admission.checkConditions(prompt, {
      health: less > 0 ? this.#healthWith(less) : health,
      backend: backend.status(),
      waiting: this.#waiting - less,
      queueCapacity,
    });
    const deadlineMs = Math.min(prompt.deadlineMs, this.#options.maxDeadlineMs);
    const job = new Job({
      prompt,
      promptHash: verdict.promptHash,
      peer,
      deadlineMs,
      onDeadline: () => this.#stop(job, tooLate(deadlineMs)),
      now,
    });
    this.#jobs.set(job.key, job);
    return job;
  }

  async #enqueue(job: Job): Promise<void> {
    try {
      job.funding = await this.#fund(job);
    } catch (error) {
      this.#forget(job);
      this.#refuse(job.peer, job.requestId, QuarryError.from(error));
      return;
    }
    try {
      if (job.aborted) throw job.aborted;
      this.#makeRoom(job);
      this.#notices.tell(job, this.#lines.add(job));
      this.serveNext();
    } catch (error) {
      await this.#fail(job, error);
    }
  }

  /** Where a line is full, one that waits gives its place to one that goes before it. */
  #makeRoom(job: Job): void {
    if (!job.funding) return;
    const { capacity } = this.#lines;
    const full = this.#waiting > openPlaces(capacity, this.#healthWith(1));
    const { funds, tier } = job.funding;
    const outranked =
      funds === 'gift' ? this.#lines.outrankedByNewcomer(job) : full && this.#lines.outrankedBy(job.peer.id, tier);
    if (outranked) {
      job.hasPutOut = true;
      this.#stop(outranked, queueFull(capacity));
    } else if (full && funds !== 'gift') throw queueFull(capacity);
  }

  /** Sets the price aside. A client that is owed too little hears first what it is owed: that it may know better next time. */
  async #fund({ requestId, prompt, peer }: Job): Promise<Funding> {
    const { credits, onTerms } = this.#options;
    const { maxTokens, vouchers = [], from: client } = prompt;
    try {
      return await credits.fund({ requestId, client, host: peer.host, maxTokens, vouchers });
    } catch (error) {
      if (QuarryError.from(error).code === 'NO_CREDIT') onTerms?.(peer);
      throw error;
    } finally {
      if (vouchers.length > 0) onTerms?.(peer);
    }
  }

  async #serve(job: Job): Promise<void> {
    const { now } = this.#options;
    const startedAt = now();
    try {
      this.#deliver(job, await job.run(this.#options.backend, this.#options.observer));
    } catch (error) {
      void this.#tasks.add(this.#fail(job, error));
    } finally {
      this.#running--;
      this.#lines.used(job, now() - startedAt, this.#parallel);
      this.serveNext();
    }
  }

  /** The end of the answer, with the receipt that the worker has signed. From here on the client owes it. */
  #deliver(job: Job, { result, served }: Answer): void {
    const receipt = this.#options.credits.bill(served);
    const { text: _, ...figures } = result;
    job.peer.send({
      v: PROTOCOL_VERSION,
      type: 'inference_result',
      requestId: job.requestId,
      ...figures,
      receipt,
    });
    this.#pledges.ended(job, undefined);
    this.#forget(job);
    this.#served++;
    this.#service.record(served.processingMs, result.tokensPerSecond);
    this.#options.observer?.served(result);
  }

  async #fail(job: Job, cause: unknown): Promise<void> {
    const { credits, log } = this.#options;
    const error = QuarryError.from(cause);
    this.#failed++;
    this.#pledges.ended(job, error.code);
    this.#forget(job);
    this.#refuse(job.peer, job.requestId, error);
    try {
      // Who has put somebody out takes nothing back: putting out and leaving would else be free.
      const asked = job.started || job.hasPutOut ? { streamed: job.streamed } : undefined;
      await credits.release({ client: job.prompt.from, requestId: job.requestId }, error.code, asked);
    } catch (failure) {
      log.error({ err: failure, requestId: job.requestId }, 'what was set aside could not be given back');
    }
  }

  /** Ends a job before its time: a waiting one here and now, a running one as soon as the engine lets go. */
  #stop(job: Job, why: QuarryError): void {
    job.abort(why);
    if (this.#lines.remove(job)) void this.#tasks.add(this.#fail(job, why));
    this.#changed();
  }

  #refuse(peer: Peer<InferenceMessage>, requestId: string, error: QuarryError): void {
    const { refusals, log } = this.#options;
    refusals.note(error.code, { peer: peer.id, requestId, why: error.message });
    if (error.code === 'INTERNAL') log.error({ err: error, requestId }, 'a request failed');
    peer.send(refusalMessage(requestId, error));
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
    const waitMs = this.#closed ? 0 : this.#lines.newcomersWaitMs;
    if (waitMs > 0) this.#soon = setTimeout(() => this.serveNext(), waitMs);
  }

  #expectedWaitMs(job: Job, ahead: number): number {
    const byOthers = this.#service.expectedWaitMs(ahead, this.#running, this.#parallel);
    return Math.max(byOthers, this.#lines.shareWaitMs(job));
  }
}
