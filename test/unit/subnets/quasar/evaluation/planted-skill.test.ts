import { expect, it } from 'vitest';
import type { EvaluationAnswerRow } from '../../../../../src-main/store/evaluations.ts';
import { askAll, type Examinee } from '../../../../../src-main/subnets/quasar/evaluation/evaluation-run.ts';
import { plannedTexts } from '../../../../../src-main/subnets/quasar/evaluation/plan.ts';
import { openSuites, SUITES } from '../../../../../src-main/subnets/quasar/evaluation/suites.ts';
import { needle } from '../../../../../src-main/subnets/quasar/tasks/made/needles.ts';

const DEEPEST = 0.6;
const PLAN = { suites: ['needle'], lengths: [600, 1_200], samples: 4, seed: 'planted' };
const words = async (text: string) => text.split(/\s+/).length;

/** All needles that a plan hides, each with how deep it lies: by the questions that are asked for them. */
function answersOf(posed: Map<string, { value: string; depth: number }>): Examinee {
  return {
    count: words,
    room: null,
    async ask({ prompt }) {
      const { value, depth } = posed.get(prompt) ?? { value: '', depth: 1 };
      const counts = { promptTokens: null, cachedTokens: null, answerTokens: null };
      return { text: depth <= DEEPEST ? value : 'It does not say.', firstMs: 1, totalMs: 2, ...counts };
    },
  };
}

it('finds of a model that knows every needle down to a depth just that', async () => {
  const suites = await openSuites(PLAN.suites, '/nowhere', new AbortController().signal);
  const posed = new Map<string, { value: string; depth: number }>();
  // What is posed is noted as it is counted: the model knows the right answers, as a good one would by reading.
  const whole = suites.get('needle');
  if (!whole) throw new Error('there is no needle');
  const noting = {
    ...whole,
    pose: async (...how: Parameters<typeof whole.pose>) => {
      const text = await whole.pose(...how);
      for (const { prompt, expected, depth } of text.tasks)
        posed.set(prompt, { value: expected[0] ?? '', depth: depth ?? 1 });
      return text;
    },
  };
  const rows: EvaluationAnswerRow[] = [];
  await askAll({
    ...{ id: 'a', done: 0, plan: PLAN, suites: new Map([['needle', noting]]), examinee: answersOf(posed) },
    tooLong: new Map(),
    texts: plannedTexts(PLAN, (name) => SUITES.get(name)?.variants ?? []),
    store: { answered: async () => {}, questionsOf: async () => new Set() },
    onText: async () => {},
    onAnswer: (row) => rows.push(row),
    signal: new AbortController().signal,
  });
  expect(rows).toHaveLength(needle.variants.length * 2 * 4);
  for (const { depth, score, variant } of rows) {
    expect(score, `${variant} at ${depth}`).toBeCloseTo((depth ?? 1) <= DEEPEST ? 1 : 0, 1);
  }
  const deep = rows.filter(({ depth }) => (depth ?? 0) > DEEPEST);
  expect(deep.length).toBeGreaterThan(rows.length / 5);
});
