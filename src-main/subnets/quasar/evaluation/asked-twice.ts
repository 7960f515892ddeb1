import type { SeededRandom } from '../../../validation/seeded-random.ts';
import { PERTURBATIONS, perturbed } from '../reward/perturbation.ts';
import type { ContextTask } from '../tasks/context-task.ts';

/**
 * Each task, and behind it the same one with its question put a little differently: even and odd places. Its text stays as it is, and before the question, so that it is read
 * once for all of them; and what is right stays right.
 */
export function askedTwice(tasks: readonly ContextTask[], random: SeededRandom): ContextTask[] {
  return tasks.flatMap((task) => [task, { ...task, prompt: putDifferently(task, random) }]);
}

function putDifferently({ prompt, context }: ContextTask, random: SeededRandom): string {
  const end = prompt.indexOf(context) + context.length;
  const question = prompt.slice(end);
  // Where no word of it has another for it, one space more is always to be had.
  const changed = perturbed(question, random.pick(PERTURBATIONS), random) ?? perturbed(question, 'noise', random);
  return prompt.slice(0, end) + (changed ?? question);
}
