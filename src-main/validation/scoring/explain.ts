import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import { taskName } from '../../../src-preload/contract/task-name.ts';
import { choose } from './presets.ts';
import type { SetWinner } from './set-winners.ts';
import type { Part, Scoring, Weighed } from './weights.ts';

/** Why a miner has its weight, in sentences, the decisive one first; what it won in one for each size of a set. */
export function explain(weighed: Weighed, scoring: Scoring): Saying[] {
  const { miners, winners, burnt } = scoring;
  const { miner, missing, isEligible, copyOf, weight, parts } = weighed;
  const lacking = Object.entries(missing).map(([environment, results]) =>
    say('validation.why.missing', { environment: taskName(environment), results }),
  );
  if (parts) return [...ofParts(weighed, parts), ...burntOf(burnt), ...lacking];
  if (copyOf !== null) return [say('validation.why.copy', { miner: copyOf }), ...lacking];
  const somebodyCounts = miners.some((one) => one.isEligible);
  if (!isEligible && somebodyCounts) return [say('validation.why.notEligible'), ...lacking];
  if (othersOf(scoring) === 0) return [say('validation.why.alone'), ...lacking];
  const won = wonBy(miner, scoring);
  return [
    ...(somebodyCounts ? [] : [weight > 0 ? say('validation.why.bestOfAll') : say('validation.why.nobody')]),
    ...bySize(won, weighed, scoring),
    ...(won.length > 0 ? [] : [say('validation.why.wonNothing', { winners: winnersOf(winners) })]),
    ...burntOf(burnt),
    ...lacking,
  ];
}

const burntOf = (burnt: number) => (burnt > 0 ? [say('validation.why.burnt', { percent: percent(burnt) })] : []);

/** What it has of each environment that has a share, the one that gives it most first; and where it has nothing because it lied. */
function ofParts({ lies = [], isEligible }: Weighed, parts: readonly Part[]): Saying[] {
  const ordered = parts.toSorted((a, b) => b.share * b.part - a.share * a.part);
  const ofLies = lies.map((environment) => say('validation.why.lies', { environment: taskName(environment) }));
  const has = ordered.map(({ environment, share, part }) => {
    const [counts, own] = [percent(share), percent(part)];
    return say('validation.why.part', { environment: taskName(environment), share: counts, percent: own });
  });
  if (ofLies.length + has.length > 0) return [...ofLies, ...has];
  return [isEligible ? say('validation.why.noPart') : say('validation.why.notEligible')];
}

/** A sentence for each set of environments that it won or shares, the largest first; nothing where there is nobody else. */
export function explainSets({ miner }: Weighed, scoring: Scoring): Saying[] {
  const others = othersOf(scoring);
  return others === 0 ? [] : wonBy(miner, scoring).map((won) => ofSet(won, others));
}

function othersOf({ miners }: Scoring): number {
  const somebodyCounts = miners.some((one) => one.isEligible);
  return miners.filter((one) => (somebodyCounts ? one.isEligible : one.copyOf === null)).length - 1;
}

const wonBy = (miner: string, { winners }: Scoring) =>
  winners.filter((winner) => winner.miner === miner).sort((a, b) => b.environments.length - a.environments.length);

/** One sentence for each size: of a set alone all is said, of several how many they are. */
function bySize(won: readonly SetWinner[], { points }: Weighed, scoring: Scoring): Saying[] {
  const sizes = Map.groupBy(won, ({ environments }) => environments.length);
  return [...sizes].map(([size, sets]) => {
    const [only, ...more] = sets;
    if (only && more.length === 0) return ofSet(only, othersOf(scoring));
    return size === 1 ? ofSingles(sets) : ofSets(sets, choose(points.length, size));
  });
}

function ofSet({ environments: names, dominated, share }: SetWinner, others: number): Saying {
  const environments = names.map(taskName);
  if (share === 1) return say('validation.why.won', { environments, dominated, others });
  return say('validation.why.shared', { environments, percent: percent(share) });
}

/** Of several sets of one environment each: which these are. */
function ofSingles(sets: readonly SetWinner[]): Saying {
  const { won, shared } = apart(sets);
  if (shared.length === 0) return say('validation.why.wonSingles', { won: namesOf(won) });
  if (won.length === 0) return say('validation.why.sharedSingles', { shared: namesOf(shared) });
  return say('validation.why.bothSingles', { won: namesOf(won), shared: namesOf(shared) });
}

/** Of several sets of a size, of which there are so many in all: how many. */
function ofSets(sets: readonly SetWinner[], all: number): Saying {
  const size = sets[0]?.environments.length ?? 0;
  const [won, shared] = [apart(sets).won.length, apart(sets).shared.length];
  if (shared === 0) return say('validation.why.wonSets', { won, all, size });
  if (won === 0) return say('validation.why.sharedSets', { shared, all, size });
  return say('validation.why.bothSets', { won, shared, all, size });
}

const apart = (sets: readonly SetWinner[]) => ({
  won: sets.filter(({ share }) => share === 1),
  shared: sets.filter(({ share }) => share < 1),
});

const namesOf = (sets: readonly SetWinner[]) => sets.flatMap(({ environments }) => environments).map(taskName);

const percent = (share: number) => Math.round(share * 1_000) / 10;

/** Who has won something, the one with the most first. */
function winnersOf(winners: Scoring['winners']): string[] {
  const counts = new Map<string, number>();
  for (const { miner } of winners) counts.set(miner, (counts.get(miner) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([miner]) => miner);
}
