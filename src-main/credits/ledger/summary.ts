import { sql } from 'kysely';
import type { CreditDay, CreditRule, CreditSummary } from '../../../src-preload/contract/credits.ts';
import { midnights } from '../../base/days.ts';
import { balanceOf } from '../../store/credits/ledger.ts';
import { DAY_MS, QUARTER_MS } from '../../store/credits/own-entries.ts';
import type { Db } from '../../store/database.ts';
import { ISSUE_GIFT, ISSUE_GIVEN, OWN_SPENT, SCORE_EARNED } from '../books/accounts.ts';
import { achievementById } from '../score/achievements.ts';
import type { GiftRule } from '../standing/gifts.ts';
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
  /** What others should owe this node. */
  available: number;
  /** What this node owes others. */
  owed: number;
  /** What its requests that have not ended may cost. */
  reserved: number;
  /** Answers that were served and that nobody has signed for yet. */
  pending: CreditSummary['pending'];
  gifts: GiftRule;
  rule: CreditRule;
}

export interface Holdings {
  /** Credits to spend: what others should owe this node. */
  available: number;
  points: number;
  tier: Tier;
}

/** What the node holds, in short: told at once, however long the ledger is. */
export async function holdings(db: Db, available: number): Promise<Holdings> {
  const points = await balanceOf(db, SCORE_EARNED);
  return { available, points, tier: tierOf(points) };
}

/**
 * What the node holds, has earned and has spent: out of balances and sums, however many receipts there are. «Today» starts at midnight
 * where the machine stands.
 */
export async function summarise(db: Db, { now, available, gifts, ...told }: SummaryOptions): Promise<CreditSummary> {
  const held = await holdings(db, available);
  const achievements = await listAchievements(db);
  const week = midnights(now, WEEK_DAYS);
  const spent = await balanceOf(db, OWN_SPENT);
  return {
    ...held,
    ...told,
    spent,
    tierFrom: TIER_POINTS[held.tier],
    next: nextTier(held.points),
    served: await countServed(db),
    earnedToday: await earnedSince(db, week.at(-1) ?? now),
    earnedWeek: await earnedSince(db, week[0] ?? now),
    // What was spent without being owed it has its other side in `issue:given`, which is below zero by so much.
    gifts: { given: 0 - (await balanceOf(db, ISSUE_GIFT)), back: spent + (await balanceOf(db, ISSUE_GIVEN)), ...gifts },
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

/** Receipts that this node was given as a worker, whether or not they counted. */
async function countServed(db: Db): Promise<number> {
  const { requests } = await db
    .selectFrom('own_sums')
    .select(sql<number>`coalesce(sum(requests), 0)`.as('requests'))
    .where('span', '=', DAY_MS)
    .executeTakeFirstOrThrow();
  return requests;
}

async function earnedSince(db: Db, since: number): Promise<number> {
  const { points } = await db
    .selectFrom('own_sums')
    .select(sql<number>`coalesce(sum(points), 0)`.as('points'))
    .where('span', '=', QUARTER_MS)
    .where('begins', '>=', since)
    .executeTakeFirstOrThrow();
  return points;
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
      COALESCE(SUM(own.requests), 0) AS requests,
      COALESCE(SUM(own.spent), 0) AS spent
    FROM day LEFT JOIN own_sums AS own ON own.span = ${QUARTER_MS} AND own.begins >= day.at AND own.begins < day.until
    GROUP BY day.at ORDER BY day.at`.execute(db);
  return rows;
}
