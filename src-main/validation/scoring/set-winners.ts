import type { Slices } from '../../base/slices.ts';
import type { Field } from './field.ts';
import type { DominancePreset, IntervalsPreset } from './presets.ts';

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

type Shared = Standing & { share: number };

/**
 * Of each set of environments, the one with all of them last; of those who share one, the one with the most first. There are many sets: others have
 * turns in between.
 */
export async function winnersOf(field: Field, preset: DominancePreset, slices: Slices): Promise<SetWinner[]> {
  const winners: SetWinner[] = [];
  for (let set = 1; set < 2 ** field.environments.length; set++) {
    const environments = field.environments.filter((_, at) => set & (1 << at));
    const won = await winnersOfSet(field, set, { preset, slices });
    for (const { miner, dominated, share } of won) winners.push({ environments, miner, dominated, share });
    if (slices.isOver) await slices.next();
  }
  return winners;
}

async function winnersOfSet(
  field: Field,
  set: number,
  { preset, slices }: { preset: DominancePreset; slices: Slices },
): Promise<Shared[]> {
  if (preset.compares === 'means') return single(field, set, { meanFirst: preset.meanFirst, slices });
  return preset.compares === 'speeds' ? firstOfUnbeaten(field, set) : shared(field, set, { preset, slices });
}

/** Of those with any speed whom nobody beats, who was there first: the fastest is always one of them. */
function firstOfUnbeaten(field: Field, set: number): Shared[] {
  const [first] = field.contenders
    .map((_, at) => at)
    .filter((at) => field.isFree(at, set) && field.mean(at, set) > 0)
    .map((at) => standing(field, at, { dominated: 0, mean: 0 }))
    .sort((a, b) => (isAhead(a, b) ? -1 : 1));
  return first ? [{ ...first, dominated: field.dominated(first.at, set), share: 1 }] : [];
}

/** Who dominates the most others. */
async function single(
  field: Field,
  set: number,
  { meanFirst, slices }: { meanFirst: boolean; slices: Slices },
): Promise<Shared[]> {
  let best: Standing | undefined;
  for (let at = 0; at < field.contenders.length; at++) {
    const dominated = field.dominated(at, set);
    if (best && dominated < best.dominated) continue;
    const one = standing(field, at, { dominated, mean: meanFirst ? field.mean(at, set) : 0 });
    if (!best || isAhead(one, best)) best = one;
    if (slices.isOver) await slices.next();
  }
  return best ? [{ ...best, share: 1 }] : [];
}

/** All whom nobody dominates, or everybody where each is dominated by another in a circle; by their geometric means (Affine, `find_subset_winner`). */
async function shared(
  field: Field,
  set: number,
  { preset: { power, decay }, slices }: { preset: IntervalsPreset; slices: Slices },
): Promise<Shared[]> {
  const all = field.contenders.map((_, at) => at);
  const free = all.filter((at) => field.isFree(at, set));
  const ranked = (free.length > 0 ? free : all)
    .map((at) => standing(field, at, { dominated: 0, mean: field.geometricMean(at, set) }))
    .sort((a, b) => (isAhead(a, b) ? -1 : 1));
  if (slices.isOver) await slices.next();
  const worth = ranked.map(({ mean }, rank) => mean ** power * decay ** rank);
  const sum = worth.reduce((total, one) => total + one, 0);
  return ranked.map((one, rank) => ({
    ...{ ...one, dominated: field.dominated(one.at, set) },
    share: sum > 0 ? (worth[rank] ?? 0) / sum : 1 / ranked.length,
  }));
}

function standing(field: Field, at: number, how: Pick<Standing, 'dominated' | 'mean'>): Standing {
  const { miner = '', since = 0 } = field.contenders[at] ?? {};
  return { at, miner, since, ...how };
}

/** The order is whole, so that no other order of the miners has another winner. */
function isAhead(a: Standing, b: Standing): boolean {
  if (a.dominated !== b.dominated) return a.dominated > b.dominated;
  if (a.mean !== b.mean) return a.mean > b.mean;
  if (a.since !== b.since) return a.since < b.since;
  return a.miner < b.miner;
}
