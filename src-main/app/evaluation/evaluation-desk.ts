import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type {
  AnswersOf,
  EvaluationAnswerView,
  EvaluationDetails,
  EvaluationFit,
  EvaluationQuestionView,
  EvaluationRequest,
  EvaluationTarget,
  EvaluationView,
  EvaluationWish,
  SuiteView,
} from '../../../src-preload/contract/evaluation.ts';
import type { EvaluationScore } from '../../../src-preload/contract/evaluation-scores.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { Changes } from '../../base/changes.ts';
import { errorView } from '../../base/error-view.ts';
import { Turns } from '../../base/turns.ts';
import { watched } from '../../base/watched.ts';
import type { EvaluationRow, EvaluationStore } from '../../store/evaluations.ts';
import { askAll, type Examinee } from '../../subnets/quasar/evaluation/evaluation-run.ts';
import { plannedTexts } from '../../subnets/quasar/evaluation/plan.ts';
import {
  checkPublished,
  openSuites,
  SUITES,
  suitesCalled,
  tasksAgain,
} from '../../subnets/quasar/evaluation/suites.ts';
import { questionBelow } from '../../subnets/quasar/tasks/context-task.ts';
import { ownTexts } from '../../subnets/quasar/tasks/published/own-texts.ts';
import { answerView, cellView, evaluationView, planOf } from './evaluation-views.ts';
import { lengthProblem, type OwnFit } from './length-fit.ts';
import { otherModel } from './other-model.ts';
import { scoresOf } from './scores-view.ts';
import { checkVersions, MADE_VERSIONS, otherSuite } from './suite-versions.ts';

/** Whoever is asked, for as long as one evaluation takes. */
export interface OpenedExaminee extends Examinee, AsyncDisposable {
  /** As it calls itself. */
  model: string;
  /** SHA-256 of its file; null where that is not known. */
  sha256: string | null;
  /** Bytes that a request on the way to it may have. Default: as many as its room takes. */
  mostBytes?: number;
  /** What is known of a model of this machine. */
  own?: () => Promise<OwnFit | undefined>;
}

export interface EvaluationDeskOptions {
  store: EvaluationStore;
  /** Who is meant now, so that the same can be asked when the settings are others. */
  named(target: EvaluationTarget): EvaluationTarget;
  /** @throws what keeps it from being asked; the signal's reason */
  openExaminee(target: EvaluationTarget, signal: AbortSignal): Promise<OpenedExaminee>;
  /** Where files of data sets are, absolute. */
  folder: string;
  log: Logger;
  /** Unix milliseconds. Default Date.now */
  now?: () => number;
}

interface Running {
  id: string;
  stop: AbortController;
  ended: Promise<void>;
}

/** Evaluations of models, one at a time; each goes on until it is done, paused or this is closed. A resource. */
export class EvaluationDesk {
  readonly #options: EvaluationDeskOptions;
  readonly #store: EvaluationStore;
  readonly #now: () => number;
  readonly #changes = new Changes();
  /** Of what begins or removes one: each sees what the one before has begun. */
  readonly #turns = new Turns();
  #running: Running | undefined;
  #isClosed = false;

  constructor(options: EvaluationDeskOptions) {
    this.#options = options;
    this.#store = options.store;
    this.#now = options.now ?? Date.now;
  }

  /** What a process that died was at waits until somebody goes on with it. */
  async open(): Promise<void> {
    await this.#store.pauseAll();
  }

  /** Pauses what runs, and begins nothing any more. Idempotent. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#turns.ended();
    await this.#stop();
  }

  async #stop(): Promise<void> {
    this.#running?.stop.abort();
    await this.#running?.ended;
  }

  suites(): SuiteView[] {
    return [...SUITES.values()].map(({ name, version, variants, isMade }) => ({
      name,
      version,
      variants: [...variants],
      isMade,
    }));
  }

  /**
   * Which of the lengths fit, before anything is asked: whoever would answer is opened for it.
   * @throws BAD_REQUEST for what cannot be asked, or where a file is missing; what opening throws; the signal's reason
   */
  async fit(request: EvaluationWish, signal = new AbortController().signal): Promise<EvaluationFit> {
    await this.#checkFiles(request);
    await using examinee = await this.#options.openExaminee(this.#options.named(request.target), signal);
    const { model, room } = examinee;
    const lengths = [...new Set(request.lengths)].toSorted((one, other) => one - other);
    const problems = await problemsOf(lengths, examinee);
    return { model, room, lengths: lengths.map((length) => ({ length, problem: viewOf(problems.get(length)) })) };
  }

