import { LRUCache } from 'lru-cache';
import type { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { GenerateResult } from '../../../src-preload/contract/inference.ts';
import { CoolDown } from './cool-down.ts';
import { afterFailure } from './retry-policy.ts';
import { type Claimed, isIdle, type Knowledge, roundsAhead } from './selection.ts';

/** What one worker did for this client. */
interface Record {
  /** Requests that it was asked and answered, the newest counting most. */
  asked: number;
  answered: number;
  speed: Speed | undefined;
  /** Unix milliseconds. */
  lastAskedAt: number;
  /** When it last had no room to load what it offers to load, in Unix milliseconds. */
  refusedToLoadAt: number;
}

interface Speed {
  firstTokenMs: number;
  msPerToken: number;
}

/** Workers that are remembered, connected or not. */
const MAX_WORKERS = 10_000;
/** Weight of the newest answer in the moving averages, and what an older one still counts when a new one ended. */
const NEWEST = 0.2;
const MEMORY = 1 - NEWEST;
/** A stranger is taken to have failed at two of three: with half of the workers lying, one that answered once is worth more. */
const STRANGER = { asked: 3, answered: 1 };
/** Expected before this client has had an answer from anybody. */
const ASSUMED: Speed = { firstTokenMs: 1_000, msPerToken: 30 };
/** The answer whose time is compared: what was measured had other lengths. */
const TYPICAL_TOKENS = 128;
/** A worker that failed is worth another look after this long, in milliseconds. */
const FORGIVEN_MS = 600_000;
/** Most that a queue and loading may take to come to a request, whatever its worker says, in milliseconds. */
const LONGEST_QUEUE_MS = 300_000;
/** A first token later than this is late, however slow the workers are that this client knows, in milliseconds. */
const LATEST_MS = 20_000;
/** Who offers to load a model and has no room for it says so once in so many milliseconds for nothing. */
const REFUSES_TO_LOAD_MS = 300_000;
/** An own deadline says something about the worker only if it had the request for so long, in milliseconds. */
const FAIR_MS = 30_000;

/**
 * What this client has seen of workers: who answered, how fast, who failed. It outlives their connections, and nothing
 * that a worker says of itself is in it.
 */
export class Experience implements Knowledge {
  readonly #records = new LRUCache<string, Record>({ max: MAX_WORKERS });
  readonly #coolDown = new CoolDown();
  #typical: Speed | undefined;

  isCooling(worker: string, now: number): boolean {
    return this.#coolDown.isCooling(worker, now);
  }

  works(worker: string): boolean {
    return this.successRate(worker) > STRANGER.answered / STRANGER.asked;
  }

  fails(worker: string): boolean {
    return this.successRate(worker) < STRANGER.answered / STRANGER.asked;
  }

  askedLately(worker: string, now: number): boolean {
    const record = this.#records.peek(worker);
    return record !== undefined && now - record.lastAskedAt < FORGIVEN_MS;
  }

  successRate(worker: string): number {
    const { asked = 0, answered = 0 } = this.#records.peek(worker) ?? {};
    return (answered + STRANGER.answered) / (asked + STRANGER.asked);
  }

  serviceMs(worker: string): number {
    const { firstTokenMs, msPerToken } = this.#records.peek(worker)?.speed ?? this.#typical ?? ASSUMED;
    return firstTokenMs + TYPICAL_TOKENS * msPerToken;
  }

  /** Milliseconds after which a first token is late, as this client knows workers. */
  get lateMs(): number {
    const { firstTokenMs } = this.#typical ?? ASSUMED;
    return Math.min(LATEST_MS, Math.max(ASSUMED.firstTokenMs, 3 * firstTokenMs));
  }

  /**
   * How long a worker may take to come to a request, in milliseconds: not at all if it claimed to be free when it was chosen and to have
   * the model in memory; else no longer than the wait that it tells, nor than the requests and the loading that it claimed (twice their
   * time). So who said that it has to load for 20 s is not given up while it does, and who lies about it gains no more than it said.
   */
  longestQueueMs(
    worker: string,
    { queue, loadMs }: Pick<Claimed, 'queue' | 'loadMs'>,
    told: { position: number; etaMs: number },
  ): number {
    const rounds = roundsAhead(queue, Math.min(told.position, queue.waiting));
    return Math.min(2 * told.etaMs, 2 * (rounds * this.serviceMs(worker) + loadMs), LONGEST_QUEUE_MS);
  }

  /** The worker answered. A wait is its queue's, or for loading, only if it had said that there is one. */
  answered(worker: string, claimed: Claimed, result: Omit<GenerateResult, 'text' | 'finish'>, now: number): void {
    const { firstTokenMs, totalMs, completionTokens, queuedMs } = result;
    const waited = isIdle(claimed.queue) ? Math.min(queuedMs, claimed.loadMs) : queuedMs;
    const first = Math.max(0, firstTokenMs - waited);
    const record = this.#end(worker, now);
    const before = record.speed ?? this.#typical ?? ASSUMED;
    const perToken =
      completionTokens > 1 ? Math.max(0, totalMs - firstTokenMs) / (completionTokens - 1) : before.msPerToken;
    const seen = { firstTokenMs: first, msPerToken: perToken };
    record.answered++;
    record.speed = blend(record.speed, seen);
    this.#typical = blend(this.#typical, seen);
    this.#coolDown.succeeded(worker);
  }

  /** The worker did not answer. @param afterMs how long it had the request @param came `accepted`: it had taken it; `begun`: so that something came */
  failed(
    worker: string,
    claimed: Claimed,
    failure: QuarryError,
    now: number,
    afterMs: number,
    { accepted = false, begun = false } = {},
  ): void {
    const effect = afterFailure(failure, claimed, accepted);
    if (effect.kind === 'fault' || (effect.kind === 'expired' && afterMs - claimed.loadMs >= FAIR_MS)) {
      this.faulty(worker, now);
    } else if (effect.kind === 'expired') {
      // Else who promises to load for longer than the request has could be silent for ever.
      if (claimed.loadMs > 0 && accepted && !begun) this.disappointed(worker, now);
    } else if (effect.kind === 'busy') {
      const claimedRoom = effect.claimedRoom === 'to load' ? this.#refusesToLoad(worker, now) : effect.claimedRoom;
      if (claimedRoom) this.#end(worker, now);
      this.#coolDown.busy(worker, now + effect.forMs);
    }
    this.#note(worker, now);
  }

  /** Memory may be gone since it said that it has some: once. @returns whether it has refused before, not long ago */
  #refusesToLoad(worker: string, now: number): boolean {
    const record = this.#note(worker, now);
    const again = now - record.refusedToLoadAt < REFUSES_TO_LOAD_MS;
    record.refusedToLoadAt = now;
    return again;
  }

  /** It took a request and did not serve it: it is left alone for a while. */
  faulty(worker: string, now: number): void {
    this.#end(worker, now);
    this.#coolDown.failed(worker, now);
  }

  /** It found fault with a request that another has served; `accepted`: after it had taken it. */
  blamed({ worker, accepted }: { worker: string; accepted: boolean }, now: number): void {
    if (accepted) this.faulty(worker, now);
    else this.disappointed(worker, now);
  }

  /** It was too slow, or found fault with a request that another has served: its next ones go elsewhere, if they can. */
  disappointed(worker: string, now: number): void {
    this.#end(worker, now);
  }

  /** One more request has ended. */
  #end(worker: string, now: number): Record {
    const record = this.#note(worker, now);
    record.asked = record.asked * MEMORY + 1;
    record.answered *= MEMORY;
    return record;
  }

  #note(worker: string, now: number): Record {
    const record = this.#records.get(worker) ?? {
      ...{ asked: 0, answered: 0, speed: undefined, lastAskedAt: now },
      refusedToLoadAt: Number.NEGATIVE_INFINITY,
    };
    record.lastAskedAt = now;
    this.#records.set(worker, record);
    return record;
  }
}

function blend(average: Speed | undefined, seen: Speed): Speed {
  if (!average) return seen;
  const { firstTokenMs, msPerToken } = average;
  return {
    firstTokenMs: firstTokenMs + NEWEST * (seen.firstTokenMs - firstTokenMs),
    msPerToken: msPerToken + NEWEST * (seen.msPerToken - msPerToken),
  };
}
