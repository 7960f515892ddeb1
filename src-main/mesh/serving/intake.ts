import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { Prompt } from '../inference/messages.ts';
import type { Offence } from '../transport/ban-list.ts';
import type { Evidence } from '../transport/envelope.ts';
import { isAuthentic } from '../transport/envelope.ts';

/** A verdict on a signed prompt: take it, refuse it with an error, or treat it as an offence. */
export type IntakeVerdict = { refusal: QuarryError } | { offence: Offence; detail: string } | undefined;

/** Checks that a prompt comes from the peer that sent it, is meant for this worker, is fresh, and was not seen before. */
export class PromptIntake {
  readonly #worker: string;
  readonly #replays = new ReplayGuard();

  /** @param worker this node's id */
  constructor(worker: string) {
    this.#worker = worker;
  }

  check(prompt: Prompt, sender: string, now: number): IntakeVerdict {
    if (prompt.from !== sender) return { offence: 'wrong signature', detail: 'prompt of another client' };
    if (prompt.worker !== this.#worker) return { offence: 'wrong signature', detail: 'prompt for another worker' };
    if (!isAuthentic(prompt)) return { offence: 'wrong signature', detail: 'prompt' };
    const fault = this.#replays.check(prompt, now);
    if (fault === 'replayed') return { offence: 'replay', detail: 'prompt' };
    return fault === 'stale' ? { refusal: stale(prompt.ts - now) } : undefined;
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

/**
 * Lets every signed message through once: it must be fresh, and its id new. Ids are remembered as long as their message
 * would still be fresh, at most `capacity` of them (then the oldest go).
 */
export class ReplayGuard {
  readonly #seen = new Map<string, number>();
  readonly #capacity: number;

  /** @param capacity ids to remember, about 100 bytes each. Default 65,536 */
  constructor(capacity = 65_536) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#seen.size;
  }

  /** Why the message must not be acted upon; undefined when it may, once. */
  check(message: Pick<Evidence, 'from' | 'id' | 'ts'>, now: number): 'stale' | 'replayed' | undefined {
    if (Math.abs(now - message.ts) > FRESHNESS_MS) return 'stale';
    this.#forget(now);
    const key = `${message.from}${message.id}`;
    if (this.#seen.has(key)) return 'replayed';
    this.#seen.set(key, now + 2 * FRESHNESS_MS);
    return undefined;
  }

  /** Map keeps insertion order, and ids are inserted in order of expiry: only the front can be due. */
  #forget(now: number): void {
    for (const [key, expires] of this.#seen) {
      if (expires >= now && this.#seen.size < this.#capacity) return;
      this.#seen.delete(key);
    }
  }
}
