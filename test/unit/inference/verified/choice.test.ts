import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  candidatesWanted,
  chosenToken,
  type TokenChance,
  type VerifiedSampling,
} from '../../../../src-main/inference/verified/choice.ts';
import { gumbelNoise } from '../../../../src-main/inference/verified/gumbel.ts';

const PLAIN: VerifiedSampling = { temperature: 1, topP: 1, topK: 0, repeatPenalty: 1, seed: 7 };
const NONE: readonly number[] = [];
const chances = (...weights: number[]): TokenChance[] => {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return weights.map((weight, id) => ({ id, logprob: Math.log(weight / sum) }));
};

describe('noise', () => {
  it('is what Python’s hashlib and math make of the same', () => {
    const known: [number, number, number, number][] = [
      [0, 0, 0, -0.8991877796149834],
      [1, 2, 3, 0.3111116482823668],
      [4294967295, 4095, 151935, -0.2578106661134771],
      [42, 0, 17, 0.06998055502275073],
    ];
    for (const [seed, place, token, noise] of known) expect(gumbelNoise(seed, place, token)).toBeCloseTo(noise, 12);
  });

  it('is a number for every seed, place and token', () => {
    const word = fc.integer({ min: 0, max: 0xffff_ffff });
    fc.assert(fc.property(word, word, word, (...of) => Number.isFinite(gumbelNoise(...of))));
  });
});

describe('a choice', () => {
  it('draws each token as often as it is likely, at the temperature', () => {
    const top = chances(6, 3, 1);
    const draws = 4_000;
    for (const temperature of [1, 0.5]) {
      const counts = [0, 0, 0];
      for (let place = 0; place < draws; place++) {
        const id = chosenToken(top, { ...PLAIN, temperature }, place, NONE);
        counts[id] = (counts[id] ?? 0) + 1;
      }
      const wanted = chances(...[6, 3, 1].map((weight) => weight ** (1 / temperature)));
      for (const { id, logprob } of wanted) {
        const share = Math.exp(logprob);
        // Five standard deviations: the seed is fixed, so this passes for ever or never.
        expect(Math.abs((counts[id] ?? 0) / draws - share)).toBeLessThan(5 * Math.sqrt((share * (1 - share)) / draws));
      }
    }
  });

  it('is the likeliest without temperature', () => {
    expect(chosenToken(chances(5, 4, 3), { ...PLAIN, temperature: 0 }, 0, NONE)).toBe(0);
  });

  it('is among the likeliest that are allowed', () => {
    const some = fc.record({
      weights: fc.array(fc.double({ min: 1e-6, max: 1, noNaN: true }), { minLength: 1, maxLength: 40 }),
      topK: fc.integer({ min: 1, max: 40 }),
      topP: fc.double({ min: 0, max: 1, noNaN: true }),
      seed: fc.integer({ min: 0, max: 0xffff_ffff }),
      place: fc.integer({ min: 0, max: 4_000 }),
    });
    fc.assert(
      fc.property(some, ({ weights, place, ...sampling }) => {
        const top = chances(...weights.toSorted((one, other) => other - one));
        const id = chosenToken(top, { ...PLAIN, ...sampling }, place, NONE);
        expect(id).toBeLessThan(Math.min(sampling.topK, weights.length));
        const before = top.slice(0, id).reduce((sum, { logprob }) => sum + Math.exp(logprob), 0);
        const kept = top.slice(0, sampling.topK).reduce((sum, { logprob }) => sum + Math.exp(logprob), 0);
        if (id > 0) expect(before).toBeLessThan(sampling.topP * kept + 1e-9);
      }),
    );
  });

  it('passes over what was said lately', () => {
    const sampling = { ...PLAIN, temperature: 0, repeatPenalty: 2 };
    expect(chosenToken(chances(5, 4, 1), sampling, 0, [0])).toBe(1);
    expect(chosenToken(chances(5, 4, 1), sampling, 0, [0, 1])).toBe(0);
  });

  it('is the same however many more of the unlikely are known', () => {
    const weights = Array.from({ length: 100 }, (_, n) => 1 / (n + 1));
    for (const sampling of [
      { ...PLAIN, topK: 40 },
      { ...PLAIN, topK: 10, topP: 0.5 },
    ]) {
      const wanted = candidatesWanted(sampling);
      expect(wanted).toBe(sampling.topK);
      for (let place = 0; place < 50; place++) {
        const all = chosenToken(chances(...weights), sampling, place, NONE);
        expect(chosenToken(chances(...weights).slice(0, wanted), sampling, place, NONE)).toBe(all);
      }
    }
    expect(candidatesWanted(PLAIN)).toBe(100);
    expect(candidatesWanted({ ...PLAIN, topK: 10, repeatPenalty: 1.1 })).toBe(100);
  });
});
