import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { acceptRun } from '../../../../src-main/app/learning/accept-run.ts';
import { VersionFiles } from '../../../../src-main/learning/adapters/version-files.ts';
import type { AdapterBase } from '../../../../src-main/learning/adapters/version-intake.ts';
import { Versions } from '../../../../src-main/learning/adapters/versions.ts';
import { writeAdapterGguf } from '../../../../src-main/learning/formats/gguf-adapter.ts';
import { writePeft } from '../../../../src-main/learning/formats/peft-adapter.ts';
import { OutOfDate } from '../../../../src-main/learning/runs/begun-from.ts';
import type { Db } from '../../../../src-main/store/database.ts';
import { AdapterStore } from '../../../../src-main/store/learning/learning-adapters.ts';
import { CompletionStore } from '../../../../src-main/store/learning/learning-completions.ts';
import { FeedbackStore } from '../../../../src-main/store/learning/learning-feedback.ts';
import { LearningRunStore } from '../../../../src-main/store/learning/learning-run-store.ts';
import type { RunRow } from '../../../../src-main/store/learning/learning-runs.ts';
import { completionRow, feedbackRow } from '../../../support/kept-answers.ts';
import { madeAdapter, smallBase } from '../../../support/made-adapter.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';

const BASE: AdapterBase = { sha256: 'a'.repeat(64), name: 'small', shape: smallBase() };

let folder: string;
let db: Db;
let store: LearningRunStore;
let versions: Versions;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-accept-'));
  db = await memoryDatabase();
  store = new LearningRunStore(db);
  versions = new Versions({ store: new AdapterStore(db), files: new VersionFiles(join(folder, 'adapters')) });
  await versions.open();
  await new CompletionStore(db).put(completionRow());
  return async () => {
    await db.destroy();
    await rm(folder, { recursive: true });
  };
});

/** Begins with feedback of its own. */
async function begun(id: string, name = 'personal'): Promise<RunRow> {
  await new FeedbackStore(db).add([feedbackRow({ key: id, name })], 100);
  const run = await store.begin({ id, name, created_at: 1, settings: '{}' }, { training: null, most: 4 });
  return run as RunRow;
}

/** What a trainer saved is found good. */
async function accept(run: RunRow, parent: string | null): Promise<void> {
  const trained = join(folder, `${run.id}-trained`);
  const adapter = madeAdapter(BASE.shape);
  await mkdir(trained, { recursive: true });
  await writePeft(trained, adapter, 'small');
  await writeAdapterGguf(join(trained, 'adapter.gguf'), adapter, BASE.shape);
  await acceptRun(trained, run, { versions, base: BASE, parent, feedback: [1], metrics: null, endedAt: 9 });
}

const inUse = async (name: string) => (await versions.adapter(name))?.latest ?? null;

it('a run that is accepted is a version in use, and its feedback is learnt', async () => {
  const run = await begun('r1');
  await accept(run, null);
  expect(await store.get('r1')).toMatchObject({ state: 'accepted', version: await inUse('personal'), ended_at: 9 });
  expect((await store.feedback('r1')).map(({ state }) => state)).toEqual(['learnt']);
});

it('goes to the adapter by the name that it has got meanwhile', async () => {
  await accept(await begun('r1'), null);
  const first = await inUse('personal');
  const run = await begun('r2');
  await versions.rename('personal', 'mine');
  await accept(run, first);
  expect((await versions.adapters()).map(({ name }) => name)).toEqual(['mine']);
  const { versions: listed } = await versions.page('mine');
  expect(listed.map(({ number, inUse }) => [number, inUse])).toEqual([
    [2, true],
    [1, false],
  ]);
});

it.each<[string, (first: string) => Promise<unknown>]>([
  ['was undone', () => versions.undo('personal')],
  ['was put out of use', () => versions.rest('personal')],
  ['was deleted', (first) => versions.remove(first, true)],
])('is not accepted where the version that it began from %s', async (_, change) => {
  await accept(await begun('r1'), null);
  const first = await inUse('personal');
  const run = await begun('r2');
  await change(first ?? '');
  const files = await readdir(join(folder, 'adapters'));
  await expect(accept(run, first)).rejects.toBeInstanceOf(OutOfDate);
  expect(await inUse('personal')).toBeNull();
  expect(await store.get('r2')).toMatchObject({ state: 'queued', ended_at: null });
  expect((await store.feedback('r2')).map(({ state }) => state)).toEqual(['taken']);
  expect(await readdir(join(folder, 'adapters'))).toEqual(files);
});

it('a run that has ended meanwhile becomes no version: nothing of it is in use, and its feedback waits', async () => {
  const run = await begun('r1');
  await store.end('r1', 'cancelled', { ended_at: 5 });
  await expect(accept(run, null)).rejects.toThrow('had ended');
  expect([await inUse('personal'), await versions.adapters()]).toEqual([null, []]);
  expect(await store.get('r1')).toMatchObject({ state: 'cancelled', version: null, ended_at: 5 });
  expect(await store.waiting()).toEqual({ name: 'personal', training: null });
  expect(await readdir(join(folder, 'adapters'))).toEqual([]);
});
