import { type Saying, say } from '../../../../src-preload/contract/saying.ts';
import { sentenceCount, wordCount } from './sentences.ts';
import { plain, type Verifier } from './verifier.ts';

export type LengthUnit = 'sentences' | 'words' | 'characters';

export interface LengthLimits {
  unit: LengthUnit;
  least?: number | undefined;
  most?: number | undefined;
}

/** The score falls to 0 at so many times the most. B6: 3 sentences are 1, 9 are 0. */
const WORST = 3;

/**
 * The original's rule for «concise» (B6): fewer than 10 words are no answer, up to 3 sentences are right, and the score falls to 0 at 9. Beside that,
 * an answer that was cut off is not concise, however few sentences of it there are: the original counted those as right.
 */
export function conciseVerifier({ most = 3, leastWords = 10 }: { most?: number; leastWords?: number } = {}): Verifier {
  const limits = lengthVerifier({ unit: 'sentences', most });
  return {
    async check(answer, signal) {
      const words = wordCount(answer.text);
      if (words < leastWords) return plain(false, say('evaluation.length.tooFewWords', { words, least: leastWords }));
      return await limits.check(answer, signal);
    },
  };
}

/** Whether an answer has as much of something as it should. One that was cut off has no length yet: it is only known to be longer. */
export function lengthVerifier({ unit, least = 0, most = Number.POSITIVE_INFINITY }: LengthLimits): Verifier {
  return {
    async check({ text, finish }) {
      const count = countOf(text, unit);
      if (count === 0) return plain(false, say('evaluation.length.empty'));
      if (finish === 'length' && Number.isFinite(most)) return plain(false, say('evaluation.length.cut'));
      const tooMuch = count > most ? Math.max(0, 1 - (count - most) / (most * (WORST - 1))) : 1;
      const score = count < least ? count / least : tooMuch;
      return { score, passes: count >= least && count <= most, why: lengthSaying(unit, count) };
    },
  };
}

function countOf(text: string, unit: LengthUnit): number {
  switch (unit) {
    case 'sentences':
      return sentenceCount(text);
    case 'words':
      return wordCount(text);
    case 'characters':
      return [...text].length;
  }
}

function lengthSaying(unit: LengthUnit, count: number): Saying {
  switch (unit) {
    case 'sentences':
      return say('evaluation.length.sentences', { count });
    case 'words':
      return say('evaluation.length.words', { count });
    case 'characters':
      return say('evaluation.length.characters', { count });
  }
}
