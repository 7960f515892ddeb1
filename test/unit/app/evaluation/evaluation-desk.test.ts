import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import { EvaluationDesk, type OpenedExaminee } from '../../../../src-main/app/evaluation/evaluation-desk.ts';
import { EvaluationStore } from '../../../../src-main/store/evaluations.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type {
  EvaluationDetails,
  EvaluationRequest,
  EvaluationTarget,
} from '../../../../src-preload/contract/evaluation.ts';
import { DEPTH_BANDS } from '../../../../src-preload/contract/evaluation-numbers.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';

const REQUEST: EvaluationRequest = {
  ...{ target: { kind: 'local' }, suites: ['needle'], lengths: [1_000, 500], samples: 1, seed: 'a', ownTexts: false },
};
/** One token a word, so that lengths are easily told. */
const words = (text: string) => text.split(/\s+/).length;

let onCount = (_text: string): unknown => undefined;

const answered = (text: string) => ({
  ...{ text, firstMs: 100, totalMs: 110, promptTokens: null, cachedTokens: 0, answerTokens: 1 },
});

/** Finds a needle in the first half of its text, and none behind that. */
function forgetful(asked: string[]): OpenedExaminee {
  return {
    ...{ model: 'forgetful', sha256: null, room: null },
    async count(text) {
      onCount(text);
      return words(text);
    },
    async ask({ prompt }) {
      asked.push(prompt);
      const text = prompt.slice(0, prompt.length / 2);
      const answer = text; // a metric of words finds the value, and much else
      const counts = { promptTokens: words(prompt), cachedTokens: 0, answerTokens: 1 };
      return { text: answer, firstMs: 100, totalMs: 110, ...counts };
    },
    async [Symbol.asyncDispose]() {},
  };
}

async function desk(examinee: (signal: AbortSignal) => OpenedExaminee | Promise<OpenedExaminee>) {
  const db = await memoryDatabase();
  const store = new EvaluationStore(db);
  const named = (target: EvaluationTarget) => target;
  const openExaminee = async (_: unknown, signal: AbortSignal) => await examinee(signal);
  const opened = new EvaluationDesk({
    ...{ store, named, openExaminee },
    folder: '/nowhere',
    log: pino({ level: 'silent' }),
  });
  await opened.open();
  onTestFinished(async () => {
    await opened.close();
    await db.destroy();
  });
  return { desk: opened, store };
}

async function last(looks: AsyncIterable<EvaluationDetails>): Promise<EvaluationDetails> {
  let seen: EvaluationDetails | undefined;
  for await (const look of looks) seen = look;
  if (!seen) throw new Error('nothing was seen');
  return seen;
}

it('asks each kind at each length once, the short ones first, and tells how it went', async () => {
  const asked: string[] = [];
  const { desk: opened } = await desk(() => forgetful(asked));
  const { id, texts } = await opened.start(REQUEST);
  expect(texts).toBe(60); // six kinds at five depths, at two lengths
  const { state, done, cells, model } = await last(opened.watch(id));
  expect({ state, done, model }).toEqual({ state: 'done', done: 60, model: 'forgetful' });
  expect(asked).toHaveLength(60);
  expect(new Set(asked).size).toBe(60);
  expect(asked.slice(0, 30).every((prompt) => Math.abs(words(prompt) - 500) <= 5)).toBe(true);
  expect(asked.slice(30).every((prompt) => Math.abs(words(prompt) - 1_000) <= 10)).toBe(true);
  expect(cells).toHaveLength(60);
  expect(cells.every(({ asked: times, answered }) => times === 1 && answered === 1)).toBe(true);
});

