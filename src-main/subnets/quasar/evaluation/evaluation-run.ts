import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { errorView } from '../../../base/error-view.ts';
import type { EvaluationAnswerRow, EvaluationStore } from '../../../store/evaluations.ts';
import { storable } from '../../../validation/answer-text.ts';
import { scoreBy } from '../metrics/metrics.ts';
import type { AskedTask, ContextTask, CountTokens } from '../tasks/context-task.ts';
import { askedTwice } from './asked-twice.ts';
import { drawsAgain, drawsOf, type EvaluationPlan, type PlannedText } from './plan.ts';
import type { PosedText, Suite } from './suite.ts';

/** What whoever was asked said. Times are this node's, in milliseconds from asking; counts are null where it does not tell. */
export interface Answered {
  /** Without what it thought. */
  text: string;
  firstMs: number;
  totalMs: number;
  promptTokens: number | null;
  cachedTokens: number | null;
  answerTokens: number | null;
}

/** Whoever is asked. */
export interface Examinee {
  /** Of all that it is given for a question, by its own tokenizer. */
  count: CountTokens;
  /** Tokens that it has room for, question and answer together; null where nobody knows. */
  room: number | null;
  /** Answers without chance, unless a temperature is named. @throws QuarryError; the signal's reason */
  ask(
    question: AskedTask,
    how: { maxTokens: number; temperature?: number | undefined; signal: AbortSignal },
  ): Promise<Answered>;
}

export interface EvaluationRunOptions {
  id: string;
  plan: EvaluationPlan;
  /** In the order of asking. */
  texts: readonly PlannedText[];
  /** So many of them, the first ones, are done with: they are not made again. */
  done: number;
  suites: ReadonlyMap<string, Suite>;
  /** Lengths that it has no room for, and why: their texts are not made. */
  tooLong: ReadonlyMap<number, QuarryError>;
  examinee: Examinee;
  store: Pick<EvaluationStore, 'answered' | 'questionsOf'>;
  /** Told after each text: how many there have been of all. */
  onText: (done: number) => Promise<void>;
  /** Told after each answer. */
  onAnswer: (row: EvaluationAnswerRow) => void;
  /** Unix milliseconds. Default Date.now */
  now?: () => number;
  signal: AbortSignal;
}

/** Of an answer that is kept, UTF-16 units. */
const MOST_KEPT = 2_000;

/**
 * Asks what a plan says, and writes each answer down before it asks on: whoever is stopped or killed asks nothing twice. What is too long for whoever is asked is
 * noted as such, and its questions count as not answered.
 * @throws what keeps it from asking; the signal's reason
 */
export async function askAll(options: EvaluationRunOptions): Promise<void> {
  const { texts, done, onText, signal } = options;
  for (const [at, text] of texts.entries()) {
    if (at < done) continue;
    signal.throwIfAborted();
    await askAbout(text, at, options);
    await onText(at + 1);
  }
}

async function askAbout(text: PlannedText, at: number, options: EvaluationRunOptions): Promise<void> {
  const { id, store } = options;
  const asked = await store.questionsOf(id, at);
  if (asked.has(UNPOSED)) return;
  const posed = options.tooLong.get(text.length) ?? (await unlessTooLong(() => pose(text, options)));
  const about = { ...text, evaluation: id, text: at };
  if (posed instanceof QuarryError) {
    return await keep({ ...about, question: UNPOSED, words: null, depth: null }, posed, options);
  }
  for (const [question, task] of posed.tasks.entries()) {
    if (asked.has(question)) continue;
    const answered = await unlessTooLong(() =>
      options.examinee.ask(task, { ...options, maxTokens: task.answerTokens }),
    );
    await keep({ ...about, question, words: posed.words, depth: task.depth ?? null }, answered, options, task);
  }
}

/** Stands for all questions about a text that whoever is asked has no room for: it is not made. */
const UNPOSED = -1;

async function pose(text: PlannedText, { plan, suites, examinee, signal }: EvaluationRunOptions): Promise<PosedText> {
  const suite = suites.get(text.suite);
  if (!suite) throw new Error(`there is no suite ${text.suite}`);
  const wanted = { tokens: text.length, count: examinee.count, signal };
  const posed = await suite.pose(() => drawsOf(plan, text, suite.version), text.variant, wanted);
  // A text that was made has words; a published question is asked as it is published.
  return plan.twice && posed.words !== null
    ? { ...posed, tasks: askedTwice(posed.tasks, drawsAgain(plan, text)) }
    : posed;
}

async function unlessTooLong<T>(work: () => Promise<T>): Promise<T | QuarryError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof QuarryError && error.code === 'CONTEXT_TOO_LONG') return error;
    throw error;
  }
}

type About = PlannedText & Pick<EvaluationAnswerRow, 'evaluation' | 'text' | 'question' | 'words' | 'depth'>;

async function keep(
  { sample: _, ...about }: About,
  answered: Answered | QuarryError,
  { store, onAnswer, now = Date.now }: EvaluationRunOptions,
  task?: ContextTask,
): Promise<void> {
  const row = {
    ...about,
    ...(answered instanceof QuarryError ? unanswered(answered) : judged(answered, task)),
    at: now(),
  };
  await store.answered(row);
  onAnswer(row);
}

type Outcome = Omit<EvaluationAnswerRow, keyof About | 'at' | 'length'>;

function unanswered(error: QuarryError): Outcome {
  const none = { prompt_tokens: null, cached_tokens: null, answer_tokens: null, first_ms: null, total_ms: null };
  return { answer: null, error: JSON.stringify(errorView(error)), score: 0, ...none };
}

function judged({ text, ...is }: Answered, task: ContextTask | undefined): Outcome {
  const score = task ? scoreBy(task.metric, text, task.expected, task) : 0;
  const { promptTokens: prompt_tokens, cachedTokens: cached_tokens, answerTokens: answer_tokens } = is;
  const { firstMs: first_ms, totalMs: total_ms } = is;
  const kept = storable(text, MOST_KEPT);
  return { answer: kept, error: null, score, prompt_tokens, cached_tokens, answer_tokens, first_ms, total_ms };
}
