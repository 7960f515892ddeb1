import { expect, it } from 'vitest';
import type { DataPart } from '../../../../../src-main/app/parts/data/data.ts';
import { dataReport } from '../../../../../src-main/app/parts/data/data-report.ts';
import type { DataState } from '../../../../../src-preload/contract/data.ts';

const jobs = { waiting: 2, fetching: 0, cutting: 1, describing: 0, done: 3, skipped: 0, failed: 0 };
const state: DataState = {
  ...{
    mining: 'working',
    fault: null,
    jobs,
    now: [],
    clips: 3,
    clipsVersion: 0,
    bytes: 70,
    reckoning: null,
    diskBudget: 100,
  },
  ...{ order: { topic: 'secret', sources: ['folder'], most: 5, made: 0 }, space: 'm@1', abilities: [] },
};

it('tells figures of clips, and nothing of what they are about', async () => {
  const desk = { state: async () => state } as DataPart['desk'];
  const { figures = [], diagnostics = {} } = dataReport({ desk });
  expect(await Promise.all(figures.map(async ({ name, read }) => [name, await read()]))).toEqual([
    ['quarry_clips', 3],
    ['quarry_clip_bytes', 70],
    ['quarry_clip_jobs', jobs],
  ]);
  expect(JSON.stringify(await diagnostics.data?.())).not.toContain('secret');
});
