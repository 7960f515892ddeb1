import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Changes } from '../../../../src-main/base/changes.ts';
import { FeedbackDesk } from '../../../../src-main/learning/feedback/feedback-desk.ts';
import { textHash } from '../../../../src-main/learning/visible-text.ts';
import type { Db } from '../../../../src-main/store/database.ts';
import { CompletionStore } from '../../../../src-main/store/learning/learning-completions.ts';
import { FeedbackStore } from '../../../../src-main/store/learning/learning-feedback.ts';
import { LearningRunStore } from '../../../../src-main/store/learning/learning-run-store.ts';
import { newFeedbackSchema } from '../../../../src-preload/contract/learning.ts';
import { completionRow } from '../../../support/kept-answers.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';

let db: Db;
let completions: CompletionStore;
let store: FeedbackStore;
let desk: FeedbackDesk;
const changes = new Changes();

beforeEach(async () => {
  db = await memoryDatabase();
  completions = new CompletionStore(db);
  store = new FeedbackStore(db);
  desk = new FeedbackDesk({ completions, feedback: store, adapter: () => 'personal', changes, now: () => 5_000 });
  const text = '<think>2 + 2</think>It is.';
  await completions.put(completionRow({ id: 'a', at: 1, text, text_hash: textHash(text) }));
  await completions.put(completionRow({ id: 'b', at: 2, text: 'It is.', text_hash: textHash(text) }));
});
afterEach(() => db.destroy());

const brief = { kind: 'say', text: 'Be brief.' } as const;

