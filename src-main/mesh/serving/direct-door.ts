import { randomUUID } from 'node:crypto';
import type { GenerateRequest } from '../../../src-preload/contract/request.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { DecayingWeights } from '../../base/decaying-weights.ts';
import { networkPrefix } from '../../base/network-prefix.ts';
import type { Tier } from '../../credits/tiers.ts';
import { type DirectEvent, DirectJob } from './direct-job.ts';
import type { Dispatcher } from './queue/dispatcher.ts';
import { type AskBackend, cancelled } from './queue/job.ts';
import { queueFull } from './queue/queue.ts';

/** Share of the queue's open places that those of this door may take together: as many are always left to the mesh. */
const SHARE = 0.5;
/** What a newcomer's network has had is half forgotten after a day; of so many networks it is known. */
const HALF_LIFE_MS = 24 * 3_600_000;
const NETWORKS = 4_096;

export interface DirectDoorOptions {
  dispatcher: Pick<Dispatcher, 'count' | 'take' | 'stop' | 'open'>;
  /** Milliseconds. */
  maxDeadlineMs: number;
  now: () => number;
}

/** Who asks, and how. */
export interface DirectOptions {
  /** Unlike all others: of one client only so many requests wait, and so many are taken a minute. */
  client: string;
  /** The address that the client comes from. */
  host: string;
  /** How the backend is asked. Default: for an answer to the request. */
  ask?: AskBackend;
  /** How soon it is served. A `newcomer` waits in the line of newcomers, where all of one network count as one. */
  tier: Tier;
  /** Default: whichever model is loaded. */
  model?: string;
  /** Default, and most: as of requests of the mesh. */
  deadlineMs?: number;
  /** Aborted when nobody wants the answer any more. */
  signal?: AbortSignal;
}

/** By this door requests come that are not paid by credits, a Bittensor hotkey's for one: into the same queue, under the same limits. */
export class DirectDoor {
  readonly #options: DirectDoorOptions;
  /** Those that have not ended. */
  readonly #jobs = new Set<DirectJob>();
  readonly #given = new DecayingWeights(HALF_LIFE_MS, NETWORKS);

  constructor(options: DirectDoorOptions) {
    this.#options = options;
  }

  /** What newcomers of a network prefix have had by this door lately, in credits. */
  given(prefix: string): number {
    return this.#given.of(prefix, this.#options.now());
  }

  /**
   * Asks for an answer: pieces as they come, then one `done`. Who reads slowly holds up nobody; who returns early, or whose signal aborts,
   * ends the request.
   *
   * @throws RATE_LIMIT, OVERLOADED, ENGINE_UNAVAILABLE, MODEL_NOT_FOUND, QUEUE_FULL before the first piece; CANCELLED, DEADLINE,
   * NOT_RUNNING, ENGINE_CRASHED and what else the backend throws at any time
   */
  async *generate(request: GenerateRequest, options: DirectOptions): AsyncGenerator<DirectEvent, void, undefined> {
    const { signal } = options;
    const job = this.#take(request, options);
    const leave = () => this.#options.dispatcher.stop(job, cancelled(say('mesh.clientLeft')));
    signal?.addEventListener('abort', leave, { once: true });
    if (signal?.aborted) leave();
    try {
      yield* job.events;
    } finally {
      signal?.removeEventListener('abort', leave);
      leave();
    }
  }

  #take(request: GenerateRequest, { client, host, tier, ask, model, deadlineMs = Infinity }: DirectOptions): DirectJob {
    const { dispatcher, maxDeadlineMs, now } = this.#options;
    const place = { client, tier, prefix: networkPrefix(host), isNewcomer: tier === 'newcomer' };
    // Keys cost nothing: of strangers their network is counted.
    dispatcher.count(place.isNewcomer ? place.prefix : client, tier);
    if (!place.isNewcomer) this.#refuseBeyondShare();
    const job: DirectJob = new DirectJob({
      ...{ key: `${client}/${randomUUID()}`, client, tier, place, request, ask, model, now },
      deadlineMs: Math.min(deadlineMs, maxDeadlineMs),
      onEnd: (credits) => {
        this.#jobs.delete(job);
        if (place.isNewcomer && credits > 0) this.#given.add(place.prefix, credits, now());
      },
    });
    dispatcher.take(job);
    this.#jobs.add(job);
    return job;
  }

  /** @throws QUEUE_FULL */
  #refuseBeyondShare(): void {
    const share = Math.max(1, Math.floor(this.#options.dispatcher.open * SHARE));
    const waiting = [...this.#jobs].filter(({ started, isNewcomer }) => !started && !isNewcomer).length;
    if (waiting >= share) throw queueFull(share);
  }
}
