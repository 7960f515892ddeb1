import { expect, it, onTestFinished } from 'vitest';
import { answerOf, asked, inputOf } from '../../src-main/app/evaluation/examinees/answered.ts';
import type { EvaluationAnswerRow } from '../../src-main/store/evaluations.ts';
import { askAll } from '../../src-main/subnets/quasar/evaluation/evaluation-run.ts';
import { plannedTexts } from '../../src-main/subnets/quasar/evaluation/plan.ts';
import { openSuites, SUITES } from '../../src-main/subnets/quasar/evaluation/suites.ts';
import { tinyEngine } from '../support/engine.ts';

const PLAN = { suites: ['anchors', 'two-hop'], lengths: [900, 1_400], samples: 1, seed: 'shared' };
/** The end of a prompt, which differs from question to question. */
const QUESTION_TOKENS = 120;

it.each([1, 3])(
  'reads each text once, however many questions there are about it, with %i at a time',
  async (parallel) => {
    const engine = tinyEngine({ contextSize: 2_048, parallel });
    onTestFinished(() => engine.close());
    await engine.open();
    const { signal } = new AbortController();
    const rows: EvaluationAnswerRow[] = [];
    await askAll({
      ...{ id: 'a', plan: PLAN, done: 0, tooLong: new Map(), signal },
      suites: await openSuites(PLAN.suites, '/nowhere', signal),
      texts: plannedTexts(PLAN, (name) => SUITES.get(name)?.variants ?? []),
      examinee: {
        room: 2_048,
        count: (text) => engine.countTokens(inputOf(text)),
        ask: ({ prompt }) => answerOf(engine.generate({ input: inputOf(prompt), ...asked(1) })),
      },
      store: { answered: async () => {}, questionsOf: async () => new Set() },
      onText: async () => {},
      onAnswer: (row) => rows.push(row),
    });
    expect(rows).toHaveLength(2 * (5 + 2 * 3));
    for (const { suite, length, question, prompt_tokens: all, cached_tokens: reused } of rows) {
      const read = (all ?? 0) - (reused ?? 0);
      const which = `${suite}, ${length}, question ${question}: ${read} of ${all}`;
      if (question === 0) expect(read, which).toBeGreaterThan(0.8 * length);
      else expect(read, which).toBeLessThan(QUESTION_TOKENS);
    }
  },
);
