import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type BackOff, backOffMs } from '../../base/back-off.ts';

/** What has failed lately, by name, and is left alone for a while: the longer the more often it failed in a row. */
export class SetAside {
  readonly #backOff: BackOff;
  readonly #of = new Map<string, { error: QuarryError; failures: number; until: number }>();

  constructor(backOff: BackOff) {
    this.#backOff = backOff;
  }

  /** Why the last of them failed; null where none did. */
  get error(): QuarryError | null {
    return [...this.#of.values()].at(-1)?.error ?? null;
  }

  /** Whether it failed last. */
  knows(name: string): boolean {
    return this.#of.has(name);
  }

  /** Whether it is to be left alone. @param now milliseconds */
  has(name: string, now: number): boolean {
    return (this.#of.get(name)?.until ?? 0) > now;
  }

  add(name: string, error: QuarryError, now: number): void {
    const failures = (this.#of.get(name)?.failures ?? 0) + 1;
    this.#of.delete(name); // the last one comes last
    this.#of.set(name, { error: withoutCause(error), failures, until: now + backOffMs(failures, this.#backOff) });
  }

  /** Forgets those who are gone. */
  keepOnly(there: ReadonlySet<string>): void {
    for (const name of this.#of.keys()) if (!there.has(name)) this.#of.delete(name);
  }

  /** It did what it should. */
  delete(name: string): void {
    this.#of.delete(name);
  }
}

/** What is told of it: a cause may hold on to a whole answer. */
const withoutCause = (error: QuarryError) => new QuarryError(error.toJSON());
