import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type SeededRandom, seededRandom } from '../../base/seeded-random.ts';
import { type Tier, tierRank } from '../../credits/tiers.ts';
import { MOST_OVERTAKING } from '../../mesh/asking/client.ts';
import { MS_PER_RANK, type QueueItem } from '../../mesh/serving/queue/queue.ts';
import type { SwarmRequest, SwarmWorker } from './actors.ts';
import type { Lie } from './liars.ts';
import { SwarmPopulation } from './population.ts';
import { START, VirtualTime } from './virtual-time.ts';

/** Demand in turns of a minute, as a share of what the swarm can serve: quiet, then too much. */
const DEMAND = [0.7, 1.15];
const TURN_MS = 60_000;
/** The mesh client's own patience, in milliseconds, to find a worker with room. */
const FIND_WORKER_MS = 10_000;
const LOOK_AGAIN_MS = 250;
/** One request in so many fails in the engine; one worker in so many vanishes once, for a minute. */
const ENGINE_FAILURE = 1 / 200;
const WORKER_LOSS = 1 / 30;
const AWAY_MS = 60_000;
/** Milliseconds until a client notices that its worker is gone. */
const NOTICE_MS = 1_000;

export interface SwarmOptions {
  workers: number;
  requests: number;
  seed: number;
  /** So many of the workers lie; or are not there, if `away`. Default 0. */
  liars?: number;
  away?: boolean;
  /** Demand in turns of a minute, as a share of what the honest serve. Default: quiet, then too much. */
  demand?: readonly number[];
}

/** What became of one request. Virtual milliseconds. */
export interface Outcome {
  client: string;
  tier: Tier;
  /** From being asked until decoding began, failed attempts included. */
  waitMs: number;
  serviceMs: number;
}

export interface SwarmResult {
  outcomes: Outcome[];
  /** Codes of the errors that requests ended with: what was lost. */
  lost: string[];
  retries: number;
  /** Attempts that went to liars. */
  deceived: number;
  virtualMs: number;
  /** Times that a request was overtaken by one that came later than ageing allows. */
  overtaken: number;
  /** Ledgers that were kept, and those that did not verify or disagree with the simulation. */
  ledgers: number;
  unsound: number;
}

/** A master may come so much later than a newcomer and still be served first, in milliseconds. */
export const LONGEST_HEAD_START_MS = tierRank('master') * MS_PER_RANK;

