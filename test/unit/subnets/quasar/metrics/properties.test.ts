import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commonItems } from '../../../../../src-main/base/common-subsequence.ts';
import {
  METRICS,
  type MetricName,
  MOST_COMPARED,
  scoreBy,
} from '../../../../../src-main/subnets/quasar/metrics/metrics.ts';
import { cpuMs } from '../../../../support/cpu-time.ts';

const NAMES = Object.keys(METRICS) as MetricName[];
const CLASSES = ['Date', 'Number', 'Other number'];
const score = (name: MetricName, answer: string, references: string[]) =>
  scoreBy(name, answer, references, { classes: CLASSES });

/** Any units at all, halves of pairs and NUL among them; and texts that have what the metrics look for. */
const anything = fc.oneof(
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)), maxLength: 60 }),
  fc.string({ unit: fc.constantFrom(...'ab. \n`#7一中的国GPT-4。A'), maxLength: 60 }),
  fc.constantFrom('Paragraph 7', '段落7', 'Other number', '12', 'the'),
);
/** At least one word, and no sentence without one. */
const sentence = fc
  .array(fc.constantFrom('river', 'finds', 'letter', 'sieben', '北京', '机器'), { minLength: 1 })
  .map((all) => all.join(' '));

describe('every metric', () => {
  it.each(NAMES)('%s is from 0 to 1 for any texts, and the best over all right answers', (name) => {
    fc.assert(
      fc.property(anything, fc.array(anything, { maxLength: 3 }), (answer, references) => {
        const best = score(name, answer, references);
        expect(best).toBeGreaterThanOrEqual(0);
        expect(best).toBeLessThanOrEqual(1);
        expect(best).toBe(Math.max(0, ...references.map((reference) => score(name, answer, [reference]))));
      }),
    );
  });

  it('gives the same for a right answer among others', () => {
    expect(score('f1', 'river', ['forest', 'river', 'bridge'])).toBe(1);
  });
});

describe('the right answer itself is worth', () => {
  it.each(['f1', 'exact-match', 'code-similarity', 'mrcr', 'f1-zh'] as const)('1 by %s', (name) => {
    fc.assert(fc.property(sentence, (text) => void expect(score(name, text, [text])).toBe(1)));
  });

  it.each(['rouge-l', 'rouge-l-zh'] as const)('all but 1 by %s, which adds a little below the line', (name) => {
    fc.assert(fc.property(sentence, (text) => void expect(score(name, text, [text])).toBeCloseTo(1, 7)));
  });

  it('1 by what is counted, found and chosen', () => {
    fc.assert(
      fc.property(fc.nat(), (number) => {
        expect(score('count', `${number}`, [`${number}`])).toBe(1);
        expect(score('retrieval', `Paragraph ${number}`, [`Paragraph ${number}`])).toBe(1);
        expect(score('retrieval-zh', `段落${number}`, [`段落${number}`])).toBe(1);
      }),
    );
    for (const name of CLASSES) expect(score('classification', name, [name])).toBe(1);
  });

  it.each(['exact-match', 'mrcr'] as const)('1 by %s whatever it says', (name) => {
    fc.assert(fc.property(anything, (text) => void expect(score(name, text, [text])).toBe(1)));
  });
});

describe('it does not matter which is the answer', () => {
  it.each(['f1', 'exact-match', 'f1-zh'] as const)('by %s', (name) => {
    fc.assert(
      fc.property(
        anything,
        anything,
        (one, other) => void expect(score(name, one, [other])).toBeCloseTo(score(name, other, [one]), 12),
      ),
    );
  });
});

describe('what is asked for', () => {
  it('is told where classes are missing: an answer cannot be at fault', () => {
    expect(() => scoreBy('classification', 'Date', ['Date'])).toThrow(/several classes/);
  });

  it('is in the first line alone where it is to be', () => {
    expect(scoreBy('f1', '\n\nParis\nand more', ['Paris'], { firstLine: true })).toBe(1);
    expect(scoreBy('f1', '\n\nParis\nand more', ['Paris'])).toBeLessThan(1);
  });
});

describe('of a long text', () => {
  it('the beginning is compared, of the right answer as of the other', () => {
    const beginning = 'word '.repeat(MOST_COMPARED / 4).slice(0, MOST_COMPARED);
    expect(score('exact-match', `${beginning} here`, [`${beginning} there`])).toBe(1);
    expect(score('exact-match', beginning.slice(0, -5), [`${beginning} there`])).toBe(0);
  });
});

