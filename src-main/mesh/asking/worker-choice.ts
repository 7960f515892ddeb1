import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { InferenceMessage } from '../inference/messages.ts';
import type { MeshNetwork } from '../transport/network.ts';
import type { Ask } from './ask.ts';
import type { KnownWorker } from './known-worker.ts';
import type { OwnClaims } from './own-claims.ts';
import { beginsAtOnce, isEligible, isIdle, type Knowledge, selectWorker, serves } from './selection.ts';
import { WaitingAsks } from './waiting-asks.ts';
import { WorkerDirectory } from './worker-directory.ts';

export interface WorkerChoiceOptions {
  network: MeshNetwork<InferenceMessage>;
  known: Knowledge;
  claims: OwnClaims;
  /** Milliseconds to wait for a worker with room. */
  findWorkerMs: number;
  random: () => number;
  now: () => number;
}

/** Chooses whom to ask, out of the workers in reach. */
export class WorkerChoice {
  readonly #options: WorkerChoiceOptions;
  readonly #workers: WorkerDirectory;
  readonly #waiting = new WaitingAsks();

  constructor(options: WorkerChoiceOptions) {
    this.#options = options;
    const { network, claims, now } = options;
    const onStatus = (worker: KnownWorker) => this.#waiting.wakeFor(worker);
    this.#workers = new WorkerDirectory({ network, now, onStatus, onTerms: (worker) => claims.heard(worker) });
  }

  open(): void {
    this.#workers.open();
  }

  close(): void {
    this.#workers.close();
    this.#waiting.end();
  }

  /** Workers in reach. */
  list(): KnownWorker[] {
    return this.#workers.list();
  }

  /**
   * The best worker now; waits a while for one to come or to get room.
   *
   * @throws NO_WORKER, MODEL_NOT_FOUND or OVERLOADED when none did; DEADLINE, CANCELLED
   */
  async wait(ask: Ask): Promise<KnownWorker> {
    const { findWorkerMs, now } = this.#options;
    const { leftMs } = ask; // before the time is taken: where the deadline is the end, it has passed by then
    const until = now() + Math.min(findWorkerMs, leftMs);
    ask.throwIfOver();
    let chosen = this.#select(ask, ask.tries.tried);
    while (!chosen) {
      const left = until - now();
      if (left <= 0) {
        ask.throwIfOver();
        throw this.#nobody(ask);
      }
      const found = await this.#waiting.worker(ask, left);
      ask.throwIfOver();
      // It waited because nobody else had room: whoever has some now is the one.
      const isNew = found && ask.mayAsk(found) && !ask.tries.tried.has(found.id) && this.#workers.has(found);
      if (isNew && isEligible(found.selfReport, ask.model)) return found;
      chosen = this.#select(ask, ask.tries.tried);
    }
    return chosen;
  }

  /** Whether a worker that this request has not tried is there, with room or not. */
  hasUntried(ask: Ask): boolean {
    const { tries, model } = ask;
    for (const { id, selfReport } of this.#candidates(ask))
      if (!tries.tried.has(id) && serves(selfReport, model)) return true;
    return false;
  }

  /** A worker with room that this request has not tried, nor asks now. */
  other(ask: Ask, asked: Iterable<string>): KnownWorker | undefined {
    const tried = ask.tries.tried.union(new Set(asked));
    const chosen = this.#select(ask, tried);
    return chosen && !tried.has(chosen.id) ? chosen : undefined;
  }

  /** {@link other}, if it would start at once. @param mayLoad or as soon as it has loaded the model */
  otherFree(ask: Ask, asked: Iterable<string>, mayLoad: boolean): KnownWorker | undefined {
    const other = this.other(ask, asked);
    if (!other) return undefined;
    const { selfReport } = other;
    return (mayLoad ? isIdle(selfReport.queue) : beginsAtOnce(selfReport, ask.model)) ? other : undefined;
  }

  #candidates(ask: Ask): Iterable<KnownWorker> {
    return this.#workers.candidates().filter((worker) => ask.mayAsk(worker));
  }

  #select(ask: Ask, tried: ReadonlySet<string>): KnownWorker | undefined {
    const { model, cost } = ask;
    const { known, claims, now, random } = this.#options;
    const prospect = (worker: KnownWorker) => claims.prospect(worker, cost, model);
    return selectWorker(this.#candidates(ask), { model, tried, prospect }, known, now(), random);
  }

  #nobody(ask: Ask): QuarryError {
    const { model } = ask;
    const statuses = this.#workers.list().flatMap((worker) => (ask.mayAsk(worker) && worker.status) || []);
    const served = [...new Set(statuses.flatMap(({ models }) => models.map(({ name }) => name)))];
    if (model !== undefined && served.length > 0 && !served.includes(model)) return notServed(model, served);
    return statuses.length > 0 ? allBusy() : nobodyThere();
  }
}

/** Of models, in a sentence. */
const MOST_NAMES = 20;

function notServed(model: string, served: string[]): QuarryError {
  const message = say('mesh.notServed', { model });
  const hint = say('mesh.servedNow', {
    served: [...served.slice(0, MOST_NAMES), ...(served.length > MOST_NAMES ? ['…'] : [])].join(', '),
  });
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
