import { sql } from 'kysely';
import type { CreditDay, CreditSummary } from '../../../src-preload/contract/credits.ts';
import type { EarningToday } from '../../../src-preload/contract/earning.ts';
import { median } from '../../base/median.ts';
import { DAY_MS, QUARTER_MS } from '../../store/credits/own-entries.ts';
import type { Db } from '../../store/database.ts';
import { listDays } from '../ledger/summary.ts';

/** Days that «the last seven days» are, today included. */
const WEEK = 7;
/** The same weekdays that a day is held against, and how many there have to be. */
const WEEKS = 4;
const FEWEST_WEEKS = 2;

type Comparison = Pick<EarningToday, 'usual' | 'bestDay' | 'nextTier'>;

/** How today compares with other days, and when the next tier comes. Out of sums: however many receipts there are. */
export async function compareToday(
  db: Db,
  now: number,
  { next, achievements }: Pick<CreditSummary, 'next' | 'achievements'>,
): Promise<Comparison> {
  const days = await listDays(db, now, WEEKS * 7 + 1);
  const first = await firstEarned(db);
  const week = days.slice(-WEEK);
  return {
    usual: first === undefined ? undefined : await usualDay(db, now, { days, first }),
    bestDay: bestOf(week),
    nextTier: next && { ...next, days: daysTo(next.missing, { now, week, first, achievements }) },
  };
}

async function firstEarned(db: Db): Promise<number | undefined> {
  const first = db.selectFrom('own_sums').select('begins').where('span', '=', QUARTER_MS).orderBy('begins').limit(1);
  return (await first.executeTakeFirst())?.begins;
}

/** @param first when this node's history begins: a day that began before it was no whole one */
async function usualDay(
  db: Db,
  now: number,
  { days, first }: { days: readonly CreditDay[]; first: number },
): Promise<Comparison['usual']> {
  const same = days.filter(
    (day, index) => (days.length - 1 - index) % 7 === 0 && day !== days.at(-1) && day.at >= first,
  );
  if (same.length < FEWEST_WEEKS) return undefined;
  const soFar = await Promise.all(same.map(({ at }) => pointsBetween(db, at, sameTimeOn(at, now))));
  return { days: same.length, points: median(same.map(({ points }) => points)), soFar: median(soFar) };
}

/** The time of day of `now` on another day, by the calendar where the machine stands. */
function sameTimeOn(midnight: number, now: number): number {
  const [day, time] = [new Date(midnight), new Date(now)];
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()] as const;
  return new Date(day.getFullYear(), day.getMonth(), day.getDate(), ...clock).getTime();
}

async function pointsBetween(db: Db, from: number, until: number): Promise<number> {
  const { points } = await db
    .selectFrom('own_sums')
    .select(sql<number>`coalesce(sum(points), 0)`.as('points'))
    .where('span', '=', QUARTER_MS)
    .where('begins', '>=', from)
    .where('begins', '<', until)
    .executeTakeFirstOrThrow();
  return points;
}

function bestOf(week: readonly CreditDay[]): Comparison['bestDay'] {
  const [best] = week.toSorted((a, b) => b.points - a.points);
  return best && best.points > 0 ? { at: best.at, points: best.points } : undefined;
}

/**
 * Whole days until so many points more are there, if each brings what those of the last week did; one-time bonuses do not come again.
 * @returns undefined where there is no whole day to go by, or nothing came
 */
export function daysTo(
  missing: number,
  known: {
    now: number;
    week: readonly CreditDay[];
    first: number | undefined;
    achievements: readonly { bonus: number; at: number }[];
  },
): number | undefined {
  const { now, week, first, achievements } = known;
  const from = Math.max(week[0]?.at ?? now, first ?? now);
  const passed = (now - from) / DAY_MS;
  if (passed < 1) return undefined;
  const bonuses = achievements.reduce((sum, { bonus, at }) => sum + (at >= from ? bonus : 0), 0);
  const perDay = (week.reduce((sum, { points }) => sum + points, 0) - bonuses) / passed;
  return perDay > 0 ? Math.max(1, Math.ceil(missing / perDay)) : undefined;
}
