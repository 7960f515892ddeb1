import type { Forecast } from '../../../src-preload/contract/earning.ts';
import type { ModelFit } from '../../../src-preload/contract/models.ts';
import { say, told } from '../../../src-preload/contract/saying.ts';
import type { ReceiptBody } from '../receipt.ts';
import { pointsFor } from '../score/points.ts';
import { type EarningRate, FEWEST_ANSWERS } from './rate.ts';

/** A model's own figures are taken from so many answers on. */
const ENOUGH_OF_ITS_OWN = 20;

const HOUR_MS = 3_600_000;

/** An answer that this node gave, as far as its points depend on it. */
export type PastAnswer = Pick<ReceiptBody, 'model' | 'processingMs' | 'promptChars' | 'resultChars'>;

/** How fast a model would write here, and between what. */
export type ModelSpeed = Pick<ModelFit['speed'], 'tokensPerSecond' | 'low' | 'high'>;

export interface ForecastFacts {
  /** What the last seven days have brought, and of that what each model has; undefined with too few data. */
  rate: EarningRate | undefined;
  rates: ReadonlyMap<string, EarningRate>;
  /** The last answers, of whatever model. */
  answers: readonly PastAnswer[];
  /** Of the models that may be asked about, and of those that gave the answers. */
  speeds: ReadonlyMap<string, ModelSpeed>;
  /** Requests that the engine answers at a time. */
  parallel: number;
}

/** What a model would bring a day here; undefined where there is nothing to reckon it from. */
export function forecast(model: string, facts: ForecastFacts): Forecast | undefined {
  const { rate, rates } = facts;
  if (!rate) return undefined;
  const own = rates.get(model);
  return own && own.answers >= ENOUGH_OF_ITS_OWN ? fromReceipts(model, own, rate) : fromSpeed(model, facts, rate);
}

/** What an hour with this model has brought, for as many hours a day as the node has served with any. */
function fromReceipts(model: string, own: EarningRate, { hoursPerDay }: EarningRate): Forecast {
  const likely = own.pointsPerHour * hoursPerDay;
  const error = countError(own.answers);
  const answersPerDay = likely / own.pointsPerAnswer || 0;
  const points = Math.round(likely);
  return {
    model,
    perDay: { low: Math.round(likely * (1 - error)), likely: points, high: Math.round(likely * (1 + error)) },
    basis: 'receipts',
    assumes: { hoursPerDay, answersPerDay, from: own.answers, pointsPerAnswer: own.pointsPerAnswer },
    ...told({ text: say('earning.forecast.receipts', { points, hours: hoursPerDay }) }),
  };
}

/** What the last answers would have brought at its speed. */
function fromSpeed(
  model: string,
  { answers, speeds, parallel }: ForecastFacts,
  rate: EarningRate,
): Forecast | undefined {
  const speed = speeds.get(model);
  const known = answers.flatMap((answer) => {
    const tokensPerSecond = speeds.get(answer.model)?.tokensPerSecond ?? 0;
    return tokensPerSecond > 0 ? [{ answer, tokensPerSecond }] : [];
  });
  if (!speed || speed.tokensPerSecond <= 0 || known.length < FEWEST_ANSWERS) return undefined;
  const at = (tokensPerSecond: number) => {
    const times = known.map(({ answer, tokensPerSecond: then }) => (answer.processingMs * then) / tokensPerSecond);
    const pointsPerAnswer = mean(
      known.map(({ answer }, index) => pointsFor({ ...answer, processingMs: times[index] ?? 0 })),
    );
    const most = (rate.hoursPerDay * HOUR_MS * parallel) / Math.max(1, mean(times));
    const answersPerDay = Math.min(rate.answersPerDay, most);
    return { pointsPerAnswer, answersPerDay, perDay: pointsPerAnswer * answersPerDay };
  };
  const [slower, likely, faster] = [at(speed.low), at(speed.tokensPerSecond), at(speed.high)];
  const error = countError(rate.answers);
  const { pointsPerAnswer, answersPerDay } = likely;
  const points = Math.round(likely.perDay);
  const shown = answersPerDay < 10 ? Math.round(answersPerDay * 10) / 10 : Math.round(answersPerDay);
  return {
    model,
    perDay: {
      low: Math.round(slower.perDay * (1 - error)),
      likely: points,
      high: Math.round(faster.perDay * (1 + error)),
    },
    basis: 'estimate',
    assumes: {
      ...{ hoursPerDay: rate.hoursPerDay, answersPerDay, from: known.length, pointsPerAnswer },
      tokensPerSecond: speed.tokensPerSecond,
    },
    ...told({ text: say('earning.forecast.estimate', { points, answers: shown }) }),
  };
}

/** How far off a count of so many may be by chance: two standard deviations, as a part of it. */
function countError(count: number): number {
  return Math.min(1, 2 / Math.sqrt(count));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
