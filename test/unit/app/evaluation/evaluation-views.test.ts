import { expect, it } from 'vitest';
import type { z } from 'zod';
import { answerView, cellView, evaluationView } from '../../../../src-main/app/evaluation/evaluation-views.ts';
import type { EvaluationRow } from '../../../../src-main/store/evaluations.ts';
import { evaluationContract } from '../../../../src-preload/contract/evaluation.ts';

const PLAN = { target: { kind: 'local' }, suites: ['needle'], samples: 1, seed: 'a', ownTexts: false };
const ROW: EvaluationRow = {
  ...{ id: 'a', created_at: 1, ended_at: null, state: 'running', model: null, sha256: null, error: null },
  ...{ texts: 4, done: 2, seconds: 10, plan: JSON.stringify({ ...PLAN, lengths: [3_000, 1_000, 1_000] }) },
};

it('reckons how long it still takes by the tokens that were asked: long texts take longer, and come last', () => {
  expect(evaluationView(ROW).secondsLeft).toBe(30); // two of 1,000 took 10 s, two of 3,000 are left
  expect(evaluationView({ ...ROW, done: 3, seconds: 25 }).secondsLeft).toBe(15);
  expect(evaluationView({ ...ROW, done: 4 }).secondsLeft).toBe(0);
});

it('does not say how long it takes before a text is done, or where it does not run', () => {
  expect(evaluationView({ ...ROW, done: 0 }).secondsLeft).toBeNull();
  expect(evaluationView({ ...ROW, state: 'paused' }).secondsLeft).toBeNull();
});

it('shows what it can of an evaluation of which something is damaged, and says so', () => {
  const told = { code: 'INTERNAL', message: 'What was written down of this evaluation is damaged.' };
  const listed = evaluationContract.list['~orpc'].outputSchema as z.ZodType;
  const row = { ...ROW, id: '00000000000000a1' };
  for (const damaged of [
    { plan: '{"suites":[' },
    { plan: '{"suites":[]}', state: 'failed' as const },
    { state: 'failed' as const, error: '{"code":' },
    { state: 'melted' as 'failed' },
  ]) {
    const view = evaluationView({ ...row, ...damaged });
    expect(view).toMatchObject({ id: row.id, state: 'failed', secondsLeft: null, error: told });
    expect(listed.safeParse([view]).error).toBeUndefined();
  }
  const answer = {
    ...{ evaluation: 'a', text: 0, question: 0, suite: 'needle', variant: '', length: 1, words: null },
    at: 1,
  };
  const counts = { prompt_tokens: null, cached_tokens: null, answer_tokens: null, first_ms: null, total_ms: null };
  const unanswered = { ...answer, ...counts, depth: null, answer: null, score: 0, error: '[' };
  expect(answerView(unanswered).error).toMatchObject(told);
});

it('says how fast prompts are read, where that was told', () => {
  const where = { variant: '', length: 1_000, band: 'middle' as const, depth: 0.5 };
  const cell = { suite: 'needle', ...where, asked: 2, answered: 2, score: 2 };
  const told = { ...cell, firstMs: 500, totalMs: 600, promptTokens: 2_000, promptMs: 1_000 };
  expect(cellView(told)).toEqual({ ...cell, firstMs: 500, totalMs: 600, promptTokensPerSecond: 2_000 });
  expect(cellView({ ...told, promptTokens: 0 }).promptTokensPerSecond).toBeNull();
  expect(cellView({ ...told, promptMs: 0 }).promptTokensPerSecond).toBeNull();
});
