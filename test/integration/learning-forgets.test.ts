import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import type { App } from '../../src-main/app/app.ts';
import { createApp } from '../../src-main/app/create-app.ts';
import { begunFrom } from '../../src-main/learning/runs/begun-from.ts';
import { recentlyAsked } from '../../src-main/learning/runs/lesson-sources.ts';
import { jsonPiece, RunFiles } from '../../src-main/learning/runs/run-files.ts';
import { DEFAULT_RUN } from '../../src-main/learning/runs/run-settings.ts';
import { loadConfig } from '../../src-main/settings/config.ts';
import { openDatabase } from '../../src-main/store/database.ts';
import { CompletionStore } from '../../src-main/store/learning/learning-completions.ts';
import { FeedbackStore } from '../../src-main/store/learning/learning-feedback.ts';
import { LearningRunStore } from '../../src-main/store/learning/learning-run-store.ts';
import type { RunRow } from '../../src-main/store/learning/learning-runs.ts';
import { completionRow, feedbackRow } from '../support/kept-answers.ts';
import { temporaryFolder } from '../support/quarry-process.ts';
import { until } from '../support/until.ts';

const RUN = '0123456789abcdef';
const BASE = completionRow().base;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let app: App | undefined;

beforeEach(async () => {
  folder = await temporaryFolder();
});

afterEach(async () => {
  await app?.[Symbol.asyncDispose]();
  app = undefined;
  await folder.remove();
});

const database = () => openDatabase(join(folder.path, 'quarry.db'));
const runs = () => readdir(join(folder.path, 'learning'));

async function open(): Promise<App> {
  const flags = { dataDir: folder.path, role: 'client', port: 0 };
  const config = loadConfig({ flags, env: { QUARRY_LEARNING_WHEN: 'asked' } });
  app = await createApp(config, { server: true });
  return app;
}

/** A run that waits to go on, as it was left: it learns from an answer that something was said of, and from one that nothing was said of. */
async function left(): Promise<void> {
  const db = await database();
  const completions = new CompletionStore(db);
  await completions.put(completionRow({ door: 'playground' }));
  const asked = (content: string) => JSON.stringify({ messages: [{ role: 'user', content }] });
  await completions.put(
    completionRow({
      ...{ id: 'chatcmpl-2', door: 'terminal', at: Date.now() },
      input: asked('My code is 4711. What is it?'),
    }),
  );
  await new FeedbackStore(db).add([feedbackRow()], 100);
  const store = new LearningRunStore(db);
  const settings = JSON.stringify(DEFAULT_RUN);
  await store.begin({ id: RUN, name: 'personal', created_at: 1, settings }, { training: null, most: 4 });
  const files = new RunFiles(join(folder.path, 'learning', RUN));
  const from = { parent: null, base: BASE };
  await begunFrom((await store.get(RUN)) as RunRow, from, { store, files });
  expect(await recentlyAsked(BASE, [], { files, completions })).toHaveLength(2);
  await files.write(jsonPiece('samples', z.string()), 'of 4711');
  await store.set(RUN, { step: 4, state: 'training' });
  await db.destroy();
}

async function forget(): Promise<void> {
  const client = createRouterClient((await open()).contract, { context: { confidential: true } });
  expect(await client.learning.forget()).toEqual({ forgotten: 1 });
}

it('what is forgotten is in no file of a run that waits, which begins anew and learns from what is left', async () => {
  await left();
  await forget();
  expect(await runs()).toEqual([]);
  await app?.[Symbol.asyncDispose]();
  app = undefined;
  const db = await database();
  expect(await new LearningRunStore(db).get(RUN)).toMatchObject({ step: 0, state: 'queued', ended_at: null });
  const files = new RunFiles(join(folder.path, 'learning', RUN));
  const recent = await recentlyAsked(BASE, [], { files, completions: new CompletionStore(db) });
  expect(recent).toEqual([[{ role: 'user', content: 'Is four even?' }]]);
  await db.destroy();
});

it('a node that was killed before the run had forgotten it, too, forgets it when it is started', async () => {
  await left();
  const db = await database();
  await new CompletionStore(db).forget(['chatcmpl-2']);
  await db.destroy();
  await open();
  expect(await runs()).toEqual([]);
});

it('a run of which it cannot be read any more what it learns from begins anew, and the node starts', async () => {
  await left();
  await writeFile(join(folder.path, 'learning', RUN, 'recent-answers.json'), '["chatcm');
  await open();
  expect(await runs()).toEqual([]);
});

it('what PyTorch was handed, and a kill has left, goes at the start', async () => {
  await left();
  const work = join(folder.path, 'learning', 'torch', 'work-1');
  await mkdir(work, { recursive: true });
  await writeFile(join(work, 'samples-1.safetensors'), 'of 4711');
  await open();
  expect(await runs()).toEqual([RUN]);
});

it('what is too old goes out of a run, too', async () => {
  await left();
  const db = await database();
  await db.updateTable('learning_completions').set({ at: 1 }).where('id', '=', 'chatcmpl-2').execute();
  await db.destroy();
  await open();
  await until(async () => expect(await runs()).toEqual([]));
});

it('leaves a run that learns from nothing of it', async () => {
  await left();
  const db = await database();
  await new CompletionStore(db).put(completionRow({ id: 'chatcmpl-3', at: Date.now(), base: 'c'.repeat(64) }));
  await new FeedbackStore(db).add([feedbackRow({ key: 'twice', completion: 'chatcmpl-2' })], 100);
  await db.destroy();
  await forget();
  expect(await runs()).toEqual([RUN]);
});
