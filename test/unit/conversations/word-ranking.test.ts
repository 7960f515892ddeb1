import { expect, it } from 'vitest';
import { WordRanking } from '../../../src-main/conversations/word-ranking.ts';

function best(question: string, texts: string[], limit = 10): number[] {
  const ranking = new WordRanking(question);
  for (const [id, text] of texts.entries()) ranking.read({ id, text });
  return ranking.best(limit);
}

it('finds whole words, whatever their case and accents', () => {
  const texts = ['Grüße an alle.', 'GRUSSE', 'Ein Gruß.', 'begrüßen', 'Ελλάδα', 'naïve'];
  expect(best('grüße', texts)).toEqual([0]);
  expect(best('ΕΛΛΆΔΑ', texts)).toEqual([4]);
  expect(best('NAIVE', texts)).toEqual([5]);
});

it('puts rare words before common ones, and short passages before long ones', () => {
  const common = Array.from({ length: 8 }, (_, at) => `The page ${at}.`);
  expect(best('the zebra', [...common, 'A zebra.'])[0]).toBe(8);
  expect(best('zebra', [`A zebra ${'and so on '.repeat(50)}`, 'A zebra.'])).toEqual([1, 0]);
  expect(best('the page 3', common, 1)).toEqual([3]);
});

it('counts a word that comes again for less each time', () => {
  const filler = Array.from({ length: 20 }, () => 'Nothing to see here at all today.');
  const texts = [...filler, `zebra ${'zebra '.repeat(20)}`, 'zebra and lion'];
  expect(best('zebra lion', texts)[0]).toBe(21);
});

it.each(['', '???', '.*', '"; DROP TABLE passages; --'])(
  'finds nothing for %j where no word is in the texts',
  (question) => {
    expect(best(question, ['A cat purrs.', ''])).toEqual([]);
  },
);

it('takes no more than 32 words of a question', () => {
  const words = Array.from({ length: 40 }, (_, at) => `word${at}`);
  expect(best(words.join(' '), ['word31'])).toEqual([0]);
  expect(best(words.join(' '), ['word32'])).toEqual([]);
});
