import type { SampleView } from '../../../../src-preload/contract/validator.ts';

/** What was asked in several ways is told apart, as `sat (easy)`; a challenge is of `sat`. */
const WAY = / \(.*\)$/;

/** Who has results, whoever has the most first, and of which tasks; also what is not asked any more. */
export function filterNames(samples: readonly Pick<SampleView, 'miner' | 'environment' | 'count'>[]): {
  miners: string[];
  tasks: string[];
} {
  const counts = new Map<string, number>();
  for (const { miner, count } of samples) counts.set(miner, (counts.get(miner) ?? 0) + count);
  const tasks = new Set(samples.map(({ environment }) => environment.replace(WAY, '')));
  return { miners: [...counts].sort(([, a], [, b]) => b - a).map(([miner]) => miner), tasks: [...tasks].sort() };
}
