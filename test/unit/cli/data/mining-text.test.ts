import { expect, it } from 'vitest';
import { progressText } from '../../../../src-main/cli/data/mine.ts';
import { miningText } from '../../../../src-main/cli/data/mining-text.ts';
import type { DataJob, DataState } from '../../../../src-preload/contract/data.ts';

const order = { topic: 'cats', sources: ['commons' as const], most: 5, made: 0 };
const job = { number: 7, state: 'fetching', done: 0.4, fetched: null, title: 'Cats at play' } as DataJob;
const now = (more: Partial<DataState>) => ({ mining: 'working', clips: 1, now: [], ...more }) as unknown as DataState;

it('says in a line what is looked for', () => {
  expect(miningText({ mining: 'off', order: null })).toBe('Mining is off.');
  expect(miningText({ mining: 'off', order })).toBe('Mining is off. Wanted last: 5 clips of «cats» from commons.');
  expect(miningText({ mining: 'ending', order })).toBe('Mining: ending. Wanted: 5 clips of «cats» from commons.');
});

it('says in a line how it goes', () => {
  const jobs = { waiting: 3 } as DataState['jobs'];
  expect(progressText(now({ jobs, now: [job] }))).toBe('working, 1 clip, 3 waiting. #7 fetching 40 %: Cats at play');
  const fetched = (of: number | null) => [{ ...job, fetched: { bytes: 12_000_000, of } }];
  expect(progressText(now({ jobs, now: fetched(30_000_000) }))).toContain('#7 fetching 12 MB of 30 MB: Cats');
  expect(progressText(now({ jobs, now: fetched(null) }))).toContain('#7 fetching 12 MB: Cats');
  expect(progressText(now({ jobs, mining: 'resting', clips: 2, fault: { text: 'The drive is full.' } }))).toBe(
    'resting, 2 clips, 3 waiting. The drive is full.',
  );
});
