import type { ActivitySecond } from '../../../../src-preload/contract/focus.ts';
import { type Saying, say, type Words } from '../../../../src-preload/contract/saying.ts';
import type { ByRules } from './by-rules.ts';
import { activitySummary } from './model/activity-summary.ts';
import type { FocusTask } from './model/questions.ts';
import { type Boost, type ModelInput, type ModelScore, OrdersInTask, scoreByModel } from './model/score-by-model.ts';
import { Unscored } from './model/unscored.ts';
import { type OlderScore, olderScore } from './older-score.ts';
import { everySecond } from './rules/every-second.ts';
import type { RulesScore } from './score-by-rules.ts';

/** What is worth less is not accepted (OMEGA, B11). */
const LEAST_SCORE = 0.1;

/** Who is asked, and how; or why nobody can be. */
export type AskedModel = { lack: Saying } | Pick<ModelInput, 'judge' | 'draw' | 'onStep' | 'pauses' | 'frames'>;

export interface RecordingToScore {
  /** As its chunks were taken. */
  seconds: readonly ActivitySecond[];
  byRules: ByRules;
  task: FocusTask;
  boost?: Boost | undefined;
  model: AskedModel;
  /** How new a text is, from 0 to 1; null where it is not known. Absent without an embedding model. */
  uniquenessOf?: ((kind: 'task' | 'description', text: string) => Promise<number | null>) | undefined;
}

export type Outcome = 'passed' | 'failed' | 'doubted' | 'unscored';

export interface RecordingScore {
  outcome: Outcome;
  /** Null where there is none: nothing is said then of what it is worth. */
  score: number | null;
  why: Words;
  rules: RulesScore;
  model: ModelScore | null;
  /** What gives orders to whoever judges; null where nothing was found. */
  orders: string | null;
  /** From 0 to 1; null where it is not known. */
  uniqueness: { task: number | null; description: number | null; pictures: number | null };
  older: OlderScore;
}

/**
 * What a recording is worth. Its owner’s node and a validator’s call the same: by the rules first, which were asked before, and what they refuse is shown to no model; then by a
 * model. Without one there is no score: the rules cannot say whether work is any good.
 * @throws what the signal is aborted with
 */
export async function scoreRecording(asked: RecordingToScore, signal: AbortSignal): Promise<RecordingScore> {
  const { rules } = asked.byRules;
  const base = { rules, model: null, orders: null };
  const known = (description: string | null, completion: number | null) => sideViews(asked, description, completion);
  const broken = rules.findings.find(({ outcome }) => outcome === 'failed');
  if (broken) return { ...base, ...(await known(null, null)), outcome: 'failed', score: 0, why: broken.reason };
  try {
    const model = await byModel(asked, signal);
    const { description } = model.annotation;
    const views = await known(description, model.completion?.score ?? null);
    return { ...base, ...views, model, ...decided(model) };
  } catch (error) {
    if (error instanceof OrdersInTask) return { ...base, ...(await known(null, null)), ...doubted(error.orders) };
    if (!(error instanceof Unscored)) throw error;
    return { ...base, ...(await known(null, null)), outcome: 'unscored', score: null, why: error.why };
  }
}

async function byModel({ seconds, task, boost, model }: RecordingToScore, signal: AbortSignal): Promise<ModelScore> {
  if ('lack' in model) throw new Unscored(model.lack);
  const minutes = activitySummary(everySecond(seconds));
  return await scoreByModel({ ...model, task, boost, minutes, signal });
}

function doubted(orders: string): Pick<RecordingScore, 'outcome' | 'score' | 'why' | 'orders'> {
  const why = orders ? say('focusScore.orders', { orders }) : say('focusScore.orders.seen');
  return { outcome: 'doubted', score: null, why, orders };
}

function decided({ orders, score, legitimacy, completion, boost }: ModelScore) {
  if (orders !== null || score === null) return doubted(orders ?? '');
  const base = { orders: null, score };
  if (legitimacy && !legitimacy.legitimate) {
    const why = say('focusScore.noWork', { why: legitimacy.rationale });
    return { ...base, outcome: 'failed' as const, why };
  }
  const percent = Math.round(100 * (completion?.score ?? 0));
  if (score < LEAST_SCORE) {
    const why = say('focusScore.tooLittle', { percent, why: completion?.rationale ?? '' });
    return { ...base, outcome: 'failed' as const, why };
  }
  const why = boost > 1 ? say('focusScore.done.boosted', { percent, boost }) : say('focusScore.done', { percent });
  return { ...base, outcome: 'passed' as const, why };
}

/** What is shown beside the score, and does not count in it. */
async function sideViews(
  { byRules, task, boost, uniquenessOf }: RecordingToScore,
  description: string | null,
  completion: number | null,
): Promise<Pick<RecordingScore, 'uniqueness' | 'older'>> {
  const overview = `# ${task.title}\n\n${task.description}`;
  const uniqueness = {
    task: (await uniquenessOf?.('task', overview)) ?? null,
    description: description === null ? null : ((await uniquenessOf?.('description', description)) ?? null),
    pictures: byRules.pictures,
  };
  const parts = {
    taskQuality: null,
    taskUniqueness: uniqueness.task,
    completion,
    descriptionUniqueness: uniqueness.description,
    videoUniqueness: uniqueness.pictures,
  };
  return { uniqueness, older: olderScore(parts, boost?.factor) };
}
