import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { learntBefore, recentlyAsked, withAnswers } from '../../../../src-main/learning/runs/lesson-sources.ts';
import { RunFiles } from '../../../../src-main/learning/runs/run-files.ts';
import type { Db } from '../../../../src-main/store/database.ts';
import { CompletionStore } from '../../../../src-main/store/learning/learning-completions.ts';
import { FeedbackStore } from '../../../../src-main/store/learning/learning-feedback.ts';
import { completionRow, feedbackRow } from '../../../support/kept-answers.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';

let db: Db;
let completions: CompletionStore;
let feedback: FeedbackStore;

beforeEach(async () => {
  db = await memoryDatabase();
  completions = new CompletionStore(db);
  feedback = new FeedbackStore(db);
  return () => db.destroy();
});

const asked = (content: string) => JSON.stringify({ messages: [{ role: 'user', content }] });
const DAMAGED = ['{"messages":[{"ro', '{"messages":[{"role":"nobody","content":"Why?"}]}', 'null', '[]'];

/** Answers of which all but the last are damaged, each with feedback. @returns ids of that */
async function kept(door: 'api' | 'playground'): Promise<number[]> {
  const given: number[] = [];
  for (const [at, input] of [...DAMAGED, asked('Why is the sky blue?')].entries()) {
    await completions.put(completionRow({ id: `a${at}`, at: 10 + at, door, input }));
    const ids = await feedback.add([feedbackRow({ completion: `a${at}`, key: `k${at}` })], 100);
    if (Array.isArray(ids)) given.push(...ids);
  }
  return given;
}

it('leave out what is said of a damaged answer, and learn from the rest', async () => {
  const ids = await kept('api');
  const rows = await db.selectFrom('learning_feedback').selectAll().orderBy('id').execute();
  const whole = [{ kind: 'say', messages: [{ role: 'user', content: 'Why is the sky blue?' }] }];
  expect(await withAnswers(rows, { completions })).toMatchObject(whole);
  const versions = { lineage: async () => [{ feedback: ids }] };
  expect(await learntBefore('personal-1', { completions, feedback, versions })).toMatchObject(whole);
});

it('leave out damaged questions of those that were asked lately', async () => {
  await kept('playground');
  const folder = await mkdtemp(join(tmpdir(), 'quarry-sources-'));
  const files = new RunFiles(join(folder, 'r'));
  const found = await recentlyAsked(completionRow().base, [], { files, completions });
  expect(found).toEqual([[{ role: 'user', content: 'Why is the sky blue?' }]]);
  await completions.put(completionRow({ id: 'a4', at: 14, door: 'playground', input: DAMAGED[0] ?? '' }));
  expect(await recentlyAsked(completionRow().base, [], { files, completions })).toEqual([]);
  await rm(folder, { recursive: true });
});

it('list what is said of damaged answers without what was asked', async () => {
  await kept('api');
  const questions = (await feedback.list({ limit: 10 })).map(({ question }) => question);
  expect(questions).toEqual(['Why is the sky blue?', null, null, 'Why?', null]);
  expect((await completions.newest(10)).map(({ question }) => question)).toEqual(questions);
});
