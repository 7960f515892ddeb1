import { expect, it } from 'vitest';
import { type Scores, scoreLines } from '../../../../../src-main/subnets/quasar/reward/explain.ts';
import { sentence } from '../../../../../src-preload/contract/saying.ts';

const NONE: Scores = {
  ...{ answered: 0, unanswered: 0, accuracy: null, reward: null, multiplier: 1, measured: {}, composite: null },
  ...{ consistency: null, pairs: 0 },
};
const PART = { value: 0.9, counted: 0.81, answers: 40 };
const ALL: Scores = {
  ...{ answered: 50, unanswered: 3, accuracy: 0.5, reward: 0.6, multiplier: 1.2, consistency: 0.75, pairs: 1 },
  measured: {
    ...{ memory: PART, position: PART, coherence: PART, speed: { ...PART, value: 42 } },
    scaling: { ...PART, answers: 0, lengths: [1_000, 4_000] },
  },
  composite: { total: 0.7, bonus: 1.08 },
};
const told = (scores: Scores) => scoreLines(scores).map(({ score, value, from }) => [score, value, sentence(from)]);

it('says of every score what it is, and of what was not measured what would measure it', () => {
  const lines = scoreLines(NONE);
  for (const { is, from, value } of lines) {
    expect(sentence(is)).toMatch(/^[A-Z].+\.$/);
    expect(sentence(from)).toMatch(/^Not measured: .+\.$/);
    expect(value).toBeNull();
  }
  expect(told(NONE)).toContainEqual(['position', null, 'Not measured: ask «places».']);
  expect(told(NONE)).toContainEqual([
    ...['composite', null],
    'Not measured: it takes all five parts. Missing: Memory, Position, Coherence, Speed, Scaling.',
  ]);
});

it('says of every score what it came from, and what counts of a part', () => {
  const lines = told(ALL);
  expect(lines).toHaveLength(9);
  expect(lines.slice(0, 3)).toEqual([
    [...['accuracy', 0.5], 'Out of 50 answers. Without one, as there was no room for the text: 3. These do not count.'],
    [
      ...['reward', 0.6],
      'Out of each answer’s accuracy and the length of its text: about the longest it counted 1.2 times.',
    ],
    [...['composite', 0.7], 'Out of what counts of each part below, and 8 % more for questions that go very well.'],
  ]);
  expect(lines).toContainEqual(['speed', 42, 'Out of 40 answers. Of this 81 % count, with a weight of 10 %.']);
  expect(lines).toContainEqual([
    ...['scaling', 0.9],
    'Out of the times at 1000 and 4000 tokens. Of this 81 % count, with a weight of 10 %.',
  ]);
  expect(lines.at(-1)?.[2]).toMatch(/^Out of 1 question that/);
});

it('names of the parts those that are missing', () => {
  const { position: _, ...measured } = ALL.measured;
  expect(told({ ...ALL, measured, composite: null })).toContainEqual([
    ...['composite', null],
    'Not measured: it takes all five parts. Missing: Position.',
  ]);
});
