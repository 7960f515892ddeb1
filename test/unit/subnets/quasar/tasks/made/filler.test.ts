import { describe, expect, it } from 'vitest';
import data from '../../../../../../resources/quasar/filler.json' with { type: 'json' };
import { atOnce } from '../../../../../../src-main/base/steps.ts';
import { fillerWords } from '../../../../../../src-main/subnets/quasar/tasks/made/text/filler.ts';
import { SeededRandom } from '../../../../../../src-main/validation/seeded-random.ts';

const textOf = (seed: string, words: number) => atOnce(fillerWords(new SeededRandom(seed), words));
const joined = (seed: string, words: number) =>
  textOf(seed, words)
    .map(({ text }) => text)
    .join(' ');

/** Counts what is drawn. */
class CountedRandom extends SeededRandom {
  draws = 0;
  override below(count: number): number {
    this.draws++;
    return super.below(count);
  }
}

describe('the data of the filler', () => {
  type Words = Readonly<Record<string, string[] | undefined>>;
  const lists: readonly { sentences: string[]; words: Words }[] = data.subjects;
  const wordsFor = (words: Words, slot: string) => {
    const all: Words = { ...data.words, ...words };
    return all[slot] ?? all[slot.replace(/2$/, '')];
  };

  it('has ten subjects with forty sentences each, and twelve words for each slot', () => {
    expect(data.licence).toBe('CC0-1.0');
    expect(lists).toHaveLength(10);
    for (const { sentences, words } of lists) {
      expect(new Set(sentences).size).toBeGreaterThanOrEqual(40);
      for (const list of Object.values(words)) expect(new Set(list).size).toBeGreaterThanOrEqual(12);
      for (const slot of sentences.join(' ').matchAll(/\{(\w+)\}/g))
        expect(wordsFor(words, slot[1] ?? '')).toBeDefined();
    }
  });

  it('puts no «a» before a vowel', () => {
    for (const { sentences, words } of lists) {
      for (const [, slot = ''] of sentences.join(' ').matchAll(/\b[Aa] \{(\w+)\}/g)) {
        expect(wordsFor(words, slot)?.filter((word) => /^[aeiou]/.test(word))).toEqual([]);
      }
    }
  });
});

describe('filler', () => {
  it.each([1, 2, 17, 1_000, 20_001])('has exactly %i words', (words) => {
    expect(joined('exact', words).split(' ')).toHaveLength(words);
  });

  it('goes on from the same draws', () => {
    expect(joined('stream', 5_000).startsWith(joined('stream', 777))).toBe(true);
  });

  it('has no digits and no names: a capital begins a sentence, and nothing else', () => {
    for (const { text } of textOf('plain', 100_000)) {
      expect(text).toMatch(/^[A-Z][a-z]*(?:[ ,;':-]|[a-z])*\.?$/);
    }
  });

  it('stays with one subject for a paragraph of four to seven sentences', () => {
    const opens = textOf('paragraphs', 50_000).flatMap(({ opens }, at) => (opens ? [at] : []));
    const lengths = opens.slice(1).map((at, place) => at - (opens[place] ?? 0));
    expect([Math.min(...lengths), Math.max(...lengths)]).toEqual([4, 7]);
  });

  it('repeats less than one sentence of a hundred in 100,000 words, and never one right after itself', () => {
    for (const seed of ['a', 'b', 'c']) {
      const sentences = textOf(seed, 100_000).map(({ text }) => text);
      expect(1 - new Set(sentences).size / sentences.length).toBeLessThan(0.01);
      expect(sentences.filter((text, at) => text === sentences[at + 1])).toEqual([]);
    }
  });

  it('takes as many draws for a word of a text of two million tokens as for one of a short text', () => {
    const drawsFor = (words: number) => {
      const random = new CountedRandom('linear');
      atOnce(fillerWords(random, words));
      return random.draws / words;
    };
    expect(drawsFor(1_500_000) / drawsFor(15_000)).toBeCloseTo(1, 1);
  });
});