/** As it is written down, without anything that saves time. */
function plainRougeL(answer: string, reference: string): number {
  const [said, wanted] = [answer, reference].map((text) =>
    text.split('.').flatMap((each) => (each === '' ? [] : [each.trim().split(/ +/)])),
  ) as [string[][], string[][]];
  if (said.length === 0 || wanted.length === 0) return 0;
  const common = new Set(wanted.flatMap((each) => said.flatMap((other) => commonItems(each, other))));
  const [recall, precision] = [wanted, said].map((each) => common.size / new Set(each.flat()).size) as [number, number];
  return 2 * ((precision * recall) / (precision + recall + 1e-8));
}

it('ROUGE-L is what its definition says, for sentences of few words again and again', () => {
  const text = fc.array(fc.array(fc.constantFrom(...'abcdefgh'), { maxLength: 6 }), { maxLength: 8 });
  const written = text.map((sentences) => sentences.map((each) => each.join(' ')).join('.'));
  fc.assert(
    fc.property(written, written, (answer, reference) => {
      expect(score('rouge-l', answer, [reference])).toBe(plainRougeL(answer, reference));
    }),
    { numRuns: 2_000 },
  );
});

/** Texts of as many characters as an answer and a right one may have at a validator. */
const many = (sentence: (at: number) => string) =>
  Array.from({ length: 16_384 }, (_, at) => sentence(at))
    .join('.')
    .slice(0, 16_384);

it.each([
  ['two sentences of one word', many((at) => 'ab'[at % 2] ?? '')],
  ['two sentences of one Chinese word', many((at) => '我你'[at % 2] ?? '')],
  ['sentences of one word each, all others', many((at) => at.toString(36))],
  ['sentences that share a word', many((at) => `a ${at.toString(36)}`)],
  ['sentences of few words in another order', many((at) => at.toString(7).split('').join(' '))],
])('ROUGE-L of thousands of sentences takes well under a second: %s', async (_, text) => {
  for (const name of ['rouge-l', 'rouge-l-zh'] as const) {
    score(name, '北京', ['北京']); // the dictionary is loaded once
    const took = await cpuMs(() => expect(score(name, text, [text])).toBeGreaterThan(0));
    expect([name, took > 1_000 && took]).toEqual([name, false]);
  }
});

describe('a hostile answer of a megabyte', () => {
  const long = (text: string) => text.repeat(Math.ceil(1_000_000 / text.length));
  const summary = Array.from({ length: 2_000 }, (_, at) => `w${at % 700}${at % 25 === 24 ? '.' : ''}`).join(' ');
  const answers = [
    ...['a b ', '.', '. a', 'ab', 'x', '一', '北京大学', '\n', ' ', '`\n', '7 ', '\ud800', '𠀀'].map(long),
    // Ten thousand sentences, each of words that the right answer has.
    long(Array.from({ length: 9_000 }, (_, at) => `w${at % 700} w${at % 31}.`).join('')),
  ];
  const references = [
    ...[
      'a b '.repeat(4_000),
      'ab'.repeat(99),
      'x'.repeat(MOST_COMPARED),
      '北京大学'.repeat(500),
      '𠀀'.repeat(5_000),
      summary,
    ],
  ];

  it.each(NAMES)('takes well under a second by %s', async (name) => {
    score(name, '北京', ['北京']); // the dictionary is loaded once
    const late = [];
    for (const answer of answers) {
      for (const reference of references) {
        const took = await cpuMs(() => expect(score(name, answer, [reference])).toBeLessThanOrEqual(1));
        if (took > 700) late.push({ answer: answer.slice(0, 4), reference: reference.slice(0, 4), took });
      }
    }
    expect(late).toEqual([]);
  });

  it('is matched as far as the limit of steps goes where it was made for the sequence matcher', async () => {
    const sign = (at: number) => String.fromCharCode(0x4e00 + ((at * 7_919 + (at >> 3) * 31) % 2_000));
    const right = Array.from({ length: 16_000 }, (_, at) => sign(at)).join('');
    // Pairs of signs, each a match of its own, with signs between them that the right answer lacks.
    const made = Array.from({ length: 5_400 }, (_, at) => `${right.slice(at * 2, at * 2 + 2)}\uac00`).join('');
    let value = 0;
    const took = await cpuMs(() => {
      value = score('mrcr', `0123456789${made}`, [`0123456789${right}`]);
    });
    // Without the limit it takes minutes.
    expect(took).toBeLessThan(5_000);
    expect(value).toBeGreaterThan(0);
    expect(value).toBeLessThan(0.05);
  });
});
