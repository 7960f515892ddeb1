import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { affineEnvironments } from '../../../../src-main/subnets/affine/environments.ts';
import { pose } from '../../../../src-main/validation/challenge.ts';

/** Programs are judged where there is a sandbox: see affine-programs.test.ts. Here none runs. */
const ENVIRONMENTS = affineEnvironments({ run: async (_, inputs) => inputs.map(() => ({ outcome: 'late' }) as const) });

/**
 * A challenge is posed again from its seed, years later. Where one of these ids changes, what a seed stands for has changed: then the environment's
 * version has to change with it, and so do these.
 */
const FROZEN: Record<string, string> = {
  'sat 1 usual': '773b3c93a59012066e4faca3a861dbb6e52cd0fa2b9e22b1a836363bef0ebb50',
  'sat 1 easy': '6634f63d9fdbc84dfb6bd5547f8aad31438c348f35ada0ba065f9899dc47390d',
  'sat 1 medium': '22ad8a37349cd9fea280365c60cdcee29f2696b5ce0cf1721b3e7eeaff13ee84',
  'sat 1 hard': '50bb6ac5011ebdd47f80d27b0e00d009ece1ada7ba22fffefbe69b49da585880',
  'hvm 1 usual': '9eaef708f6453b7659c6f6819113b47d0865a859e6c921730998999d96efd0c4',
  'hvm 1 classic': 'b6f709011c09648a037e2480ca2966aa09805a85cf77fc3cffbbe70a9fca5394',
  'hvm 1 hard': '498454cece088f060c883cdc43f47dee80b2e147ae43ed9f25962dd3846d2279',
  'abd 1 usual': '380c691870e57e9e08ae733da9dcea7f6e2fa1b6f6f1d95bd6c95c84c8b538b8',
  'ded 1 usual': '0eaf5378968bc22426113397c31a0df5b56da7931409763a1c1543e7367116c5',
  'elr 1 usual': '236f83d7741901a819e5073addfbf4f48ce83c16b0119532495210a207772732',
};

describe.each(
  [...ENVIRONMENTS.values()].flatMap((environment) => environment.levels.map((level) => ({ environment, level }))),
)('$environment.name, $level', ({ environment, level }) => {
  const { name, version } = environment;

  it('asks the same for the same seed, for ever', async () => {
    expect((await pose(environment, level, 'for ever')).id).toBe(FROZEN[`${name} ${version} ${level}`]);
  });

  it('asks something else for every seed', async () => {
    const posed = Array.from({ length: 200 }, (_, seed) => pose(environment, level, `${seed}`));
    expect(new Set((await Promise.all(posed)).map(({ id }) => id)).size).toBe(200);
  });

  it('tells a miner nothing of the seed', async () => {
    const seed = 'c0ffee'.repeat(10);
    const { prompt, id } = await pose(environment, level, seed);
    expect(`${prompt} ${id}`).not.toContain('c0ffee');
  });

  it('judges any text', async () => {
    const { judge, prompt } = await pose(environment, level, 'judge');
    const piece = fc.constantFrom(
      '<HOLES>',
      '</HOLES>',
      '?a=1\n',
      'x1=True, ',
      '<Answer>',
      '</Answer>',
      '<think>',
      '1',
      '\n',
      prompt,
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece).map((pieces) => pieces.join('')),
    );
    await fc.assert(
      fc.asyncProperty(text, async (answer) => {
        const { score, reason } = await judge(answer);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
        expect(reason.key).toMatch(/^affine\./);
      }),
    );
    expect((await judge('x1=True,'.repeat(10_000_000))).score).toBe(0);
  });
});
