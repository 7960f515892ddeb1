import { expect, it } from 'vitest';
import type { OpenedExaminee } from '../../../../src-main/app/evaluation/examinees/opened-examinee.ts';
import type { EvaluationRow } from '../../../../src-main/store/evaluations.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { EvaluationRequest } from '../../../../src-preload/contract/evaluation.ts';
import { summedCells } from '../../../../src-preload/contract/evaluation-cells.ts';
import { endOf, openEvaluations, words } from '../../../support/open-evaluations.ts';

/* What a node finds that was stopped or killed in the middle of an evaluation, and what it makes of it. */

const REQUEST: EvaluationRequest = {
  ...{ target: { kind: 'local' }, suites: ['scaling'], lengths: [500, 1_000], samples: 2, seed: 'a', ownTexts: false },
};
const ROW: EvaluationRow = {
  ...{ id: '00000000000000a1', created_at: 1, ended_at: null, state: 'running', model: 'one', sha256: 'ab' },
  ...{ plan: JSON.stringify(REQUEST), texts: 4, done: 1, seconds: 100, error: null },
};

/** One that answers, each time a second later. */
function examinee(clock: { now: number }, changes: Partial<OpenedExaminee> = {}): OpenedExaminee {
  return {
    ...{ model: 'one', sha256: 'ab', room: null, count: async (text: string) => words(text) },
    async ask() {
      clock.now += 1_000;
      const counts = { promptTokens: null, cachedTokens: null, answerTokens: null };
      return { text: '7', firstMs: 1, totalMs: 2, ...counts };
    },
    async [Symbol.asyncDispose]() {},
    ...changes,
  };
}

/** A node that starts, with what an earlier one has left. */
async function started(rows: readonly EvaluationRow[], changes: Partial<OpenedExaminee> = {}) {
  const clock = { now: 1_000_000 };
  return { ...(await openEvaluations(() => examinee(clock, changes), { rows, now: () => clock.now })), clock };
}

it('has paused what a node that was killed was at, and nothing else', async () => {
  const others = (['done', 'failed', 'paused'] as const).map((state, at) => ({
    ...ROW,
    id: `${at}`.repeat(16),
    state,
  }));
  const { results } = await started([ROW, ...others]);
  const states = (await results.list(10)).map(({ id, state }) => [id.slice(0, 1), state]).toSorted();
  expect(states).toEqual([
    ['0', 'done'],
    ['0', 'paused'],
    ['1', 'failed'],
    ['2', 'paused'],
  ]);
});

it('adds the time to that of before, and goes on at the text where it was', async () => {
  const { runs, results } = await started([ROW]);
  await runs.resume(ROW.id);
  const { state, done, seconds, cells, endedAt } = await endOf(results, ROW.id);
  expect({ state, done, seconds, endedAt }).toEqual({ state: 'done', done: 4, seconds: 103, endedAt: 1_003_000 });
  expect(cells.reduce((sum, { asked }) => sum + asked, 0)).toBe(3);
});

it('asks of two askings of a question the one that is missing, and in the same words as if nothing had been', async () => {
  const asked: string[] = [];
  const ask: OpenedExaminee['ask'] = async ({ prompt }) => {
    asked.push(prompt);
    const counts = { promptTokens: null, cachedTokens: null, answerTokens: null };
    return { text: '7', firstMs: 1, totalMs: 2, ...counts };
  };
  const row = { ...ROW, plan: JSON.stringify({ ...REQUEST, lengths: [500], twice: true }), texts: 2, done: 0 };
  const whole = { ...row, id: '00000000000000a2', state: 'paused' as const };
  const { runs, results, store } = await started([row, whole], { ask });
  await runs.resume(whole.id);
  await endOf(results, whole.id);
  const [first] = await store.answers(whole.id, 1);
  if (!first) return expect.fail('nothing was answered');
  await store.answered({ ...first, evaluation: row.id }); // killed between the two
  const all = asked.splice(0);
  expect(all).toHaveLength(4);
  await runs.resume(row.id);
  const { state, cells } = await endOf(results, row.id);
  expect(asked).toEqual(all.slice(1));
  expect([state, cells.reduce((sum, cell) => sum + cell.asked, 0)]).toEqual(['done', 4]);
  expect((await results.scores(row.id)).at(-1)?.from.text).toContain('2 questions');
});

