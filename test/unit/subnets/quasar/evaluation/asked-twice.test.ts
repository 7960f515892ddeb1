import { expect, it } from 'vitest';
import { askedTwice } from '../../../../../src-main/subnets/quasar/evaluation/asked-twice.ts';
import { drawsAgain } from '../../../../../src-main/subnets/quasar/evaluation/plan.ts';
import { questionBelow } from '../../../../../src-main/subnets/quasar/tasks/context-task.ts';
import { MADE_TASKS } from '../../../../../src-main/subnets/quasar/tasks/made/made-tasks.ts';
import { SeededRandom } from '../../../../../src-main/validation/seeded-random.ts';

it('asks each made question again, put differently, with the same text before it and the same right answer', () => {
  for (const kind of MADE_TASKS) {
    for (const variant of kind.variants) {
      const tasks = kind.make(new SeededRandom('a'), variant, kind.leastWords);
      const twice = askedTwice(tasks, new SeededRandom('b'));
      expect(twice).toHaveLength(2 * tasks.length);
      for (const [at, task] of tasks.entries()) {
        const [first, second = task] = twice.slice(2 * at);
        expect(first).toBe(task);
        expect({ ...second, prompt: task.prompt }).toEqual(task);
        expect(second.prompt).not.toBe(task.prompt);
        const read = task.prompt.slice(0, task.prompt.indexOf(task.context) + task.context.length);
        expect(second.prompt.startsWith(read)).toBe(true);
      }
    }
  }
});

it('puts it the same way for the same seed, and in several ways', () => {
  const [task] = MADE_TASKS[0]?.make(new SeededRandom('a'), MADE_TASKS[0].variants[0] ?? '', 200) ?? [];
  if (!task) throw new Error('nothing was made');
  const again = (seed: string) => {
    const draws = drawsAgain({ seed }, { suite: 'needle', variant: 'v', length: 200, sample: 0 });
    return questionBelow(askedTwice([task], draws)[1] ?? task);
  };
  expect(again('a')).toBe(again('a'));
  const ways = new Set(Array.from({ length: 30 }, (_, seed) => again(String(seed))));
  expect(ways.size).toBeGreaterThan(3);
});
