import { expect, it } from 'vitest';
import { endOf, forgetful, openEvaluations, REQUEST, words } from '../../../support/open-evaluations.ts';

it('says before the start what does not fit, and makes no text of that length', async () => {
  const asked: string[] = [];
  const { runs, results, fit } = await openEvaluations(() => ({ ...forgetful(asked), room: 600 }));
  expect(await fit(REQUEST)).toEqual({
    ...{ model: 'forgetful', room: 600, tooShort: [] },
    lengths: [
      { length: 500, problem: null },
      { length: 1_000, problem: expect.objectContaining({ code: 'CONTEXT_TOO_LONG' }) },
    ],
  });
  expect(asked).toEqual([]);
  const { id } = await runs.start(REQUEST);
  expect(await endOf(results, id)).toMatchObject({ state: 'done', done: 60 });
  expect(asked).toHaveLength(30);
  const long = await runs.start({ ...REQUEST, lengths: [1_000] });
  expect(await endOf(results, long.id)).toMatchObject({ state: 'failed', error: { code: 'CONTEXT_TOO_LONG' } });
});

it('says before the start which lengths are too short for which questions, and from which on they are not', async () => {
  const { fit } = await openEvaluations(() => ({
    ...forgetful([]),
    count: async (text) => 3 * words(text),
  }));
  const few = await fit({ ...REQUEST, suites: ['needle', 'places', 'two-hop'], lengths: [500, 1_000] });
  expect(few).toMatchObject({
    lengths: [
      { length: 500, problem: null },
      { length: 1_000, problem: null },
    ],
    tooShort: [
      { suite: 'two-hop', problem: { message: '500 tokens are too few for «two-hop»: it takes about 750.' } },
      { suite: 'places', problem: { code: 'BAD_REQUEST' } },
    ],
  });
  const none = await fit({ ...REQUEST, suites: ['execution', 'places'], lengths: [500, 1_000] });
  expect(none).toMatchObject({
    lengths: [
      { length: 500, problem: { message: '500 tokens are too few for «places»: it takes about 800.' } },
      { length: 1_000, problem: null },
    ],
    tooShort: [{ suite: 'execution', problem: { message: expect.stringMatching(/^1000 tokens .* about 10\d{3}\.$/) } }],
  });
  const long = await fit({ ...REQUEST, suites: ['execution', 'narrativeqa'], lengths: [500], ownTexts: true });
  expect(long).toMatchObject({ lengths: [{ problem: null }], tooShort: [{ suite: 'execution' }] });
});

it('says before the start which file is missing, and how it is to be had', async () => {
  const { runs, fit } = await openEvaluations(() => forgetful([]));
  const missing = {
    code: 'BAD_REQUEST',
    message: '«narrativeqa.jsonl» is not in /nowhere.',
    hint: expect.stringContaining('quarry evaluate fetch narrativeqa'),
  };
  await expect(fit({ ...REQUEST, suites: ['narrativeqa'] })).rejects.toMatchObject(missing);
  await expect(runs.start({ ...REQUEST, suites: ['narrativeqa'] })).rejects.toMatchObject(missing);
  expect((await fit({ ...REQUEST, suites: ['narrativeqa'], ownTexts: true })).lengths).toHaveLength(2);
});
