import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installedPath } from '../../../../src-main/base/installation.ts';
import { checkOwnWords } from '../../../../src-main/focus/own-words.ts';
import { readSuggestions, type Suggestion, suggested } from '../../../../src-main/focus/tasks/suggestions.ts';
import { type PlatformTask, Tasks } from '../../../../src-main/focus/tasks/tasks.ts';
import type { Db } from '../../../../src-main/store/database.ts';
import { FocusRecordingStore } from '../../../../src-main/store/focus/focus-recordings.ts';
import { FocusTaskStore } from '../../../../src-main/store/focus/focus-tasks.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { Recording } from '../../../../src-preload/contract/focus.ts';
import type { TaskChoice } from '../../../../src-preload/contract/focus-task-kinds.ts';
import { WORK_FIELDS } from '../../../../src-preload/contract/focus-tasks.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';

describe('the list of suggestions', () => {
  it('has some for each kind of work, each once, in both languages', async () => {
    const all = await readSuggestions(installedPath('resources', 'focus-tasks.json'));
    expect(all.length).toBeGreaterThanOrEqual(40);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    for (const field of WORK_FIELDS) expect(all.filter((one) => one.field === field).length).toBeGreaterThanOrEqual(5);
    for (const { en, de } of all) expect(de.title).not.toBe(en.title);
  });

  it('leaves out what was recorded often, and begins with what was not, one kind of work after the other', () => {
    const all = ['a1', 'a2', 'b1', 'b2', 'c1'].map((id) => ({ id, field: id.slice(0, 1) }));
    const counts: Record<string, number> = { a1: 3, b1: 2 };
    const { tasks, leftOut } = suggested(all, (id) => counts[id] ?? 0);
    expect([tasks.map(({ id }) => id), leftOut]).toEqual([['a2', 'c1', 'b2', 'b1'], 1]);
  });
});

const SUGGESTION: Suggestion = {
  id: 'code-fix-bug',
  field: 'programming',
  en: { title: 'Mend a bug', description: 'With a test', reason: 'It teaches' },
  de: { title: 'Einen Fehler beheben', description: 'Mit Test', reason: 'Es lehrt' },
};
const BOOSTED = { id: 'budget', title: 'Build a budget', description: 'In a table', multiplier: 2.5, validUntil: 9e12 };
const WANTED: PlatformTask = { id: 'wanted', title: 'Wanted\u202e', description: '' };

