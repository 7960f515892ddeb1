import type { ContextTask, MadeTasks } from '../../../../../../src-main/subnets/quasar/tasks/context-task.ts';
import { SeededRandom } from '../../../../../../src-main/validation/seeded-random.ts';

export const made = (kind: MadeTasks, seed: string, variant = '', words = 1_000): readonly ContextTask[] =>
  kind.make(new SeededRandom(seed), variant, words);

/** Of a kind that makes one task. */
export function madeOne(kind: MadeTasks, seed: string, variant = '', words = 1_000): ContextTask {
  const [task] = made(kind, seed, variant, words);
  if (!task) throw new Error('nothing was made');
  return task;
}

export const seeds = (count: number): string[] => Array.from({ length: count }, (_, seed) => `seed ${seed}`);

/** How often something stands in a text. */
export const timesIn = (text: string, part: string): number => text.split(part).length - 1;

/** How many words stand before a share of a text. */
export const wordsBefore = (text: string, share: number): number =>
  text
    .slice(0, Math.round(share * text.length))
    .split(/\s+/)
    .filter(Boolean).length;
