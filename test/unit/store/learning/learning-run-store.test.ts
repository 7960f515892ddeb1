import { beforeEach, expect, it } from 'vitest';
import type { Db } from '../../../../src-main/store/database.ts';
import { LearningRunStore } from '../../../../src-main/store/learning/learning-run-store.ts';
import type { FeedbackRow } from '../../../../src-main/store/learning/learning-runs.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';

let db: Db;
let store: LearningRunStore;

beforeEach(async () => {
  db = await memoryDatabase();
  store = new LearningRunStore(db);
  await db
    .insertInto('learning_completions')
    .values({
      id: 'chatcmpl-1',
      at: 1,
      door: 'api',
      model: 'local',
      base: 'b'.repeat(64),
      adapter: null,
      input: '{}',
      system: null,
      text: 'Yes.',
      text_hash: 'c'.repeat(64),
      tokens: new Uint8Array(),
      logprobs: new Uint8Array(),
      prompt_tokens: 3,
      bytes: 100,
    })
    .execute();
  return () => db.destroy();
});

async function give(key: string, change: Partial<FeedbackRow> = {}): Promise<void> {
  const feedback = { at: 1, completion: 'chatcmpl-1', name: 'personal', kind: 'say' as const, text: 'Be shorter.' };
  const rest = { training: null, state: 'waiting' as const, run: null };
  await db
    .insertInto('learning_feedback')
    .values({ ...feedback, ...rest, ...change, key })
    .execute();
}

const run = (id: string, name = 'personal') => ({ id, name, created_at: Number(id), settings: '{}' });

const any = (most: number) => ({ training: null, most });
const keys = async (id: string) => (await store.feedback(id)).map(({ key }) => key);

const states = async () =>
  Object.fromEntries(
    (await db.selectFrom('learning_feedback').selectAll().orderBy('id').execute()).map(({ key, state }) => [
      key,
      state,
    ]),
  );

it('takes the oldest that waits for an adapter and can be learnt, and nothing twice', async () => {
  await give('a');
  await give('b', { kind: 'up', text: null });
  await give('c', { name: 'work' });
  await give('d');
  await give('e');
  expect(await store.waiting()).toEqual({ name: 'personal', training: null });
  expect(await store.begin(run('1'), any(2))).toMatchObject({ id: '1', state: 'queued', step: 0, ended_at: null });
  expect((await store.feedback('1')).map(({ key }) => key)).toEqual(['a', 'd']);
  await store.begin(run('2'), any(2));
  expect((await store.feedback('2')).map(({ key }) => key)).toEqual(['e']);
  expect(await store.begin(run('3'), any(2))).toBeUndefined();
  expect(await store.get('3')).toBeUndefined();
  expect((await store.unfinished()).map(({ id }) => id)).toEqual(['1', '2']);
  const of = await store.feedbackOf(['2', '1', '3']);
  expect([...of].map(([id, feedback]) => [id, ...feedback.map(({ key }) => key)])).toEqual([
    ['1', 'a', 'd'],
    ['2', 'e'],
  ]);
});

it('lets a run learn in one way only, and of what is named', async () => {
  const wished = '{"alpha":0.9}';
  await give('a', { training: wished });
  await give('b');
  await give('c', { training: wished });
  await give('d');
  await give('e');
  expect(await store.waiting([2, 3])).toEqual({ name: 'personal', training: null });
  expect(await store.waiting()).toEqual({ name: 'personal', training: wished });
  await store.begin(run('1'), { training: wished, most: 4 });
  await store.begin(run('2'), { training: null, most: 4, only: [4, 5, 1] });
  expect([await keys('1'), await keys('2')]).toEqual([
    ['a', 'c'],
    ['d', 'e'],
  ]);
  expect(await store.begin(run('3'), { training: null, most: 4, only: [1, 4] })).toBeUndefined();
  expect(await store.waiting([1, 4])).toBeUndefined();
  expect([await store.runOf([1, 2]), await store.runOf([2]), await store.runOf([1, 5])]).toEqual(['1', undefined, '2']);
});