it('counts questions about one text by the depth of what is asked for, and has the answers to some of them', async () => {
  const { desk: opened } = await desk(() => forgetful([]));
  const { id } = await opened.start({ ...REQUEST, suites: ['needles', 'execution'], lengths: [500, 6_000] });
  const { cells } = await last(opened.watch(id));
  const numbers = cells.filter(
    ({ suite, variant, length }) => suite === 'needles' && variant === 'number' && length === 6_000,
  );
  expect(numbers.map(({ band, asked }) => [band, asked]).toSorted()).toEqual(
    [...DEPTH_BANDS].toSorted().map((band) => [band, 1]),
  );
  expect(cells.filter(({ suite }) => suite === 'execution').every(({ band }) => band === null)).toBe(true);
  const of = { suite: 'needles', variants: ['number', 'date'], length: 6_000, band: 'middle' as const };
  const answers = await opened.answers(id, 10, undefined, of);
  expect(answers.map(({ variant, length }) => [variant, length])).toEqual([
    ['number', 6_000],
    ['date', 6_000],
  ]);
  expect(answers.every(({ depth }) => depth !== null && depth > 0.3 && depth < 0.7)).toBe(true);
  const [first] = answers;
  expect(await opened.answers(id, 10, first, of)).toEqual(answers.slice(1));
  expect((await opened.answers(id, 1_000, undefined, { suite: 'execution' })).map(({ suite }) => suite)).toContain(
    'execution',
  );
});

it('makes a question anew, with what would have been right', async () => {
  const asked: string[] = [];
  const { desk: opened } = await desk(() => forgetful(asked));
  const { id } = await opened.start({ ...REQUEST, suites: ['needles'] });
  await last(opened.watch(id));
  const made = await opened.question(id, 1, 3);
  const prompt = asked[5 + 3] ?? '';
  expect(made?.asked).toMatch(/^That was the text. .*nothing else.$/);
  expect(prompt.endsWith(made?.asked ?? '?')).toBe(true);
  expect(made?.expected.some((right) => prompt.includes(right))).toBe(true);
  await expect(opened.question(id, 1, 30)).rejects.toThrow('no such question');
});

