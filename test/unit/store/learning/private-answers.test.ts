import { beforeEach, expect, it } from 'vitest';
import type { Db } from '../../../../src-main/store/database.ts';
import { CompletionStore } from '../../../../src-main/store/learning/learning-completions.ts';
import { FeedbackStore } from '../../../../src-main/store/learning/learning-feedback.ts';
import { LearningRunStore, type RunEnd } from '../../../../src-main/store/learning/learning-run-store.ts';
import { completionRow, feedbackRow } from '../../../support/kept-answers.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';

let db: Db;
let completions: CompletionStore;
let feedback: FeedbackStore;
let runs: LearningRunStore;

beforeEach(async () => {
  db = await memoryDatabase();
  [completions, feedback, runs] = [new CompletionStore(db), new FeedbackStore(db), new LearningRunStore(db)];
  await completions.put(completionRow({ id: 'turn-1', door: 'playground' }));
  return () => db.destroy();
});

const say = (key: string) => feedback.add([feedbackRow({ key, completion: 'turn-1' })], 100);
const begin = (id = 'r') =>
  runs.begin({ id, name: 'personal', created_at: 1, settings: '{}' }, { training: null, most: 4 });
const shown = { prompt: 'My code is 4711.', before: '4711', after: '47' };
const end = (state: RunEnd, id = 'r') =>
  runs.end(id, state, { verdict: JSON.stringify({ accepted: true, reasons: [], shown }), ended_at: 9 });
const left = async () => ({
  answers: (await completions.sum()).count,
  states: (await feedback.list({ limit: 9 })).map(({ state }) => state),
});
const hasCode = async () => ((await runs.get('r'))?.verdict ?? '').includes('4711');

it('an answer whose conversation becomes private goes with what was said of it', async () => {
  await say('one');
  await completions.makePrivate(['turn-1', 'turn-9']);
  expect(await left()).toEqual({ answers: 0, states: [] });
});

it.each<RunEnd>(['rolled-back', 'failed', 'cancelled'])(
  'goes when the run is %s that learns from it, and waits never again',
  async (state) => {
    await say('one');
    await begin();
    await completions.makePrivate(['turn-1']);
    expect(await left()).toEqual({ answers: 1, states: ['taken'] });
    await end(state);
    expect([await left(), await runs.waiting()]).toEqual([{ answers: 0, states: [] }, undefined]);
    expect(await hasCode()).toBe(false);
  },
);

it('stays where something was learnt from it; no report shows it any more, and it is no question to learn from', async () => {
  await say('one');
  await begin();
  await end('accepted');
  expect([await hasCode(), await completions.lastAsked(completionRow().base, 9)]).toEqual([true, [expect.anything()]]);
  await completions.makePrivate(['turn-1']);
  expect(await left()).toEqual({ answers: 1, states: ['learnt'] });
  expect(await runs.get('r')).toMatchObject({ verdict: JSON.stringify({ accepted: true, reasons: [] }) });
  expect(await completions.lastAsked(completionRow().base, 9)).toEqual([]);
});

it('goes where it was tried in vain before', async () => {
  await say('one');
  await begin();
  await end('rolled-back');
  expect([await left(), await hasCode()]).toEqual([{ answers: 1, states: ['rejected'] }, true]);
  await completions.makePrivate(['turn-1']);
  expect([await left(), await hasCode()]).toEqual([{ answers: 0, states: [] }, false]);
});

it('what of it is learnt from and others say waits all the same', async () => {
  await completions.put(completionRow({ id: 'turn-2', door: 'playground' }));
  await say('one');
  await feedback.add([feedbackRow({ key: 'two', completion: 'turn-2' })], 100);
  await begin();
  await completions.makePrivate(['turn-1']);
  await end('cancelled');
  expect(await left()).toEqual({ answers: 1, states: ['waiting'] });
});

it('what programs ask is no question to learn from: it may be what strangers wrote', async () => {
  const { base } = completionRow();
  await completions.put(completionRow({ id: 'turn-2', at: 2_005, door: 'terminal' }));
  await completions.put(completionRow({ id: 'chatcmpl-3', at: 2_007, door: 'api' }));
  await completions.put(completionRow({ id: 'turn-4', at: 2_008, door: 'playground', base: 'c'.repeat(64) }));
  expect((await completions.lastAsked(base, 9)).map(({ id }) => id)).toEqual(['turn-2', 'turn-1']);
  expect((await completions.lastAsked(base, 1)).map(({ id }) => id)).toEqual(['turn-2']);
});
