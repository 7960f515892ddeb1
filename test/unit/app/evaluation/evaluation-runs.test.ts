import { expect, it, vi } from 'vitest';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { endOf, forgetful, openEvaluations, REQUEST, words } from '../../../support/open-evaluations.ts';

it('asks each kind at each length once, the short ones first, and tells how it went', async () => {
  const asked: string[] = [];
  const { runs, results } = await openEvaluations(() => forgetful(asked));
  const { id, texts } = await runs.start(REQUEST);
  expect(texts).toBe(60); // six kinds at five depths, at two lengths
  const { state, done, cells, model } = await endOf(results, id);
  expect({ state, done, model }).toEqual({ state: 'done', done: 60, model: 'forgetful' });
  expect(asked).toHaveLength(60);
  expect(new Set(asked).size).toBe(60);
  expect(asked.slice(0, 30).every((prompt) => Math.abs(words(prompt) - 500) <= 5)).toBe(true);
  expect(asked.slice(30).every((prompt) => Math.abs(words(prompt) - 1_000) <= 10)).toBe(true);
  expect(cells).toHaveLength(60);
  expect(cells.every(({ asked: times, answered }) => times === 1 && answered === 1)).toBe(true);
});

it('goes on where it was stopped, and asks nothing twice', async () => {
  const asked: string[] = [];
  const made: string[] = [];
  let { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  const { runs, results } = await openEvaluations(() => {
    const whole = forgetful(asked);
    return {
      ...whole,
      async count(text) {
        made.push(text);
        return await whole.count(text);
      },
      async ask(question, how) {
        if (asked.length === 10) {
          stop();
          await new Promise((_, reject) => how.signal.addEventListener('abort', () => reject(how.signal.reason)));
        }
        return await whole.ask(question, how);
      },
    };
  });
  const { id } = await runs.start(REQUEST);
  await stopped;
  ({ promise: stopped, resolve: stop } = Promise.withResolvers<void>());
  expect((await runs.pause(id)).state).toBe('paused');
  asked.push('the one that was given up'); // no 10th question any more
  made.length = 0;
  await runs.resume(id);
  expect((await endOf(results, id)).state).toBe('done');
  expect(made.some((text) => asked.slice(0, 10).includes(text))).toBe(false); // what is done with is not even made again
  expect(asked).toHaveLength(61);
  expect(new Set(asked).size).toBe(61);
});

it('asks nothing twice where it was stopped between two questions about one text', async () => {
  const asked: string[] = [];
  let isStopping = true;
  const { runs, results } = await openEvaluations(() => ({
    ...forgetful(asked),
    async ask(...how) {
      if (isStopping && asked.length === 7) throw new QuarryError({ code: 'CANCELLED', message: 'the node closes' });
      return await forgetful(asked).ask(...how);
    },
  }));
  const { id } = await runs.start({ ...REQUEST, suites: ['needles'], lengths: [500] });
  expect(await endOf(results, id)).toMatchObject({ state: 'paused', done: 1 }); // five questions a text
  isStopping = false;
  await runs.resume(id);
  expect(await endOf(results, id)).toMatchObject({ state: 'done', done: 6 });
  expect(asked).toHaveLength(30);
  expect(new Set(asked).size).toBe(30);
});

it('keeps what keeps it from going on, and goes on with that', async () => {
  let isAway = true;
  const asked: string[] = [];
  const { runs, results } = await openEvaluations(() => {
    if (isAway) throw new QuarryError({ code: 'ENGINE_UNAVAILABLE', message: 'away' });
    return forgetful(asked);
  });
  const { id } = await runs.start(REQUEST);
  expect(await endOf(results, id)).toMatchObject({ state: 'failed', error: { code: 'ENGINE_UNAVAILABLE' } });
  isAway = false;
  await runs.resume(id);
  expect(await endOf(results, id)).toMatchObject({ state: 'done', error: null, done: 60 });
});

it('notes what is too long for whoever is asked, and goes on', async () => {
  const { runs, results } = await openEvaluations(() => ({
    ...forgetful([]),
    async ask() {
      throw new QuarryError({ code: 'CONTEXT_TOO_LONG', message: 'no room' });
    },
  }));
  const { id } = await runs.start(REQUEST);
  const { state, cells } = await endOf(results, id);
  expect(state).toBe('done');
  expect(cells.every(({ asked, answered, score }) => asked === 1 && answered === 0 && score === 0)).toBe(true);
  const [first] = await results.answers(id, 1);
  expect(first).toMatchObject({ answer: null, error: { code: 'CONTEXT_TOO_LONG' } });
});

it('runs one at a time, and says what there is to be asked', async () => {
  const { runs, results } = await openEvaluations(async (signal) => {
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    return forgetful([]);
  });
  const { id } = await runs.start(REQUEST);
  await expect(runs.start(REQUEST)).rejects.toMatchObject({ code: 'OVERLOADED' });
  await expect(runs.remove(id)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect((await runs.pause(id)).state).toBe('paused');
  await expect(runs.start({ ...REQUEST, suites: ['nothing'] })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    field: 'suites',
  });
  await runs.remove(id);
  expect(await results.list(10)).toEqual([]);
});

it('runs one at a time also where several are begun at the same moment', async () => {
  const { runs, results } = await openEvaluations(async (signal) => {
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    return forgetful([]);
  });
  const begun = await Promise.allSettled([runs.start(REQUEST), runs.start(REQUEST)]);
  expect(begun).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected', reason: { code: 'OVERLOADED' } }]);
  const [{ id } = { id: '' }, ...more] = await results.list(10);
  expect(more).toEqual([]);
  await runs.pause(id);
  const again = await Promise.allSettled([runs.resume(id), runs.start(REQUEST), runs.remove(id)]);
  expect(again).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: { code: 'OVERLOADED' } },
    { status: 'rejected', reason: { code: 'BAD_REQUEST' } },
  ]);
});