describe('feedback', () => {
  it('is kept with the answer that it is of', async () => {
    const before = changes.count;
    const given = await desk.give({ answer: 'a', ...brief });
    expect(given).toEqual({
      ...{ id: 1, at: 5_000, answer: 'a', question: 'Is four even?', seen: 'It is.', adapter: 'personal' },
      ...{ kind: 'say', text: 'Be brief.', state: 'waiting', run: null, failure: null },
    });
    expect(changes.count).toBe(before + 1);
    expect(await desk.list({ limit: 9 })).toEqual({ feedback: [given], more: false });
    await desk.give({ answer: 'b', ...brief, adapter: 'user/work' });
    expect(await store.counts()).toEqual([
      { adapter: 'personal', waiting: 1, taken: 0, aside: 0 },
      { adapter: 'user/work', waiting: 1, taken: 0, aside: 0 },
    ]);
  });

  it('finds its answer by the id first, then the newest by what people see of it', async () => {
    const answers = async (sought: object) => (await desk.give({ ...sought, kind: 'up' })).answer;
    expect(await answers({ answer: 'a', seen: 'It  is.\n' })).toBe('a');
    expect(await answers({ answer: 'never', seen: 'It  is.\n' })).toBe('b');
    expect(await answers({ seen: 'It is.' })).toBe('b');
  });

  it('is taken up to a number that waits or is noted, and again when some of it does no longer', async () => {
    const small = new FeedbackDesk({ completions, feedback: store, adapter: () => 'personal', changes, most: 2 });
    await small.give({ answer: 'a', ...brief, key: 'said once' });
    await small.give({ answer: 'b', kind: 'up' });
    const all = Array.from({ length: 5 }, () => small.give({ answer: 'b', ...brief }));
    for (const given of all) await expect(given).rejects.toMatchObject({ code: 'LEARNING_BUSY' });
    expect(await small.give({ answer: 'a', ...brief, key: 'said once' })).toMatchObject({ id: 1 }); // told again
    await small.withdraw(2);
    expect(await small.give({ answer: 'b', ...brief })).toMatchObject({ state: 'waiting' });
  });

  it('of a thumb is noted: it waits for nothing, no run takes it, and it can be taken back', async () => {
    for (const kind of ['up', 'down'] as const) {
      expect(await desk.give({ answer: 'a', kind })).toMatchObject({ kind, state: 'noted', text: null });
    }
    expect(await store.counts()).toEqual([]);
    expect(await new LearningRunStore(db).waiting()).toBeUndefined();
    expect(await desk.withdraw(1)).toMatchObject({ id: 1, state: 'withdrawn' });
  });

  it('of an answer that is not kept is refused', async () => {
    for (const sought of [{ answer: 'never' }, { seen: 'It is not.' }, { answer: 'never', seen: 'It is not.' }]) {
      await expect(desk.give({ ...sought, ...brief })).rejects.toMatchObject({ code: 'ANSWER_NOT_FOUND' });
    }
    expect((await desk.list({ limit: 9 })).feedback).toEqual([]);
  });

  it('of an answer whose conversation has become private is refused, also where it stays for what was learnt from it', async () => {
    await desk.give({ answer: 'b', ...brief });
    const runs = new LearningRunStore(db);
    const run = { id: 'r', name: 'personal', created_at: 1, settings: '{}' };
    await runs.begin(run, { training: null, most: 4 });
    await runs.end('r', 'accepted', { ended_at: 2 });
    await completions.makePrivate(['b']);
    expect(await completions.find('b')).toBeDefined();
    expect(await desk.answers(9)).toMatchObject({ answers: [{ id: 'a' }], more: false });
    for (const sought of [{ answer: 'b' }, { answer: 'b', seen: 'It is.' }]) {
      await expect(desk.give({ ...sought, ...brief })).rejects.toMatchObject({ code: 'ANSWER_NOT_FOUND' });
    }
    expect(await desk.give({ seen: 'It is.', ...brief })).toMatchObject({ answer: 'a' });
    const late = { ...brief, at: 1, key: 'late', completion: 'b', name: 'personal', training: null, run: null };
    expect(await store.add([{ ...late, state: 'waiting' }], 9)).toBeUndefined(); // it became so meanwhile
  });

  it('that is given twice with the same key counts once, and otherwise twice', async () => {
    const first = await desk.give({ answer: 'a', ...brief, key: 'k' });
    expect(await desk.give({ answer: 'a', ...brief, adapter: 'personal', key: 'k' })).toEqual(first);
    expect(await desk.give({ answer: 'b', ...brief, key: 'k' }), 'which looks the same').toEqual(first);
    await desk.give({ answer: 'a', ...brief });
    await desk.give({ answer: 'a', ...brief });
    expect((await desk.list({ limit: 9 })).feedback).toHaveLength(3);
  });

  it.each([
    ['of another answer', { answer: 'c', ...brief }],
    ['of another kind', { answer: 'a', ...brief, kind: 'edit' as const }],
    ['in other words', { answer: 'a', kind: 'say' as const, text: 'Be kind.' }],
    ['that teaches nothing', { answer: 'a', kind: 'down' as const }],
    ['for another adapter', { answer: 'a', ...brief, adapter: 'user/work' }],
  ])('%s is not taken for what was given with the same key', async (_, other) => {
    await completions.put(completionRow({ id: 'c', at: 3, text: 'No.', text_hash: textHash('No.') }));
    const first = await desk.give({ answer: 'a', ...brief, key: 'k' });
    const before = changes.count;
    const refused = { code: 'BAD_REQUEST', field: 'key', message: expect.stringContaining('something else') };
    await expect(desk.give({ ...other, key: 'k' })).rejects.toMatchObject(refused);
    expect([await desk.list({ limit: 9 }), changes.count]).toEqual([{ feedback: [first], more: false }, before]);
  });

  it('is listed newest first, a page at a time, by its state where that is wanted', async () => {
    for (let each = 0; each < 5; each++) await desk.give({ answer: 'a', kind: 'up' });
    await desk.withdraw(2);
    const ids = async (page: Parameters<FeedbackDesk['list']>[0]) => {
      const { feedback, more } = await desk.list(page);
      return [feedback.map(({ id }) => id), more];
    };
    expect(await ids({ limit: 2 })).toEqual([[5, 4], true]);
    expect(await ids({ limit: 3, before: 4 })).toEqual([[3, 2, 1], false]);
    expect(await ids({ limit: 2, state: 'noted', before: 4 })).toEqual([[3, 1], false]);
    expect(await ids({ limit: 2, state: 'withdrawn' })).toEqual([[2], false]);
  });

  it('is listed of some answers alone, from the first page to the last', async () => {
    for (const answer of ['a', 'b', 'a', 'a']) await desk.give({ answer, kind: 'up' });
    await desk.withdraw(3);
    const ids = async (page: Parameters<FeedbackDesk['list']>[0]) => {
      const { feedback, more } = await desk.list(page);
      return [feedback.map(({ id }) => id), more];
    };
    expect(await ids({ limit: 9, answers: ['b'] })).toEqual([[2], false]);
    expect(await ids({ limit: 2, answers: ['a', 'never'] })).toEqual([[4, 3], true]);
    expect(await ids({ limit: 2, answers: ['a', 'never'], before: 3 })).toEqual([[1], false]);
    expect(await ids({ limit: 9, answers: ['a'], state: 'noted' })).toEqual([[4, 1], false]);
    expect(await ids({ limit: 9, answers: [] })).toEqual([[], false]);
  });

  it('can be taken back while it waits, and only then', async () => {
    await desk.give({ answer: 'a', ...brief });
    expect(await desk.withdraw(1)).toMatchObject({ id: 1, state: 'withdrawn' });
    expect(await desk.withdraw(1)).toMatchObject({ state: 'withdrawn' });
    await desk.give({ answer: 'a', ...brief });
    const runs = new LearningRunStore(db);
    await runs.begin({ id: 'r', name: 'personal', created_at: 1, settings: '{}' }, { training: null, most: 1 });
    expect(await store.counts()).toEqual([{ adapter: 'personal', waiting: 0, taken: 1, aside: 0 }]);
    await expect(desk.withdraw(2)).rejects.toMatchObject({ code: 'BAD_REQUEST', message: 'It is being learnt now.' });
    await runs.end('r', 'accepted', { ended_at: 2 });
    await expect(desk.withdraw(2)).rejects.toMatchObject({ code: 'BAD_REQUEST', message: 'It is learnt.' });
    await expect(desk.withdraw(3)).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'id' });
  });
});

