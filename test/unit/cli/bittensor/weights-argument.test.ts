import { expect, it } from 'vitest';
import { readWeights } from '../../../../src-main/cli/bittensor/weights-argument.ts';

const files: Record<string, string> = { 'w.json': '{ "3": 0.5, "7": 1 }', 'bad.json': '{ "3": -1 }', 'no.json': 'x' };
const read = (...given: string[]) =>
  readWeights(
    given,
    async (path) =>
      files[path] ??
      Promise.reject(Object.assign(new Error(`ENOENT: no such file, open '${path}'`), { code: 'ENOENT' })),
  );

it('weights are typed as pairs, or stand in a file', async () => {
  expect(await read('3=0.5', '7=1e-3')).toEqual([
    { uid: 3, weight: 0.5 },
    { uid: 7, weight: 0.001 },
  ]);
  expect(await read('w.json')).toEqual([
    { uid: 3, weight: 0.5 },
    { uid: 7, weight: 1 },
  ]);
});

it.each([[['3:1']], [['3=-1']], [['3=1', 'w.json']], [['bad.json']], [['no.json']], [['missing.json']], [['0=abc']]])(
  '%j are none',
  (given) => expect(read(...given)).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'weights' }),
);

it.each([
  ['missing.json', 'There is no file «missing.json».'],
  ['0=abc', '«0=abc» is no weight.'],
])('of %j it is said what is wrong, in a sentence', (given, message) =>
  expect(read(given)).rejects.toMatchObject({ message, hint: expect.stringContaining('3=0.5') }),
);
