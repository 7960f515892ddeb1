import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { OptimiserBest, OptimiserDetails, OptimiserRun } from '../../../src-preload/contract/optimiser.ts';
import { MOST_SHOWN_ATTEMPTS } from '../../../src-preload/contract/optimiser-numbers.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { Changes } from '../../base/changes.ts';
import { watched } from '../../base/watched.ts';
import type { OptimiserRunRow, OptimiserStore } from '../../store/optimiser.ts';
import type { Compiled } from '../../subnets/quasar/optimiser/compile/compile-kernel.ts';
import { diffOf } from '../../subnets/quasar/optimiser/diff.ts';
import { compileOutcome } from '../../subnets/quasar/optimiser/outcome.ts';
import { attemptView, keptRun, runView } from './optimiser-views.ts';

export interface OptimiserResultsOptions {
  store: Pick<OptimiserStore, 'find' | 'page' | 'latestShown' | 'attempt'>;
  /** Told whenever something has come of one. */
  changes: Changes;
  compile(source: string, signal?: AbortSignal): Promise<Compiled>;
}

/** Searches for faster kernels, and what has come of each so far. */
export class OptimiserResults {
  readonly #options: OptimiserResultsOptions;
  readonly #store: OptimiserResultsOptions['store'];

  constructor(options: OptimiserResultsOptions) {
    this.#options = options;
    this.#store = options.store;
  }

  /** The newest first. @param before only what was begun earlier, Unix milliseconds */
  async list(limit: number, before?: number): Promise<OptimiserRun[]> {
    return (await this.#store.page(limit, before)).map(runView);
  }

  /** @throws BAD_REQUEST where there is none */
  async details(id: string): Promise<OptimiserDetails> {
    const row = await keptRun(this.#store, id);
    return { ...runView(row), list: (await this.#store.latestShown(id, MOST_SHOWN_ATTEMPTS)).map(attemptView) };
  }

  /** Now, and whenever something has come of it, until it runs no more. @throws BAD_REQUEST where there is none */
  async *watch(id: string, signal = new AbortController().signal): AsyncGenerator<OptimiserDetails, void, undefined> {
    for await (const details of watched(() => this.details(id), this.#options.changes, signal)) {
      yield details;
      if (details.state !== 'running') return;
    }
  }

  /** @throws BAD_REQUEST where there is no such attempt */
  async source(id: string, number: number): Promise<string | null> {
    await keptRun(this.#store, id);
    const attempt = await this.#store.attempt(id, number);
    if (!attempt) throw refused('noAttempt', number);
    return attempt.source;
  }

  /** The best source so far beside the first. @throws BAD_REQUEST where there is none */
  async best(id: string): Promise<OptimiserBest> {
    const row = await keptRun(this.#store, id);
    const source = await this.#bestSource(row);
    return { start: row.start, source, diff: source === null ? [] : diffOf(row.start, source) };
  }

  /** An attempt's module, compiled again: the same source gives the same bytes. @throws BAD_REQUEST where there is none, or it cannot be compiled */
  async module(id: string, number?: number, signal?: AbortSignal) {
    const row = await keptRun(this.#store, id);
    const wanted = number ?? row.best;
    if (wanted === null) throw refused('noBest');
    const source = await this.source(id, wanted);
    if (source === null) throw refused('noAttempt', wanted);
    const compiled = await this.#options.compile(source, signal);
    if ('module' in compiled) return { number: wanted, source, wasm: compiled.module };
    const why = compileOutcome(compiled, source).detail ?? '';
    throw new QuarryError({ code: 'BAD_REQUEST', message: say('optimiser.notCompiled', { why }) });
  }

  async #bestSource({ id, best }: OptimiserRunRow): Promise<string | null> {
    return best === null ? null : ((await this.#store.attempt(id, best))?.source ?? null);
  }
}

function refused(what: 'noBest' | 'noAttempt', number = 0): QuarryError {
  const message = what === 'noBest' ? say('optimiser.noBest') : say('optimiser.noAttempt', { number: String(number) });
  return new QuarryError({ code: 'BAD_REQUEST', message, field: 'number' });
}
