import { describe, expect, it } from 'vitest';
import type { EvaluationAnswerRow } from '../../../../../src-main/store/evaluations.ts';
import { ScoreTally } from '../../../../../src-main/subnets/quasar/evaluation/score-tally.ts';

const ROW: EvaluationAnswerRow = {
  ...{
    evaluation: 'one',
    text: 0,
    question: 0,
    suite: 'patterns',
    variant: '',
    length: 1_000,
    words: 700,
    depth: null,
  },
  ...{ answer: '7', error: null, score: 1, prompt_tokens: null, cached_tokens: null, answer_tokens: null },
  ...{ first_ms: null, total_ms: null, at: 0 },
};

function scoresOf(rows: readonly Partial<EvaluationAnswerRow>[], isTwice = false) {
  const tally = new ScoreTally(isTwice);
  for (const row of rows) tally.add({ ...ROW, ...row });
  return tally.scores;
}

describe('what an evaluation’s answers show', () => {
  it('is nothing where there is none', () => {
    expect(scoresOf([])).toEqual({
      ...{ answered: 0, unanswered: 0, accuracy: null, reward: null, multiplier: 1, measured: {}, composite: null },
      ...{ consistency: null, pairs: 0 },
    });
  });

  it('leaves out what was not answered', () => {
    const noRoom = { answer: null, error: '{}', score: 0, question: -1, suite: 'needle' };
    expect(scoresOf([{ score: 1 }, { score: 0.5 }, noRoom])).toMatchObject({
      ...{ answered: 2, unanswered: 1, accuracy: 0.75, reward: 0.75, measured: {} },
    });
  });

  it('rewards each answer by the length of its text, never above 1, and by no more than was asked', () => {
    const long = { length: 124_000 };
    expect(scoresOf([{ ...long, score: 0.5 }, { ...long, score: 1 }, { score: 0 }])).toMatchObject({
      ...{ accuracy: 0.5, multiplier: 1.2 },
      reward: expect.closeTo((0.6 + 1 + 0) / 3, 12),
    });
    expect(scoresOf([{ ...long, score: 0.5, prompt_tokens: 9_000 }]).reward).toBe(0.5); // a short file
    expect(scoresOf([{ score: 0.5, prompt_tokens: 900_000 }]).reward).toBe(0.5); // a claim
  });

  it('has memory out of hidden values that were said right in full', () => {
    const scores = [1, 1, 0.99, 0].map((score) => ({ suite: 'needle', score }));
    expect(scoresOf([...scores, { score: 0 }]).measured).toEqual({
      memory: { value: 0.5, counted: 0.25, answers: 4 },
    });
  });

  it('has position out of questions where something stands, each fifth of the text as much', () => {
    const at = (depth: number, score: number) => ({ suite: 'places', depth, score });
    const { position } = scoresOf([at(0.1, 0), at(0.12, 0), at(0.19, 1), at(1, 1)]).measured;
    expect(position).toEqual({
      value: expect.closeTo((1 / 3 + 1) / 2, 12),
      counted: expect.closeTo(0.8, 12),
      answers: 4,
    });
    expect(scoresOf([{ suite: 'places', depth: 0.5, score: 0.5 }]).measured.position?.value).toBe(0);
  });

  it('has coherence out of summaries alone, each about a text of some length', () => {
    const summary = { suite: 'govreport', score: 0.5, answer: 'a b c d a b c d', length: 10_000, prompt_tokens: 9_000 };
    const { coherence } = scoresOf([summary, { suite: 'samsum' }, { suite: 'vcsum' }]).measured;
    expect(coherence).toEqual({
      ...{ value: expect.closeTo(0.65, 12), counted: expect.closeTo(0.65 * 0.91, 12), answers: 1 },
    });
    for (const suite of ['gov_report', 'qmsum', 'multi_news', 'govreport-train'])
      expect(scoresOf([{ suite }]).measured.coherence?.answers).toBe(1);
  });

  it('has speed by the whole time of answers whose tokens are told, to the first question about a text', () => {
    const told = { answer_tokens: 10, first_ms: 900, total_ms: 1_000 };
    const { speed } = scoresOf([
      told,
      { ...told, answer_tokens: 50 },
      { ...told, answer_tokens: null },
      { ...told, question: 1 },
    ]).measured;
    expect(speed).toEqual({ value: 30, counted: 0.03, answers: 2 });
  });
});

