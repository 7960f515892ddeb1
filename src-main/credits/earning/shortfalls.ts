import { type GapKind, type PolicyRule, RULE_WORDS } from '../../../src-preload/contract/activity.ts';
import { MOST_SHORTFALLS, type Shortfall, type ShortfallKind } from '../../../src-preload/contract/earning.ts';
import { type Saying, say, told } from '../../../src-preload/contract/saying.ts';
import { PAIR_CAP_A_DAY } from '../score/score.ts';
import type { DayFigures } from './day-figures.ts';
import type { EarningRate } from './rate.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A time of this day in which mining was not at full speed, all of one kind together. */
export interface LostTime {
  kind: GapKind;
  rule: PolicyRule | null;
  ms: number;
}

export interface DayReview {
  day: DayFigures;
  waiting: { answers: number; points: number };
  lost: readonly LostTime[];
  /** Requests that were refused today for want of room. */
  busy: number;
  /** What the last seven days have brought; undefined with too few data. */
  rate: EarningRate | undefined;
  /** How much of the speed the load policy leaves where it throttles. */
  throttledShare: number;
}

type Reason = Omit<Shortfall, 'text' | 'why' | 'said'> & { text: Saying; why: Saying };

/** The owner's own choice: who switches a computer off at night need not be told every day what that costs before all else. */
const OWN_CHOICES: ReadonlySet<ShortfallKind> = new Set(['stopped', 'off']);

/** Where the rules of the load policy are set. */
const RULE_SETTINGS: Record<PolicyRule, string> = {
  battery: 'policy.onBattery',
  user: 'policy.userActive',
  gpu: 'policy.otherGpu',
  heat: 'policy.heat',
  'quiet-hours': 'policy.quietAction',
};

/** Where a reason is put right; what is not here, nobody can. */
const FIXES: Partial<Record<ShortfallKind, string>> = {
  slow: '/models/catalogue',
  paused: '/settings/policy',
  throttled: '/settings/policy',
  stopped: '/',
  failed: '/settings/logs',
  refusing: '/settings/policy',
  alone: '/network',
  off: '/settings/desktop',
  penalties: '/settings/logs',
  busy: '/models/catalogue',
  unsigned: '/earnings',
};

/** What kept a node from earning more today: the greatest first, after them those whose points nobody knows, and last what was its owner's choice. */
export function shortfalls(review: DayReview): Shortfall[] {
  const reasons = [
    slow(review.day),
    ...review.lost.map((lost) => lostTime(lost, review)),
    penalties(review.day),
    busy(review),
    pairCap(review.day),
    unsigned(review.waiting),
  ];
  return reasons
    .filter((reason) => reason !== undefined)
    .sort(
      (a, b) =>
        Number(a.ownChoice ?? false) - Number(b.ownChoice ?? false) ||
        (b.points ?? 0) - (a.points ?? 0) ||
        (b.ms ?? 0) - (a.ms ?? 0),
    )
    .slice(0, MOST_SHORTFALLS)
    .map(({ text, why, ...reason }) => ({ ...reason, ...told({ text, why }) }));
}

/** What the same answers would have brought in half the time. */
function slow({ answers, late, processingMs, inHalfTheTime: points }: DayFigures): Reason | undefined {
  if (points === 0) return undefined;
  const words =
    late > 0
      ? { text: say('earning.slow.late', { late, answers }), why: say('earning.slow.lateWhy', { points }) }
      : {
          text: say('earning.slow', { seconds: processingMs / answers / 1_000 }),
          why: say('earning.slow.why', { points }),
        };
  return { kind: 'slow', points, count: late || answers, ...words, fix: fixOf('slow') };
}

/** The time, at what an hour has brought in the last seven days; where that is not known, the time alone. */
function lostTime({ kind, rule, ms }: LostTime, { rate, throttledShare }: DayReview): Reason | undefined {
  if (ms < MINUTE_MS) return undefined;
  const share = kind === 'throttled' ? 1 - throttledShare : 1;
  const points = rate && Math.round((ms / HOUR_MS) * rate.pointsPerHour * share);
  if (points === 0) return undefined;
  const [text, why] = timeWords(kind, rule, durationWords(ms));
  return {
    kind,
    ...{ points, ms, ...(rule && { rule }), ...(OWN_CHOICES.has(kind) && { ownChoice: true as const }) },
    text,
    why: points === undefined ? say('earning.tooFew', { why }) : why,
    fix: fixOf(kind, rule),
  };
}

/** What happened, and what that means. */
function timeWords(kind: GapKind, rule: PolicyRule | null, time: Saying): [text: Saying, why: Saying] {
  const why = rule && RULE_WORDS[rule];
  switch (kind) {
    case 'paused':
      return [
        why ? say('earning.pausedFor', { time, why }) : say('earning.paused', { time }),
        say('earning.paused.why'),
      ];
    case 'throttled':
      return [
        why ? say('earning.throttledFor', { time, why }) : say('earning.throttled', { time }),
        say('earning.throttled.why'),
      ];
    case 'stopped':
      return [say('earning.stopped', { time }), say('earning.stopped.why')];
    case 'failed':
      return [say('earning.failed', { time }), say('earning.failed.why')];
    case 'refusing':
      return [say('earning.refusing', { time }), say('earning.refusing.why')];
    case 'alone':
      return [say('earning.alone', { time }), say('earning.alone.why')];
    case 'off':
      return [say('earning.off', { time }), say('earning.off.why')];
  }
}

/** Hours and minutes, as everywhere. */
export function durationWords(ms: number): Saying {
  const minutes = Math.round(ms / MINUTE_MS);
  if (minutes < 60) return say('earning.time.minutes', { minutes });
  return say('earning.time.hours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}

/** What failures took away. What their answers would have brought nobody knows. */
function penalties({ failures: { count, points } }: DayFigures): Reason | undefined {
  if (count === 0) return undefined;
  const words = { text: say('earning.penalties', { count }), why: say('earning.penalties.why') };
  return { kind: 'penalties', points, count, ...words, fix: fixOf('penalties') };
}

/**
 * Each at what an answer brings, but no more in all than today's answers have: there was no room, and half the time an answer makes room for
 * as many again, not for more.
 */
function busy({ busy: count, day, rate }: DayReview): Reason | undefined {
  if (count === 0) return undefined;
  const points = rate && Math.round(Math.min(count * rate.pointsPerAnswer, day.points));
  const why = rate ? say('earning.busy.why', { points: rate.pointsPerAnswer }) : say('earning.busy.tooFew');
  return { kind: 'busy', points, count, text: say('earning.busy', { count }), why, fix: fixOf('busy') };
}

/** What the receipts that did not count say themselves. */
function pairCap({ uncounted: { answers: count, points } }: DayFigures): Reason | undefined {
  if (count === 0) return undefined;
  const why = say('earning.pairCap.why', { most: PAIR_CAP_A_DAY });
  return { kind: 'pair-cap', points, count, text: say('earning.pairCap', { count }), why };
}

function unsigned({ answers: count, points }: DayReview['waiting']): Reason | undefined {
  if (count === 0) return undefined;
  const words = { text: say('earning.unsigned', { count }), why: say('earning.unsigned.why') };
  return { kind: 'unsigned', points, count, ...words, fix: fixOf('unsigned') };
}

function fixOf(kind: ShortfallKind, rule?: PolicyRule | null): Shortfall['fix'] {
  const path = FIXES[kind];
  if (path === undefined) return undefined;
  const setting = kind === 'refusing' ? 'limits.refuseWhenOverloaded' : rule && RULE_SETTINGS[rule];
  return { path, ...(setting && { setting }) };
}