it('names of several runs the one that says most against what was given: in vain, under way, learnt; of the same the newest', async () => {
  for (const key of ['a', 'b', 'c', 'd', 'e']) await give(key);
  for (const id of ['1', '2', '3', '4', '5']) await store.begin(run(id), any(1));
  await store.end('1', 'rolled-back', { ended_at: 1 });
  await store.end('2', 'accepted', { ended_at: 1 });
  await store.end('3', 'rolled-back', { ended_at: 1 });
  await store.end('5', 'accepted', { ended_at: 1 });
  expect(await store.runOf([1, 2, 3, 4, 5])).toBe('3');
  expect(await store.runOf([1, 2, 4, 5])).toBe('1');
  expect(await store.runOf([2, 4, 5])).toBe('4');
  expect(await store.runOf([2, 5])).toBe('5');
  await db.updateTable('learning_feedback').set({ state: 'withdrawn' }).where('id', '=', 1).execute();
  expect(await store.runOf([1, 2, 4, 5])).toBe('1');
});

it('begins a run anew from another version', async () => {
  await give('a');
  await store.begin(run('1'), any(1));
  await store.addStep('1', 1, { loss: 2 });
  await store.set('1', { step: 1, objective: 'sdpo', verdict: '{}', state: 'training' });
  await store.restart('1', 'personal-2');
  expect(await store.get('1')).toMatchObject({ parent: 'personal-2', step: 0, objective: null, verdict: null });
  expect([await store.steps('1'), await keys('1')]).toEqual([[], ['a']]);
});

it('ends a run together with its feedback, once', async () => {
  await give('a');
  await give('b');
  await store.begin(run('1'), any(1));
  await store.end('1', 'failed', { ended_at: 5, error: '{}' });
  expect(await states()).toEqual({ a: 'waiting', b: 'waiting' });
  await store.begin(run('2'), any(1));
  await store.end('2', 'accepted', { ended_at: 6, version: 'personal-1' });
  await store.end('2', 'failed', { ended_at: 7 });
  expect(await states()).toEqual({ a: 'learnt', b: 'waiting' });
  expect(await store.get('2')).toMatchObject({ state: 'accepted', ended_at: 6, version: 'personal-1' });
  await store.begin(run('3'), any(1));
  await store.end('3', 'rolled-back', { ended_at: 8 });
  expect(await states()).toEqual({ a: 'learnt', b: 'rejected' });
  expect((await store.list(2)).map(({ id }) => id)).toEqual(['3', '2']);
  expect((await store.list(2, 2)).map(({ id }) => id)).toEqual(['1']);
});

it('keeps the figures of each step, what is told later beside what was, and those of the last time it was done', async () => {
  await give('a');
  await store.begin(run('1'), any(1));
  await store.addStep('1', 1, { loss: 2 });
  await store.addStep('1', 2, { loss: 1 });
  await store.addStep('1', 1, { loss: 3 });
  await store.addStep('1', 2, { compliance: 0.5 });
  expect((await store.steps('1')).map(({ figures }) => JSON.parse(figures))).toEqual([
    { loss: 3 },
    { loss: 1, compliance: 0.5 },
  ]);
  await store.set('1', { state: 'training', step: 2 });
  expect(await store.get('1')).toMatchObject({ state: 'training', step: 2 });
});

const failure = (free: number) =>
  JSON.stringify(
    new QuarryError({
      code: 'OUT_OF_MEMORY',
      message: say('training.doesNotFit', { needed: 9e9, limit: free }),
    }).toJSON(),
  );

async function fail(id: string, error: string): Promise<void> {
  await store.begin(run(id), any(4));
  await store.end(id, 'failed', { error, ended_at: 9 });
}

