import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areConsistent } from '../../../../../src-main/subnets/quasar/reward/consistency.ts';
import { PERTURBATIONS, perturbed } from '../../../../../src-main/subnets/quasar/reward/perturbation.ts';
import { SeededRandom } from '../../../../../src-main/validation/seeded-random.ts';

const TEXT =
  'Find the exact number. It is mentioned once. Anna saw it. Ben did not. Give it as it stands. Say no more.';
const draw = (seed: string) => new SeededRandom(seed);

describe('a perturbed text', () => {
  it.each(PERTURBATIONS)('is another one, and the same again from the same seed: %s', (kind) => {
    const made = perturbed(TEXT, kind, draw('1'));
    expect(made).not.toBe(TEXT);
    expect(perturbed(TEXT, kind, draw('1'))).toBe(made);
    const all = new Set(Array.from({ length: 40 }, (_, seed) => perturbed(TEXT, kind, draw(`${seed}`))));
    expect(all.size).toBeGreaterThan(2);
  });

  it('has one word of the question for another, with its capital', () => {
    expect(perturbed('Find it.', 'paraphrase', draw('1'))).toBe('Locate it.');
    expect(perturbed('what to find?', 'paraphrase', draw('1'))).toBe('what to locate?');
    expect(perturbed('a finding of texts', 'paraphrase', draw('1'))).toBeUndefined();
  });

  it('has one space more, where there was one', () => {
    for (let seed = 0; seed < 30; seed++) {
      const made = perturbed(TEXT, 'noise', draw(`${seed}`)) as string;
      expect(made).toHaveLength(TEXT.length + 1);
      expect(made.replace('  ', ' ')).toBe(TEXT);
    }
    expect(perturbed('word', 'noise', draw('1'))).toBeUndefined();
  });

  it('comes of any text, or there is none', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(...PERTURBATIONS), fc.string(), (text, kind, seed) => {
        expect(perturbed(text, kind, draw(seed))).not.toBe(text);
      }),
    );
  });
});

describe('consistency', () => {
  it('compares the words of two answers, whatever signs are between them', () => {
    expect(areConsistent('It is 42.', '“it  IS 42”')).toBe(true);
    expect(areConsistent('482913', '482913.')).toBe(true);
    expect(areConsistent('It is 42.', 'It is 43.')).toBe(false);
  });

  it('begins at 85 of 100 words', () => {
    const words = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`).join(' ');
    expect(areConsistent(words(85), words(100))).toBe(true);
    expect(areConsistent(words(84), words(100))).toBe(false);
  });

  it('is none between answers that say nothing', () => {
    expect(areConsistent('', ' …')).toBe(false);
  });

  it('is the same the other way round', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
        expect(areConsistent(one, other)).toBe(areConsistent(other, one));
      }),
    );
  });
});