it('tells QUASAR’s scores of what was answered so far, and what would measure the others', async () => {
  const { desk: opened, store } = await desk(() => ({ ...forgetful([]), ask: async () => answered('50') }));
  const { id } = await opened.start({ ...REQUEST, suites: ['places', 'scaling'] });
  await last(opened.watch(id));
  const scores = await opened.scores(id);
  const values = Object.fromEntries(scores.map(({ score, value }) => [score, value]));
  expect(values).toEqual({
    ...{ accuracy: 2 / 12, reward: 2 / 12, composite: null, memory: 0, position: 0.2, coherence: null },
    ...{ speed: expect.closeTo(1_000 / 110, 9), scaling: 1, consistency: null },
  });
  expect(scores.find(({ score }) => score === 'coherence')?.from.text).toContain('«govreport»');
  expect(scores.find(({ score }) => score === 'consistency')?.from.text).toMatch(/^Not measured/);
  await expect(opened.scores('0000000000000000')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  const row = (await store.answers(id, 1))[0];
  for (let text = 100; row && text < 1_200; text++) await store.answered({ ...row, text, score: 1 });
  expect((await opened.scores(id))[0]?.from.text).toBe('Out of 1112 answers.'); // more than a page
});

it('asks each made question twice where that is wanted, and compares the two answers', async () => {
  const asked: string[] = [];
  const { desk: opened } = await desk(() => ({
    ...forgetful(asked),
    ask: async ({ prompt }) => answered(asked.push(prompt) <= 4 ? '1' : String(asked.length)),
  }));
  const { id, texts } = await opened.start({ ...REQUEST, suites: ['two-hop'], lengths: [500], twice: true });
  const { done, cells } = await last(opened.watch(id));
  expect([texts, done, cells.reduce((sum, cell) => sum + cell.asked, 0)]).toEqual([2, 2, 12]);
  expect(new Set(asked).size).toBe(12);
  const consistency = (await opened.scores(id)).find(({ score }) => score === 'consistency');
  expect(consistency?.value).toBeCloseTo(2 / 6, 12);
  const second = await opened.question(id, 0, 3);
  expect(asked[3]?.endsWith(second?.asked ?? '?')).toBe(true);
  expect(second?.expected).toEqual((await opened.question(id, 0, 2))?.expected);
});

it('goes on where it was stopped, and asks nothing twice', async () => {
  const asked: string[] = [];
  let { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  const { desk: opened } = await desk(() => {
    const whole = forgetful(asked);
    return {
      ...whole,
      async ask(question, how) {
        if (asked.length === 10) {
          stop();
          await new Promise((_, reject) => how.signal.addEventListener('abort', () => reject(how.signal.reason)));
        }
        return await whole.ask(question, how);
      },
    };
  });
  const { id } = await opened.start(REQUEST);
  await stopped;
  ({ promise: stopped, resolve: stop } = Promise.withResolvers<void>());
  expect((await opened.pause(id)).state).toBe('paused');
  asked.push('the one that was given up'); // no 10th question any more
  const made: string[] = [];
  onCount = (text) => made.push(text);
  await opened.resume(id);
  expect((await last(opened.watch(id))).state).toBe('done');
  expect(made.some((text) => asked.slice(0, 10).includes(text))).toBe(false); // what is done with is not even made again
  expect(asked).toHaveLength(61);
  expect(new Set(asked).size).toBe(61);
});

it('asks nothing twice where it was stopped between two questions about one text', async () => {
  const asked: string[] = [];
  let isStopping = true;
  const { desk: opened } = await desk(() => ({
    ...forgetful(asked),
    async ask(...how) {
      if (isStopping && asked.length === 7) throw new QuarryError({ code: 'CANCELLED', message: 'the node closes' });
      return await forgetful(asked).ask(...how);
    },
  }));
  const { id } = await opened.start({ ...REQUEST, suites: ['needles'], lengths: [500] });
  expect(await last(opened.watch(id))).toMatchObject({ state: 'paused', done: 1 }); // five questions a text
  isStopping = false;
  await opened.resume(id);
  expect(await last(opened.watch(id))).toMatchObject({ state: 'done', done: 6 });
  expect(asked).toHaveLength(30);
  expect(new Set(asked).size).toBe(30);
});

it('keeps what keeps it from going on, and goes on with that', async () => {
  let isAway = true;
  const asked: string[] = [];
  const { desk: opened } = await desk(() => {
    if (isAway) throw new QuarryError({ code: 'ENGINE_UNAVAILABLE', message: 'away' });
    return forgetful(asked);
  });
  const { id } = await opened.start(REQUEST);
  expect(await last(opened.watch(id))).toMatchObject({ state: 'failed', error: { code: 'ENGINE_UNAVAILABLE' } });
  isAway = false;
  await opened.resume(id);
  expect(await last(opened.watch(id))).toMatchObject({ state: 'done', error: null, done: 60 });
});

it('notes what is too long for whoever is asked, and goes on', async () => {
  const { desk: opened } = await desk(() => ({
    ...forgetful([]),
    async ask() {
      throw new QuarryError({ code: 'CONTEXT_TOO_LONG', message: 'no room' });
    },
  }));
  const { id } = await opened.start(REQUEST);
  const { state, cells } = await last(opened.watch(id));
  expect(state).toBe('done');
  expect(cells.every(({ asked, answered, score }) => asked === 1 && answered === 0 && score === 0)).toBe(true);
  const [first] = await opened.answers(id, 1);
  expect(first).toMatchObject({ answer: null, error: { code: 'CONTEXT_TOO_LONG' } });
});

it('runs one at a time, and says what there is to be asked', async () => {
  const { desk: opened } = await desk(async (signal) => {
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    return forgetful([]);
  });
  const { id } = await opened.start(REQUEST);
  await expect(opened.start(REQUEST)).rejects.toMatchObject({ code: 'OVERLOADED' });
  await expect(opened.remove(id)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect((await opened.pause(id)).state).toBe('paused');
  await expect(opened.start({ ...REQUEST, suites: ['nothing'] })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    field: 'suites',
  });
  await opened.remove(id);
  expect(await opened.list(10)).toEqual([]);
});

it('runs one at a time also where several are begun at the same moment', async () => {
  const { desk: opened } = await desk(async (signal) => {
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    return forgetful([]);
  });
  const begun = await Promise.allSettled([opened.start(REQUEST), opened.start(REQUEST)]);
  expect(begun).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected', reason: { code: 'OVERLOADED' } }]);
  const [{ id } = { id: '' }, ...more] = await opened.list(10);
  expect(more).toEqual([]);
  await opened.pause(id);
  const again = await Promise.allSettled([opened.resume(id), opened.start(REQUEST), opened.remove(id)]);
  expect(again).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: { code: 'OVERLOADED' } },
    { status: 'rejected', reason: { code: 'BAD_REQUEST' } },
  ]);
});

