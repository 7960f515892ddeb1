import { sql } from 'kysely';
import type { CreditDay } from '../../src-preload/contract/credits.ts';
import type { Db } from '../store/database.ts';

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
