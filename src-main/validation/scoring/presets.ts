import type { LAYER_RULES, PRESET_NAMES } from '../../../src-preload/contract/validator-names.ts';

/** How many results a miner needs in an environment before it counts. */
export interface Eligibility {
  least: number;
  /** Of as many as the miner with the most has, this share more. */
  share: number;
  /** More than this that miner is not taken to have. Default: whatever it has. */
  mostCounted?: number;
  /** Fewer than this are never enough. Default 0. */
  never?: number;
}

/** What winning in all environments of a set is worth, by how many these are. */
export type LayerRule = (typeof LAYER_RULES)[number];

interface AnyPreset {
  name: (typeof PRESET_NAMES)[number];
  eligibility: Eligibility;
  /** What is usual with it. */
  layers: LayerRule;
}

/** Miners are compared by their means: who is better by more than chance explains, or as good and there first, dominates. A set has one winner. */
export interface MeansPreset extends AnyPreset {
  compares: 'means';
  /** Worse by no more than this counts as not worse, however many results there are. */
  epsNotWorse: number;
  /** The same in standard deviations of the difference. */
  zNotWorse: number;
  /** Better by this at least, and by so many standard deviations, counts as better. */
  epsBetter: number;
  zBetter: number;
  /** Of what the deviation is taken: of a share (right or wrong), or of the scores as they are. */
  deviation: 'share' | 'scores';
  /** Whether, of two that dominate as many, the one with the better mean wins. */
  meanFirst: boolean;
}

/**
 * Miners are compared by where their true means may lie: whoever came later wins only where all of its interval lies above all of the other’s. A set
 * is shared by all whom nobody dominates.
 */
export interface IntervalsPreset extends AnyPreset {
  compares: 'intervals';
  /** How much of the posterior the interval holds, 0 to 1. */
  confidence: number;
  /** Both parameters of the Beta distribution that is believed before any result: 0.5 is Jeffreys’. */
  prior: number;
  /** With fewer results in an environment a miner loses it to whoever has as many. */
  least: number;
  /** Of those who share a set: their geometric mean to this power … */
  power: number;
  /** … times this to the power of their rank, from 0 on. */
  decay: number;
}

/**
 * Scores are speeds, and speeds are compared by their ratio. Of all whom nobody beats the one that was first has all: whoever is to take its place has to be
 * faster than it by more than the margin (QUASAR, A8).
 */
export interface SpeedsPreset extends AnyPreset {
  compares: 'speeds';
  /** A share of the slower one's speed. */
  margin: number;
  /** Whoever fails at more than this share of all has no speed. */
  mostFailed: number;
}

/** Each environment has its share of all, and in it each miner what its mean is of all means (OMEGA, B7): nobody has to be better than others. */
export interface SharesPreset extends AnyPreset {
  compares: 'shares';
  /** Of all, by the environment; others count nothing. */
  shares: Readonly<Record<string, number>>;
  /** Whoever is shown to lie more often than this share of its results, and more often than so many times, has nothing there. */
  mostLies: number;
  fewLies: number;
}

/** Those by which one miner dominates another. */
export type DominancePreset = MeansPreset | IntervalsPreset | SpeedsPreset;

/** Numbers by which miners are compared, as they were in force from a date on (Affine, its constants by date). */
export type Preset = DominancePreset | SharesPreset;

/** What sounds of speech usually count of all with the constants of OMEGA. */
export const SOUNDS_SHARE = 0.3;

const BY_MEANS = { compares: 'means', layers: 'growing', deviation: 'share', meanFirst: false } as const;

const SEPTEMBER_8: MeansPreset = {
  ...BY_MEANS,
  name: '2025-09-08',
  eligibility: { least: 500, share: 0.03 },
  ...{ epsNotWorse: 0.005, zNotWorse: 1.28, epsBetter: 0.004, zBetter: 0.5 },
};