describe('scaling', () => {
  const at = (length: number, ms: number, more: Partial<EvaluationAnswerRow> = {}) => ({
    ...{ length, first_ms: ms, total_ms: ms, ...more },
  });

  it('compares the shortest length with the longest that were answered', () => {
    const none = { answer: null, error: '{}', length: 100_000, first_ms: null, total_ms: null };
    const { scaling } = scoresOf([at(1_000, 100), at(2_000, 9_000), at(4_000, 800), none]).measured;
    expect(scaling).toMatchObject({ value: 0.5, lengths: [1_000, 4_000] });
    expect(scaling?.counted).toBeCloseTo(0.5 * (1 + 0.1 * Math.log(4)), 12);
  });

  it('compares kinds of questions with themselves', () => {
    const other = { variant: 'prime' };
    expect(scoresOf([at(1_000, 100), at(1_000, 9_000, other), at(4_000, 400)]).measured.scaling?.value).toBe(1);
    expect(scoresOf([at(1_000, 100), at(4_000, 400, other)]).measured.scaling).toBeUndefined();
    expect(scoresOf([at(1_000, 100), at(1_000, 100)]).measured.scaling).toBeUndefined();
  });

  it('counts what was read for a question, and no text that is as long as it is', () => {
    const cached = { cached_tokens: 2_000 };
    expect(scoresOf([at(1_000, 100), at(4_000, 200, cached)]).measured.scaling?.value).toBe(1);
    expect(scoresOf([at(1_000, 100), at(4_000, 400, cached)]).measured.scaling?.value).toBe(0.5);
    const all = { cached_tokens: 3_900 };
    expect(scoresOf([at(1_000, 100), at(4_000, 1, all), at(4_000, 800)]).measured.scaling?.value).toBe(0.5);
    const second = { question: 1 };
    expect(scoresOf([at(1_000, 100), at(4_000, 1, second), at(4_000, 800)]).measured.scaling?.value).toBe(0.5);
    const published = { suite: 'govreport' };
    expect(scoresOf([at(1_000, 1, published), at(4_000, 1, published)]).measured.scaling).toBeUndefined();
  });
});

describe('the composite', () => {
  const timed = { answer_tokens: 100, first_ms: 100, total_ms: 1_000 };
  const rows: Partial<EvaluationAnswerRow>[] = [
    { ...timed, suite: 'scaling' },
    { ...timed, suite: 'scaling', length: 2_000 },
    { suite: 'places', depth: 0.5 },
    { suite: 'govreport', answer: 'one two', length: 0 },
  ];

  it('is there where all five parts are', () => {
    const { composite } = scoresOf(rows);
    expect(composite?.bonus).toBeCloseTo(1 + 0.5 * 0.15, 12); // half of the answers are to questions about scaling
    expect(composite?.total).toBeCloseTo((0.35 + 0.25 + 0.2 + 0.01 + 0.1) * 1.075, 12);
  });

  it.each([0, 1, 2, 3])('is not made up where one is missing: without row %d', (without) => {
    expect(scoresOf(rows.filter((_, at) => at !== without)).composite).toBeNull();
  });
});

describe('consistency', () => {
  const pair = (text: number, question: number, answer: string) => ({ text, question, answer });
  const rows = [pair(0, 0, '7'), pair(0, 1, '7.'), pair(0, 2, '8'), pair(0, 3, '9'), pair(1, 0, '9'), pair(2, 1, '9')];

  it('compares each question with its second asking', () => {
    expect(scoresOf(rows, true)).toMatchObject({ consistency: 0.5, pairs: 2 });
  });

  it('is not measured where nothing was asked twice', () => {
    expect(scoresOf(rows)).toMatchObject({ consistency: null, pairs: 0 });
  });

  it('compares no answer with none', () => {
    const none = { ...pair(0, 0, ''), answer: null, error: '{}' };
    expect(scoresOf([none, pair(0, 1, '7')], true).pairs).toBe(0);
  });
});
