import { onTestFinished } from 'vitest';
import { evaluationFit } from '../../src-main/app/evaluation/evaluation-fit.ts';
import { EvaluationResults } from '../../src-main/app/evaluation/evaluation-results.ts';
import { EvaluationRuns } from '../../src-main/app/evaluation/evaluation-runs.ts';
import type { ExamineeDoor, OpenedExaminee } from '../../src-main/app/evaluation/examinees/opened-examinee.ts';
import { Changes } from '../../src-main/base/changes.ts';
import { type EvaluationRow, EvaluationStore } from '../../src-main/store/evaluations.ts';
import type { EvaluationDetails, EvaluationRequest, EvaluationWish } from '../../src-preload/contract/evaluation.ts';
import { memoryDatabase } from './memory-database.ts';
import { testLog } from './mesh-node.ts';

export const REQUEST: EvaluationRequest = {
  ...{ target: { kind: 'local' }, suites: ['needle'], lengths: [1_000, 500], samples: 1, seed: 'a', ownTexts: false },
};

/** One token a word, so that lengths are easily told. */
export const words = (text: string) => text.split(/\s+/).length;

/** Finds a needle in the first half of its text, and none behind that. @param asked where its questions are written down */
export function forgetful(asked: string[]): OpenedExaminee {
  return {
    ...{ model: 'forgetful', sha256: null, room: null },
    count: async (text) => words(text),
    async ask({ prompt }) {
      asked.push(prompt);
      const answer = prompt.slice(0, prompt.length / 2); // a metric of words finds the value, and much else
      const counts = { promptTokens: words(prompt), cachedTokens: 0, answerTokens: 1 };
      return { text: answer, firstMs: 100, totalMs: 110, ...counts };
    },
    async [Symbol.asyncDispose]() {},
  };
}

/** Evaluations of a node, which end with the test. @param rows that an earlier node has left */
export async function openEvaluations(
  examinee: (signal: AbortSignal) => OpenedExaminee | Promise<OpenedExaminee>,
  { rows = [], now }: { rows?: readonly EvaluationRow[]; now?: () => number } = {},
) {
  const db = await memoryDatabase();
  const [store, changes] = [new EvaluationStore(db), new Changes()];
  for (const row of rows) await store.add(row);
  const door: ExamineeDoor = {
    named: (target) => target,
    openExaminee: async (_, signal) => await examinee(signal),
  };
  const needs = { ...door, folder: '/nowhere' };
  const runs = new EvaluationRuns({ ...needs, store, changes, log: testLog, ...(now && { now }) });
  await runs.open();
  onTestFinished(async () => {
    await runs.close();
    await db.destroy();
  });
  const results = new EvaluationResults({ store, changes });
  return { runs, results, store, fit: (wish: EvaluationWish) => evaluationFit(needs, wish) };
}

/** How an evaluation ended. */
export async function endOf(results: EvaluationResults, id: string): Promise<EvaluationDetails> {
  const last = (await Array.fromAsync(results.watch(id))).at(-1);
  if (!last) throw new Error('nothing was seen');
  return last;
}
