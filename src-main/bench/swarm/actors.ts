import { type ErrorCode, QuarryError } from '../../../src-preload/contract/errors.ts';
import { openPlaces } from '../../base/open-places.ts';
import type { Served, Standing } from '../../credits/credits.ts';
import type { CreditBook } from '../../credits/ledger/credit-book.ts';
import { costOf } from '../../credits/price.ts';
import { type ReceiptBody, receiptBytes, type WorkerReceipt } from '../../credits/receipt.ts';
import { pointsFor } from '../../credits/score/points.ts';
import { dayOf, NO_SCORE, type ScoreState, scoreFailure, scoreReceipt } from '../../credits/score/score.ts';
import { tierOf } from '../../credits/tiers.ts';
import { Experience } from '../../mesh/asking/experience.ts';
import type { Tries } from '../../mesh/asking/retry-policy.ts';
import { claimedOf, type SelfReport, selectWorker } from '../../mesh/asking/selection.ts';
import { Admission, type WorkerHealth } from '../../mesh/serving/queue/admission.ts';
import { RequestQueue } from '../../mesh/serving/queue/queue.ts';
import type { Identity } from '../../mesh/transport/identity.ts';
import { FREE_AND_WELL, type Lie } from './liars.ts';

/** Requests that may wait at a simulated worker, and the model that all of them serve. */
export const QUEUE_CAPACITY = 64;
export const MODEL = { name: 'sim', contextSize: 8_192, parallel: 1, device: 'cpu' };

/** One request on its way through the swarm. Times are virtual milliseconds. */
export interface SwarmRequest {
  /** 32 hex. */
  id: string;
  client: SwarmClient;
  askedAt: number;
  promptChars: number;
  maxTokens: number;
  completionTokens: number;
  tries: Tries;
  /** The attempt under way: when it was sent, and what its worker had said of itself. */
  sentAt: number;
  /** Workers that were late for it. */
  overtaken: number;
  selfReport: SelfReport | undefined;
  /** When it came into the queue where it waits now. */
  queuedAt: number;
}

/** A simulated worker: the real queue, admission, prices and score, around an engine that is a clock. */
export class SwarmWorker {
  readonly id: string;
  readonly queue = new RequestQueue<SwarmRequest>({ capacity: QUEUE_CAPACITY });
  readonly running = new Set<SwarmRequest>();
  readonly parallel: number;
  readonly tokensPerSecond: number;
  readonly rttMs: number;
  /** A ledger of its own, for the workers of the sample. */
  book: CreditBook | undefined;
  /** What it earned in the swarm, on top of the points that it came with. */
  score: ScoreState = NO_SCORE;
  alive = true;
  /** What it does instead of serving; undefined for the honest. */
  lie: Lie | undefined;
  readonly #admission = new Admission();
  readonly #startPoints: number;
  /** Receipts that counted today, by client. */
  readonly #pairs = new Map<string, number>();

  constructor(id: string, traits: { parallel: number; tokensPerSecond: number; rttMs: number; points: number }) {
    this.id = id;
    this.parallel = traits.parallel;
    this.tokensPerSecond = traits.tokensPerSecond;
    this.rttMs = traits.rttMs;
    this.#startPoints = traits.points;
  }

  get standing(): Standing {
    const points = this.#startPoints + this.score.total;
    return { points, tier: tierOf(points) };
  }

  /** What clients hear of it. */
  get status(): SelfReport {
    if (this.lie) return { ready: this.alive, ...FREE_AND_WELL, models: [MODEL] };
    const { score, state, capacity } = this.#health();
    return {
      ready: this.alive,
      health: { score, state, capacity },
      queue: {
        waiting: this.queue.size,
        running: this.running.size,
        parallel: this.parallel,
        capacity: openPlaces(QUEUE_CAPACITY, { capacity }),
      },
      models: [MODEL],
    };
  }

