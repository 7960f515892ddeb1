import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../../../../src-main/base/sha256.ts';
import { MADE_TASKS } from '../../../../../../src-main/subnets/quasar/tasks/made/made-tasks.ts';
import frozen from './frozen-tasks.json' with { type: 'json' };
import { made, seeds } from './support.ts';

/**
 * A task comes out of its seed byte for byte, years later. Where a hash differs, what is posed has changed: the version of that kind of task goes up, and the hash is
 * written anew. Nobody can look at an old result again otherwise.
 */
const FROZEN: Readonly<Record<string, string>> = frozen;

const all = MADE_TASKS.flatMap((kind) =>
  kind.variants.flatMap((variant) =>
    [kind.leastWords, 20_000].map((words) => ({
      ...{ kind, variant, words },
      name: [kind.name, kind.version, variant, words].join(' | '),
    })),
  ),
);

describe('made tasks', () => {
  it.each(all)('are made again as they were: $name', ({ kind, variant, words, name }) => {
    const tasks = JSON.stringify(made(kind, 'for years', variant, words));
    expect({ [name]: sha256(tasks).toString('hex') }).toEqual({ [name]: FROZEN[name] });
  });

  it('have a hash each, and no hash is left over', () => {
    expect(Object.keys(FROZEN).sort()).toEqual(all.map(({ name }) => name).sort());
  });

  it('are other ones for another seed', () => {
    for (const kind of MADE_TASKS) {
      const texts = seeds(5).map((seed) => made(kind, seed, kind.variants[0], kind.leastWords)[0]?.prompt);
      expect(new Set(texts).size).toBe(5);
    }
  });

  it('say what they are, have an answer and a place, and begin with what they share', () => {
    for (const kind of MADE_TASKS) {
      for (const variant of kind.variants) {
        const tasks = made(kind, 'all', variant, kind.leastWords);
        const shared = tasks[0]?.prompt.slice(0, tasks[0].prompt.indexOf(tasks[0].context) + tasks[0].context.length);
        for (const task of tasks) {
          expect(task).toMatchObject({ dataset: kind.name, variant, context: tasks[0]?.context });
          expect(task.prompt.startsWith(shared ?? '-')).toBe(true);
          expect(task.expected.every((answer) => answer.length > 0) && task.expected.length > 0).toBe(true);
          expect(task.answerTokens).toBeLessThanOrEqual(64);
          if (task.depth !== undefined) expect(task.depth > 0 && task.depth < 1).toBe(true);
        }
      }
    }
  });

  it('are told apart by their names', () => {
    expect(new Set(MADE_TASKS.map(({ name }) => name)).size).toBe(MADE_TASKS.length);
  });
});
