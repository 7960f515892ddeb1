import { sql } from 'kysely';
import {
  type ActivityBand,
  type ActivityHistory,
  type HistoryRange,
  MOST_BANDS,
  type PolicyRule,
  RULE_WORDS,
} from '../../src-preload/contract/activity.ts';
import { type Saying, say, told } from '../../src-preload/contract/saying.ts';
import type { ActivityMinute, ActivityStore, Gap } from '../store/activity.ts';
import { QUARTER_MS } from '../store/credits/own-entries.ts';
import type { Db } from '../store/database.ts';
import { MINUTE_MS } from './recorder.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How long each chart is, a point of it, and the time whose payments are told together: milliseconds. */
const CHARTS: Record<HistoryRange, { ms: number; bucketMs: number; paymentMs: number }> = {
  '15m': { ms: 15 * MINUTE_MS, bucketMs: MINUTE_MS, paymentMs: 5_000 },
  '24h': { ms: DAY_MS, bucketMs: 5 * MINUTE_MS, paymentMs: QUARTER_MS },
  '7d': { ms: 7 * DAY_MS, bucketMs: QUARTER_MS, paymentMs: HOUR_MS },
};

/** A band that takes less than this part of a chart is not seen in it. */
const SEEN_PART = 400;

export interface HistorySources {
  db: Db;
  store: Pick<ActivityStore, 'minutes' | 'gaps'>;
  /** The minute that runs and is not written yet, where this node keeps a history. */
  running?: ActivityMinute | undefined;
}

/** What a node did up to now, for a chart of it. */
export async function readHistory(range: HistoryRange, now: number, sources: HistorySources): Promise<ActivityHistory> {
  const { ms, bucketMs, paymentMs } = CHARTS[range];
  const from = Math.ceil((now - ms) / bucketMs) * bucketMs;
  const { db, store, running } = sources;
  const minutes = await store.minutes(from);
  if (running && running.on_ms > 0) minutes.push(running);
  const chart = { from, to: now, bucketMs };
  return {
    range,
    ...chart,
    points: pointsOf(minutes, chart),
    bands: bandsOf(await store.gaps(from), chart),
    payments: await readPayments(db, { from, to: now, paymentMs }),
    paymentMs,
  };
}

export interface Chart {
  from: number;
  to: number;
  bucketMs: number;
}

/** Tokens a second, averaged over the time that the node was on in each stretch. */
export function pointsOf(minutes: readonly ActivityMinute[], { from, to, bucketMs }: Chart): ActivityHistory['points'] {
  const buckets = Array.from({ length: Math.max(1, Math.ceil((to - from) / bucketMs)) }, () => ({ tokens: 0, ms: 0 }));
  for (const { at, tokens, on_ms } of minutes) {
    const bucket = buckets[Math.floor((at - from) / bucketMs)];
    if (!bucket) continue;
    bucket.tokens += tokens;
    bucket.ms += on_ms;
  }
  return buckets.map(({ tokens, ms }, index) => ({
    at: from + index * bucketMs,
    tokensPerSecond: ms > 0 ? (tokens * 1_000) / ms : null,
  }));
}

/**
 * The gaps as bands of a chart: what is alike and lies close together is one, what is too short to be seen is none, and of too many the
 * longest stay.
 */
export function bandsOf(gaps: readonly Gap[], { from, to }: Chart): ActivityBand[] {
  const seen = (to - from) / SEEN_PART;
  const bands: (Gap & { ended: number; open: boolean })[] = [];
  for (const { began, ended, kind, rule } of gaps) {
    const band = { began: Math.max(began, from), ended: Math.min(ended ?? to, to), kind, rule, open: ended === null };
    const last = bands.at(-1);
    if (last?.kind === kind && last.rule === rule && band.began - last.ended <= seen) {
      last.ended = Math.max(last.ended, band.ended);
      last.open = band.open;
    } else if (band.ended >= band.began) bands.push(band);
  }
  const visible = bands.filter(({ began, ended, open }) => open || ended - began >= seen);
  const longest = visible.toSorted((a, b) => b.ended - b.began - (a.ended - a.began)).slice(0, MOST_BANDS);
  return longest
    .sort((a, b) => a.began - b.began)
    .map(({ began, ended, open, kind, rule }) => ({
      ...{ from: began, to: ended, open, kind },
      ...(rule && { rule }),
      ...told({ reason: bandWords(kind, rule) }),
    }));
}

const BAND_WORDS: Record<Gap['kind'], Saying> = {
  paused: say('activity.paused'),
  throttled: say('activity.throttled'),
  stopped: say('activity.stopped'),
  failed: say('activity.failed'),
  refusing: say('activity.refusing'),
  alone: say('activity.alone'),
  off: say('activity.off'),
};

function bandWords(kind: Gap['kind'], rule: PolicyRule | null): Saying {
  if (!rule) return BAND_WORDS[kind];
  return say(kind === 'throttled' ? 'activity.throttledFor' : 'activity.pausedFor', { why: RULE_WORDS[rule] });
}

/**
 * What was paid for answers, by times of one length: bonuses for achievements and penalties are no such payment. A short chart is read from the
 * entries, a long one from their sums.
 */
async function readPayments(
  db: Db,
  { from, to, paymentMs }: { from: number; to: number; paymentMs: number },
): Promise<ActivityHistory['payments']> {
  const { rows } =
    paymentMs < QUARTER_MS
      ? await sql<ActivityHistory['payments'][number]>`
          SELECT at - at % ${paymentMs} AS at, SUM(points) AS points, COUNT(*) AS answers FROM own_entries
          WHERE at >= ${from} AND at <= ${to} AND kind = 'earn' GROUP BY 1 ORDER BY 1`.execute(db)
      : await sql<ActivityHistory['payments'][number]>`
          SELECT at, SUM(points) AS points, SUM(answers) AS answers FROM (
            SELECT begins - begins % ${paymentMs} AS at, points, requests AS answers FROM own_sums
            WHERE span = ${QUARTER_MS} AND begins >= ${from} AND begins <= ${to}
            UNION ALL SELECT at - at % ${paymentMs}, -points, 0 FROM own_entries
            WHERE kind IN ('bonus', 'penalty') AND at >= ${from} AND at <= ${to})
          GROUP BY 1 HAVING SUM(answers) > 0 ORDER BY 1`.execute(db);
  return rows;
}
