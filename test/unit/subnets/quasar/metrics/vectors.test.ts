import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chineseWords } from '../../../../../src-main/subnets/quasar/metrics/chinese-words.ts';
import { type MetricName, scoreBy } from '../../../../../src-main/subnets/quasar/metrics/metrics.ts';
import { normalise, normaliseChinese } from '../../../../../src-main/subnets/quasar/metrics/normalise.ts';
import { linesOf } from '../../../../../src-main/subnets/quasar/metrics/python-text.ts';

interface Vectors {
  pairs: [answer: string, reference: string][];
  /** For each pair, by each metric. */
  scores: Record<string, number[]>;
  classification: [answer: string, reference: string, classes: string[], score: number][];
  firstLines: [text: string, first: string][];
  words: [text: string, cut: string][];
  normalised: [text: string, english: string, chinese: string][];
}

/** scripts/quasar-vectors.py made the file, with the Python packages that scores elsewhere are made with. Vite reads no halves of characters, so it is read here. */
const file = resolve(import.meta.dirname, '../../../../fixtures/quasar/metrics.json');
const vectors: Vectors = JSON.parse(readFileSync(file, 'utf8'));

describe('scores are those of Python', () => {
  it.each(Object.entries(vectors.scores))('%s', (name, scores) => {
    const wrong = vectors.pairs.flatMap(([answer, reference], at) => {
      const score = scoreBy(name as MetricName, answer, [reference]);
      const wanted = scores[at] as number;
      return Math.abs(score - wanted) <= 1e-9 ? [] : [{ answer, reference, score, wanted }];
    });
    expect(wrong).toEqual([]);
    expect(scores.some((score) => score > 0 && score < 1) || name === 'exact-match').toBe(true);
  });

  it('classification', () => {
    for (const [answer, reference, classes, wanted] of vectors.classification) {
      expect(scoreBy('classification', answer, [reference], { classes }), answer).toBeCloseTo(wanted, 9);
    }
  });
});

describe('texts are read as Python reads them', () => {
  it('normalised', () => {
    for (const [text, english, chinese] of vectors.normalised) {
      expect([normalise(text), normaliseChinese(text)], JSON.stringify(text)).toEqual([english, chinese]);
    }
  });

  it('the first line', () => {
    for (const [text, first] of vectors.firstLines) expect(linesOf(text)[0], JSON.stringify(text)).toBe(first);
  });

  it('Chinese words, as jieba cuts them', () => {
    for (const [text, cut] of vectors.words) expect(chineseWords(text).join('|'), JSON.stringify(text)).toBe(cut);
    expect(vectors.words.length).toBeGreaterThan(300);
  });
});