/** The first is the usual one: with it, copies leave the original most of its weight, as a test shows; by means, one of many copies wins by chance. */
export const PRESETS: readonly [IntervalsPreset, ...Preset[]] = [
  {
    ...{ compares: 'intervals', name: '2025-11-01', layers: 'split' },
    eligibility: { least: 10, share: 0.1, mostCounted: 5_000, never: 200 },
    ...{ confidence: 0.8, prior: 0.5, least: 200, power: 2, decay: 0.5 },
  },
  {
    ...BY_MEANS,
    name: '2025-08-20',
    eligibility: { least: 0, share: 0.9 },
    ...{ epsNotWorse: 0.002, zNotWorse: 0.84, epsBetter: 0.0015, zBetter: 0 },
  },
  {
    ...BY_MEANS,
    name: '2025-09-03',
    eligibility: { least: 150, share: 0.01 },
    ...{ epsNotWorse: 0.002, zNotWorse: 0.84, epsBetter: 0.0015, zBetter: 0 },
    meanFirst: true,
  },
  SEPTEMBER_8,
  { ...SEPTEMBER_8, name: '2025-09-09', epsBetter: 0.008, deviation: 'scores' },
  /** For whoever tries models at home: few results, and told as provisional. */
  {
    ...BY_MEANS,
    name: 'home',
    eligibility: { least: 30, share: 0.01 },
    ...{ epsNotWorse: 0.002, zNotWorse: 0.84, epsBetter: 0.0015, zBetter: 0 },
  },
  {
    ...{ compares: 'speeds', name: 'quasar', layers: 'growing' },
    eligibility: { least: 20, share: 0 },
    ...{ margin: 0.02, mostFailed: 0.05 },
  },
  {
    ...{ compares: 'shares', name: 'omega', layers: 'growing' },
    eligibility: { least: 30, share: 0 },
    shares: sharesOf(SOUNDS_SHARE),
    ...{ mostLies: 0.02, fewLies: 1 },
  },
];

/** The one list of what counts with the constants of OMEGA: by the names of its environments. @param sounds what sounds count of all, 0 to 1; the rest is that of videos */
export function sharesOf(sounds: number): SharesPreset['shares'] {
  return { 'omega-videos': 1 - sounds, 'omega-sounds': sounds };
}

/**
 * How many results a miner needs in an environment.
 * @param most of all miners there
 */
export function neededResults({ least, share, mostCounted, never = 0 }: Eligibility, most: number): number {
  return Math.max(never, least + Math.floor(share * Math.min(most, mostCounted ?? most)));
}

/** How what is needed rises with each further result of the miner with the most. */
export interface Growth {
  share: number;
  /** By no more than so many results; null for without end. */
  left: number | null;
}

/**
 * @param most of all miners there
 * @returns undefined where what is needed stays as it is
 */
export function growthOf({ least, share, mostCounted, never = 0 }: Eligibility, most: number): Growth | undefined {
  const isCapped = mostCounted !== undefined && most >= mostCounted;
  if (share === 0 || isCapped || least + share * most < never) return undefined;
  return { share, left: mostCounted === undefined ? null : share * (mostCounted - most) };
}

/** With `split`, sets of fewer environments than the six largest layers have are worth nothing. */
const SPLIT_LAYERS = 6;

/**
 * What one set is worth, of the layers 1 to `environments`: `growing` is K₁ = 1 and Kₛ = C(N, s − 1) · Kₛ₋₁, as Affine’s documents have it; `powers` is
 * 1 and then 2ˢ, as its programs do; `split` is 2ˢ for all sets of a layer together, as they do since November 2025.
 */
export function layerPoints(environments: number, rule: LayerRule): number[] {
  const layers = Array.from({ length: environments }, (_, at) => at + 1);
  if (rule === 'powers') return layers.map((layer) => (layer === 1 ? 1 : 2 ** layer));
  if (rule === 'split') {
    return layers.map((layer) => (layer > environments - SPLIT_LAYERS ? 2 ** layer / choose(environments, layer) : 0));
  }
  const points = [1];
  for (const layer of layers.slice(1)) points.push(choose(environments, layer - 1) * (points.at(-1) ?? 1));
  return points;
}

/** In how many ways so many of all can be taken. */
export function choose(all: number, some: number): number {
  let ways = 1;
  for (let at = 1; at <= some; at++) ways = (ways * (all - some + at)) / at;
  return ways;
}