it('makes room for another one where even its end cannot be kept', async () => {
  const { runs, store } = await openEvaluations(() => {
    throw new QuarryError({ code: 'ENGINE_UNAVAILABLE', message: 'away' });
  });
  vi.spyOn(store, 'set').mockRejectedValueOnce(new Error('the disk is full'));
  const { id } = await runs.start(REQUEST);
  await runs.pause(id); // which waits for its end
  await expect(runs.start(REQUEST)).resolves.toMatchObject({ state: 'running' });
});

it('pauses what runs and begins nothing any more once it is closed', async () => {
  const { runs, store } = await openEvaluations(async (signal) => {
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    return forgetful([]);
  });
  const { id } = await runs.start(REQUEST);
  await runs.close();
  expect((await store.find(id))?.state).toBe('paused');
  await expect(runs.resume(id)).rejects.toMatchObject({ code: 'CANCELLED' });
  await expect(runs.start(REQUEST)).rejects.toMatchObject({ code: 'CANCELLED' });
});

it('goes on with the model that it was begun with, and no other', async () => {
  let model = 'one';
  let stops = true;
  const { runs, results } = await openEvaluations(() => ({
    ...forgetful([]),
    model,
    async ask(...how) {
      if (stops) throw new QuarryError({ code: 'CANCELLED', message: 'the node closes' });
      return await forgetful([]).ask(...how);
    },
  }));
  const { id } = await runs.start(REQUEST);
  expect((await endOf(results, id)).state).toBe('paused');
  stops = false;
  model = 'another';
  await runs.resume(id);
  expect(await endOf(results, id)).toMatchObject({ state: 'failed', error: { code: 'BAD_REQUEST' }, model: 'one' });
  model = 'one';
  await runs.resume(id);
  expect((await endOf(results, id)).state).toBe('done');
});

it('takes the name of a group for all that are in it', async () => {
  const { runs } = await openEvaluations(() => forgetful([]));
  const { plan, texts } = await runs.start({
    ...REQUEST,
    suites: ['longbench', 'qasper', 'govreport'],
    ownTexts: true,
  });
  expect(plan.suites).toHaveLength(22);
  expect(texts).toBe(2 * (21 + 3));
});
