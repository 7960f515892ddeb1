import type { ModelStatistics } from '../../../../src-preload/contract/credits.ts';
import type { EarningToday, Forecast } from '../../../../src-preload/contract/earning.ts';
import { midnights } from '../../../base/days.ts';
import { compareToday } from '../../../credits/earning/comparison.ts';
import { type DayFigures, DaySums } from '../../../credits/earning/day-figures.ts';
import { forecast, type ModelSpeed } from '../../../credits/earning/forecast.ts';
import { type EarningRate, earningRate } from '../../../credits/earning/rate.ts';
import { type LostTime, shortfalls } from '../../../credits/earning/shortfalls.ts';
import { readByModel } from '../../../credits/ledger/by-model.ts';
import { listAnswers } from '../../../credits/ledger/history.ts';
import { ActivityStore, type ActivitySums, type Gap } from '../../../store/activity.ts';
import type { Core } from '../core.ts';
import type { CreditsPart } from '../credits.ts';
import type { ModelsPart } from '../inference/models.ts';
import { THROTTLED_SPEED } from '../mesh/mining.ts';

const WEEK_MS = 7 * 86_400_000;
/** Answers that an estimate is reckoned from. */
const LAST_ANSWERS = 200;

/** What this node earns, against what it could: see docs/credits.md. */
export interface EarningPart {
  today(): Promise<EarningToday>;
  /** What each model that is here or in the catalogue would bring a day; those of which nothing can be said are left out. */
  forecasts(): Promise<Forecast[]>;
  /** What each model has done, and what an hour with it has brought. */
  byModel(): Promise<ModelStatistics>;
}

export interface EarningNeeds {
  credits: Pick<CreditsPart, 'summary'>;
  models: { desk: Pick<ModelsPart['desk'], 'list' | 'catalogue'> };
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
}

export function openEarning({ db, config }: Pick<Core, 'db' | 'config'>, needs: EarningNeeds): EarningPart {
  const { credits, models, now: clock = Date.now } = needs;
  const store = new ActivityStore(db);
  const days = new DaySums(db);
  return {
    async today() {
      const now = clock();
      const [since = now] = midnights(now, 1);
      const [{ rate }, summary, day] = [await rates(store, now), await credits.summary(), await days.read(since)];
      const waiting = { answers: summary.pending.requests, points: summary.pending.points };
      const busy = (await store.sums(since)).reduce((sum, one) => sum + one.busy, 0);
      const lost = lostTimes(await store.gaps(since), since, now);
      return {
        since,
        earned: summary.earnedToday,
        waiting,
        asked: askedOf(day, waiting.answers) + busy,
        reasons: shortfalls({ day, waiting, lost, busy, rate, throttledShare: THROTTLED_SPEED }),
        pointsPerHour: rate?.pointsPerHour,
        ...(await compareToday(db, now, summary)),
      };
    },
    async forecasts() {
      const known = await rates(store, clock());
      if (!known.rate) return [];
      const [answers, speeds] = [await listAnswers(db, LAST_ANSWERS), await modelSpeeds(models)];
      const facts = { ...known, answers, speeds, parallel: config.parallel ?? 1 };
      const names = new Set([...(await models.desk.list()).map(({ name }) => name), ...speeds.keys()]);
      return [...names].flatMap((name) => forecast(name, facts) ?? []);
    },
    byModel: async () => readByModel(db, (await rates(store, clock())).rates),
  };
}

/** Requests that were answered or failed, whether they counted or not. */
function askedOf({ answers, uncounted, failures }: DayFigures, waiting: number): number {
  return answers + uncounted.answers + failures.count + waiting;
}

/** What the last seven days have brought: in all, and with each model. */
async function rates(
  store: ActivityStore,
  now: number,
): Promise<{ rate: EarningRate | undefined; rates: Map<string, EarningRate> }> {
  const sums = await store.sums(now - WEEK_MS);
  const observedMs = now - Math.min(now, ...sums.map(({ first }) => first));
  const rateOf = (some: readonly ActivitySums[]) => earningRate(some, observedMs);
  const byModel = sums.flatMap((one) => {
    const rate = rateOf([one]);
    return rate ? [[one.model, rate] as const] : [];
  });
  return { rate: rateOf(sums), rates: new Map(byModel) };
}

/** The gaps of a day, those of one kind together. */
export function lostTimes(gaps: readonly Gap[], since: number, now: number): LostTime[] {
  const lost = new Map<string, LostTime>();
  for (const { began, ended, kind, rule } of gaps) {
    const ms = Math.max(0, Math.min(ended ?? now, now) - Math.max(began, since));
    const before = lost.get(`${kind} ${rule}`)?.ms ?? 0;
    lost.set(`${kind} ${rule}`, { kind, rule, ms: before + ms });
  }
  return [...lost.values()];
}

/** How fast the models of the catalogue that answer questions would write on this machine. */
async function modelSpeeds({ desk }: EarningNeeds['models']): Promise<Map<string, ModelSpeed>> {
  const models = await desk.catalogue();
  return new Map(
    models
      .filter(({ use, fit }) => use !== 'embedding' && fit && fit.runs !== 'no')
      .flatMap(({ name, fit }) => (fit ? [[name, fit.speed] as const] : [])),
  );
}
