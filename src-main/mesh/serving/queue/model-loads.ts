import { type ErrorCode, QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say, type Words } from '../../../../src-preload/contract/saying.ts';
import { BucketMap, TokenBucket } from '../../../base/token-bucket.ts';
import type { ServedModel } from '../../transport/messages.ts';
import type { Place } from './job.ts';
import type { EngineInUse, OtherEngines } from './other-engines.ts';

/** How often something may be loaded: at once, and milliseconds until one more may. */
interface Rate {
  burst: number;
  everyMs: number;
}

/** What all clients of the mesh together may cause, what of it newcomers may, and one client, or one network of newcomers. */
export const LOADS: Record<'all' | 'newcomers' | 'each', Rate> = {
  all: { burst: 4, everyMs: 120_000 },
  newcomers: { burst: 2, everyMs: 600_000 },
  each: { burst: 2, everyMs: 300_000 },
};
/** Requests that may wait for a model to be loaded, and those of one client or one network of newcomers. */
const MOST_WAITING = 8;
const MOST_OF_EACH = 2;
/** Clients whose loads are remembered. */
const CLIENTS = 4_096;

/** What asks for a model. */
export interface Wanting {
  /** Of who asks, once it is paid for. */
  place: Place;
  signal: AbortSignal;
  /** It is certain that it can be had, and it has to be waited for: about so many milliseconds. */
  onLoading: (ms: number) => void;
}

/**
 * Gets models into memory for requests of the mesh, and holds clients to what they may cause. Loading is not charged for: it would be
 * paid by whoever comes first, for all who come after. So it is bounded instead: only for requests that are paid for, so many times, one
 * after the other, and never where it would put out what somebody uses (see {@link OtherEngines.begin}). Newcomers, whose keys cost
 * nothing, share a small part of it, by their networks: however many they are, most of it is left to those who have served.
 */
export class ModelLoads {
  readonly #others: OtherEngines;
  readonly #now: () => number;
  readonly #all: TokenBucket;
  readonly #newcomers: TokenBucket;
  readonly #each = new BucketMap(CLIENTS);
  /** Who waits for one to be loaded. */
  readonly #waiting: string[] = [];

  /** @param now milliseconds of any clock */
  constructor(others: OtherEngines, now: () => number) {
    this.#others = others;
    this.#now = now;
    this.#all = bucket(LOADS.all, now());
    this.#newcomers = bucket(LOADS.newcomers, now());
  }

  /** Names of models beside the own one that are answered with. */
  names(): string[] {
    return this.#others.offered().map(({ name }) => name);
  }

  /**
   * An engine with a model that is offered; it is kept in memory until the result is disposed of.
   *
   * @throws MODEL_NOT_FOUND; OVERLOADED while another is being loaded, or there is no room for it; RATE_LIMIT when enough was loaded
   *   lately; what loading throws; CANCELLED
   */
  async engineFor(name: string, { place, signal, onLoading }: Wanting): Promise<EngineInUse> {
    const offered = this.#others.offered().find((each) => each.name === name);
    if (!offered) throw refusal('MODEL_NOT_FOUND', say('mesh.notOfferedNow', { name }));
    const client = place.isNewcomer ? place.prefix : place.client;
    const onWay = () => onLoading(offered.loadMs ?? 0);
    const onRoom = () => {
      this.#count(client, place.isNewcomer);
      onWay();
    };
    if (offered.loadMs === undefined) return await this.#begin(name, signal, onRoom);
    this.#refuseBeyond(offered, client, place.isNewcomer);
    this.#waiting.push(client);
    try {
      if (this.#others.loading === name) onWay();
      return await this.#begin(name, signal, onRoom);
    } finally {
      this.#waiting.splice(this.#waiting.indexOf(client), 1);
    }
  }

  /**
   * The same for one that was loaded for a request whose turn has come: it holds a place of the machine now, so that nothing is loaded.
   *
   * @throws OVERLOADED where the model was freed meanwhile; CANCELLED
   */
  async again(name: string, signal: AbortSignal): Promise<EngineInUse> {
    const isInMemory = this.#others.offered().some((each) => each.name === name && each.loadMs === undefined);
    if (!isInMemory) throw refusal('OVERLOADED', say('mesh.freedMeanwhile', { name }));
    return await this.#others.begin(name, signal, () => {});
  }

  /** @throws OVERLOADED where it has no room: OUT_OF_MEMORY would say that the request breaks engines */
  async #begin(name: string, signal: AbortSignal, onRoom: () => void): Promise<EngineInUse> {
    try {
      return await this.#others.begin(name, signal, onRoom);
    } catch (cause) {
      const error = QuarryError.from(cause);
      if (error.code !== 'OUT_OF_MEMORY') throw error;
      throw refusal('OVERLOADED', say('mesh.noRoomToLoad', { name }), undefined, cause);
    }
  }

  /** @throws OVERLOADED, RATE_LIMIT */
  #refuseBeyond({ name, loadMs }: ServedModel, client: string, isNewcomer: boolean): void {
    const { loading } = this.#others;
    if (loading !== undefined && loading !== name) throw refusal('OVERLOADED', say('mesh.loadsAnother'), loadMs);
    const ofEach = this.#waiting.filter((each) => each === client).length;
    if (this.#waiting.length >= MOST_WAITING || ofEach >= MOST_OF_EACH)
      throw refusal('OVERLOADED', say('mesh.othersWaitForIt', { name }), loadMs);
    // Who comes while it is being loaded has caused nothing.
    if (loading !== undefined) return;
    const { everyMs } = LOADS.each;
    const now = this.#now();
    const waits = this.#buckets(client, isNewcomer).map((each) => each?.waitMs(1, now) ?? everyMs);
    const retryAfterMs = Math.max(...waits);
    if (retryAfterMs > 0) throw refusal('RATE_LIMIT', say('mesh.loadedEnough', { name }), retryAfterMs);
  }

  /** Once there is room: who asks for what does not fit loads nothing, and must keep nobody else from it. */
  #count(client: string, isNewcomer: boolean): void {
    for (const each of this.#buckets(client, isNewcomer)) each?.spend(1, this.#now());
  }

  /** What a load counts against; undefined: too many clients are remembered. */
  #buckets(client: string, isNewcomer: boolean): (TokenBucket | undefined)[] {
    const { burst, everyMs } = LOADS.each;
    const own = this.#each.get(client, 1_000 / everyMs, burst, this.#now());
    return [this.#all, own, ...(isNewcomer ? [this.#newcomers] : [])];
  }
}

function bucket({ burst, everyMs }: Rate, now: number): TokenBucket {
  return new TokenBucket(1_000 / everyMs, burst, now);
}

function refusal(code: ErrorCode, message: Words, retryAfterMs?: number, cause?: unknown): QuarryError {
  return new QuarryError({ code, message, retryable: true, retryAfterMs }, { cause });
}
