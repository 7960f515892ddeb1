import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { EvaluationRequest, EvaluationView } from '../../../src-preload/contract/evaluation.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import type { Changes } from '../../base/changes.ts';
import { errorView } from '../../base/error-view.ts';
import { LoneWork } from '../../base/lone-work.ts';
import type { EvaluationRow, EvaluationStore } from '../../store/evaluations.ts';
import { suitesCalled } from '../../subnets/quasar/evaluation/suites.ts';
import { checkAskable, textsOf } from './askable-suites.ts';
import { evaluationView } from './evaluation-views.ts';
import type { ExamineeDoor } from './examinees/opened-examinee.ts';
import { keptEvaluation } from './kept-evaluation.ts';
import { runEvaluation } from './run-evaluation.ts';

export interface EvaluationRunsOptions extends ExamineeDoor {
  store: EvaluationStore;
  /** Told whenever something has come of one. */
  changes: Changes;
  /** Where files of data sets are, absolute. */
  folder: string;
  log: Logger;
  /** Unix milliseconds. Default Date.now */
  now?: () => number;
}

/** Evaluations of models, one at a time; each goes on until it is done, paused or this is closed. A resource. */
export class EvaluationRuns {
  readonly #options: EvaluationRunsOptions;
  readonly #store: EvaluationStore;
  readonly #now: () => number;
  readonly #work: LoneWork;

  constructor(options: EvaluationRunsOptions) {
    this.#options = options;
    this.#store = options.store;
    this.#now = options.now ?? Date.now;
    this.#work = new LoneWork(() => options.changes.tell());
  }

  /** What a process that died was at waits until somebody goes on with it. */
  async open(): Promise<void> {
    await this.#store.pauseAll();
  }

  /** Pauses what runs, and begins nothing any more. Idempotent. */
  close(): Promise<void> {
    return this.#work.close();
  }

  /** @throws BAD_REQUEST for what cannot be asked, or where a file is missing; OVERLOADED while another one runs */
  async start(request: EvaluationRequest): Promise<EvaluationView> {
    return await this.#work.take(() => this.#start(request));
  }

  async #start({ seed = randomBytes(16).toString('hex'), ...request }: EvaluationRequest): Promise<EvaluationView> {
    await checkAskable(request, this.#options.folder);
    this.#checkIdle();
    const suites = suitesCalled(request.suites);
    const plan = { ...request, suites, target: this.#options.named(request.target), seed };
    const row: EvaluationRow = {
      ...{ id: randomBytes(8).toString('hex'), created_at: this.#now(), ended_at: null, state: 'running' },
      ...{ plan: JSON.stringify(plan), model: null, sha256: null, seconds: 0, error: null },
      ...{ texts: textsOf(plan).length, done: 0 },
    };
    await this.#store.add(row);
    this.#work.begin(row.id, (signal) => this.#run(row, signal));
    return evaluationView(row);
  }

  /** @throws BAD_REQUEST where there is none, or nothing left to do; OVERLOADED while another one runs */
  async resume(id: string): Promise<EvaluationView> {
    return await this.#work.take(() => this.#resume(id));
  }

  async #resume(id: string): Promise<EvaluationView> {
    const row = await keptEvaluation(this.#store, id);
    if (this.#work.runs(id)) return evaluationView(row);
    if (row.state === 'done') throw refused(say('evaluations.isDone'));
    this.#checkIdle();
    const changes = { state: 'running' as const, error: null, ended_at: null };
    await this.#store.set(id, changes);
    const next = { ...row, ...changes };
    this.#work.begin(id, (signal) => this.#run(next, signal));
    return evaluationView(next);
  }

  /** What is being answered is given up. @throws BAD_REQUEST where there is none */
  async pause(id: string): Promise<EvaluationView> {
    await this.#work.stop(id);
    return evaluationView(await keptEvaluation(this.#store, id));
  }

  /** @throws BAD_REQUEST while it runs */
  async remove(id: string): Promise<void> {
    await this.#work.take(async () => {
      if (this.#work.runs(id)) throw refused(say('evaluations.runs'), say('evaluations.pauseFirst'));
      await this.#store.remove(id);
    });
    this.#options.changes.tell();
  }

  #checkIdle(): void {
    if (this.#work.isClosed) throw new QuarryError({ code: 'CANCELLED', message: say('ask.closing') });
    if (this.#work.runs())
      throw new QuarryError({
        code: 'OVERLOADED',
        message: say('evaluations.another'),
        hint: say('evaluations.pauseFirst'),
      });
  }

  /** Never throws: what keeps it from going on is kept with it; where not even that can be, the next start of the node has it paused. */
  async #run(row: EvaluationRow, signal: AbortSignal): Promise<void> {
    const { changes, log } = this.#options;
    const began = this.#now();
    const seconds = () => row.seconds + (this.#now() - began) / 1_000;
    try {
      const onAnswer = () => changes.tell();
      await runEvaluation(row, { ...this.#options, seconds, onAnswer, now: this.#now, signal });
      await this.#store.set(row.id, { state: 'done', ended_at: this.#now(), seconds: seconds() });
    } catch (error) {
      await this.#store
        .set(row.id, { ...this.#outcomeOf(error, row.id, signal), seconds: seconds() })
        .catch((err: unknown) => log.error({ err, evaluation: row.id }, 'its end could not be kept'));
    }
  }

  /** As what somebody stopped it, or it could not go on. */
  #outcomeOf(error: unknown, evaluation: string, signal: AbortSignal) {
    const failure = QuarryError.from(error);
    // So end questions of a node that closes.
    if (signal.aborted || failure.code === 'CANCELLED') return { state: 'paused' as const };
    this.#options.log.warn({ err: error, evaluation }, 'an evaluation does not go on');
    return { state: 'failed' as const, ended_at: this.#now(), error: JSON.stringify(errorView(failure)) };
  }
}

const refused = (message: Saying, hint?: Saying) =>
  new QuarryError({ code: 'BAD_REQUEST', message, ...(hint && { hint }) });