it('shows feedback of which something is damaged, and says so of it: not that it waits', async () => {
  for (const answer of ['a', 'a', 'b']) await desk.give({ answer, ...brief });
  const damage = (id: number, what: object) =>
    db.updateTable('learning_feedback').set(what).where('id', '=', id).execute();
  await damage(1, { state: 'melted' });
  await damage(2, { failure: '{"code":' });
  const { feedback } = await desk.list({ limit: 9 });
  const told = { code: 'INTERNAL', message: 'What was written down of this feedback is damaged.' };
  expect(feedback).toMatchObject([
    { id: 3, state: 'waiting', failure: null },
    { id: 2, state: 'waiting', failure: told },
    { id: 1, state: 'aside', failure: told },
  ]);
});

it('lists answers that something can be said of, the newest first, as people see them', async () => {
  const { answers, more } = await desk.answers(1);
  expect([answers, more]).toEqual([
    [{ id: 'b', at: 2, door: 'api', version: null, question: 'Is four even?', seen: 'It is.' }],
    true,
  ]);
  expect((await desk.answers(2)).answers[1]).toMatchObject({ id: 'a', seen: 'It is.' });
  expect((await desk.answers(2)).more).toBe(false);
});

describe('feedback that was tried in vain', () => {
  /** One piece of feedback that a run learnt from, which ended so. */
  async function tried(end: 'rolled-back' | 'accepted', run = 'r') {
    const { id } = await desk.give({ answer: 'a', ...brief });
    const runs = new LearningRunStore(db);
    await runs.begin({ id: run, name: 'personal', created_at: 1, settings: '{}' }, { training: null, most: 1 });
    await runs.end(run, end, { ended_at: 2 });
    return id;
  }

  it('can be taken back: nothing was learnt from it, and its answer may be forgotten', async () => {
    const id = await tried('rolled-back');
    expect(await desk.list({ limit: 1 })).toMatchObject({ feedback: [{ state: 'rejected' }] });
    expect(await desk.withdraw(id)).toMatchObject({ id, state: 'withdrawn' });
    await completions.forget(['a']);
    expect(await completions.find('a')).toBeUndefined();
  });

  it('waits again when somebody says so, and is told of with its first run until another takes it', async () => {
    const id = await tried('rolled-back');
    const before = changes.count;
    expect(await desk.retry([id])).toMatchObject([{ id, state: 'waiting', run: 'r' }]);
    expect(changes.count).toBe(before + 1);
    expect(await desk.retry([id])).toMatchObject([{ state: 'waiting' }]);
    const runs = new LearningRunStore(db);
    await runs.begin({ id: 'again', name: 'personal', created_at: 3, settings: '{}' }, { training: null, most: 4 });
    expect(await runs.feedback('again')).toMatchObject([{ id, state: 'taken' }]);
  });

  it('waits again after failures, too', async () => {
    const { id } = await desk.give({ answer: 'a', ...brief });
    await db.updateTable('learning_feedback').set({ state: 'aside' }).execute();
    expect(await desk.retry([id])).toMatchObject([{ state: 'waiting' }]);
  });

  it('is not what was learnt, taken back, or a thumb: then none of them waits', async () => {
    const rejected = await tried('rolled-back');
    const learnt = await tried('accepted', 's');
    const thumb = (await desk.give({ answer: 'a', kind: 'up' })).id;
    const back = (await desk.give({ answer: 'a', ...brief })).id;
    await desk.withdraw(back);
    for (const [other, message] of [
      [learnt, 'It is learnt.'],
      [thumb, `Feedback ${thumb} is a thumb: nothing is learnt from it.`],
      [back, `Feedback ${back} was taken back.`],
      [99, 'There is no feedback 99.'],
    ] as const)
      await expect(desk.retry([rejected, other])).rejects.toMatchObject({ code: 'BAD_REQUEST', message });
    expect(await store.counts()).toEqual([]);
  });
});

describe('what may be said', () => {
  const accepts = (value: object) => newFeedbackSchema.safeParse(value).success;

  it('names an answer, and has the text that its kind needs, within its length', () => {
    expect(accepts({ answer: 'a', ...brief })).toBe(true);
    expect(accepts({ seen: 'It is.', kind: 'down' })).toBe(true);
    expect(accepts(brief)).toBe(false);
    expect(accepts({ answer: 'a', kind: 'say' })).toBe(false);
    expect(accepts({ answer: 'a', kind: 'edit', text: ' ' })).toBe(false);
    expect(accepts({ answer: 'a', kind: 'up', text: 'Good.' })).toBe(false);
    expect(accepts({ answer: 'a', kind: 'say', text: 'x'.repeat(8_001) })).toBe(false);
    expect(accepts({ answer: 'a', kind: 'edit', text: 'x'.repeat(8_001) })).toBe(true);
  });

  it.each([
    ['personal', true],
    ['user/work.v2', true],
    ['../up', false],
    ['a//b', false],
    ['a@3', false],
    ['', false],
  ])('an adapter called «%s»: %s', (adapter, is) => expect(accepts({ answer: 'a', kind: 'up', adapter })).toBe(is));
});
