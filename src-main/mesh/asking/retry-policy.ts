import { type ErrorCode, QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { tokensFor } from '../../credits/price.ts';
import { type Claimed, isIdle, type SelfReport } from './selection.ts';

/**
 * What a failure says about the worker: it is broken or lies; it has no room for a while, though it claimed some or not;
 * it blames the request; this node's own time was over; or nothing.
 */
export type FailureEffect =
  | { kind: 'fault' | 'blame' | 'expired' | 'none' }
  /** `to load`: it claimed room for a model that it has not in memory. */
  | { kind: 'busy'; forMs: number; claimedRoom: boolean | 'to load' };

/** The worker says that the request is at fault. It may be so, or so for this worker, or a lie: others are asked. */
const BLAMES_REQUEST: ReadonlySet<ErrorCode> = new Set(['BAD_REQUEST', 'CONTEXT_TOO_LONG', 'MODEL_NOT_FOUND']);
/** The worker works, but not for this client now. */
const REFUSES_CLIENT: ReadonlySet<ErrorCode> = new Set(['NO_CREDIT', 'RATE_LIMIT']);
const LACKS_ROOM: ReadonlySet<ErrorCode> = new Set(['NOT_RUNNING', 'OVERLOADED', 'QUEUE_FULL']);
const KILLS_ENGINES: ReadonlySet<ErrorCode> = new Set(['ENGINE_CRASHED', 'OUT_OF_MEMORY']);

const DEFAULT_BUSY_MS = 2_000;
const HOUR_MS = 3_600_000;
/** A request that so many workers blame is at fault: with half of them lying, all of them lie once in 256 times. */
const MOST_BLAMES = 8;
/** A request that killed the engines of so many workers known to work goes to no further one. */
const MOST_CRASHES = 3;
/** Workers that answer without a word are believed when they weigh so much together: one that has answered this client before counts twice. */
const ENOUGH_EMPTY = 3;

/**
 * @param claimed what the worker said of itself when it was chosen
 * @param accepted it had taken the request: to refuse it then is its own fault, and may be what it lives on
 */
export function afterFailure(
  { code, retryAfterMs }: QuarryError,
  claimed: Pick<Claimed, 'queue' | 'loadMs'>,
  accepted = false,
): FailureEffect {
  // Of the worker's own DEADLINE and CANCELLED an attempt makes WORKER_LOST: these are ours.
  if (code === 'DEADLINE') return { kind: 'expired' };
  if (code === 'CANCELLED') return { kind: 'none' };
  // It was chosen because it claims the model.
  if (code === 'MODEL_NOT_FOUND') return { kind: 'fault' };
  if (BLAMES_REQUEST.has(code)) return { kind: 'blame' };
  if (accepted) return { kind: 'fault' };
  // Its terms say what it would serve this client for; what was not enough today may be earned in a minute.
  if (code === 'NO_CREDIT') return { kind: 'busy', forMs: DEFAULT_BUSY_MS, claimedRoom: false };
  const lacksRoom = LACKS_ROOM.has(code);
  if (!lacksRoom && !REFUSES_CLIENT.has(code)) return { kind: 'fault' };
  // What it does not load now says nothing of what it has in memory.
  const claimedRoom = lacksRoom && isIdle(claimed.queue);
  if (claimed.loadMs > 0) return { kind: 'busy', forMs: DEFAULT_BUSY_MS, claimedRoom: claimedRoom && 'to load' };
  return { kind: 'busy', forMs: retryAfterMs ?? DEFAULT_BUSY_MS, claimedRoom };
}

/** A worker ended its answer without a word. It may be right: see {@link Tries.empty}. */
export class EmptyAnswer extends QuarryError {
  constructor() {
    super({ code: 'WORKER_LOST', message: say('mesh.emptyAnswer'), retryable: true });
  }
}

/** How one worker failed at a request. */
export interface Failure {
  worker: string;
  code: ErrorCode;
  selfReport: SelfReport;
  /** It had taken the request: engine time was spent. */
  accepted: boolean;
  /** It has answered this client before. */
  proven: boolean;
  /** When the worker said that it may be asked again, in milliseconds from then. */
  retryAfterMs?: number | undefined;
}

/** The workers that failed at one request, and when there were enough of them. */
export class Tries {
  readonly tried = new Set<string>();
  readonly #attempts: number;
  readonly #model: string | undefined;
  readonly #blames: Failure[] = [];
  #accepted = 0;
  #refused = 0;
  #crashes = 0;
  /** Refusals because nothing pays for the request. */
  readonly #unpaid: Failure[] = [];

  readonly #empty = new Map<string, number>();

  /** @param attempts workers that may take the request and fail */
  constructor(attempts: number, model: string | undefined) {
    this.#attempts = attempts;
    this.#model = model;
  }

  /** A worker answered without a word. @param proven it has answered this client before. @returns whether it is believed now */
  empty(worker: string, proven: boolean): boolean {
    this.#empty.set(worker, proven ? 2 : 1);
    return this.#empty.values().reduce((sum, weight) => sum + weight, 0) >= ENOUGH_EMPTY;
  }

  failed(failure: Failure): void {
    this.tried.add(failure.worker);
    if (failure.accepted) this.#accepted++;
    else this.#refused++;
    if (BLAMES_REQUEST.has(failure.code)) this.#blames.push(failure);
    if (KILLS_ENGINES.has(failure.code) && failure.proven) this.#crashes++;
    if (failure.code === 'NO_CREDIT' && !failure.accepted) this.#unpaid.push(failure);
  }

  /**
   * What the caller is told when this was the last failure: of credits in this node's own words, since it is about all workers.
   *
   * @param price what was asked for, in tokens of an answer and in credits, and the most credits that one worker in reach would serve for
   */
  asTold(failure: QuarryError, price: { tokens: number; credits: number; affordable: number }): QuarryError {
    if (failure.code !== 'NO_CREDIT' || this.#unpaid.length === 0) return failure;
    const { tokens, credits, affordable } = price;
    const waits = this.#unpaid.flatMap(({ retryAfterMs }) => retryAfterMs ?? []);
    const retryAfterMs = waits.length > 0 ? Math.min(...waits) : undefined;
    const shorter = affordable < credits ? tokensFor(affordable) : 0;
    const ways = [say('mesh.serveToAsk')];
    if (retryAfterMs === undefined && shorter === 0) ways.unshift(say('mesh.askLess'));
    if (retryAfterMs !== undefined) {
      ways.unshift(say('mesh.askAgainIn', { hours: Math.max(1, Math.ceil(retryAfterMs / HOUR_MS)) }));
    }
    if (shorter > 0) ways.unshift(say('mesh.askAtMost', { tokens: shorter, credits: affordable }));
    const message = say('mesh.noCredit', { credits, tokens });
    const hint = say('mesh.whatHelps', { ways });
    const retryable = retryAfterMs !== undefined;
    return new QuarryError({ code: 'NO_CREDIT', message, hint, retryable, retryAfterMs }, { cause: failure });
  }

  /**
   * Whether it is enough. Refusals cost little: they count only when all have been asked.
   *
   * @param othersLeft there is a worker that was not tried
   */
  enough(othersLeft: boolean): boolean {
    if (this.#crashes >= MOST_CRASHES || this.#blames.length >= MOST_BLAMES) return true;
    return this.#accepted + (othersLeft ? 0 : this.#refused) >= this.#attempts;
  }

  /** Who found fault with the request without cause, now that another has served it. */
  blamedFalsely(server: SelfReport): Failure[] {
    const context = this.#contextSize(server);
    return this.#blames.filter(
      ({ code, selfReport }) =>
        code === 'BAD_REQUEST' || (code === 'CONTEXT_TOO_LONG' && this.#contextSize(selfReport) >= context),
    );
  }

  #contextSize({ models }: SelfReport): number {
    const served = models.find(({ name }) => this.#model === undefined || name === this.#model);
    return served?.contextSize ?? 0;
  }
}
