import { type ErrorCode, QuarryError, type QuarryErrorData } from '../../../../src-preload/contract/errors.ts';
import { say, type Words, wordsOf } from '../../../../src-preload/contract/saying.ts';
import { openPlaces } from '../../../base/open-places.ts';
import { BucketMap } from '../../../base/token-bucket.ts';
import type { Standing } from '../../../credits/credits.ts';
import type { Tier } from '../../../credits/tiers.ts';
import type { Health } from '../../../hardware/health.ts';
import type { BackendStatus } from '../../../inference/backend.ts';

/** What admission and status need to know of this node's health. */
export type WorkerHealth = Pick<Health, 'score' | 'state' | 'capacity' | 'accepting' | 'refusal' | 'reason'>;

/** Requests a minute that each client of a tier may send; so many also at once. */
export const DEFAULT_REQUESTS_PER_MINUTE: Record<Tier, number> = {
  newcomer: 6,
  bronze: 10,
  silver: 20,
  gold: 40,
  platinum: 60,
  diamond: 120,
  master: 240,
};

/** Models that are named to who asks for another. */
const NAMES_TOLD = 8;

/** Clients whose rate is remembered. */
const CLIENTS = 16_384;

/** The state of this worker when a prompt arrives. */
export interface Conditions {
  health: WorkerHealth;
  backend: BackendStatus;
  /** Names of models beside the backend's that are answered with, loaded or not. */
  others: readonly string[];
  waiting: number;
  queueCapacity: number;
}

/** Decides whether a request may enter the queue, from what is known without asking the disk. */
export class Admission {
  readonly #perMinute: Record<Tier, number>;
  readonly #buckets = new BucketMap(CLIENTS);

  constructor(requestsPerMinute: Partial<Record<Tier, number>> = {}) {
    this.#perMinute = { ...DEFAULT_REQUESTS_PER_MINUTE, ...requestsPerMinute };
  }

  /**
   * Counts a request against its client's rate. Done before its signature is looked at, which costs far more.
   *
   * @throws RATE_LIMIT
   */
  countAgainstRate(client: string, { tier }: Pick<Standing, 'tier'>, now: number): void {
    const perMinute = this.#perMinute[tier];
    // A client that rises or falls gets the bucket of its new tier.
    const bucket = this.#buckets.get(`${tier}:${client}`, perMinute / 60, perMinute, now);
    if (bucket?.take(1, now)) return;
    const retryAfterMs = bucket && perMinute > 0 ? bucket.waitMs(1, now) : 60_000;
    throw refusal('RATE_LIMIT', say('mesh.rate', { tier, perMinute }), { retryAfterMs });
  }

  /**
   * Whether this worker can serve the request now.
   *
   * @throws OVERLOADED, ENGINE_UNAVAILABLE, MODEL_NOT_FOUND or QUEUE_FULL, each retryable elsewhere
   */
  checkConditions(
    { model }: { model?: string | undefined },
    { health, backend, others, waiting, queueCapacity }: Conditions,
  ): void {
    if (!health.accepting) {
      const code = health.refusal === 'queue-full' ? 'QUEUE_FULL' : 'OVERLOADED';
      throw refusal(
        code,
        health.reason === undefined ? say('mesh.takesNone') : wordsOf({ ...health, reason: health.reason }, 'reason'),
      );
    }
    if (backend.state !== 'ready' || !backend.model) {
      throw refusal('ENGINE_UNAVAILABLE', say('mesh.engineState'));
    }
    if (backend.model.embedsOnly) {
      throw refusal('MODEL_NOT_FOUND', say('engine.embedsOnly', { name: backend.model.name }));
    }
    const names = [backend.model.name, ...others];
    if (model !== undefined && !names.includes(model)) {
      throw refusal('MODEL_NOT_FOUND', say('mesh.otherModel', { names: names.slice(0, NAMES_TOLD), model }));
    }
    const open = openPlaces(queueCapacity, health);
    if (waiting >= open) throw refusal('QUEUE_FULL', say('mesh.full', { open }));
  }
}

function refusal(code: ErrorCode, message: Words, more: Partial<QuarryErrorData> = {}): QuarryError {
  return new QuarryError({ code, message, retryable: true, ...more });
}
