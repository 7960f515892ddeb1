import type { ModelStatistics } from '../../../src-preload/contract/credits.ts';
import type { Db } from '../../store/database.ts';
import type { ReceiptBody } from '../receipt.ts';
import { listAnswers } from './history.ts';

/** Answers that are looked at: enough for a figure, and few enough for any moment. */
const LAST_ANSWERS = 1_000;
const MOST_MODELS = 100;

type Answer = Pick<ReceiptBody, 'model' | 'completionTokens' | 'firstTokenMs' | 'processingMs' | 'servedAt'> & {
  counted: number;
};

/** Points an hour of serving, by the names of models; one that is not there is not known. */
export type HourlyRates = ReadonlyMap<string, { pointsPerHour: number }>;

/** What each model has done for the mesh lately, by its receipts; the one with the most answers first. */
export async function readByModel(db: Db, rates: HourlyRates): Promise<ModelStatistics> {
  return byModel(await listAnswers(db, LAST_ANSWERS), rates);
}

export function byModel(answers: readonly Answer[], rates: HourlyRates): ModelStatistics {
  const groups = Object.values(Object.groupBy(answers, ({ model }) => model)).map((group) => group ?? []);
  const models = groups
    .map((group) => figures(group, rates))
    .sort((a, b) => b.answers - a.answers || b.points - a.points);
  const since = answers.length > 0 ? Math.min(...answers.map(({ servedAt }) => servedAt)) : null;
  return { answers: answers.length, since, models: models.slice(0, MOST_MODELS) };
}

function figures(answers: readonly Answer[], rates: HourlyRates): ModelStatistics['models'][number] {
  const total = (of: (answer: Answer) => number) => answers.reduce((sum, answer) => sum + of(answer), 0);
  const name = answers[0]?.model ?? '';
  return {
    name,
    answers: answers.length,
    tokens: total(({ completionTokens }) => completionTokens),
    tokensPerSecond: middle(answers.flatMap((answer) => writingSpeed(answer) ?? [])),
    points: total(({ counted }) => counted),
    pointsPerHour: rates.get(name)?.pointsPerHour ?? null,
    lastAt: Math.max(...answers.map(({ servedAt }) => servedAt)),
  };
}

/** The first token stands for reading the prompt. Undefined where too little was written to tell. */
function writingSpeed({ completionTokens, firstTokenMs, processingMs }: Answer): number | undefined {
  const seconds = (processingMs - firstTokenMs) / 1_000;
  return completionTokens > 1 && seconds > 0 ? (completionTokens - 1) / seconds : undefined;
}

function middle(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}
