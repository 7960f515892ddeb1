import type { Contender } from './field.ts';
import { neededResults, type SharesPreset } from './presets.ts';
import type { Part, Scoring, Weighed } from './weights.ts';

/** A miner’s mean in an environment, as it counts. */
interface Counted {
  miner: string;
  worth: number;
}

/**
 * Weights by shares (OMEGA, B7): each environment has its share of all, and in it a miner has what its mean is of all means together. A mean below 0 counts as 0, and so does that of
 * whoever is shown to lie too often: a loss that nobody has to pay would be worth a try. The share of an environment in which nobody has anything goes to the others.
 * (The original mixes the arrays up when the subnet grows; here each miner has its own.)
 */
export function weighByShares(
  contenders: readonly Contender[],
  { environments, preset, burnt }: { environments: readonly string[]; preset: SharesPreset; burnt: number },
): Scoring {
  const counting = environments.filter((environment) => shareOf(environment, preset) > 0);
  const worths = new Map(counting.map((environment) => [environment, worthsIn(environment, contenders, preset)]));
  const filled = counting.filter((environment) => sumOf(worths.get(environment) ?? []) > 0);
  const all = filled.reduce((sum, environment) => sum + shareOf(environment, preset), 0);
  const partsOf = (miner: string): Part[] =>
    filled.flatMap((environment) => {
      const those = worths.get(environment) ?? [];
      const worth = those.find((one) => one.miner === miner)?.worth ?? 0;
      return worth > 0 ? [{ environment, share: shareOf(environment, preset) / all, part: worth / sumOf(those) }] : [];
    });
  const miners = contenders.map((one) => weighed(one, { counting, partsOf, preset, burnt, environments }));
  return { miners, growing: [], winners: [], burnt };
}

interface WeighedNeeds {
  environments: readonly string[];
  counting: readonly string[];
  partsOf: (miner: string) => Part[];
  preset: SharesPreset;
  burnt: number;
}

function weighed(one: Contender, { environments, counting, partsOf, preset, burnt }: WeighedNeeds): Weighed {
  const missing = counting.map((environment) => [environment, lacking(one, environment, preset)] as const);
  const parts = partsOf(one.miner);
  return {
    miner: one.miner,
    isEligible: missing.some(([, results]) => results === 0),
    copyOf: null,
    missing: Object.fromEntries(missing.filter(([, results]) => results > 0)),
    points: environments.map(() => 0),
    weight: (1 - burnt) * parts.reduce((sum, { share, part }) => sum + share * part, 0),
    parts,
    lies: counting.filter((environment) => liesTooOften(one, environment, preset)),
  };
}

/** As results name it, in whatever version and at whatever level. */
function shareOf(environment: string, { shares }: SharesPreset): number {
  return shares[environment.split(' (')[0] ?? ''] ?? 0;
}

function worthsIn(environment: string, contenders: readonly Contender[], preset: SharesPreset): Counted[] {
  return contenders.map((one) => {
    const counts = lacking(one, environment, preset) === 0 && !liesTooOften(one, environment, preset);
    return { miner: one.miner, worth: counts ? Math.max(0, one.samples.get(environment)?.mean ?? 0) : 0 };
  });
}

const sumOf = (counted: readonly Counted[]) => counted.reduce((sum, { worth }) => sum + worth, 0);

const lacking = ({ samples }: Contender, environment: string, { eligibility }: SharesPreset) =>
  Math.max(0, neededResults(eligibility, 0) - (samples.get(environment)?.count ?? 0));

function liesTooOften({ samples }: Contender, environment: string, { fewLies, mostLies }: SharesPreset): boolean {
  const { count = 0, negatives = 0 } = samples.get(environment) ?? {};
  return negatives > Math.max(fewLies, mostLies * count);
}
