import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { forgetInRuns } from '../../../../src-main/learning/runs/forget-in-runs.ts';
import { RunFiles } from '../../../../src-main/learning/runs/run-files.ts';
import type { Db } from '../../../../src-main/store/database.ts';
import { CompletionStore } from '../../../../src-main/store/learning/learning-completions.ts';
import { FeedbackStore } from '../../../../src-main/store/learning/learning-feedback.ts';
import { LearningRunStore } from '../../../../src-main/store/learning/learning-run-store.ts';
import { completionRow, feedbackRow } from '../../../support/kept-answers.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';

let folder: string;
let db: Db;
let store: LearningRunStore;
const piece = () => join(folder, 'r', 'recent-answers.json');

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-forget-'));
  db = await memoryDatabase();
  store = new LearningRunStore(db);
  await new CompletionStore(db).put(completionRow());
  await new FeedbackStore(db).add([feedbackRow()], 100);
  await store.begin({ id: 'r', name: 'personal', created_at: 1, settings: '{}' }, { training: null, most: 4 });
  await store.set('r', { step: 4, state: 'training' });
  await mkdir(join(folder, 'r'));
  return async () => {
    await db.destroy();
    await rm(folder, { recursive: true });
  };
});

async function forget() {
  await forgetInRuns({
    ...{ store, completions: new CompletionStore(db), queue: { between: (work) => work() } },
    filesOf: (run) => new RunFiles(join(folder, run)),
  });
  const [feedback] = await db.selectFrom('learning_feedback').select(['state', 'run']).execute();
  return { run: await store.get('r'), feedback, left: await readdir(folder) };
}

it('leaves a run whose answers are all there, and one that has not looked for any', async () => {
  expect(await forget()).toMatchObject({ run: { step: 4, state: 'training' }, left: ['r'] });
  await writeFile(piece(), '["chatcmpl-1"]');
  expect(await forget()).toMatchObject({ run: { step: 4, state: 'training' }, left: ['r'] });
});

it.each([
  ['learns from what was forgotten', '["chatcmpl-2"]'],
  ['has damaged what it learns from', '["chatcm'],
])('one that %s begins anew', async (_, text) => {
  await writeFile(piece(), text);
  expect(await forget()).toMatchObject({ run: { step: 0, state: 'queued', ended_at: null }, left: [] });
});

it('one whose file cannot be read fails, with what the system said; its feedback waits again', async () => {
  await mkdir(piece()); // reading a folder fails on every system
  const { run, feedback, left } = await forget();
  expect([run?.state, feedback, left]).toEqual(['failed', { state: 'waiting', run: null }, []]);
  expect(run?.error).toContain('EISDIR');
});
