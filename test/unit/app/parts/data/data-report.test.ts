import { expect, it } from 'vitest';
import type { DataPart } from '../../../../../src-main/app/parts/data/data.ts';
import { dataReport } from '../../../../../src-main/app/parts/data/data-report.ts';
import { checkClips } from '../../../../../src-main/hardware/doctor/clips.ts';
import type { DataState } from '../../../../../src-preload/contract/data.ts';

const ability = (name: 'media' | 'pictures', isReady: boolean) => ({
  ...{ ability: name, isReady, by: isReady ? 'x' : null },
  ...{ lost: isReady ? null : { text: `No ${name}.` }, hint: isReady ? null : { text: 'Fetch it.' } },
});
const jobs = { waiting: 2, fetching: 0, cutting: 1, describing: 0, done: 3, skipped: 0, failed: 0 };
const state = (more: Partial<DataState>): DataState => ({
  ...{
    mining: 'working',
    order: { topic: 'secret', sources: ['folder'], most: 5, made: 0 },
    fault: null,
    jobs,
    now: [],
  },
  ...{
    clips: 3,
    clipsVersion: 0,
    bytes: 70,
    diskBudget: 100,
    space: 'm@1',
    abilities: [ability('media', true)],
    ...more,
  },
});

it('tells figures of clips, and nothing of what they are about', async () => {
  const desk = { state: async () => state({}) } as DataPart['desk'];
  const { figures = [], diagnostics = {} } = dataReport({ desk });
  expect(await Promise.all(figures.map(async ({ name, read }) => [name, await read()]))).toEqual([
    ['quarry_clips', 3],
    ['quarry_clip_bytes', 70],
    ['quarry_clip_jobs', jobs],
  ]);
  expect(JSON.stringify(await diagnostics.data?.())).not.toContain('secret');
});

it.each([
  ['skip', state({ order: null, clips: 0, abilities: [ability('media', false)] })],
  ['ok', state({})],
  ['fail', state({ abilities: [ability('media', false), ability('pictures', true)] })],
  ['warn', state({ abilities: [ability('media', true), ability('pictures', false)] })],
  ['warn', state({ fault: { text: 'The drive is full.' } })],
])('the doctor says %s', (status, now) => {
  expect(checkClips(now)).toMatchObject({ name: 'clips', status });
});

it('the doctor says which program is none', () => {
  expect(checkClips(state({ abilities: [ability('media', false)] }))).toMatchObject({
    found: 'No media.',
    advice: 'Fetch it.',
  });
});
