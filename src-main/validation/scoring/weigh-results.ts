import type { AskedIn, MinerMean } from '../../store/results/score-tally.ts';
import { type Scoring, type ScoringOptions, weigh } from './weights.ts';

/** What the chain says of a miner now. */
export interface SubnetPlace {
  /** The block of what it has committed to, or else of its registration. */
  since: number;
  /** The miner that committed to the same model first; null where there is none. */
  copyOf: string | null;
}

export interface WeighOptions extends Omit<ScoringOptions, 'environments'> {
  /** Those that count, also where there are no results of one. Default: all that there are results of. */
  environments?: readonly string[] | undefined;
  /** Who may have a weight: nobody is compared with the others. Default: everybody. */
  isCandidate?: ((miner: string) => boolean) | undefined;
  /** Undefined for those of whom the chain says nothing. Default: of all. */
  standingOf?: ((miner: string) => SubnetPlace | undefined) | undefined;
}

/**
 * What results come to. Whoever is earlier by what the chain says now was there first; of whom it says nothing, whoever had the earlier block when it was
 * asked, or else its first result ever earlier.
 * @throws BAD_REQUEST with the field `environments` for more than weights can be made of
 */
export async function weighResults(
  means: readonly MinerMean[],
  { environments: wanted, isCandidate = () => true, standingOf = () => undefined, ...options }: WeighOptions,
): Promise<Scoring & { environments: string[] }> {
  const counted = means.filter(
    ({ environment, miner }) => isCandidate(miner) && (wanted?.includes(environment) ?? true),
  );
  const environments = [...new Set(wanted ?? counted.map(({ environment }) => environment))].sort();
  const ofMiners = Map.groupBy(counted, ({ miner }) => miner);
  const heard = [...ofMiners].filter(([, own]) => resultsOf(own) > 0);
  const most = heard.sort(([, a], [, b]) => resultsOf(b) - resultsOf(a)).slice(0, MOST_CONTENDERS);
  const contenders = most.map(([miner, own]) => {
    const { since, copyOf } = standingOf(miner) ?? { since: sinceOf(own), copyOf: null };
    return { miner, since, copyOf, samples: new Map(own.map((mean) => [mean.environment, mean])) };
  });
  return { environments, ...(await weigh(contenders, { ...options, environments })) };
}

/** Each is compared with each other; a subnet has 256 neurons. */
const MOST_CONTENDERS = 512;

const resultsOf = (own: readonly MinerMean[]) => own.reduce((sum, { count }) => sum + count, 0);

/** Blocks are far smaller numbers than moments: who is on a subnet was there before those who are on none. */
export const sinceOf = (own: readonly Pick<MinerMean, 'since' | 'block'>[]) =>
  Math.min(...own.map(({ since, block }) => block ?? since));

/**
 * Names what was asked in several ways apart, as `sat (easy)`, so that each is an environment of its own: `sat` where there is only one way.
 * @returns of each mean, the name
 */
export function namesApart(means: readonly MinerMean[]): (mean: AskedIn) => string {
  const ways = Map.groupBy(means, ({ environment }) => environment);
  const several = new Map(
    [...ways].map(([name, own]) => [
      name,
      {
        versions: new Set(own.map(({ version }) => version)).size > 1,
        levels: new Set(own.map(({ level }) => level)).size > 1,
      },
    ]),
  );
  return ({ environment, version, level }) => {
    const { versions = false, levels = false } = several.get(environment) ?? {};
    const way = [...(versions ? [version || '–'] : []), ...(levels ? [level || '–'] : [])];
    return way.length > 0 ? `${environment} (${way.join(', ')})` : environment;
  };
}