  /** @throws what the real admission, ledger and queue throw */
  async accept(request: SwarmRequest, now: number): Promise<void> {
    const { client } = request;
    this.#admission.countAgainstRate(client.id, client.standing, now);
    this.#admission.checkConditions(
      { model: MODEL.name },
      {
        health: this.#health(),
        backend: { state: 'ready', model: MODEL, active: this.running.size, waiting: 0 },
        others: [],
        waiting: this.queue.size,
        queueCapacity: QUEUE_CAPACITY,
      },
    );
    await this.book?.worker.fund({
      requestId: request.id,
      client: client.id,
      host: '127.0.0.1',
      maxTokens: request.maxTokens,
      vouchers: [],
    });
    const { tier } = client.standing;
    try {
      this.queue.add({ requestId: request.id, client: client.id, tier, value: request }, now);
    } catch (error) {
      await this.failed(request, QuarryError.from(error).code); // as the dispatcher gives it back
      throw error;
    }
    request.queuedAt = now;
  }

  /** Milliseconds that the engine needs: all its places go at the same speed. */
  serviceMs({ promptChars, completionTokens }: Pick<SwarmRequest, 'promptChars' | 'completionTokens'>): number {
    return 50 + promptChars / 4 + (completionTokens * 1_000) / this.tokensPerSecond;
  }

  async served(request: SwarmRequest, processingMs: number, servedAt: number): Promise<void> {
    const { client, promptChars, completionTokens } = request;
    const work: Served = {
      requestId: request.id,
      client: client.id,
      model: MODEL.name,
      promptHash: '0'.repeat(64),
      resultHash: '0'.repeat(64),
      promptTokens: Math.ceil(promptChars / 4),
      completionTokens,
      promptChars,
      resultChars: completionTokens * 4,
      firstTokenMs: 50,
      processingMs: Math.round(processingMs),
      servedAt: Math.round(servedAt),
    };
    this.#earn({ v: 2, ...work, worker: this.id, points: pointsFor(work), cost: costOf(work) });
    if (!this.book) return;
    const bill = this.book.worker.bill(work);
    await this.book.worker.settle({ ...bill, clientSig: client.sign(bill) });
  }

  async failed(request: SwarmRequest, code: ErrorCode): Promise<void> {
    if (code === 'ENGINE_CRASHED') this.score = scoreFailure(this.score);
    await this.book?.worker.release({ client: request.client.id, requestId: request.id }, code);
  }

  #earn(body: ReceiptBody): void {
    const pair = `${body.client} ${dayOf(body.servedAt)}`;
    const count = this.#pairs.get(pair) ?? 0;
    const step = scoreReceipt(this.score, body, count);
    if (step.counted > 0) this.#pairs.set(pair, count + 1);
    this.score = step.state;
  }

  /** The load makes the health: an engine at work and a queue are all that a simulated machine has. */
  #health(): WorkerHealth {
    const busy = this.running.size / this.parallel;
    const score = 100 - 40 * busy - 40 * (this.queue.size / QUEUE_CAPACITY);
    const state = score > 80 ? 'idle' : score > 60 ? 'light' : 'moderate';
    return { score, state, capacity: 100, accepting: this.alive };
  }
}

/** A simulated client: the real selection and the real experience with the workers that it knows. */
export class SwarmClient {
  readonly id: string;
  readonly #identity: Identity;
  /** The worker on the same machine, whose points the client stands on; undefined for those who only ask. */
  readonly #self: SwarmWorker | undefined;
  readonly #known: readonly SwarmWorker[];
  readonly #experience = new Experience();
  readonly #random: () => number;

  constructor(options: {
    identity: Identity;
    self: SwarmWorker | undefined;
    known: readonly SwarmWorker[];
    random: () => number;
  }) {
    this.id = options.identity.id;
    this.#identity = options.identity;
    this.#self = options.self;
    this.#known = options.known;
    this.#random = options.random;
  }

  get standing(): Standing {
    return this.#self?.standing ?? { points: 0, tier: 'newcomer' };
  }

  /** Signs a worker's bill; 128 hex. */
  sign({ body }: WorkerReceipt): string {
    return this.#identity.sign(receiptBytes(body));
  }

  /** As the mesh client chooses. */
  choose(request: SwarmRequest, now: number): SwarmWorker | undefined {
    const { tried } = request.tries;
    const candidates = this.#candidates();
    const chosen = selectWorker(candidates, { model: MODEL.name, tried }, this.#experience, now, this.#random);
    request.sentAt = now;
    request.selfReport = chosen?.selfReport;
    return chosen?.worker;
  }

  /** As the mesh client learns from an answer. */
  answered(request: SwarmRequest, worker: SwarmWorker, startedAt: number, now: number): void {
    const { sentAt, completionTokens, selfReport, tries } = request;
    if (!selfReport) return;
    const queuedMs = startedAt - sentAt;
    const times = { queuedMs, firstTokenMs: queuedMs + 50, totalMs: now - sentAt, tokensPerSecond: 0 };
    const result = { promptTokens: 0, cachedTokens: 0, completionTokens, ...times };
    this.#experience.answered(worker.id, claimedOf(selfReport, MODEL.name), result, now);
    for (const liar of tries.blamedFalsely(selfReport)) this.#experience.blamed(liar, now);
  }

  /** As the mesh client learns from a failure. @returns whether it goes on */
  failed(request: SwarmRequest, worker: SwarmWorker, failure: QuarryError, accepted: boolean, now: number): boolean {
    const { selfReport, tries, sentAt } = request;
    if (!selfReport) return false;
    const { id } = worker;
    const code: ErrorCode = failure.code;
    tries.failed({ worker: id, code, selfReport, accepted, proven: this.#experience.works(id) });
    this.#experience.failed(id, claimedOf(selfReport, MODEL.name), failure, now, now - sentAt);
    return !tries.enough(this.#known.some((other) => other.alive && !tries.tried.has(other.id)));
  }

  /** Milliseconds that an attempt at a liar lasts. */
  patienceWith({ selfReport }: SwarmRequest, worker: SwarmWorker, { accepted, afterMs, etaMs }: Lie): number {
    if (!selfReport || !accepted) return afterMs;
    const claimed = claimedOf(selfReport, MODEL.name);
    return afterMs + this.#experience.longestQueueMs(worker.id, claimed, { position: 0, etaMs });
  }

  /** Milliseconds after which another worker is asked too. */
  lateMs(worker: SwarmWorker): number {
    return this.#experience.works(worker.id) ? Number.POSITIVE_INFINITY : this.#experience.lateMs;
  }

  /** A worker was too slow: another one is asked. */
  overtook({ tries }: SwarmRequest, worker: SwarmWorker, now: number): void {
    tries.tried.add(worker.id);
    this.#experience.disappointed(worker.id, now);
  }

  #candidates() {
    return this.#known.map((worker) => ({ id: worker.id, selfReport: worker.status, rttMs: worker.rttMs, worker }));
  }
}
