import { createHash } from 'node:crypto';
import { pino } from 'pino';
import type { SeededRandom } from '../../base/seeded-random.ts';
import type { Standing } from '../../credits/credits.ts';
import { openCreditBook } from '../../credits/ledger/credit-book.ts';
import { TIER_POINTS, TIERS } from '../../credits/tiers.ts';
import { DEFAULT_ATTEMPTS } from '../../mesh/asking/client.ts';
import { Tries } from '../../mesh/asking/retry-policy.ts';
import { type Identity, identityFromSeed, verify } from '../../mesh/transport/identity.ts';
import { type Db, openDatabase } from '../../store/database.ts';
import { SwarmClient, type SwarmRequest, SwarmWorker } from './actors.ts';
import { LIES } from './liars.ts';

/** Workers that a client is connected to. */
const KNOWN_WORKERS = 64;
/** Workers with a ledger of their own: booking takes a thousand times longer than deciding. */
const BOOKED_WORKERS = 16;
const NEWCOMER: Standing = { points: 0, tier: 'newcomer' };

/** Who is in the swarm: so many workers, each of which asks too, and as many clients who only ask. */
export class SwarmPopulation {
  readonly workers: readonly SwarmWorker[];
  readonly honest: readonly SwarmWorker[];
  readonly #clients: readonly SwarmClient[];
  readonly #identities: readonly Identity[];
  readonly #random: SeededRandom;
  readonly #now: () => number;
  readonly #databases: Db[] = [];

  /** @param options.liars of the workers so many lie, or, if `away`, are not there: the swarm to compare with */
  constructor(options: {
    workers: number;
    seed: number;
    random: SeededRandom;
    now: () => number;
    liars?: number;
    away?: boolean;
  }) {
    const { workers, seed, random, liars = 0, away = false } = options;
    this.#random = random;
    this.#now = options.now;
    this.#identities = Array.from({ length: 2 * workers }, (_, index) => swarmIdentity(seed, index));
    this.workers = this.#identities.slice(0, workers).map(({ id }) => this.#makeWorker(id));
    for (const [index, worker] of this.workers.slice(workers - liars).entries()) {
      if (away) worker.alive = false;
      else worker.lie = LIES[index % LIES.length];
    }
    this.honest = this.workers.slice(0, workers - liars);
    this.#clients = this.#identities.map((identity, index) => this.#makeClient(identity, this.workers[index]));
  }

  /** Gives the first workers a ledger in memory. */
  async openBooks(): Promise<void> {
    const clients = new Map(this.#clients.map((client) => [client.id, client]));
    for (const [index, worker] of this.workers.slice(0, BOOKED_WORKERS).entries()) {
      const identity = this.#identities[index];
      if (!identity) return;
      const db = await openDatabase(':memory:');
      this.#databases.push(db);
      const standing = (id: string) => clients.get(id)?.standing ?? NEWCOMER;
      const log = pino({ level: 'silent' });
      worker.book = await openCreditBook({ db, identity, verify, now: this.#now, standing, rule: 'witnessed', log });
    }
  }

  async close(): Promise<void> {
    for (const worker of this.workers) await worker.book?.close();
    for (const db of this.#databases) await db.destroy();
  }

  /** Requests that all honest workers serve in a millisecond. */
  capacityPerMs(): number {
    const mean = { promptChars: 1_000, completionTokens: 120 };
    return this.honest.reduce((sum, worker) => sum + worker.parallel / worker.serviceMs(mean), 0);
  }

  /** Somebody's next request. */
  request(number: number, askedAt: number): SwarmRequest {
    const maxTokens = 64 * 2 ** this.#below(4);
    return {
      id: number.toString(16).padStart(32, '0'),
      client: this.#any(this.#clients),
      askedAt,
      promptChars: 20 + this.#below(2_000),
      maxTokens,
      completionTokens: 1 + this.#below(maxTokens),
      tries: new Tries(DEFAULT_ATTEMPTS, undefined),
      sentAt: askedAt,
      overtaken: 0,
      selfReport: undefined,
      queuedAt: askedAt,
    };
  }

  #makeWorker(id: string): SwarmWorker {
    const { uniform } = this.#random;
    return new SwarmWorker(id, {
      parallel: this.#any([1, 2, 4]),
      tokensPerSecond: 8 * 2 ** (4 * uniform()),
      rttMs: 5 + 195 * uniform(),
      points: this.#startPoints(),
    });
  }

  #makeClient(identity: Identity, self: SwarmWorker | undefined): SwarmClient {
    const known = new Set(Array.from({ length: KNOWN_WORKERS }, () => this.#any(this.workers)));
    if (self) known.delete(self); // nobody serves itself
    return new SwarmClient({ identity, self, known: [...known], random: this.#random.uniform });
  }

  /** A tier by chance, and points somewhere in it. */
  #startPoints(): number {
    const least = TIER_POINTS[this.#any(TIERS)];
    return least + this.#below(Math.max(1, Math.floor(least / 2)));
  }

  #any<T>(list: readonly T[]): T {
    const chosen = list[this.#below(list.length)];
    if (chosen === undefined) throw new Error('A swarm needs workers and clients.');
    return chosen;
  }

  #below(limit: number): number {
    return Math.floor(this.#random.uniform() * limit);
  }
}

/** The same for the same seed. */
export function swarmIdentity(seed: number, index: number): Identity {
  return identityFromSeed(createHash('sha256').update(`swarm ${seed} ${index}`).digest());
}
