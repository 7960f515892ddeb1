import { describe, expect, it } from 'vitest';
import type { Environment } from '../../../src-main/validation/environment.ts';
import { type Practised, practise } from '../../../src-main/validation/practice.ts';
import { PracticeTallies } from '../../../src-main/validation/practice-tally.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';

/** Asks for a number, and takes that alone. */
const number = (name: string): Environment<number> => ({
  name,
  version: '1',
  levels: ['usual'],
  pose: (random) => random.below(1_000_000),
  prompt: (task) => `Say ${task}.`,
  judge: (task, answer) => ({ score: answer === String(task) ? 1 : 0, reason: say('affine.elr.right') }),
});
const both = [number('one'), number('two')].map((environment) => ({
  environment: environment as Environment,
  level: 'usual',
}));
const parrot = async ({ prompt }: { prompt: string }) => ({ text: /\d+/.exec(prompt)?.[0] ?? '', ms: 10 });
const wrong = (code: 'DEADLINE' | 'CANCELLED') => new QuarryError({ code, message: say('affine.elr.wrong') });

async function all(options: Partial<Parameters<typeof practise>[0]> = {}): Promise<Practised[]> {
  return Array.fromAsync(practise({ environments: both, samples: 3, seed: 'x', ask: parrot, ...options }));
}

describe('a practice', () => {
  it('asks each environment in turn, and judges what is said', async () => {
    const asked = await all();
    expect(asked.map(({ challenge, score }) => [challenge.environment, score])).toEqual(
      [1, 2, 3].flatMap(() => [
        ['one', 1],
        ['two', 1],
      ]),
    );
    expect(new Set(asked.map(({ challenge }) => challenge.id)).size).toBe(6);
  });

  it('asks the same for the same seed, and something else for another', async () => {
    const idsOf = (asked: Practised[]) => asked.map(({ challenge }) => challenge.id);
    expect(idsOf(await all())).toEqual(idsOf(await all()));
    expect(idsOf(await all({ seed: 'y' }))).not.toEqual(idsOf(await all()));
  });

  it('goes on where one answer does not come, and says why', async () => {
    let asked = 0;
    const ask = (one: { prompt: string }) => (++asked % 3 === 0 ? parrot(one) : Promise.reject(wrong('DEADLINE')));
    const judged = await all({ ask });
    expect(judged.map(({ score, said }) => [score, said?.ms])).toEqual(
      [1, 2].flatMap(() => [
        [0, undefined],
        [0, undefined],
        [1, 10],
      ]),
    );
    expect(judged[0]?.reason).toEqual(say('affine.elr.wrong'));
  });

  it('ends where none comes any more, or nobody waits for it', async () => {
    let asked = 0;
    const never = (code: 'DEADLINE' | 'CANCELLED') => () => {
      asked++;
      return Promise.reject(wrong(code));
    };
    await expect(all({ ask: never('DEADLINE') })).rejects.toMatchObject({ code: 'DEADLINE' });
    expect(asked).toBe(3);
    await expect(all({ ask: never('CANCELLED') })).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(asked).toBe(4);
  });
});

it('tallies what came of it, with the range of the share and the median time', async () => {
  const tallies = new PracticeTallies();
  expect(tallies.read()).toEqual([]);
  let time = 0;
  const slower = async (one: { prompt: string }) => ({ ...(await parrot(one)), ms: ++time });
  for (const judged of await all({ ask: slower, samples: 4 })) tallies.add(judged);
  expect(tallies.read()).toMatchObject([
    { environment: 'one', level: 'usual', asked: 4, score: 4, high: 1, medianMs: 4 },
    { environment: 'two', level: 'usual', asked: 4, score: 4, high: 1, medianMs: 5 },
  ]);
});
