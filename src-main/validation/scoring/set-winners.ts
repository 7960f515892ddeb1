import type { Field } from './field.ts';
import type { IntervalsPreset, Preset } from './presets.ts';

/** A winner of a set of environments. */
export interface SetWinner {
  environments: string[];
  miner: string;
  /** How many others it dominates there. */
  dominated: number;
  /** Of what the set is worth: 1 where it is the only one. */
  share: number;
}

/** One who takes part, as it stands in a set. */
interface Standing {
  at: number;
  miner: string;
  since: number;
  dominated: number;
  mean: number;
}

/** Of each set of environments, the one with all of them last; of those who share one, the one with the most first. */
export function winnersOf(field: Field, preset: Preset): SetWinner[] {
  const sets = Array.from({ length: 2 ** field.environments.length - 1 }, (_, set) => set + 1);
  return sets.flatMap((set) => {
    const environments = field.environments.filter((_, at) => set & (1 << at));
    const won = preset.compares === 'means' ? single(field, set, preset.meanFirst) : shared(field, set, preset);
    return won.map(({ miner, dominated, share }) => ({ environments, miner, dominated, share }));
  });
}

/** Who dominates the most others. */
function single(field: Field, set: number, meanFirst: boolean): (Standing & { share: number })[] {
  const standing = field.contenders.map(({ miner, since }, at) => ({
    ...{ at, miner, since, dominated: field.dominated(at, set) },
    mean: meanFirst ? field.mean(at, set) : 0,
  }));
  const best = standing.reduce((first, one) => (isAhead(one, first) ? one : first));
  return [{ ...best, share: 1 }];
}

/** All whom nobody dominates, or everybody where each is dominated by another in a circle; by their geometric means (Affine, `find_subset_winner`). */
function shared(field: Field, set: number, { power, decay }: IntervalsPreset): (Standing & { share: number })[] {
  const all = field.contenders.map((_, at) => at);
  const free = all.filter((at) => field.isFree(at, set));
  const ranked = (free.length > 0 ? free : all)
    .map((at) => ({
      ...{ at, miner: field.contenders[at]?.miner ?? '', since: field.contenders[at]?.since ?? 0 },
      ...{ dominated: 0, mean: field.geometricMean(at, set) },
    }))
    .sort((a, b) => (isAhead(a, b) ? -1 : 1));
  const worth = ranked.map(({ mean }, rank) => mean ** power * decay ** rank);
  const sum = worth.reduce((total, one) => total + one, 0);
  return ranked.map((one, rank) => ({
    ...{ ...one, dominated: field.dominated(one.at, set) },
    share: sum > 0 ? (worth[rank] ?? 0) / sum : 1 / ranked.length,
  }));
}

/** The order is whole, so that no other order of the miners has another winner. */
function isAhead(a: Standing, b: Standing): boolean {
  if (a.dominated !== b.dominated) return a.dominated > b.dominated;
  if (a.mean !== b.mean) return a.mean > b.mean;
  if (a.since !== b.since) return a.since < b.since;
  return a.miner < b.miner;
}
