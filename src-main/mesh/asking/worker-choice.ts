import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { Ask } from './ask.ts';
import { selectWorker } from './selection.ts';
import type { KnownWorker, WorkerDirectory } from './worker-directory.ts';

/** Chooses whom to ask, out of the workers in reach. */
export class WorkerChoice {
  readonly #workers: WorkerDirectory;
  readonly #findWorkerMs: number;
  readonly #random: () => number;
  readonly #now: () => number;

  constructor(options: { workers: WorkerDirectory; findWorkerMs: number; random: () => number; now: () => number }) {
    this.#workers = options.workers;
    this.#findWorkerMs = options.findWorkerMs;
    this.#random = options.random;
    this.#now = options.now;
  }

  /**
   * The best worker now; waits a while for one to come or to get room.
   *
   * @throws NO_WORKER, MODEL_NOT_FOUND or OVERLOADED when none did; DEADLINE, CANCELLED
   */
  async wait(ask: Ask): Promise<KnownWorker> {
    const until = this.#now() + Math.min(this.#findWorkerMs, ask.leftMs);
    for (;;) {
      ask.throwIfOver();
      const chosen = this.now(ask);
      if (chosen) return chosen;
      const left = until - this.#now();
      if (left <= 0) throw this.#nobody(ask.model);
      await this.#workers.changed(left, ask.signal);
    }
  }

  /** Workers not tried yet and not cooling down come first, then those that merely cool down, then anyone. */
  now(ask: Ask): KnownWorker | undefined {
    const candidates = this.#workers.candidates();
    const untried = candidates.filter(({ id }) => !ask.tried.has(id));
    const warm = untried.filter(({ id }) => !this.#workers.coolDown.isCooling(id, this.#now()));
    for (const group of [warm, untried, candidates]) {
      const chosen = selectWorker(group, ask.model, this.#random);
      if (chosen) return this.#workers.get(chosen.id);
    }
    return undefined;
  }

  /** A worker that this request has not tried, if there is one with room. */
  other(ask: Ask, than: string): KnownWorker | undefined {
    const chosen = this.now(ask);
    return chosen && chosen.peer.id !== than && !ask.tried.has(chosen.peer.id) ? chosen : undefined;
  }

  #nobody(model: string | undefined): QuarryError {
    const statuses = this.#workers.list().flatMap(({ status }) => status ?? []);
    const served = [...new Set(statuses.flatMap(({ models }) => models.map(({ name }) => name)))];
    if (model !== undefined && served.length > 0 && !served.includes(model)) return notServed(model, served);
    return statuses.length > 0 ? allBusy() : nobodyThere();
  }
}

function notServed(model: string, served: string[]): QuarryError {
  const message = say('mesh.notServed', { model });
  const hint = say('mesh.servedNow', { served: served.join(', ') });
  return new QuarryError({ code: 'MODEL_NOT_FOUND', message, hint, field: 'model' });
}

function allBusy(): QuarryError {
  const message = say('mesh.allBusy');
  const hint = say('mesh.inAMoment');
  return new QuarryError({ code: 'OVERLOADED', message, hint, retryable: true, retryAfterMs: 5_000 });
}

function nobodyThere(): QuarryError {
  const message = say('mesh.nobody');
  const hint = say('mesh.checkNetwork');
  return new QuarryError({ code: 'NO_WORKER', message, hint, retryable: true });
}
