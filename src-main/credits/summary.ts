import { sql } from 'kysely';
import type { CreditEntry, CreditSummary } from '../../src-preload/contract/credits.ts';
import type { Db } from '../store/database.ts';
import { balanceOf } from '../store/ledger.ts';
import { available, OWN, reserved, SCORE_EARNED, spent } from './accounts.ts';
import { achievementById } from './achievements.ts';
import { nextTier, tierOf } from './tiers.ts';

/** Most entries in one page of the history. */
const MAX_PAGE = 1_000;

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

/**
 * What the node `id` holds, has earned and has spent. «Today» starts at midnight where the machine stands.
 */
export async function summarise(db: Db, id: string, now: number): Promise<CreditSummary> {
  const points = await balanceOf(db, SCORE_EARNED);
  const achievements = await listAchievements(db);
  return {
    available: await balanceOf(db, available(OWN)),
    reserved: await balanceOf(db, reserved(OWN)),
    spent: await balanceOf(db, spent(OWN)),
    points,
    tier: tierOf(points),
    next: nextTier(points),
    served: await countServed(db, id),
    earnedToday: await earnedSince(db, new Date(now).setHours(0, 0, 0, 0)),
    achievements: achievements.map(({ id, title, bonus, at }) => ({ id, title, bonus, at })),
  };
}

/** The entries that touch this node's own credits or score, newest first, from before number `before`. */
export async function listEntries(db: Db, page: { limit: number; before?: number }): Promise<CreditEntry[]> {
  const { limit, before = Number.MAX_SAFE_INTEGER } = page;
  const rows = await db
    .selectFrom('ledger_entries as entry')
    .leftJoin('postings as own', (join) =>
      join.onRef('own.entry', '=', 'entry.seq').on('own.account', '=', available(OWN)),
    )
    .leftJoin('postings as score', (join) =>
      join.onRef('score.entry', '=', 'entry.seq').on('score.account', '=', SCORE_EARNED),
    )
    .select(['entry.seq', 'entry.at', 'entry.kind', 'entry.request_id as requestId', 'entry.memo', 'own.amount'])
    .where((eb) => eb.or([eb('own.amount', 'is not', null), eb('score.amount', 'is not', null)]))
    .where('entry.seq', '<', before)
    .orderBy('entry.seq', 'desc')
    .limit(Math.min(limit, MAX_PAGE))
    .execute();
  return rows.map((row) => ({ ...row, amount: row.amount ?? 0 }));
}

export async function listAchievements(db: Db): Promise<EarnedAchievement[]> {
  const rows = await db.selectFrom('achievements').selectAll().orderBy('entry').execute();
  return rows.map(({ id, at, bonus, evidence }) => {
    const title = achievementById(id)?.title ?? id;
    return { id, title, bonus, at, evidence: JSON.parse(evidence) as string[] };
  });
}

async function countServed(db: Db, id: string): Promise<number> {
  const { count } = await db
    .selectFrom('receipts')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('worker', '=', id)
    .executeTakeFirstOrThrow();
  return count;
}

async function earnedSince(db: Db, since: number): Promise<number> {
  const { points } = await db
    .selectFrom('ledger_entries')
    .innerJoin('postings', 'postings.entry', 'ledger_entries.seq')
    .select(sql<number>`coalesce(sum(amount), 0)`.as('points'))
    .where('account', '=', SCORE_EARNED)
    .where('at', '>=', since)
    .executeTakeFirstOrThrow();
  return points;
}