it('counts how runs have ended, and what they took', async () => {
  const none = { runs: 0, seconds: 0 };
  expect(await store.outcomes()).toEqual({ accepted: none, 'rolled-back': none, failed: none, cancelled: none });
  for (const id of ['1', '2', '3', '4']) {
    await give(id);
    await store.begin(run(id), any(1));
    await store.set(id, { seconds: 30 });
    if (id !== '4') await store.end(id, id === '3' ? 'rolled-back' : 'accepted', { ended_at: 9 });
  }
  expect(await store.outcomes()).toMatchObject({
    ...{ accepted: { runs: 2, seconds: 60 }, 'rolled-back': { runs: 1, seconds: 30 }, failed: none },
  });
});

it('puts aside what has failed three times in the same way, until somebody asks for it', async () => {
  await give('a');
  await fail('1', failure(1e9));
  await give('b');
  await fail('2', failure(2e9));
  expect(await states()).toEqual({ a: 'waiting', b: 'waiting' });
  await fail('3', failure(3e9));
  expect(await states()).toEqual({ a: 'aside', b: 'waiting' });
  await fail('4', failure(3e9));
  expect(await states()).toEqual({ a: 'aside', b: 'aside' });
  expect(await store.waiting()).toBeUndefined();
  await store.takeUp();
  expect(await store.begin(run('5'), any(4))).toBeDefined();
  expect(await keys('5')).toEqual(['a', 'b']);
  await store.end('5', 'failed', { error: failure(1e9), ended_at: 9 });
  expect(await states()).toEqual({ a: 'aside', b: 'aside' });
});

it('counts anew after another failure, and nothing of a run that was cancelled', async () => {
  await give('a');
  const other = JSON.stringify(new QuarryError({ code: 'ENGINE_CRASHED', message: 'It crashed.' }).toJSON());
  for (const [id, error] of Object.entries({ 1: failure(1), 2: failure(1), 3: other, 4: failure(1), 5: failure(1) })) {
    await fail(id, error);
  }
  await store.begin(run('6'), any(4));
  await store.end('6', 'cancelled', { ended_at: 9 });
  expect(await states()).toEqual({ a: 'waiting' });
  await fail('7', failure(1));
  expect(await states()).toEqual({ a: 'aside' });
  await store.takeUp();
  await store.begin(run('8'), any(4));
  await store.end('8', 'accepted', { ended_at: 9 });
  expect(await db.selectFrom('learning_feedback').select(['state', 'failures', 'failure']).execute()).toEqual([
    { state: 'learnt', failures: 0, failure: null },
  ]);
});

it('puts aside at once what is too long: it would be tomorrow, too', async () => {
  await give('a');
  await fail('1', JSON.stringify(new QuarryError({ code: 'CONTEXT_TOO_LONG', message: 'too long' }).toJSON()));
  expect(await states()).toEqual({ a: 'aside' });
});

it('lists of a verdict only the reasons: the rest may be long; what is damaged as it is', async () => {
  await give('a');
  await store.begin(run('1'), any(1));
  const reasons = [say('learning.noRun')];
  const verdicts = [null, JSON.stringify({ reasons, before: { answers: 'long' } }), '{"reasons":', '{}'];
  const listed = [];
  for (const verdict of verdicts) {
    await store.set('1', { verdict });
    listed.push(...(await store.list(1)));
  }
  expect(listed.map((each) => each.reasons)).toEqual([null, JSON.stringify(reasons), '{"reasons":', null]);
  const { verdict: _, ...row } = (await store.get('1')) ?? {};
  expect(listed[0]).toEqual({ ...row, reasons: null });
});

it('ends a run also where what its feedback failed with before is damaged', async () => {
  await give('a', { failures: 2, failure: '{"code":' });
  await store.begin(run('1'), any(1));
  const error = JSON.stringify(new QuarryError({ code: 'OUT_OF_MEMORY', message: 'no' }).toJSON());
  expect(await store.end('1', 'failed', { error, ended_at: 5 })).toBe(true);
  expect(await states()).toEqual({ a: 'waiting' });
});