/** A swarm in virtual time: clients ask, workers queue and serve, some fail; every decision is made by the real code. */
export class SwarmSimulation {
  readonly #requests: number;
  readonly #demand: readonly number[];
  readonly #random: SeededRandom;
  readonly #swarm: SwarmPopulation;
  readonly #time = new VirtualTime();
  readonly #result: SwarmResult = {
    outcomes: [],
    lost: [],
    retries: 0,
    deceived: 0,
    virtualMs: 0,
    overtaken: 0,
    ledgers: 0,
    unsound: 0,
  };

  constructor({ workers, requests, seed, liars, away, demand = DEMAND }: SwarmOptions) {
    this.#requests = requests;
    this.#demand = demand;
    this.#random = seededRandom(seed);
    const now = () => Math.round(this.#time.now);
    this.#swarm = new SwarmPopulation({ workers, seed, random: this.#random, now, liars, away });
  }

  async run(signal?: AbortSignal): Promise<SwarmResult> {
    try {
      await this.#swarm.openBooks();
      this.#scheduleDemand();
      this.#scheduleLosses();
      await this.#time.run(signal);
      await this.#audit();
      return this.#result;
    } finally {
      await this.#swarm.close();
    }
  }

  #scheduleDemand(): void {
    const { uniform } = this.#random;
    const perMs = this.#swarm.capacityPerMs();
    let at = START;
    for (let count = 0; count < this.#requests; count++) {
      const demand = this.#demand[Math.floor((at - START) / TURN_MS) % this.#demand.length] ?? 1;
      at += -Math.log(1 - uniform()) / (perMs * demand);
      const request = this.#swarm.request(count, at);
      this.#time.schedule(at, () => this.#ask(request));
    }
  }

  #scheduleLosses(): void {
    const lastAt = START + this.#requests / this.#swarm.capacityPerMs();
    for (const worker of this.#swarm.honest) {
      if (this.#random.uniform() >= WORKER_LOSS) continue;
      const at = START + this.#random.uniform() * (lastAt - START);
      this.#time.schedule(at, () => this.#lose(worker));
      this.#time.schedule(at + AWAY_MS, () => {
        worker.alive = true;
      });
    }
  }

  async #ask(request: SwarmRequest): Promise<void> {
    const worker = request.client.choose(request, this.#time.now);
    if (!worker) return this.#lookAgain(request);
    if (worker.lie) return this.#deceive(request, worker, worker.lie);
    try {
      await worker.accept(request, this.#time.now);
      this.#serveNext(worker);
    } catch (error) {
      this.#failed(request, worker, QuarryError.from(error), false);
    }
  }

  #lookAgain(request: SwarmRequest): void {
    if (this.#time.now - request.askedAt > FIND_WORKER_MS) this.#result.lost.push('OVERLOADED');
    else this.#time.schedule(this.#time.now + LOOK_AGAIN_MS, () => this.#ask(request));
  }

  /** A liar that is late is overtaken, as by the mesh client, but here the liar's attempt is over with that. */
  #deceive(request: SwarmRequest, worker: SwarmWorker, lie: Lie): void {
    this.#result.deceived++;
    const { code, accepted } = lie;
    const { client } = request;
    const attemptMs = client.patienceWith(request, worker, lie);
    const lateMs = client.lateMs(worker);
    if (attemptMs > lateMs && request.overtaken++ < MOST_OVERTAKING) {
      this.#time.schedule(this.#time.now + lateMs, () => {
        client.overtook(request, worker, this.#time.now);
        return this.#ask(request);
      });
      return;
    }
    const error = new QuarryError({ code, message: 'simulated' });
    this.#time.schedule(this.#time.now + worker.rttMs + attemptMs, () =>
      this.#failed(request, worker, error, accepted),
    );
  }

  /** An attempt came to nothing: the mesh client's own rules say what then. */
  #failed(request: SwarmRequest, worker: SwarmWorker, error: QuarryError, accepted: boolean): void {
    if (!request.client.failed(request, worker, error, accepted, this.#time.now)) {
      this.#result.lost.push(error.code);
      return;
    }
    this.#result.retries++;
    this.#time.schedule(this.#time.now + worker.rttMs, () => this.#ask(request));
  }

  #serveNext(worker: SwarmWorker): void {
    while (worker.alive && worker.running.size < worker.parallel) {
      const next = worker.queue.take(this.#time.now);
      if (!next) return;
      this.#countOvertaken(worker, next.value);
      worker.running.add(next.value);
      const startedAt = this.#time.now;
      const failing = this.#random.uniform() < ENGINE_FAILURE;
      const serviceMs = worker.serviceMs(next.value) * (failing ? this.#random.uniform() : 1);
      this.#time.schedule(startedAt + serviceMs, () => this.#finish(worker, next, startedAt, failing));
    }
  }

  #countOvertaken({ queue }: SwarmWorker, next: SwarmRequest): void {
    for (const { value } of queue) if (value.queuedAt + LONGEST_HEAD_START_MS < next.queuedAt) this.#result.overtaken++;
  }

  async #finish(
    worker: SwarmWorker,
    { value: request, tier }: QueueItem<SwarmRequest>,
    startedAt: number,
    failing: boolean,
  ): Promise<void> {
    if (!worker.running.delete(request)) return; // it was lost with its worker
    if (failing) {
      await worker.failed(request, 'ENGINE_CRASHED');
      this.#failed(request, worker, new QuarryError({ code: 'ENGINE_CRASHED', message: 'simulated' }), true);
    } else {
      const serviceMs = this.#time.now - startedAt;
      await worker.served(request, serviceMs, this.#time.now);
      request.client.answered(request, worker, startedAt, this.#time.now);
      const waitMs = startedAt - request.askedAt;
      this.#result.outcomes.push({ client: request.client.id, tier, waitMs, serviceMs });
      this.#result.virtualMs = this.#time.now - START;
    }
    this.#serveNext(worker);
  }

  /** A worker vanishes with all that waits and runs there. */
  async #lose(worker: SwarmWorker): Promise<void> {
    worker.alive = false;
    const waiting = [...worker.queue].map(({ value }) => value);
    for (const request of waiting) worker.queue.remove(request.id);
    for (const request of [...waiting, ...worker.running]) {
      worker.running.delete(request);
      await worker.failed(request, 'NOT_RUNNING');
      const error = new QuarryError({ code: 'WORKER_LOST', message: 'simulated' });
      this.#time.schedule(this.#time.now + NOTICE_MS, () => this.#failed(request, worker, error, true));
    }
  }

  /** Every ledger must prove itself, and have counted what the simulation counted. */
  async #audit(): Promise<void> {
    for (const { book, score } of this.#swarm.workers) {
      if (!book) continue;
      this.#result.ledgers++;
      const { ok, openReservations } = await book.verify();
      const { points } = await book.summary();
      if (!ok || openReservations > 0 || points !== score.total) this.#result.unsound++;
    }
  }
}
