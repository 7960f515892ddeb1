import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MOST_COMPARED } from '../../../../../src-main/subnets/quasar/metrics/metrics.ts';
import { consistencyOf } from '../../../../../src-main/subnets/quasar/reward/consistency.ts';
import { PERTURBATIONS, perturbed } from '../../../../../src-main/subnets/quasar/reward/perturbation.ts';
import { SeededRandom } from '../../../../../src-main/validation/seeded-random.ts';

const TEXT =
  'Find the exact number. It is mentioned once. Anna saw it. Ben did not. Give it as it stands. Say no more.';
const draw = (seed: string) => new SeededRandom(seed);
const sorted = (text: string) => text.split(/(?<=\.)\s+/).sort();

describe('a perturbed text', () => {
  it.each(PERTURBATIONS)('is another one, and the same again from the same seed: %s', (kind) => {
    const made = perturbed(TEXT, kind, draw('1'));
    expect(made).not.toBe(TEXT);
    expect(perturbed(TEXT, kind, draw('1'))).toBe(made);
    const all = new Set(Array.from({ length: 40 }, (_, seed) => perturbed(TEXT, kind, draw(`${seed}`))));
    if (kind !== 'reorder') expect(all.size).toBeGreaterThan(2);
  });

  it('has one word of the question for another, with its capital', () => {
    expect(perturbed('Find it.', 'paraphrase', draw('1'))).toBe('Locate it.');
    expect(perturbed('what to find?', 'paraphrase', draw('1'))).toBe('what to locate?');
    expect(perturbed('a finding of texts', 'paraphrase', draw('1'))).toBeUndefined();
  });

  it('has two sentences of its middle the other way round, and no other', () => {
    const made = perturbed(TEXT, 'reorder', draw('1')) as string;
    expect(made).toBe(
      'Find the exact number. It is mentioned once. Ben did not. Anna saw it. Give it as it stands. Say no more.',
    );
    expect(perturbed('One. Two. Three.', 'reorder', draw('1'))).toBeUndefined();
    expect(perturbed('One. Two. Three. Four.', 'reorder', draw('1'))).toBe('One. Three. Two. Four.');
    const long = Array.from({ length: 30 }, (_, at) => `Sentence ${at}.`).join(' ');
    for (let seed = 0; seed < 30; seed++) {
      const swapped = perturbed(long, 'reorder', draw(`${seed}`)) as string;
      expect(sorted(swapped)).toEqual(sorted(long));
      expect(swapped.startsWith('Sentence 0. Sentence 1. Sentence 2. ')).toBe(true);
      expect(swapped.endsWith(' Sentence 28. Sentence 29.')).toBe(true);
    }
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
  it('compares two answers', () => {
    expect(consistencyOf('It is 42.', 'it  IS 42.')).toEqual({ likeness: 1, isConsistent: true });
    expect(consistencyOf('It is 42.', 'It is 43.')).toEqual({ likeness: 0.5, isConsistent: false });
  });

  it('begins at 85 of 100 words', () => {
    const words = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`).join(' ');
    expect(consistencyOf(words(85), words(100)).isConsistent).toBe(true);
    expect(consistencyOf(words(84), words(100)).isConsistent).toBe(false);
  });

  it('looks at no more than is compared of an answer', () => {
    const long = 'word '.repeat(MOST_COMPARED);
    expect(consistencyOf(long, `${long} and something else`)).toEqual({ likeness: 1, isConsistent: true });
  });

  it('is none between answers that say nothing', () => {
    expect(consistencyOf('', ' ').isConsistent).toBe(false);
  });

  it('is the same the other way round, from 0 to 1', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
        const { likeness } = consistencyOf(one, other);
        expect(likeness).toBe(consistencyOf(other, one).likeness);
        expect(likeness).toBeGreaterThanOrEqual(0);
        expect(likeness).toBeLessThanOrEqual(1);
      }),
    );
  });
});
