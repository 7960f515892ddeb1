import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { MOST_ENVIRONMENTS } from '../../../src-preload/contract/validator.ts';
import { Slices } from '../../base/slices.ts';
import { type Contender, Field } from './field.ts';
import {
  type DominancePreset,
  type Growth,
  growthOf,
  type LayerRule,
  layerPoints,
  neededResults,
  type Preset,
} from './presets.ts';
import { type SetWinner, winnersOf } from './set-winners.ts';
import { weighByShares } from './shares.ts';

export interface ScoringOptions {
  /** At most {@link MOST_ENVIRONMENTS}: each set of them has a winner, and there are 2ⁿ − 1. */
  environments: readonly string[];
  preset: Preset;
  /** Default: the preset’s. */
  layers?: LayerRule | undefined;
  /** The share of all that goes to nobody, 0 to 1. */
  burn: number;
}

/** What came of a miner. */
export interface Weighed {
  miner: string;
  /** Whether it takes part: it has enough results, and names no model that another committed to first. */
  isEligible: boolean;
  /** Who committed to the same model first; null for nobody. */
  copyOf: string | null;
  /** Results that it lacks, by environment; only where it lacks some. */
  missing: Record<string, number>;
  /** Won with 1, 2, … environments together. */
  points: number[];
  /** 0 to 1. All miners’ weights and what is burnt are 1 together, unless by shares nobody has anything. */
  weight: number;
  /** What its weight is made of, where each environment has a share; else undefined. */
  parts?: Part[];
  /** Where it was shown to lie too often to have anything; undefined where nobody looks at that. */
  lies?: string[];
}

/** What a miner has of an environment. */
export interface Part {
  environment: string;
  /** What the environment counts of all, and what the miner has of that, 0 to 1 each. */
  share: number;
  part: number;
}

/** An environment in which ever more results are needed, and the miner with the most there: it makes them more. */
export interface Growing extends Growth {
  environment: string;
  miner: string;
}

export interface Scoring {
  miners: Weighed[];
  growing: Growing[];
  winners: SetWinner[];
  /** 0 to 1. */
  burnt: number;
}

/**
 * Weights by dominance (Affine): whoever has enough results takes part, or everybody where nobody has; each set of environments has a winner, or several who
 * share it, and is worth more the larger it is; a weight is a miner’s share of the points. Of those that name one model only who committed to it first is
 * looked at (Affine). Where no one who has enough won a point, the best of all has everything.
 * Others have turns in between.
 * @throws BAD_REQUEST with the field `environments` for more than {@link MOST_ENVIRONMENTS}
 */
export async function weigh(contenders: readonly Contender[], options: ScoringOptions): Promise<Scoring> {
  const { environments, preset, layers = preset.layers } = options;
  refuseMore(environments.length);
  const burnt = Math.min(1, Math.max(0, options.burn));
  if (contenders.length === 0 || environments.length === 0) return { miners: [], growing: [], winners: [], burnt };
  if (preset.compares === 'shares') return weighByShares(contenders, { environments, preset, burnt });
  const originals = contenders.filter(isOriginal);
  const needed = neededOf(originals, environments, preset);
  const missing = new Map(contenders.map((one) => [one, missingResults(one, needed)]));
  const isEligible = (one: Contender) => isOriginal(one) && Object.keys(missing.get(one) ?? {}).length === 0;
  const eligible = contenders.filter(isEligible);
  const pool = eligible.length > 0 ? eligible : originals;
  const winners = await winnersAmong(pool, environments, preset);
  const points = pointsOf(winners, layerPoints(environments.length, layers));
  const shares = sharesOf(points, eligible, winners);
  const miners = contenders.map((one) => ({
    ...{ miner: one.miner, isEligible: isEligible(one), copyOf: one.copyOf ?? null, missing: missing.get(one) ?? {} },
    points: points.get(one.miner) ?? environments.map(() => 0),
    weight: (shares.get(one.miner) ?? 0) * (1 - burnt),
  }));
  return { miners, growing: growingOf(originals, environments, preset), winners, burnt };
}

/** Each is compared with each, and each set has a winner: others have turns in between. */
async function winnersAmong(pool: readonly Contender[], environments: readonly string[], preset: DominancePreset) {
  if (pool.length === 0) return [];
  const slices = new Slices();
  const field = await Field.of(pool, environments, { preset, slices });
  return winnersOf(field, preset, slices);
}

function refuseMore(count: number): void {
  const most = MOST_ENVIRONMENTS;
  if (count <= most) return;
  const message = say('validation.tooManyEnvironments', { count, most });
  const hint = say('validation.nameEnvironments', { most });
  throw new QuarryError({ code: 'BAD_REQUEST', message, hint, field: 'environments' });
}

const isOriginal = ({ copyOf = null }: Contender) => copyOf === null;

const countOf = ({ samples }: Contender, environment: string) => samples.get(environment)?.count ?? 0;

/** Who has the most results in an environment. */
const busiestOf = (contenders: readonly Contender[], environment: string) =>
  contenders.reduce<{ miner: string; most: number }>(
    (busiest, one) => {
      const count = countOf(one, environment);
      return count > busiest.most ? { miner: one.miner, most: count } : busiest;
    },
    { miner: '', most: 0 },
  );

/** Results that each environment asks for. */
function neededOf(contenders: readonly Contender[], environments: readonly string[], { eligibility }: Preset) {
  return environments.map((environment) => {
    const { most } = busiestOf(contenders, environment);
    return [environment, neededResults(eligibility, most)] as const;
  });
}

function growingOf(contenders: readonly Contender[], environments: readonly string[], { eligibility }: Preset) {
  return environments.flatMap((environment): Growing[] => {
    const { miner, most } = busiestOf(contenders, environment);
    const growth = growthOf(eligibility, most);
    return growth && most > 0 ? [{ environment, miner, ...growth }] : [];
  });
}

function missingResults(contender: Contender, needed: ReturnType<typeof neededOf>): Record<string, number> {
  const lacking = needed.map(
    ([environment, results]) => [environment, results - countOf(contender, environment)] as const,
  );
  return Object.fromEntries(lacking.filter(([, results]) => results > 0));
}

function pointsOf(winners: readonly SetWinner[], layers: readonly number[]): Map<string, number[]> {
  const points = new Map<string, number[]>();
  for (const { environments, miner, share } of winners) {
    const own = points.get(miner) ?? layers.map(() => 0);
    const layer = environments.length - 1;
    own[layer] = (own[layer] ?? 0) + share * (layers[layer] ?? 0);
    points.set(miner, own);
  }
  return points;
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

function sharesOf(
  points: ReadonlyMap<string, readonly number[]>,
  eligible: readonly Contender[],
  winners: readonly SetWinner[],
): Map<string, number> {
  const scores = eligible.map(({ miner }) => [miner, sum(points.get(miner) ?? [])] as const);
  const all = sum(scores.map(([, score]) => score));
  if (all > 0) return new Map(scores.map(([miner, score]) => [miner, score / all]));
  const best = bestOfAll(winners);
  return new Map(best === undefined ? [] : [[best, 1]]);
}

/** Who wins the set of all environments, or the most of it. */
function bestOfAll(winners: readonly SetWinner[]): string | undefined {
  const all = winners.at(-1)?.environments.length;
  return winners.find(({ environments }) => environments.length === all)?.miner;
}