it('keeps with each text how long it took so far: whoever is killed has spent it all the same', async () => {
  let left = 2;
  const away = new QuarryError({ code: 'ENGINE_UNAVAILABLE', message: 'away' });
  const { runs, results, store, clock } = await started([ROW]);
  const kept: (number | undefined)[] = [];
  const set = store.set.bind(store);
  store.set = async (id, changes) => {
    if (changes.done !== undefined) kept.push(changes.seconds);
    if (changes.done !== undefined && --left === 0) throw away;
    await set(id, changes);
  };
  await runs.resume(ROW.id);
  expect(await endOf(results, ROW.id)).toMatchObject({ state: 'failed', error: { code: 'ENGINE_UNAVAILABLE' } });
  expect(kept).toEqual([101, 102]);
  expect(clock.now).toBe(1_002_000);
});

it('says of one that goes on neither that it has ended nor why it had', async () => {
  const failed = { ...ROW, state: 'failed' as const, ended_at: 5, error: '{"code":"INTERNAL","message":"away"}' };
  const { runs, store } = await started([failed]);
  expect(await runs.resume(ROW.id)).toMatchObject({ state: 'running', endedAt: null, error: null });
  expect(await store.find(ROW.id)).toMatchObject({ ended_at: null, error: null });
  await runs.pause(ROW.id);
});

it('goes on with the same file alone: one that is called so may be another', async () => {
  for (const changes of [{ sha256: 'cd' }, { sha256: null }, { model: 'two' }]) {
    const { runs, results, store } = await started([ROW], changes);
    await runs.resume(ROW.id);
    expect(await endOf(results, ROW.id)).toMatchObject({ state: 'failed', error: { code: 'BAD_REQUEST' }, done: 1 });
    expect(await store.find(ROW.id)).toMatchObject({ model: 'one', sha256: 'ab' });
  }
});

it('does not begin anew what is done', async () => {
  const { runs } = await started([{ ...ROW, state: 'done', done: 4 }]);
  await expect(runs.resume(ROW.id)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect(await runs.pause(ROW.id)).toMatchObject({ state: 'done' });
});

it('asks the lengths that fit where one does not, and begins nothing where none does', async () => {
  const { runs, results } = await started([], { room: 700 });
  const some = await runs.start(REQUEST);
  const { state, cells } = await endOf(results, some.id);
  expect(state).toBe('done');
  const counted = [500, 1_000].map((length) => {
    const { asked, answered } = summedCells(cells.filter((cell) => cell.length === length));
    return [asked, answered];
  });
  expect(counted).toEqual([
    [2, 2],
    [2, 0],
  ]);
  const none = await runs.start({ ...REQUEST, lengths: [1_000, 2_000] });
  expect(await endOf(results, none.id)).toMatchObject({
    state: 'failed',
    error: { code: 'CONTEXT_TOO_LONG' },
    done: 0,
  });
});

it('has older ones by the page', async () => {
  const { results } = await started([1, 2, 3].map((at) => ({ ...ROW, id: `${at}`.repeat(16), created_at: at })));
  const [newest, next] = [await results.list(1), await results.list(2, 3)];
  expect([...newest, ...next].map(({ createdAt }) => createdAt)).toEqual([3, 2, 1]);
});

it('keeps by which version of its suites it asks, and goes on with no other', async () => {
  const { runs, results, store } = await started([ROW]);
  await runs.resume(ROW.id);
  const { plan } = await endOf(results, ROW.id);
  expect(plan.versions).toEqual({ scaling: expect.stringMatching(/./) });
  const [answer] = await results.answers(ROW.id, 1);
  if (!answer) return expect.fail('nothing was answered');
  expect(await results.question(ROW.id, answer.text, answer.question)).toMatchObject({
    expected: [expect.any(String)],
  });

  const older = JSON.stringify({ ...plan, versions: { scaling: '0' } });
  await store.set(ROW.id, { plan: older, state: 'paused', done: 3 });
  expect(await results.question(ROW.id, answer.text, answer.question)).toBeNull();
  await runs.resume(ROW.id);
  const { state, error, done } = await endOf(results, ROW.id);
  expect({ state, done, code: error?.code }).toEqual({ state: 'failed', done: 3, code: 'BAD_REQUEST' });
});
