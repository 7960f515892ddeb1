import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { EvaluationDesk, type OpenedExaminee } from '../../../../src-main/app/evaluation/evaluation-desk.ts';
import { type EvaluationRow, EvaluationStore } from '../../../../src-main/store/evaluations.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { EvaluationRequest, EvaluationTarget } from '../../../../src-preload/contract/evaluation.ts';
import { summedCells } from '../../../../src-preload/contract/evaluation-cells.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';

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
    ...{ model: 'one', sha256: 'ab', room: null, count: async (text: string) => text.split(/\s+/).length },
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
  const db = await memoryDatabase();
  const [store, clock] = [new EvaluationStore(db), { now: 1_000_000 }];
  for (const row of rows) await store.add(row);
  const desk = new EvaluationDesk({
    ...{ store, named: (target: EvaluationTarget) => target, folder: '/nowhere', log: pino({ level: 'silent' }) },
    openExaminee: async () => examinee(clock, changes),
    now: () => clock.now,
  });
  await desk.open();
  onTestFinished(async () => {
    await desk.close();
    await db.destroy();
  });
  return { desk, store, clock };
}

async function ended(desk: EvaluationDesk, id: string) {
  const looks = await Array.fromAsync(desk.watch(id));
  return looks.at(-1) ?? expect.fail('nothing was seen');
}

it('has paused what a node that was killed was at, and nothing else', async () => {
  const others = (['done', 'failed', 'paused'] as const).map((state, at) => ({
    ...ROW,
    id: `${at}`.repeat(16),
    state,
  }));
  const { desk } = await started([ROW, ...others]);
  const states = (await desk.list(10)).map(({ id, state }) => [id.slice(0, 1), state]).toSorted();
  expect(states).toEqual([
    ['0', 'done'],
    ['0', 'paused'],
    ['1', 'failed'],
    ['2', 'paused'],
  ]);
});

it('adds the time to that of before, and goes on at the text where it was', async () => {
  const { desk } = await started([ROW]);
  await desk.resume(ROW.id);
  const { state, done, seconds, cells, endedAt } = await ended(desk, ROW.id);
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
  const { desk, store } = await started([row, whole], { ask });
  await desk.resume(whole.id);
  await ended(desk, whole.id);
  const [first] = await store.answers(whole.id, 1);
  if (!first) return expect.fail('nothing was answered');
  await store.answered({ ...first, evaluation: row.id }); // killed between the two
  const all = asked.splice(0);
  expect(all).toHaveLength(4);
  await desk.resume(row.id);
  const { state, cells } = await ended(desk, row.id);
  expect(asked).toEqual(all.slice(1));
  expect([state, cells.reduce((sum, cell) => sum + cell.asked, 0)]).toEqual(['done', 4]);
  expect((await desk.scores(row.id)).at(-1)?.from.text).toContain('2 questions');
});

it('keeps with each text how long it took so far: whoever is killed has spent it all the same', async () => {
  let left = 2;
  const away = new QuarryError({ code: 'ENGINE_UNAVAILABLE', message: 'away' });
  const { desk, store, clock } = await started([ROW]);
  const kept: (number | undefined)[] = [];
  const set = store.set.bind(store);
  store.set = async (id, changes) => {
    if (changes.done !== undefined) kept.push(changes.seconds);
    if (changes.done !== undefined && --left === 0) throw away;
    await set(id, changes);
  };
  await desk.resume(ROW.id);
  expect(await ended(desk, ROW.id)).toMatchObject({ state: 'failed', error: { code: 'ENGINE_UNAVAILABLE' } });
  expect(kept).toEqual([101, 102]);
  expect(clock.now).toBe(1_002_000);
});

it('says of one that goes on neither that it has ended nor why it had', async () => {
  const failed = { ...ROW, state: 'failed' as const, ended_at: 5, error: '{"code":"INTERNAL","message":"away"}' };
  const { desk, store } = await started([failed]);
  expect(await desk.resume(ROW.id)).toMatchObject({ state: 'running', endedAt: null, error: null });
  expect(await store.find(ROW.id)).toMatchObject({ ended_at: null, error: null });
  await desk.pause(ROW.id);
});

it('goes on with the same file alone: one that is called so may be another', async () => {
  for (const changes of [{ sha256: 'cd' }, { sha256: null }, { model: 'two' }]) {
    const { desk, store } = await started([ROW], changes);
    await desk.resume(ROW.id);
    expect(await ended(desk, ROW.id)).toMatchObject({ state: 'failed', error: { code: 'BAD_REQUEST' }, done: 1 });
    expect(await store.find(ROW.id)).toMatchObject({ model: 'one', sha256: 'ab' });
  }
});

it('does not begin anew what is done', async () => {
  const { desk } = await started([{ ...ROW, state: 'done', done: 4 }]);
  await expect(desk.resume(ROW.id)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect(await desk.pause(ROW.id)).toMatchObject({ state: 'done' });
});

it('asks the lengths that fit where one does not, and begins nothing where none does', async () => {
  const { desk } = await started([], { room: 700 });
  const some = await desk.start(REQUEST);
  const { state, cells } = await ended(desk, some.id);
  expect(state).toBe('done');
  const counted = [500, 1_000].map((length) => {
    const { asked, answered } = summedCells(cells.filter((cell) => cell.length === length));
    return [asked, answered];
  });
  expect(counted).toEqual([
    [2, 2],
    [2, 0],
  ]);
  const none = await desk.start({ ...REQUEST, lengths: [1_000, 2_000] });
  expect(await ended(desk, none.id)).toMatchObject({ state: 'failed', error: { code: 'CONTEXT_TOO_LONG' }, done: 0 });
});

it('has older ones by the page', async () => {
  const { desk } = await started([1, 2, 3].map((at) => ({ ...ROW, id: `${at}`.repeat(16), created_at: at })));
  const [newest, next] = [await desk.list(1), await desk.list(2, 3)];
  expect([...newest, ...next].map(({ createdAt }) => createdAt)).toEqual([3, 2, 1]);
});

it('keeps by which version of its suites it asks, and goes on with no other', async () => {
  const { desk, store } = await started([ROW]);
  await desk.resume(ROW.id);
  const { plan } = await ended(desk, ROW.id);
  expect(plan.versions).toEqual({ scaling: expect.stringMatching(/./) });
  const [answer] = await desk.answers(ROW.id, 1);
  if (!answer) return expect.fail('nothing was answered');
  expect(await desk.question(ROW.id, answer.text, answer.question)).toMatchObject({ expected: [expect.any(String)] });

  const older = JSON.stringify({ ...plan, versions: { scaling: '0' } });
  await store.set(ROW.id, { plan: older, state: 'paused', done: 3 });
  expect(await desk.question(ROW.id, answer.text, answer.question)).toBeNull();
  await desk.resume(ROW.id);
  const { state, error, done } = await ended(desk, ROW.id);
  expect({ state, done, code: error?.code }).toEqual({ state: 'failed', done: 3, code: 'BAD_REQUEST' });
});
