import { sql } from 'kysely';
import type { CreditDay, CreditSummary } from '../../../src-preload/contract/credits.ts';
import type { Db } from '../../store/database.ts';
import { balanceOf } from '../../store/ledger.ts';
import { available, OWN, reserved, SCORE_EARNED, spent } from '../books/accounts.ts';
import { achievementById } from '../score/achievements.ts';
import { nextTier, TIER_POINTS, type Tier, tierOf } from '../tiers.ts';

/** An achievement of this node, and the receipts that brought it. */
export interface EarnedAchievement {
  id: string;
  title: string;
  bonus: number;
  /** Unix milliseconds. */
  at: number;
  /** Ids of receipts, newest first. */
  evidence: string[];
}

/** The last seven days, today included. */
const WEEK_DAYS = 7;

export interface SummaryOptions {
  /** Unix milliseconds. */
  now: number;
  /** Ids of the requests that this node is serving at the moment. */
  running: Iterable<string>;
}

export interface Holdings {
  /** Credits to spend. */
  available: number;
  points: number;
  tier: Tier;
}

/** What the node holds, in short: told at once, however long the ledger is. */
export async function holdings(db: Db): Promise<Holdings> {
  const points = await balanceOf(db, SCORE_EARNED);
  return { available: await balanceOf(db, available(OWN)), points, tier: tierOf(points) };
}

/**
 * What the node holds, has earned and has spent. «Today» starts at midnight where the machine stands.
 */
export async function summarise(db: Db, { now, running }: SummaryOptions): Promise<CreditSummary> {
  const held = await holdings(db);
  const achievements = await listAchievements(db);
  const week = midnights(now, WEEK_DAYS);
  return {
    ...held,
    reserved: await balanceOf(db, reserved(OWN)),
    spent: await balanceOf(db, spent(OWN)),
    tierFrom: TIER_POINTS[held.tier],
    next: nextTier(held.points),
    served: await countServed(db),
    earnedToday: await earnedSince(db, week.at(-1) ?? now),
    earnedWeek: await earnedSince(db, week[0] ?? now),
    pending: await sumPending(db, running),
    achievements: achievements.map(({ id, title, bonus, at }) => ({ id, title, bonus, at })),
  };
}

export async function listAchievements(db: Db): Promise<EarnedAchievement[]> {
  const rows = await db.selectFrom('achievements').selectAll().orderBy('entry').execute();
  return rows.map(({ id, at, bonus, evidence }) => {
    const title = achievementById(id)?.title ?? id;
    return { id, title, bonus, at, evidence: JSON.parse(evidence) as string[] };
  });
}

/** Receipts that this node was given as a worker, whether or not they counted: of all that it is scored by, what is no failure. */
async function countServed(db: Db): Promise<number> {
  const scored = db.selectFrom('scored_events').select(({ fn }) => fn.max('place').as('count'));
  const failed = db.selectFrom('own_entries').select(({ fn }) => fn.countAll<number>().as('count'));
  const { count: events } = await scored.executeTakeFirstOrThrow();
  const { count: failures } = await failed.where('kind', '=', 'penalty').executeTakeFirstOrThrow();
  return (events ?? 0) - failures;
}

async function earnedSince(db: Db, since: number): Promise<number> {
  const { points } = await db
    .selectFrom('own_entries')
    .select(sql<number>`coalesce(sum(points), 0)`.as('points'))
    .where('at', '>=', since)
    .executeTakeFirstOrThrow();
  return points;
}

/** What clients owe for: reservations of requests that do not run any more. Failed ones are given back at once. */
async function sumPending(db: Db, running: Iterable<string>): Promise<CreditSummary['pending']> {
  const { rows } = await sql<CreditSummary['pending']>`
    SELECT COUNT(*) AS requests, COALESCE(SUM(amount), 0) AS credits FROM reservations
    WHERE role = 'worker' AND request_id NOT IN (SELECT value FROM json_each(${JSON.stringify([...running])}))`.execute(
    db,
  );
  return rows[0] ?? { requests: 0, credits: 0 };
}

/** The midnights where the machine stands that began the last days, oldest first; the last one is today's. */
export function midnights(now: number, days: number): number[] {
  const today = new Date(now);
  const [year, month, day] = [today.getFullYear(), today.getMonth(), today.getDate()];
  // Counted by the calendar: days with a change of the clocks have 23 or 25 hours.
  return Array.from({ length: days }, (_, index) => new Date(year, month, day - days + 1 + index).getTime());
}

/** What the last days brought, today last; days without anything are there too. */
export async function listDays(db: Db, now: number, days: number): Promise<CreditDay[]> {
  const { rows } = await sql<CreditDay>`
    WITH day AS (
      SELECT value AS at, lead(value, 1, ${Number.MAX_SAFE_INTEGER}) OVER (ORDER BY key) AS until
      FROM json_each(${JSON.stringify(midnights(now, days))})
    )
    SELECT day.at,
      COALESCE(SUM(own.points), 0) AS points,
      COUNT(*) FILTER (WHERE own.kind = 'earn') AS requests,
      COALESCE(SUM(own.spent), 0) AS spent
    FROM day LEFT JOIN own_entries AS own ON own.at >= day.at AND own.at < day.until
    GROUP BY day.at ORDER BY day.at`.execute(db);
  return rows;
}
