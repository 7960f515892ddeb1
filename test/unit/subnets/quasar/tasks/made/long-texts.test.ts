import { expect, it } from 'vitest';
import { inSlices } from '../../../../../../src-main/base/steps.ts';
import { MADE_TASKS } from '../../../../../../src-main/subnets/quasar/tasks/made/made-tasks.ts';
import { SeededRandom } from '../../../../../../src-main/validation/seeded-random.ts';
import { longestTurn } from '../../../../../support/longest-turn.ts';

/** Of about two million tokens. */
const WORDS = 1_500_000;

it.each(MADE_TASKS.map((kind) => [kind.name, kind] as const))(
  'makes the longest there are, and lets others have their turns: %s',
  async (_, kind) => {
    const [variant = ''] = kind.variants;
    const short = await inSlices(kind.steps(new SeededRandom('a'), variant, kind.leastWords));
    expect(short).toEqual(kind.make(new SeededRandom('a'), variant, kind.leastWords));
    const end = longestTurn();
    const [task] = await inSlices(kind.steps(new SeededRandom('a'), variant, WORDS));
    const { longest, all } = end();
    expect(longest).toBeLessThan(all / 3);
    expect(task?.prompt.length).toBeGreaterThan(5 * WORDS);
  },
);

it('ends between two steps with its signal', async () => {
  const stop = new AbortController();
  const steps = MADE_TASKS[0]?.steps(new SeededRandom('a'), 'number, middle', WORDS);
  const made = inSlices(steps!, stop.signal);
  stop.abort(new Error('enough'));
  await expect(made).rejects.toThrow('enough');
});
