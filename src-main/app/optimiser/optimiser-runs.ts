import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { OptimiserRun, OptimiserStart } from '../../../src-preload/contract/optimiser.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import type { Changes } from '../../base/changes.ts';
import { errorView } from '../../base/error-view.ts';
import { LoneWork } from '../../base/lone-work.ts';
import type { OptimiserRunRow, OptimiserStore } from '../../store/optimiser.ts';
import type { Compiled } from '../../subnets/quasar/optimiser/compile/compile-kernel.ts';
import type { KernelTask } from '../../subnets/quasar/optimiser/examine.ts';
import { optimise } from '../../subnets/quasar/optimiser/optimise.ts';
import type { ExamineeDoor } from '../evaluation/examinees/opened-examinee.ts';
import { keptRun, planOf, runView } from './optimiser-views.ts';
import { writerOf } from './writer.ts';

export interface OptimiserRunsOptions extends ExamineeDoor {
  store: OptimiserStore;
  /** Told whenever something has come of one. */
  changes: Changes;
  /** @throws where there is no judge of kernels */
  task(): Promise<KernelTask>;
  compile(source: string, signal: AbortSignal): Promise<Compiled>;
  log: Logger;
  /** Unix milliseconds. Default Date.now */
  now?: () => number;
}

/** Searches for faster kernels, one at a time; each goes on until there is nothing left to do, it is stopped or this is closed. A resource. */
export class OptimiserRuns {
  readonly #options: OptimiserRunsOptions;
  readonly #store: OptimiserStore;
  readonly #now: () => number;
  readonly #work: LoneWork;

  constructor(options: OptimiserRunsOptions) {
    this.#options = options;
    this.#store = options.store;
    this.#now = options.now ?? Date.now;
    this.#work = new LoneWork(() => options.changes.tell());
  }

  /** What a process that died was at waits until somebody goes on with it. */
  async open(): Promise<void> {
    await this.#store.stopAll();
  }

  /** Stops what runs, and begins nothing any more. Idempotent. */
  close(): Promise<void> {
    return this.#work.close();
  }

  /** @throws OVERLOADED while another one runs */
  async start(wanted: OptimiserStart): Promise<OptimiserRun> {
    return await this.#work.take(() => this.#start(wanted));
  }

  async #start({ source, ...plan }: OptimiserStart): Promise<OptimiserRun> {
    this.#checkIdle();
    const { named } = this.#options;
    const task = await this.#options.task();
    const row: OptimiserRunRow = {
      ...{ id: randomBytes(8).toString('hex'), created_at: this.#now(), ended_at: null },
      ...{ state: 'running', ended_by: null, plan: JSON.stringify({ ...plan, target: named(plan.target) }) },
      ...{ model: null, start: source ?? task.baseline, is_own: source === undefined ? 0 : 1, counts_from: 0 },
      ...{ iterations: 0, attempts: 0, best: null, ratio: null, low: null, high: null, model_tokens: 0, error: null },
    };
    await this.#store.add(row);
    this.#work.begin(row.id, (signal) => this.#run(row, signal));
    return runView(row);
  }

  /** @param iterations ideas in all; default: as many as before @throws BAD_REQUEST where there is none, or nothing left to do; OVERLOADED while another one runs */
  async resume(id: string, iterations?: number): Promise<OptimiserRun> {
    return await this.#work.take(() => this.#resume(id, iterations));
  }

  async #resume(id: string, iterations?: number): Promise<OptimiserRun> {
    const row = await keptRun(this.#store, id);
    if (this.#work.runs(id)) return runView(row);
    const kept = planOf(row.plan);
    const plan = { ...kept, iterations: iterations ?? kept.iterations };
    if (row.state === 'done' && row.iterations >= plan.iterations) throw isDone(plan.iterations);
    this.#checkIdle();
    const changes = {
      ...{ state: 'running' as const, ended_by: null, ended_at: null, error: null, plan: JSON.stringify(plan) },
      // Whoever goes on after a plateau wants as many ideas again.
      ...(row.ended_by === 'plateau' && { counts_from: row.iterations }),
    };
    await this.#store.set(id, changes);
    const next = { ...row, ...changes };
    this.#work.begin(id, (signal) => this.#run(next, signal));
    return runView(next);
  }

  /** What is being tried is given up. @throws BAD_REQUEST where there is none */
  async stop(id: string): Promise<OptimiserRun> {
    await this.#work.stop(id);
    return runView(await keptRun(this.#store, id));
  }

  /** @throws BAD_REQUEST while it runs */
  async remove(id: string): Promise<void> {
    await this.#work.take(async () => {
      if (this.#work.runs(id)) throw refused('BAD_REQUEST', say('optimiser.runs'), say('optimiser.stopFirst'));
      await this.#store.remove(id);
    });
    this.#options.changes.tell();
  }

  #checkIdle(): void {
    if (this.#work.isClosed) throw new QuarryError({ code: 'CANCELLED', message: say('ask.closing') });
    if (this.#work.runs()) throw refused('OVERLOADED', say('optimiser.another'), say('optimiser.stopFirst'));
  }

  /** Never throws: what keeps it from going on is kept with it; where not even that can be, the next start of the node has it stopped. */
  async #run(row: OptimiserRunRow, signal: AbortSignal): Promise<void> {
    const { log } = this.#options;
    try {
      const endedBy = await this.#optimise(row, signal);
      await this.#store.set(row.id, { state: 'done', ended_at: this.#now(), ended_by: endedBy });
    } catch (error) {
      await this.#store
        .set(row.id, this.#outcomeOf(error, row.id, signal))
        .catch((err: unknown) => log.error({ err, search: row.id }, 'its end could not be kept'));
    }
  }

  async #optimise(row: OptimiserRunRow, signal: AbortSignal): Promise<'iterations' | 'plateau'> {
    const { openExaminee, compile, changes } = this.#options;
    const task = await this.#options.task();
    const { target, tokens, ...bounds } = planOf(row.plan);
    await using examinee = await openExaminee(target, signal);
    const { model } = examinee;
    await this.#store.set(row.id, { model });
    return await optimise({
      ...{ run: row.id, bounds, tokens, start: row.start, isOwn: row.is_own === 1, best: row.best },
      ...{ countsFrom: row.counts_from, task, compile, store: this.#store, now: this.#now, signal },
      writer: writerOf(examinee),
      onAttempt: () => changes.tell(),
      newSeed: () => randomBytes(32).toString('hex'),
    });
  }

  /** As what somebody stopped it, or it could not go on. */
  #outcomeOf(error: unknown, search: string, signal: AbortSignal) {
    const failure = QuarryError.from(error);
    // So end questions of a node that closes.
    if (signal.aborted || failure.code === 'CANCELLED') return { state: 'stopped' as const };
    this.#options.log.warn({ err: error, search }, 'a search for kernels does not go on');
    return { state: 'failed' as const, ended_at: this.#now(), error: JSON.stringify(errorView(failure)) };
  }
}

const isDone = (iterations: number) =>
  refused('BAD_REQUEST', say('optimiser.isDone', { iterations }), say('optimiser.moreIdeas'));

const refused = (code: 'BAD_REQUEST' | 'OVERLOADED', message: Saying, hint: Saying) =>
  new QuarryError({ code, message, hint });
