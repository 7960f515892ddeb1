import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { Evidence } from '../transport/envelope.ts';
import { authenticHash } from '../transport/envelope.ts';
import type { Offence } from '../transport/guards/ban-list.ts';

/** What a client signs for one worker: a prompt, or a question for clips. */
export interface SignedRequest extends Evidence {
  worker: string;
}

/** A verdict on it: take it, with the hash of what was signed; refuse it with an error; or treat it as an offence. */
export type IntakeVerdict = { hash: string } | { refusal: QuarryError } | { offence: Offence; detail: string };

/** Checks that what is asked comes from the peer that sent it, is meant for this worker, is fresh, and was not seen before. */
export class Intake {
  readonly #worker: string;
  readonly #replays = new ReplayGuard();

  /** @param worker this node's id */
  constructor(worker: string) {
    this.#worker = worker;
  }

  check(request: SignedRequest, sender: string, now: number): IntakeVerdict {
    const { type, from, worker } = request;
    if (from !== sender) return { offence: 'wrong signature', detail: `${type} of another client` };
    if (worker !== this.#worker) return { offence: 'wrong signature', detail: `${type} for another worker` };
    const hash = authenticHash(request);
    if (hash === undefined) return { offence: 'wrong signature', detail: type };
    const fault = this.#replays.check(request, now);
    if (fault === 'replayed') return { offence: 'replay', detail: type };
    return fault === 'stale' ? { refusal: stale(request.ts - now) } : { hash };
  }
}

/** Not an offence: a wrong clock is the commonest fault of an honest computer. */
function stale(skewMs: number): QuarryError {
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: say(skewMs > 0 ? 'mesh.clockAhead' : 'mesh.clockBehind', { seconds, allowed: FRESHNESS_MS / 1000 }),
    hint: say('mesh.setClock'),
    field: 'ts',
  });
}

/** How far an author's clock may be from ours, in milliseconds. */
export const FRESHNESS_MS = 120_000;

/** A message may come as early as its author's clock is ahead, and then again until it is stale. */
const REMEMBERED_MS = 2 * FRESHNESS_MS;

/**
 * Lets every signed message through once: it must be fresh, and its id new. Ids are remembered as long as their message
 * would still be fresh, at most `capacity` of them. Beyond that the older half goes: all at once, since to forget one by one
 * what came first costs more the more there is.
 */
export class ReplayGuard {
  readonly #half: number;
  #older = new Generation(0);
  #newer = new Generation(0);

  /** @param capacity ids to remember, about 100 bytes each. Default 65,536 */
  constructor(capacity = 65_536) {
    this.#half = Math.ceil(capacity / 2);
  }

  get size(): number {
    return this.#older.ids.size + this.#newer.ids.size;
  }

  /** Why the message must not be acted upon; undefined when it may, once. */
  check(message: Pick<Evidence, 'from' | 'id' | 'ts'>, now: number): 'stale' | 'replayed' | undefined {
    if (Math.abs(now - message.ts) > FRESHNESS_MS) return 'stale';
    const key = `${message.from}${message.id}`;
    if (this.#newer.ids.has(key) || this.#older.ids.has(key)) return 'replayed';
    this.#makeRoom(now);
    this.#newer.add(key, now + REMEMBERED_MS);
    return undefined;
  }

  #makeRoom(now: number): void {
    if (this.#newer.ids.size >= this.#half || now > this.#newer.begunAt + REMEMBERED_MS) {
      this.#older = this.#newer;
      this.#newer = new Generation(now);
    }
    if (now > this.#older.until) this.#older = new Generation(now);
  }
}

/** Ids that are forgotten together. */
class Generation {
  readonly ids = new Set<string>();
  readonly begunAt: number;
  /** When the last of them may be forgotten. */
  until = 0;

  constructor(begunAt: number) {
    this.begunAt = begunAt;
  }

  add(key: string, until: number): void {
    this.ids.add(key);
    this.until = Math.max(this.until, until);
  }
}
