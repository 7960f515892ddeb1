import type { GrowingView, RivalView, SampleView, WeighedView } from '../../../../src-preload/contract/validator.ts';

/** Of which sets of tasks a weight is made: the one of all of them, those with one less, and the smaller ones together. */
export interface LayerPart {
  layer: 'all' | 'next' | 'smaller';
  /** Tasks of a set. */
  size: number;
  /** How many sets of this size were won. */
  sets: number;
  /** Of all weight, 0 to 1. */
  share: number;
}

/** Where a weight comes from, the largest sets first; nothing where no set was won. */
export function layerParts({ points, sets, weight }: Pick<WeighedView, 'points' | 'sets' | 'weight'>): LayerPart[] {
  const all = sum(points);
  if (all === 0) return [];
  const top = points.length;
  const part = (layer: LayerPart['layer'], from: number, to: number) => ({
    layer,
    size: to,
    sets: sum(sets.slice(from - 1, to)),
    share: (weight * sum(points.slice(from - 1, to))) / all,
  });
  const parts = [part('all', top, top), part('next', top - 1, top - 1), part('smaller', 1, top - 2)];
  return parts.filter(({ share }) => share > 0);
}

/** Why a miner stands where it stands beside its rival, as the key of a sentence. */
export type WhyKey = 'ahead' | 'behind' | 'mixed' | 'first' | 'copy' | 'alone' | 'too-few' | 'same-model';

export interface Why {
  key: WhyKey;
  better: number;
  worse: number;
}

export function whyOf(
  { rival, isEligible, copyOf }: Pick<WeighedView, 'rival' | 'isEligible' | 'copyOf'>,
  somebodyCounts: boolean,
): Why {
  if (copyOf !== null) return { key: 'same-model', better: 0, worse: 0 };
  if (!rival) return { key: 'alone', better: 0, worse: 0 };
  const count = (is: RivalView['compared'][number]['is']) => rival.compared.filter((one) => one.is === is).length;
  const [better, worse] = [count('better'), count('worse')];
  if (somebodyCounts && !isEligible) return { key: 'too-few', better, worse };
  return { key: keyOf(better, worse, rival.wasFirst), better, worse };
}

function keyOf(better: number, worse: number, rivalWasFirst: boolean): WhyKey {
  if (better > 0 && worse > 0) return 'mixed';
  if (better > 0) return 'ahead';
  if (worse > 0) return 'behind';
  return rivalWasFirst ? 'copy' : 'first';
}

/** Results that a miner lacks to count, in all tasks together. */
export const missingOf = ({ missing }: Pick<WeighedView, 'missing'>) => sum(Object.values(missing));

/** How a miner does in one task, or in all together; undefined where it has no results there. */
export function measured({ overall, samples }: Pick<WeighedView, 'overall' | 'samples'>, task: string | undefined) {
  if (task === undefined) return overall.count > 0 ? overall : undefined;
  return samples.find(({ environment, count }) => environment === task && count > 0);
}

/** Milliseconds; `never` where what is needed rises as fast as the miner gets results. */
export type TimeToGo = number | 'never' | undefined;

/** Results of the last `spanMs` milliseconds. */
export interface Pace {
  /** Of the miner, in what it lacks. */
  own: number;
  /** By so many what it needs rose there. */
  rise: number;
  /** By no more than so many it rises from now on; Infinity for without end. */
  left: number;
  spanMs: number;
}

/** How long it takes until a miner has the results that it lacks, at the pace of the last ones; undefined where too little is known of that pace. */
export function timeToGo(missing: number, { own, rise, left, spanMs }: Pace): TimeToGo {
  if (missing === 0 || own < LEAST_RECENT || spanMs < LEAST_SPAN_MS) return undefined;
  const spans = own > rise ? missing / (own - rise) : Number.POSITIVE_INFINITY;
  if (spans * rise <= left && Number.isFinite(spans)) return spans * spanMs;
  return Number.isFinite(left) ? ((missing + left) / own) * spanMs : 'never';
}

const LEAST_RECENT = 3;
const LEAST_SPAN_MS = 20_000;

/** At which pace a miner gets what it lacks, and what it needs rises. */
export function paceOf(
  { miner, missing }: Pick<WeighedView, 'miner' | 'missing'>,
  growing: readonly GrowingView[],
  { samples, spanMs }: { samples: readonly Recent[]; spanMs: number },
): Pace {
  const lacking = Object.keys(missing);
  const grows = growing.filter(({ environment }) => lacking.includes(environment));
  return {
    own: sum(lacking.map((task) => countOf(samples, miner, task))),
    rise: sum(grows.map(({ share, ...most }) => share * countOf(samples, most.miner, most.environment))),
    left: sum(grows.map(({ left }) => left ?? Number.POSITIVE_INFINITY)),
    spanMs,
  };
}

type Recent = Pick<SampleView, 'miner' | 'environment' | 'count'>;

/** Where a task was asked in several ways, its results are named apart: `sat (easy)`. */
const countOf = (samples: readonly Recent[], miner: string, task: string) =>
  sum(
    samples
      .filter((one) => one.miner === miner && `${one.environment} (`.startsWith(`${task} (`))
      .map(({ count }) => count),
  );

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
