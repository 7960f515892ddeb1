import { type Saying, say } from '../../../../src-preload/contract/saying.ts';
import type { LengthUnit } from './length.ts';
import { markNames } from './markup.ts';
import type { OneWish, Wish } from './wish.ts';

/** A wish in words. */
export function wishWords(wish: Wish): Saying | Saying[] {
  switch (wish.kind) {
    case 'all':
      return wish.of.map((one) => wishWords(one) as Saying);
    case 'emoji':
      return wish.wanted ? say('evaluation.wish.emoji') : say('evaluation.wish.noEmoji');
    case 'concise':
      return say('evaluation.wish.concise', { most: wish.most ?? 3 });
    case 'length':
      return lengthWords(wish);
    case 'phrase':
      return wish.wanted === false
        ? say('evaluation.wish.notPhrase', { phrase: wish.phrase })
        : say('evaluation.wish.phrase', { phrase: wish.phrase });
    case 'marks': {
      const what = markNames(wish.marks);
      return wish.wanted ? say('evaluation.wish.marks', { what }) : say('evaluation.wish.noMarks', { what });
    }
    case 'language':
      return say('evaluation.wish.language', { language: wish.language });
    case 'pattern':
      return say('evaluation.wish.pattern', { pattern: wish.pattern });
    case 'json':
      return say('evaluation.wish.json');
    case 'python':
      return say('evaluation.wish.python');
    case 'likeness':
      return say('evaluation.wish.likeness');
  }
}

const UNITS: Record<LengthUnit, Saying> = {
  sentences: say('evaluation.unit.sentences'),
  words: say('evaluation.unit.words'),
  characters: say('evaluation.unit.characters'),
};

function lengthWords({ unit, least, most }: Extract<OneWish, { kind: 'length' }>): Saying {
  const of = UNITS[unit];
  if (least !== undefined && most !== undefined) return say('evaluation.wish.between', { least, most, of });
  return most === undefined
    ? say('evaluation.wish.least', { least: least ?? 0, of })
    : say('evaluation.wish.most', { most, of });
}
