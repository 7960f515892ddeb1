import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type {
  AnswersOf,
  EvaluationAnswerView,
  EvaluationDetails,
  EvaluationQuestionView,
  EvaluationView,
} from '../../../src-preload/contract/evaluation.ts';
import type { EvaluationScore } from '../../../src-preload/contract/evaluation-scores.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { Changes } from '../../base/changes.ts';
import { watched } from '../../base/watched.ts';
import type { EvaluationStore } from '../../store/evaluations.ts';
import { tasksAgain } from '../../subnets/quasar/evaluation/suites.ts';
import { questionBelow } from '../../subnets/quasar/tasks/context-task.ts';
import { textsOf } from './askable-suites.ts';
import { answerView, cellView, evaluationView, planOf } from './evaluation-views.ts';
import { keptEvaluation } from './kept-evaluation.ts';
import { scoresOf } from './scores-view.ts';
import { MADE_VERSIONS, otherSuite } from './suite-versions.ts';

export interface EvaluationResultsOptions {
  store: Pick<EvaluationStore, 'find' | 'page' | 'cells' | 'answers' | 'answer'>;
  /** Told whenever something has come of one. */
  changes: Changes;
}

/** Evaluations, and what has come of each so far. */
export class EvaluationResults {
  readonly #store: EvaluationResultsOptions['store'];
  readonly #changes: Changes;

  constructor({ store, changes }: EvaluationResultsOptions) {
    this.#store = store;
    this.#changes = changes;
  }

  /** The newest first. @param before only what was begun earlier, Unix milliseconds */
  async list(limit: number, before?: number): Promise<EvaluationView[]> {
    return (await this.#store.page(limit, before)).map(evaluationView);
  }

  /** @throws BAD_REQUEST where there is none */
  async details(id: string): Promise<EvaluationDetails> {
    const row = await keptEvaluation(this.#store, id);
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
    const { twice = false } = planOf((await keptEvaluation(this.#store, id)).plan);
    return await scoresOf(this.#store, id, twice);
  }

  /** What was asked, made anew; null where its text is out of a file, or this Quarry makes others. @throws BAD_REQUEST where there is no such question */
  async question(id: string, text: number, question: number): Promise<EvaluationQuestionView | null> {
    const plan = planOf((await keptEvaluation(this.#store, id)).plan);
    const answer = await this.#store.answer(id, text, question);
    if (answer && otherSuite(plan, MADE_VERSIONS)) return null;
    const planned = textsOf(plan)[text];
    if (!answer || !planned) throw new QuarryError({ code: 'BAD_REQUEST', message: say('evaluations.noQuestion') });
    const tasks = answer.words === null ? [] : await tasksAgain(plan, planned, answer.words);
    const task = tasks[question];
    if (!task) return null;
    return { asked: questionBelow(task), expected: [...task.expected] };
  }
}
