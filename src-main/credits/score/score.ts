import { z } from 'zod';
import type { ReceiptBody } from '../receipt.ts';
import { ACHIEVEMENTS, type Achievement, FAST_MS, POLYGLOT_MODELS, RUN_GAP_MS } from './achievements.ts';
import { FAILURE_PENALTY } from './points.ts';

const DAY = 86_400_000;

/** Receipts between the same two keys that count on one UTC day; more of them are worth nothing (self-dealing). */
export const PAIR_CAP_A_DAY = 20;
/** A receipt counts only if it is no more than this older than the newest before it, in milliseconds. */
export const LATE_MS = 7 * DAY;
/** No receipt is older than the protocol (Unix milliseconds). */
export const PROTOCOL_EPOCH = Date.UTC(2026, 0, 1);

/** All that has to be remembered of a worker's receipts and failures to score the next one. */
export const scoreStateSchema = z.object({
  /** Points of receipts plus bonuses minus failures, never below 0. */
  total: z.int().min(0),
  /** Receipts that counted, and those of them served in under two seconds. */
  served: z.int().min(0),
  fast: z.int().min(0),
  /** Receipts that counted since the last failure. */
  streak: z.int().min(0),
  models: z.array(z.string()).max(POLYGLOT_MODELS),
  /** First and last `servedAt` of the present run of serving. */
  runStart: z.int(),
  runLast: z.int(),
  /** Newest `servedAt` of all. */
  latest: z.int(),
  achievements: z.array(z.string()),
});
export type ScoreState = z.infer<typeof scoreStateSchema>;

export const NO_SCORE: ScoreState = {
  total: 0,
  served: 0,
  fast: 0,
  streak: 0,
  models: [],
  runStart: 0,
  runLast: 0,
  latest: 0,
  achievements: [],
};

/** Why a sound receipt is worth nothing: too many that day between the same two keys, or too old. */
export type NotCounted = 'pair-cap' | 'too-old';

export interface ScoreStep {
  state: ScoreState;
  /** Points of the receipt that count. */
  counted: number;
  /** Set when `counted` is 0. */
  reason: NotCounted | undefined;
  /** What this receipt completed; the state's total has their bonuses. */
  achievements: Achievement[];
}

/** The UTC day that a time falls on, as days since 1970. */
export function dayOf(at: number): number {
  return Math.floor(at / DAY);
}

/**
 * Scores the next receipt of a worker. The worker itself and everyone who checks its log run this same function over the
 * same order of events, so they come to the same total.
 *
 * @param pairCount receipts between these two keys that already counted on that UTC day
 */
export function scoreReceipt(state: ScoreState, body: ReceiptBody, pairCount: number): ScoreStep {
  const reason = whyNotCounted(state, body, pairCount);
  const latest = Math.max(state.latest, body.servedAt);
  if (reason) return { state: { ...state, latest }, counted: 0, reason, achievements: [] };
  const next: ScoreState = {
    ...state,
    ...continueRun(state, body.servedAt),
    total: state.total + body.points,
    served: state.served + 1,
    fast: state.fast + (body.processingMs < FAST_MS ? 1 : 0),
    streak: state.streak + 1,
    models: withModel(state.models, body.model),
    latest,
  };
  return { ...award(next), counted: body.points, reason: undefined };
}

/** Scores a failure of the worker: one point less, and the streak is over. */
export function scoreFailure(state: ScoreState): ScoreState {
  return { ...state, total: Math.max(0, state.total - FAILURE_PENALTY), streak: 0 };
}

function whyNotCounted(state: ScoreState, body: ReceiptBody, pairCount: number): NotCounted | undefined {
  if (body.servedAt < Math.max(PROTOCOL_EPOCH, state.latest - LATE_MS)) return 'too-old';
  if (pairCount >= PAIR_CAP_A_DAY) return 'pair-cap';
  return undefined;
}

/** A receipt that arrives late neither extends nor ends the run. */
function continueRun({ runStart, runLast }: ScoreState, servedAt: number): { runStart: number; runLast: number } {
  if (servedAt < runLast) return { runStart, runLast };
  const sameRun = runLast > 0 && servedAt - runLast <= RUN_GAP_MS;
  return { runStart: sameRun ? runStart : servedAt, runLast: servedAt };
}

function withModel(models: string[], model: string): string[] {
  return models.length >= POLYGLOT_MODELS || models.includes(model) ? models : [...models, model];
}

function award(state: ScoreState): { state: ScoreState; achievements: Achievement[] } {
  const achievements = ACHIEVEMENTS.filter(({ id, reached }) => !state.achievements.includes(id) && reached(state));
  return {
    achievements,
    state: {
      ...state,
      total: achievements.reduce((total, { bonus }) => total + bonus, state.total),
      achievements: [...state.achievements, ...achievements.map(({ id }) => id)],
    },
  };
}

/** Scores a history in memory, from its beginning or from where another left off. */
export class ScoreReplay {
  /** Receipts that counted, by day and client. */
  readonly #days = new Map<number, Map<string, number>>();
  #state: ScoreState;

  /** @param state after what was scored before; what it had of a client on a day is to be {@link recall}ed. Default: nothing was */
  constructor(state: ScoreState = NO_SCORE) {
    this.#state = state;
  }

  get state(): ScoreState {
    return this.#state;
  }

  receipt(body: ReceiptBody): ScoreStep {
    const counted = this.#days.get(dayOf(body.servedAt))?.get(body.client) ?? 0;
    const step = scoreReceipt(this.#state, body, counted);
    if (step.counted > 0) this.recall(body, counted + 1);
    this.#state = step.state;
    this.#forget();
    return step;
  }

  failure(): void {
    this.#state = scoreFailure(this.#state);
  }

  /** Whether it is known how many receipts of that client and day have counted. */
  knows({ client, servedAt }: ReceiptBody): boolean {
    return this.#days.get(dayOf(servedAt))?.has(client) ?? false;
  }

  /** So many have counted of that client and day. */
  recall({ client, servedAt }: ReceiptBody, counted: number): void {
    const day = dayOf(servedAt);
    const clients = this.#days.get(day) ?? new Map<string, number>();
    this.#days.set(day, clients.set(client, counted));
  }

  /** Days of which no receipt can count any more. */
  #forget(): void {
    const first = dayOf(this.#state.latest - LATE_MS);
    for (const day of this.#days.keys()) if (day < first) this.#days.delete(day);
  }
}
