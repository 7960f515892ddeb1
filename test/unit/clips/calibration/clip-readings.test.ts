import { expect, it } from 'vitest';
import { clipReadings } from '../../../../src-main/clips/calibration/clip-readings.ts';
import { measuredLibrary } from '../../../support/clips/measured-library.ts';

const NEVER = new AbortController().signal;
const library = () => {
  const { rows, ...tools } = measuredLibrary({ videos: 2 });
  const row = Object.assign(rows[0]!, { source: 'archive', video: 'a film' });
  return { clip: row.clip, tools };
};

it('names the video as the group, by which clips of one are not held against each other', async () => {
  const { clip, tools } = library();
  const { pictures, sounds } = (await clipReadings(clip, tools, NEVER)) ?? {};
  expect([pictures?.group, sounds?.group]).toEqual([
    JSON.stringify(['archive', 'a film']),
    JSON.stringify(['archive', 'a film']),
  ]);
});

it('asks the model about a copy of the sound that is quieter, the same whenever it is measured', async () => {
  const { clip, tools } = library();
  const heard: number[][] = [];
  const media = { ...tools.media, sound: async () => ({ samples: new Float32Array(4).fill(0.5), rate: 48_000 }) };
  const sound = async ({ samples }: { samples: Float32Array }) => {
    heard.push([...samples]);
    return Float32Array.of(1);
  };
  for (let times = 0; times < 2; times++)
    await clipReadings(clip, { ...tools, media, models: { ...tools.models, sound } }, NEVER);
  expect(heard[0]?.map((sample) => Math.round(sample * 20) / 20)).toEqual([0.25, 0.25, 0.25, 0.25]);
  expect(heard[0]).not.toEqual([0.25, 0.25, 0.25, 0.25]); // there is noise in it
  expect(heard[1]).toEqual(heard[0]);
});

it('has nothing of a clip that was removed meanwhile, and no sound of one that has none', async () => {
  const { clip, tools } = library();
  const gone = { ...tools, store: { ...tools.store, get: async () => undefined } };
  expect(await clipReadings(clip, gone, NEVER)).toBeUndefined();
  const unread = { ...tools, store: { ...tools.store, vectors: async () => ({}) } };
  expect(await clipReadings(clip, unread, NEVER)).toBeUndefined();
  const silent = { ...tools, media: { ...tools.media, sound: async () => null } };
  expect((await clipReadings(clip, silent, NEVER))?.sounds).toBeNull();
});

it('goes by the words as they were made into numbers before, where both are there and no labels made them', async () => {
  const { clip, tools } = library();
  const kept = Float32Array.of(1, 0);
  const vectors = async (id: string) => ({
    ...(await tools.store.vectors(id)),
    ...{ 'described-seen': kept, 'described-heard': kept },
  });
  const read = await clipReadings(clip, { ...tools, store: { ...tools.store, vectors } }, NEVER);
  expect([read?.pictures.text, read?.sounds?.text, tools.said]).toEqual([kept, kept, []]);
});