  /** @throws BAD_REQUEST for what cannot be asked, or where a file is missing; OVERLOADED while another one runs */
  async start(request: EvaluationRequest): Promise<EvaluationView> {
    return await this.#turns.take(() => this.#start(request));
  }

  async #start({ seed = randomBytes(16).toString('hex'), ...request }: EvaluationRequest): Promise<EvaluationView> {
    await this.#checkFiles(request);
    this.#checkIdle();
    const suites = suitesCalled(request.suites);
    const plan = { ...request, suites, target: this.#options.named(request.target), seed };
    const row: EvaluationRow = {
      ...{ id: randomBytes(8).toString('hex'), created_at: this.#now(), ended_at: null, state: 'running' },
      ...{ plan: JSON.stringify(plan), model: null, sha256: null, seconds: 0, error: null },
      ...{ texts: plannedTexts(plan, variantsOf).length, done: 0 },
    };
    await this.#store.add(row);
    this.#begin(row);
    return evaluationView(row);
  }

  /** @throws BAD_REQUEST where there is none, or nothing left to do; OVERLOADED while another one runs */
  async resume(id: string): Promise<EvaluationView> {
    return await this.#turns.take(() => this.#resume(id));
  }

  async #resume(id: string): Promise<EvaluationView> {
    const row = await this.#find(id);
    if (this.#running?.id === id) return evaluationView(row);
    if (row.state === 'done') throw refused(say('evaluations.isDone'));
    this.#checkIdle();
    const changes = { state: 'running' as const, error: null, ended_at: null };
    await this.#store.set(id, changes);
    this.#begin({ ...row, ...changes });
    return evaluationView({ ...row, ...changes });
  }

  /** What is being answered is given up. @throws BAD_REQUEST where there is none */
  async pause(id: string): Promise<EvaluationView> {
    if (this.#running?.id === id) await this.#stop();
    return evaluationView(await this.#find(id));
  }

  /** @throws BAD_REQUEST while it runs */
  async remove(id: string): Promise<void> {
    await this.#turns.take(async () => {
      if (this.#running?.id === id) throw refused(say('evaluations.runs'), say('evaluations.pauseFirst'));
      await this.#store.remove(id);
    });
    this.#changes.tell();
  }

  async list(limit: number, before?: number): Promise<EvaluationView[]> {
    return (await this.#store.page(limit, before)).map(evaluationView);
  }

  /** @throws BAD_REQUEST where there is none */
  async details(id: string): Promise<EvaluationDetails> {
    const row = await this.#find(id);
    return { ...evaluationView(row), cells: (await this.#store.cells(id)).map(cellView) };
  }

  /** Now, and whenever something has come of it, until it runs no more. @throws BAD_REQUEST where there is none */
  async *watch(id: string, signal = new AbortController().signal): AsyncGenerator<EvaluationDetails, void, undefined> {
    for await (const details of watched(() => this.details(id), this.#changes, signal)) {
      yield details;
      if (details.state !== 'running') return;
    }
  }

  /** A page of answers, in the order of asking. */
  async answers(
    id: string,
    limit: number,
    after?: { text: number; question: number },
    of?: AnswersOf,
  ): Promise<EvaluationAnswerView[]> {
    return (await this.#store.answers(id, limit, after, of)).map(answerView);
  }

  /** QUASAR’s scores, out of all answers so far. @throws BAD_REQUEST where there is none */
  async scores(id: string): Promise<EvaluationScore[]> {
    const { twice = false } = planOf((await this.#find(id)).plan);
    return await scoresOf(this.#store, id, twice);
  }

  /** What was asked, made anew; null where its text is out of a file, or this Quarry makes others. @throws BAD_REQUEST where there is no such question */
  async question(id: string, text: number, question: number): Promise<EvaluationQuestionView | null> {
    const plan = planOf((await this.#find(id)).plan);
    const answer = await this.#store.answer(id, text, question);
    if (answer && otherSuite(plan, MADE_VERSIONS)) return null;
    const planned = plannedTexts(plan, variantsOf)[text];
    if (!answer || !planned) throw refused(say('evaluations.noQuestion'));
    const tasks = answer.words === null ? [] : await tasksAgain(plan, planned, answer.words);
    const task = tasks[question];
    if (!task) return null;
    return { asked: questionBelow(task), expected: [...task.expected] };
  }

  /** A file that is missing is said before anything is loaded. */
  async #checkFiles({ suites, ownTexts }: Pick<EvaluationRequest, 'suites' | 'ownTexts'>): Promise<void> {
    const called = suitesCalled(suites);
    for (const suite of called) variantsOf(suite);
    if (!ownTexts) await checkPublished(called, this.#options.folder);
  }

  #checkIdle(): void {
    if (this.#isClosed) throw new QuarryError({ code: 'CANCELLED', message: say('ask.closing') });
    if (this.#running)
      throw new QuarryError({
        code: 'OVERLOADED',
        message: say('evaluations.another'),
        hint: say('evaluations.pauseFirst'),
      });
  }

  #begin(row: EvaluationRow): void {
    const stop = new AbortController();
    const ended = this.#run(row, stop.signal).finally(() => {
      this.#running = undefined;
      this.#changes.tell();
    });
    this.#running = { id: row.id, stop, ended };
  }

  /** Never throws: what keeps it from going on is kept with it; where not even that can be, the next start of the node has it paused. */
  async #run(row: EvaluationRow, signal: AbortSignal): Promise<void> {
    const { id } = row;
    const began = this.#now();
    const seconds = () => row.seconds + (this.#now() - began) / 1_000;
    try {
      await this.#askAll(row, seconds, signal);
      await this.#store.set(id, { state: 'done', ended_at: this.#now(), seconds: seconds() });
    } catch (error) {
      const failure = QuarryError.from(error);
      const isPaused = signal.aborted || failure.code === 'CANCELLED'; // so end questions of a node that closes
      if (!isPaused) this.#options.log.warn({ err: error, evaluation: id }, 'an evaluation does not go on');
      const outcome = isPaused
        ? { state: 'paused' as const }
        : { state: 'failed' as const, ended_at: this.#now(), error: JSON.stringify(errorView(failure)) };
      await this.#store
        .set(id, { ...outcome, seconds: seconds() })
        .catch((err: unknown) => this.#options.log.error({ err, evaluation: id }, 'its end could not be kept'));
    }
  }

  async #askAll(
    { id, plan: kept, done, ...was }: EvaluationRow,
    seconds: () => number,
    signal: AbortSignal,
  ): Promise<void> {
    const plan = planOf(kept);
    const suites = await openSuites(plan.suites, plan.ownTexts ? ownTexts() : this.#options.folder, signal);
    const versions = Object.fromEntries([...suites].map(([name, { version }]) => [name, version]));
    checkVersions(plan, versions);
    await using examinee = await this.#options.openExaminee(plan.target, signal);
    const { model, sha256 } = examinee;
    if (was.model !== null && (was.sha256 !== sha256 || was.model !== model)) throw otherModel(was.model, model);
    await this.#store.set(id, { model, sha256, plan: JSON.stringify({ ...plan, versions }) });
    const tooLong = await problemsOf(plan.lengths, examinee);
    const [first] = tooLong.values();
    if (first && plan.lengths.every((length) => tooLong.has(length))) throw first;
    await askAll({
      ...{ id, plan, suites, examinee, done, tooLong, signal },
      store: this.#store,
      texts: plannedTexts(plan, variantsOf),
      onText: (done) => this.#store.set(id, { done, seconds: seconds() }),
      onAnswer: () => this.#changes.tell(),
      now: this.#now,
    });
  }

  async #find(id: string): Promise<EvaluationRow> {
    const row = await this.#store.find(id);
    if (!row) throw refused(say('evaluations.none', { id }), say('evaluations.list'));
    return row;
  }
}

/** @throws BAD_REQUEST for a suite that there is not */
function variantsOf(suite: string): readonly string[] {
  const found = SUITES.get(suite);
  if (!found)
    throw refused(
      say('evaluations.noSuite', { suite }),
      say('evaluations.suites', { names: [...SUITES.keys()] }),
      'suites',
    );
  return found.variants;
}

/** Those of the lengths that whoever is asked has no room for. */
async function problemsOf(
  lengths: readonly number[],
  { own, ...examinee }: OpenedExaminee,
): Promise<Map<number, QuarryError>> {
  const problems = new Map<number, QuarryError>();
  for (const length of lengths) {
    const problem = await lengthProblem(length, examinee, own);
    if (problem) problems.set(length, problem);
  }
  return problems;
}

const viewOf = (problem: QuarryError | undefined) => (problem ? errorView(problem) : null);

const refused = (message: ReturnType<typeof say>, hint?: ReturnType<typeof say>, field?: string) =>
  new QuarryError({ code: 'BAD_REQUEST', message, ...(hint && { hint }), ...(field !== undefined && { field }) });
