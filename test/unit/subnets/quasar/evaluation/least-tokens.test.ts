import { expect, it } from 'vitest';
import { leastTokens } from '../../../../../src-main/subnets/quasar/evaluation/least-tokens.ts';
import { openSuites } from '../../../../../src-main/subnets/quasar/evaluation/suites.ts';
import { MADE_TASKS } from '../../../../../src-main/subnets/quasar/tasks/made/made-tasks.ts';
import { SeededRandom } from '../../../../../src-main/validation/seeded-random.ts';

const { signal } = new AbortController();
const SEEDS = 5;
/** As roughly as where nobody counts, and as many as a tokenizer with few words has. */
const COUNTS = {
  few: async (text: string) => Math.ceil(text.length / 4),
  many: async (text: string) => Math.ceil(text.length / 1.9),
};

it.each(Object.entries(COUNTS))(
  'tells of each made suite from which length on its texts have room, %s tokens a word',
  async (_, count) => {
    const names = MADE_TASKS.map(({ name }) => name);
    for (const suite of (await openSuites(names, '/nowhere', signal)).values()) {
      const least = (await leastTokens(suite.name, count, signal)) ?? expect.fail(suite.name);
      const posed = async (tokens: number, variant: string, seed: number) =>
        await suite.pose(() => new SeededRandom(`${variant} ${seed}`), variant, { tokens, count, signal });
      for (const variant of suite.variants) {
        for (let seed = 0; seed < SEEDS; seed++) await posed(least, variant, seed);
      }
      const [variant = ''] = suite.variants;
      await expect(posed(0.6 * least, variant, 0), suite.name).rejects.toMatchObject({ code: 'CONTEXT_TOO_LONG' });
    }
  },
);

it('tells nothing of suites out of files', async () => {
  expect(await leastTokens('narrativeqa', COUNTS.few, signal)).toBeUndefined();
});