it('makes room for another one where even its end cannot be kept', async () => {
  const { desk: opened, store } = await desk(() => {
    throw new QuarryError({ code: 'ENGINE_UNAVAILABLE', message: 'away' });
  });
  vi.spyOn(store, 'set').mockRejectedValueOnce(new Error('the disk is full'));
  const { id } = await opened.start(REQUEST);
  await opened.pause(id); // which waits for its end
  await expect(opened.start(REQUEST)).resolves.toMatchObject({ state: 'running' });
});

it('pauses what runs and begins nothing any more once it is closed', async () => {
  const { desk: opened, store } = await desk(async (signal) => {
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    return forgetful([]);
  });
  const { id } = await opened.start(REQUEST);
  await opened.close();
  expect((await store.find(id))?.state).toBe('paused');
  await expect(opened.resume(id)).rejects.toMatchObject({ code: 'CANCELLED' });
  await expect(opened.start(REQUEST)).rejects.toMatchObject({ code: 'CANCELLED' });
});

it('goes on with the model that it was begun with, and no other', async () => {
  let model = 'one';
  let stops = true;
  const { desk: opened } = await desk(() => ({
    ...forgetful([]),
    model,
    async ask(...how) {
      if (stops) throw new QuarryError({ code: 'CANCELLED', message: 'the node closes' });
      return await forgetful([]).ask(...how);
    },
  }));
  const { id } = await opened.start(REQUEST);
  expect((await last(opened.watch(id))).state).toBe('paused');
  stops = false;
  model = 'another';
  await opened.resume(id);
  expect(await last(opened.watch(id))).toMatchObject({ state: 'failed', error: { code: 'BAD_REQUEST' }, model: 'one' });
  model = 'one';
  await opened.resume(id);
  expect((await last(opened.watch(id))).state).toBe('done');
});

it('says before the start what does not fit, and makes no text of that length', async () => {
  const asked: string[] = [];
  const { desk: opened } = await desk(() => ({ ...forgetful(asked), room: 600 }));
  expect(await opened.fit(REQUEST)).toEqual({
    ...{ model: 'forgetful', room: 600 },
    lengths: [
      { length: 500, problem: null },
      { length: 1_000, problem: expect.objectContaining({ code: 'CONTEXT_TOO_LONG' }) },
    ],
  });
  expect(asked).toEqual([]);
  const { id } = await opened.start(REQUEST);
  expect(await last(opened.watch(id))).toMatchObject({ state: 'done', done: 60 });
  expect(asked).toHaveLength(30);
  const long = await opened.start({ ...REQUEST, lengths: [1_000] });
  expect(await last(opened.watch(long.id))).toMatchObject({ state: 'failed', error: { code: 'CONTEXT_TOO_LONG' } });
});

it('says before the start which file is missing, and how it is to be had', async () => {
  const { desk: opened } = await desk(() => forgetful([]));
  const missing = {
    code: 'BAD_REQUEST',
    message: '«narrativeqa.jsonl» is not in /nowhere.',
    hint: expect.stringContaining('quarry evaluate fetch narrativeqa'),
  };
  await expect(opened.fit({ ...REQUEST, suites: ['narrativeqa'] })).rejects.toMatchObject(missing);
  await expect(opened.start({ ...REQUEST, suites: ['narrativeqa'] })).rejects.toMatchObject(missing);
  expect((await opened.fit({ ...REQUEST, suites: ['narrativeqa'], ownTexts: true })).lengths).toHaveLength(2);
});

it('takes the name of a group for all that are in it', async () => {
  const { desk: opened } = await desk(() => forgetful([]));
  const { plan, texts } = await opened.start({
    ...REQUEST,
    suites: ['longbench', 'qasper', 'govreport'],
    ownTexts: true,
  });
  expect(plan.suites).toHaveLength(22);
  expect(texts).toBe(2 * (21 + 3));
});
