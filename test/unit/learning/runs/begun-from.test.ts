import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { begunFrom } from '../../../../src-main/learning/runs/begun-from.ts';
import { SAMPLES } from '../../../../src-main/learning/runs/kept-samples.ts';
import { RunFiles } from '../../../../src-main/learning/runs/run-files.ts';
import type { Db } from '../../../../src-main/store/database.ts';
import { CompletionStore } from '../../../../src-main/store/learning/learning-completions.ts';
import { FeedbackStore } from '../../../../src-main/store/learning/learning-feedback.ts';
import { LearningRunStore } from '../../../../src-main/store/learning/learning-run-store.ts';
import type { RunRow } from '../../../../src-main/store/learning/learning-runs.ts';
import { completionRow, feedbackRow } from '../../../support/kept-answers.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';

let folder: string;
let db: Db;
let store: LearningRunStore;
let files: RunFiles;

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'quarry-begun-')), 'run');
  db = await memoryDatabase();
  [store, files] = [new LearningRunStore(db), new RunFiles(folder)];
  await new CompletionStore(db).put(completionRow());
  await new FeedbackStore(db).add([feedbackRow()], 100);
  await store.begin({ id: 'r', name: 'personal', created_at: 1, settings: '{}' }, { training: null, most: 4 });
  return async () => {
    await db.destroy();
    await rm(join(folder, '..'), { recursive: true });
  };
});

const row = async () => (await store.get('r')) as RunRow;
const from = async (parent: string | null, base = 'b') =>
  await begunFrom(await row(), { parent, base }, { store, files });

/** Begun from a version, with four steps done. */
async function begun(parent: string | null): Promise<void> {
  await from(parent);
  await files.write(SAMPLES, { objective: 'sdpo', samples: [], anchors: [], tried: 0, complied: 0, tooLong: 0 });
  await mkdir(files.step(4));
  await store.addStep('r', 4, { loss: 1 });
  await store.set('r', { step: 4, state: 'training', objective: 'sdpo' });
}

it('goes on where it stood', async () => {
  await begun('personal-1');
  const { started_at } = await row();
  await from('personal-1');
  expect(await row()).toMatchObject({ parent: 'personal-1', step: 4, state: 'training', started_at });
  expect(await files.lastStep()).toBe(4);
});

it.each([
  ['another version is in use', 'personal-2', 'b'],
  ['what was learnt was undone', null, 'b'],
  ['another model is loaded', 'personal-1', 'c'],
])('begins anew where %s by now', async (_, parent, base) => {
  await begun('personal-1');
  await from(parent, base);
  expect(await row()).toMatchObject({ parent, step: 0, state: 'queued', objective: null, ended_at: null });
  expect([await readdir(folder), await store.steps('r')]).toEqual([['from.json'], []]);
  expect((await store.feedback('r')).map(({ state }) => state)).toEqual(['taken']);
});

it('fails where it cannot be read any more what it began from, with what that means for a person', async () => {
  await begun('personal-1');
  for (const text of ['{"parent', '{"parent":1}']) {
    await writeFile(join(folder, 'from.json'), text);
    await expect(from('personal-1')).rejects.toThrow('What this run had kept of its work is damaged («from.json»).');
  }
});

it('begins anew where it was killed while it did', async () => {
  await begun('personal-1');
  await store.restart('r', 'personal-2'); // and the files were still there
  await from('personal-2');
  expect(await readdir(folder)).toEqual(['from.json']);
});