describe('tasks', () => {
  let db: Db;
  let recordings: FocusRecordingStore;
  let tasks: Tasks;
  let listed: (typeof BOOSTED)[];
  let market: () => Promise<PlatformTask[]>;

  beforeEach(async () => {
    db = await memoryDatabase();
    recordings = new FocusRecordingStore(db);
    listed = [BOOSTED];
    market = async () => [WANTED];
    const state = { address: null, number: null, takenAt: null };
    const boosted = { tasks: async () => listed, state: async () => state };
    const store = new FocusTaskStore(db);
    tasks = new Tasks({ store, suggestions: async () => [SUGGESTION], boosted, platform: () => market() });
  });
  afterEach(() => db.destroy());

  async function record(title: string, at: number, task?: TaskChoice): Promise<Recording> {
    const id = `00000000-0000-4000-8000-00000000000${at}`;
    const sound = { microphone: false, system: false };
    return await recordings.begin(
      id,
      await tasks.beginning({ title, description: `of ${at}`, surface: 'tab', sound, width: 16, height: 16, task }),
      { startedAt: at, signer: '0'.repeat(64) },
    );
  }
  const list = async (kind?: 'own' | 'suggested' | 'boosted' | 'platform') =>
    (await tasks.list({ language: 'de', kind })).tasks.map(({ title, recorded }) => [title, recorded]);

  it('of one’s own are remembered with how often they were recorded, the last first', async () => {
    await record('Sort', 1);
    await record('Count', 2);
    await record('Sort', 3);
    expect(await list('own')).toEqual([
      ['Sort', 2],
      ['Count', 1],
    ]);
    const [first] = (await tasks.list({ language: 'en', kind: 'own' })).tasks;
    expect(first).toMatchObject({ id: null, description: 'of 3', multiplier: 1 });
  });

  it('come from all lists, the suggestions in the language that is read', async () => {
    await record('Sort', 1);
    expect(await list()).toEqual([
      ['Build a budget', 0],
      ['Wanted', 0],
      ['Sort', 1],
      ['Einen Fehler beheben', 0],
    ]);
  });

  it('that are boosted lend their words and multiplier to a recording, whatever was typed', async () => {
    const { id } = await record('My own words', 1, { kind: 'boosted', id: 'budget' });
    listed = [];
    const { title, description, task } = await only(id);
    expect({ title, description, task }).toEqual({
      title: 'Build a budget',
      description: 'In a table',
      task: { kind: 'boosted', id: 'budget', multiplier: 2.5 },
    });
    expect(await list('own')).toEqual([]);
    const shown = async (kind: 'own' | 'boosted') =>
      (await recordings.list({ text: '', limit: 9, kind })).map((one) => one.id);
    expect([await shown('own'), await shown('boosted')]).toEqual([[], [id]]);
    expect(() => checkOwnWords({ task, state: 'draft' })).toThrow(/come from its list/);
  });

  it('that are suggested may be put in own words, and are left out after three recordings', async () => {
    for (const at of [1, 2, 3]) {
      const recording = await record(`In my words ${at}`, at, { kind: 'suggested', id: SUGGESTION.id });
      expect(recording).toMatchObject({ title: `In my words ${at}`, task: { kind: 'suggested', multiplier: 1 } });
      expect(() => checkOwnWords(recording)).not.toThrow();
    }
    const { tasks: left, leftOut } = await tasks.list({ language: 'en', kind: 'suggested' });
    expect([left, leftOut]).toEqual([[], 1]);
  });

  it('of a market have its words, kept clean, and stay with the recording', async () => {
    const { id } = await record('My own words', 1, { kind: 'platform', id: 'wanted' });
    expect(await only(id)).toMatchObject({ title: 'Wanted', task: { kind: 'platform', id: 'wanted', multiplier: 1 } });
    expect(await list('platform')).toEqual([['Wanted', 1]]);
  });

  it('are there without those of a market that does not answer, which says why', async () => {
    market = async () => {
      throw new QuarryError({ code: 'DEADLINE', message: say('focusTasks.unknown') });
    };
    const found = await tasks.list({ language: 'en' });
    expect(found.tasks.map(({ kind }) => kind)).toEqual(['boosted', 'suggested']);
    expect(found.marketError).toMatchObject({ code: 'DEADLINE' });
    await expect(record('Sort', 1, { kind: 'platform', id: 'wanted' })).rejects.toMatchObject({ code: 'DEADLINE' });
  });

  it('that are in no list are refused, and nothing begins', async () => {
    for (const kind of ['boosted', 'suggested', 'platform'] as const)
      await expect(record('Sort', 1, { kind, id: 'none' })).rejects.toThrow(/no such task/);
    expect(await recordings.list({ text: '', limit: 9 })).toEqual([]);
  });

  it('are written down with their recording or not at all', async () => {
    await db.schema.dropTable('focus_tasks').execute();
    await expect(record('Sort', 1, { kind: 'boosted', id: 'budget' })).rejects.toThrow(/focus_tasks/);
    expect(await db.selectFrom('focus_recordings').select('id').execute()).toEqual([]);
  });

  it('go with their recording', async () => {
    const { id } = await record('Sort', 1, { kind: 'boosted', id: 'budget' });
    await recordings.remove(id);
    expect(await db.selectFrom('focus_tasks').selectAll().execute()).toEqual([]);
  });

  async function only(id: string): Promise<Recording> {
    const found = await recordings.get(id);
    if (!found) throw new Error('there is none');
    return found;
  }
});
