import { expect, it } from 'vitest';
import { clipReadings } from '../../../../src-main/clips/calibration/clip-readings.ts';
import { measuredLibrary } from '../../../support/clips/measured-library.ts';

const NEVER = new AbortController().signal;
const library = () => {
  const { rows, ...tools } = measuredLibrary({ videos: 2 });
  return { row: { ...rows[0]!, source: 'archive' as const, video: 'a film' }, tools };
};

it('names the video as the group, by which clips of one are not held against each other', async () => {
  const { row, tools } = library();
  const { pictures, sounds } = (await clipReadings(row, tools, NEVER)) ?? {};
  expect([pictures?.group, sounds?.group]).toEqual([
    JSON.stringify(['archive', 'a film']),
    JSON.stringify(['archive', 'a film']),
  ]);
});

it('asks the model about a copy of the sound that is quieter, the same whenever it is measured', async () => {
  const { row, tools } = library();
  const heard: number[][] = [];
  const media = { ...tools.media, sound: async () => ({ samples: new Float32Array(4).fill(0.5), rate: 48_000 }) };
  const sound = async ({ samples }: { samples: Float32Array }) => {
    heard.push([...samples]);
    return Float32Array.of(1);
  };
  for (let times = 0; times < 2; times++)
    await clipReadings(row, { ...tools, media, models: { ...tools.models, sound } }, NEVER);
  expect(heard[0]?.map((sample) => Math.round(sample * 20) / 20)).toEqual([0.25, 0.25, 0.25, 0.25]);
  expect(heard[0]).not.toEqual([0.25, 0.25, 0.25, 0.25]); // there is noise in it
  expect(heard[1]).toEqual(heard[0]);
});

it('has nothing of a clip that was removed meanwhile, and no sound of one that has none', async () => {
  const { row, tools } = library();
  const gone = { ...tools, store: { vectors: async () => ({}) } };
  expect(await clipReadings(row, gone, NEVER)).toBeUndefined();
  const silent = { ...tools, media: { ...tools.media, sound: async () => null } };
  expect((await clipReadings(row, silent, NEVER))?.sounds).toBeNull();
});
