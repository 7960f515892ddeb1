import { LRUCache } from 'lru-cache';
import type { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { GenerateResult } from '../../../src-preload/contract/inference.ts';
import { CoolDown } from './cool-down.ts';
import { afterFailure } from './retry-policy.ts';
import { isIdle, type Knowledge, roundsAhead, type SelfReport } from './selection.ts';

/** What one worker did for this client. */
interface Record {
  /** Requests that it was asked and answered, the newest counting most. */
  asked: number;
  answered: number;
  speed: Speed | undefined;
  /** Unix milliseconds. */
  lastAskedAt: number;
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
/** Most that a queue may take to come to a request, whatever its worker says, in milliseconds. */
const LONGEST_QUEUE_MS = 300_000;
/** A first token later than this is late, however slow the workers are that this client knows, in milliseconds. */
const LATEST_MS = 20_000;
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
   * How long a worker's queue may take to come to a request, in milliseconds: not at all if it claimed to be free when it
   * was chosen; else no longer than the wait that it tells, nor than the requests that it claimed (twice their time here).
   */
  longestQueueMs(worker: string, claimed: SelfReport['queue'], told: { position: number; etaMs: number }): number {
    if (isIdle(claimed)) return 0;
    const rounds = roundsAhead(claimed, Math.min(told.position, claimed.waiting));
    return Math.min(2 * told.etaMs, 2 * rounds * this.serviceMs(worker), LONGEST_QUEUE_MS);
  }

  /** The worker answered. A wait is its queue's only if it had said that there is one. */
  answered(worker: string, claimed: SelfReport, result: Omit<GenerateResult, 'text' | 'finish'>, now: number): void {
    const { firstTokenMs, totalMs, completionTokens, queuedMs } = result;
    const first = Math.max(0, isIdle(claimed.queue) ? firstTokenMs : firstTokenMs - queuedMs);
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

  /** The worker did not answer. `afterMs`: how long it had the request; `accepted`: it had taken it. */
  failed(
    worker: string,
    claimed: SelfReport,
    failure: QuarryError,
    now: number,
    afterMs: number,
    accepted = false,
  ): void {
    const effect = afterFailure(failure, claimed, accepted);
    if (effect.kind === 'fault' || (effect.kind === 'expired' && afterMs >= FAIR_MS)) {
      this.faulty(worker, now);
    } else if (effect.kind === 'busy') {
      if (effect.claimedRoom) this.#end(worker, now);
      this.#coolDown.busy(worker, now + effect.forMs);
    }
    this.#note(worker, now);
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
    const record = this.#records.get(worker) ?? { asked: 0, answered: 0, speed: undefined, lastAskedAt: now };
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
