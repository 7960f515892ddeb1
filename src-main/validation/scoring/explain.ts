import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import type { SetWinner } from './set-winners.ts';
import type { Scoring, Weighed } from './weights.ts';

/** Why a miner has its weight, in sentences, the decisive one first. */
export function explain(weighed: Weighed, { miners, winners, burnt }: Scoring): Saying[] {
  const { miner, missing, isEligible, copyOf, weight } = weighed;
  const lacking = Object.entries(missing).map(([environment, results]) =>
    say('validation.why.missing', { environment, results }),
  );
  if (copyOf !== null) return [say('validation.why.copy', { miner: copyOf }), ...lacking];
  const somebodyCounts = miners.some((one) => one.isEligible);
  if (!isEligible && somebodyCounts) return [say('validation.why.notEligible'), ...lacking];
  const won = winners.filter((winner) => winner.miner === miner).sort(largestFirst);
  const others = miners.filter((one) => (somebodyCounts ? one.isEligible : one.copyOf === null)).length - 1;
  const sets = won.map(({ environments, dominated, share }) =>
    share === 1
      ? say('validation.why.won', { environments, dominated, others })
      : say('validation.why.shared', { environments, percent: percent(share) }),
  );
  if (others === 0) return [say('validation.why.alone'), ...lacking];
  return [
    ...(somebodyCounts ? [] : [weight > 0 ? say('validation.why.bestOfAll') : say('validation.why.nobody')]),
    ...(won.length > 0 ? sets : [say('validation.why.wonNothing', { winners: winnersOf(winners) })]),
    ...(burnt > 0 ? [say('validation.why.burnt', { percent: percent(burnt) })] : []),
    ...lacking,
  ];
}

const percent = (share: number) => Math.round(share * 1_000) / 10;

const largestFirst = (a: SetWinner, b: SetWinner) => b.environments.length - a.environments.length;

/** Who has won something, the one with the most first. */
function winnersOf(winners: Scoring['winners']): string[] {
  const counts = new Map<string, number>();
  for (const { miner } of winners) counts.set(miner, (counts.get(miner) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([miner]) => miner);
}
