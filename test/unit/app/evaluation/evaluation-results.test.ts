import { expect, it } from 'vitest';
import { DEPTH_BANDS } from '../../../../src-preload/contract/evaluation-numbers.ts';
import { endOf, forgetful, openEvaluations, REQUEST } from '../../../support/open-evaluations.ts';

const answered = (text: string) => ({
  ...{ text, firstMs: 100, totalMs: 110, promptTokens: null, cachedTokens: 0, answerTokens: 1 },
});

it('counts questions about one text by the depth of what is asked for, and has the answers to some of them', async () => {
  const { runs, results } = await openEvaluations(() => forgetful([]));
  const { id } = await runs.start({ ...REQUEST, suites: ['needles', 'execution'], lengths: [500, 6_000] });
  const { cells } = await endOf(results, id);
  const numbers = cells.filter(
    ({ suite, variant, length }) => suite === 'needles' && variant === 'number' && length === 6_000,
  );
  expect(numbers.map(({ band, asked }) => [band, asked]).toSorted()).toEqual(
    [...DEPTH_BANDS].toSorted().map((band) => [band, 1]),
  );
  expect(cells.filter(({ suite }) => suite === 'execution').every(({ band }) => band === null)).toBe(true);
  const of = { suite: 'needles', variants: ['number', 'date'], length: 6_000, band: 'middle' as const };
  const answers = await results.answers(id, 10, undefined, of);
  expect(answers.map(({ variant, length }) => [variant, length])).toEqual([
    ['number', 6_000],
    ['date', 6_000],
  ]);
  expect(answers.every(({ depth }) => depth !== null && depth > 0.3 && depth < 0.7)).toBe(true);
  const [first] = answers;
  expect(await results.answers(id, 10, first, of)).toEqual(answers.slice(1));
  expect((await results.answers(id, 1_000, undefined, { suite: 'execution' })).map(({ suite }) => suite)).toContain(
    'execution',
  );
});

it('makes a question anew, with what would have been right', async () => {
  const asked: string[] = [];
  const { runs, results } = await openEvaluations(() => forgetful(asked));
  const { id } = await runs.start({ ...REQUEST, suites: ['needles'] });
  await endOf(results, id);
  const made = await results.question(id, 1, 3);
  const prompt = asked[5 + 3] ?? '';
  expect(made?.asked).toMatch(/^That was the text. .*nothing else.$/);
  expect(prompt.endsWith(made?.asked ?? '?')).toBe(true);
  expect(made?.expected.some((right) => prompt.includes(right))).toBe(true);
  await expect(results.question(id, 1, 30)).rejects.toThrow('no such question');
});

it('tells QUASAR’s scores of what was answered so far, and what would measure the others', async () => {
  const { runs, results, store } = await openEvaluations(() => ({ ...forgetful([]), ask: async () => answered('50') }));
  const { id } = await runs.start({ ...REQUEST, suites: ['places', 'scaling'] });
  await endOf(results, id);
  const scores = await results.scores(id);
  const values = Object.fromEntries(scores.map(({ score, value }) => [score, value]));
  expect(values).toEqual({
    ...{ accuracy: 2 / 12, reward: 2 / 12, composite: null, memory: 0, position: 0.2, coherence: null },
    ...{ speed: expect.closeTo(1_000 / 110, 9), scaling: 1, consistency: null },
  });
  expect(scores.find(({ score }) => score === 'coherence')?.from.text).toContain('«govreport»');
  expect(scores.find(({ score }) => score === 'consistency')?.from.text).toMatch(/^Not measured/);
  await expect(results.scores('0000000000000000')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  const row = (await store.answers(id, 1))[0];
  for (let text = 100; row && text < 1_200; text++) await store.answered({ ...row, text, score: 1 });
  expect((await results.scores(id))[0]?.from.text).toBe('Out of 1112 answers.'); // more than a page
});

it('asks each made question twice where that is wanted, and compares the two answers', async () => {
  const asked: string[] = [];
  const { runs, results } = await openEvaluations(() => ({
    ...forgetful(asked),
    ask: async ({ prompt }) => answered(asked.push(prompt) <= 4 ? '1' : String(asked.length)),
  }));
  const { id, texts } = await runs.start({ ...REQUEST, suites: ['two-hop'], lengths: [500], twice: true });
  const { done, cells } = await endOf(results, id);
  expect([texts, done, cells.reduce((sum, cell) => sum + cell.asked, 0)]).toEqual([2, 2, 12]);
  expect(new Set(asked).size).toBe(12);
  const consistency = (await results.scores(id)).find(({ score }) => score === 'consistency');
  expect(consistency?.value).toBeCloseTo(2 / 6, 12);
  const second = await results.question(id, 0, 3);
  expect(asked[3]?.endsWith(second?.asked ?? '?')).toBe(true);
  expect(second?.expected).toEqual((await results.question(id, 0, 2))?.expected);
});

it('says of the built-in model that it only babbles, and of no other', async () => {
  const { runs, results } = await openEvaluations(() => ({ ...forgetful([]), isBuiltIn: true }));
  const { id } = await runs.start({ ...REQUEST, suites: ['scaling'] });
  const { remark } = await endOf(results, id);
  expect(remark?.text).toMatch(/random weights.*babbles/);
  expect(remark?.said).toEqual({ text: { key: 'evaluations.builtIn' } });
  expect((await results.list(1))[0]?.remark).toEqual(remark);
  const other = await openEvaluations(() => forgetful([]));
  const begun = await other.runs.start({ ...REQUEST, suites: ['scaling'] });
  expect(await endOf(other.results, begun.id)).toMatchObject({ state: 'done', remark: null });
});
