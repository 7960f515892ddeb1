import { expect, it } from 'vitest';
import type { AskedAnswers } from '../../../../src-main/learning/asked.ts';
import { gateExaminer } from '../../../../src-main/learning/runs/gate-examiner.ts';
import { planLesson } from '../../../../src-main/learning/runs/lesson.ts';
import { measuresOf } from '../../../../src-main/learning/runs/run-views.ts';
import { scoredWords } from '../../../support/learning/scored-words.ts';

const { signal } = new AbortController();
const LONG = 'It is so. It was so. It will be so. It has been so.';

/** Is brief where it is told to be, and finds that likelier with each step; what it scores is remembered. */
function model({ obeys = true } = {}) {
  const scored: string[] = [];
  const asked: AskedAnswers = {
    async answer(messages, { topLogprobs }) {
      const told = messages.some(({ content }) => content.includes('shorter'));
      const logprobs = topLogprobs && { logprobs: [{ token: 'x', bytes: [], logprob: -1, top: [] }] };
      return { text: obeys && told ? 'It is so.' : LONG, finish: 'stop', tokens: [1], ...logprobs };
    },
    async score(_, answer, { adapter } = {}) {
      scored.push(String(answer));
      return scoredWords(answer, adapter && answer === 'It is so.' ? -1 : -2);
    },
  };
  return { asked, scored };
}

function examiner(asked: AskedAnswers) {
  const messages = [{ role: 'user' as const, content: 'Why is the sky blue?' }];
  const feedback = [{ kind: 'say' as const, text: 'Be shorter: one sentence.', messages, answer: LONG }];
  const plan = planLesson({ feedback, earlier: [], recent: [], prompts: 9, asked });
  return gateExaminer({ plan, asked, probes: [], seed: 1 });
}

it('measures in each look how much likelier the teacher’s answers are than those of before, by the same pairs', async () => {
  const { asked } = model();
  const { examine, quickOf } = examiner(asked);
  const before = await examine(undefined, 'full', { signal });
  expect(before.pairs).toHaveLength(3);
  expect(before.pairs?.[0]).toMatchObject({ positive: 'It is so.', negative: LONG });
  expect(before.margins).toEqual(Array(3).fill({ sum: -2 * 3 + 2 * 14, perToken: 0 }));
  const quick = await examine('/step-4/adapter.gguf', 'quick', { signal, before });
  expect(quick.margins).toEqual([{ sum: -1 * 3 + 2 * 14, perToken: 1 }]);
  expect(measuresOf(quick)).toMatchObject({ margin: 1, marginSum: 25 });
  expect(measuresOf(quickOf(before))).toMatchObject({ margin: 0, marginSum: 22 });
});

it('tells after each answer how many there are', async () => {
  const { examine } = examiner(model().asked);
  const looked = async (...[adapter, how, look]: Parameters<typeof examine>) => {
    const told: [number, number][] = [];
    const found = await examine(adapter, how, { ...look, onAnswer: (done, of) => told.push([done, of]) });
    return { found, told };
  };
  const { found: before, told } = await looked(undefined, 'full', { signal });
  expect(told).toEqual(Array.from({ length: 20 + 32 + 4 }, (_, at) => [at + 1, 20 + 32 + 4]));
  for (const how of ['quick', 'full'] as const) {
    const { told } = await looked('/a.gguf', how, { signal, before });
    expect(told.at(-1)).toEqual([told.length, told.length]);
  }
});

it('scores two answers more in a look', async () => {
  const { asked, scored } = model();
  const { examine } = examiner(asked);
  const before = await examine(undefined, 'full', { signal });
  const scores = async (pairs: typeof before.pairs) => {
    scored.splice(0);
    await examine('/a.gguf', 'quick', { signal, before: { ...before, pairs } });
    return scored.length;
  };
  expect((await scores(before.pairs)) - (await scores([]))).toBe(2);
});

it('has none where the teacher knows no answer either', async () => {
  const { asked } = model({ obeys: false });
  const { examine } = examiner(asked);
  const before = await examine(undefined, 'full', { signal });
  const after = await examine('/a.gguf', 'quick', { signal, before });
  for (const measured of [before, after]) {
    expect(measuresOf(measured)).not.toHaveProperty('margin');
  }
});
