import { describe, expect, it } from 'vitest';
import { cut, PASSAGE_CHARS } from '../../../src-main/conversations/cut.ts';

const textsOf = (text: string) => [...cut(text)].map((passage) => passage.text);
const SENTENCE = 'The worker signs a receipt for what it has answered. ';

describe('a text is cut', () => {
  it('not at all where it is short, and into nothing where nothing is in it', () => {
    expect([...cut('  One line.\n')]).toEqual([{ page: null, text: 'One line.' }]);
    expect([...cut('')]).toEqual([]);
    expect([...cut(' \n\n --- \n *** ')]).toEqual([]);
  });

  it('into passages that hold all of it, each as long as is allowed at most', () => {
    const words = Array.from({ length: 2_000 }, (_, at) => `word${at}`);
    const passages = textsOf(words.join(' '));
    expect(Math.max(...passages.map(({ length }) => length))).toBeLessThanOrEqual(PASSAGE_CHARS);
    const kept = new Set(passages.flatMap((text) => text.split(' ')));
    expect(words.filter((word) => !kept.has(word))).toEqual([]);
  });

  it('at the end of a paragraph, or else of a sentence', () => {
    const paragraph = SENTENCE.repeat(12).trim();
    expect(textsOf(`${paragraph}\n\n${paragraph}`)[0]).toBe(paragraph);
    const sentences = textsOf(SENTENCE.repeat(100));
    expect(sentences.every((text) => text.endsWith('.'))).toBe(true);
  });

  it('so that what is said across a border stands in one passage', () => {
    const passages = textsOf(SENTENCE.repeat(100));
    const repeated = passages.slice(1).filter((text, at) => passages[at]?.includes(text.slice(0, 40)));
    expect(repeated).toHaveLength(passages.length - 1);
  });

  it('never across two pages, which are counted', () => {
    expect([...cut('First page.\fSecond page.\f\fFourth page.')]).toEqual([
      { page: 1, text: 'First page.' },
      { page: 2, text: 'Second page.' },
      { page: 4, text: 'Fourth page.' },
    ]);
  });

  it.each([
    ['without a space', 'x'.repeat(100_000)],
    ['of characters that take two places', '𝔸'.repeat(10_000)],
    ['of spaces and letters far apart', `a${' '.repeat(50_000)}b`],
    ['of form feeds', `${'\f'.repeat(100_000)}a`],
    ['of pages with a letter each', 'a\f'.repeat(50_000)],
    ['of full stops', 'a.'.repeat(50_000)],
    ['of line breaks', '\n'.repeat(200_000)],
  ])('in bounded time where it is a text %s, and no character in two', (_, text) => {
    const passages = textsOf(text);
    expect(passages.length).toBeLessThan(text.length / 100);
    expect(passages.every((passage) => passage.isWellFormed() && passage.length <= PASSAGE_CHARS)).toBe(true);
  });
});
