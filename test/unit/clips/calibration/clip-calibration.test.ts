import { cp, mkdtempDisposable, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ClipCalibration } from '../../../../src-main/clips/calibration/clip-calibration.ts';
import { type MediaTool, UnusableMedia } from '../../../../src-main/clips/media/media.ts';
import { MANIFEST_FILE, readClipModel } from '../../../../src-main/clips/models/files/model-manifest.ts';
import type { CalibrationStep } from '../../../../src-preload/contract/data-calibration.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { type MeasuredLibrary, measuredLibrary } from '../../../support/clips/measured-library.ts';
import { tinyModelFolder } from '../../../support/tiny-clip-models.ts';

const NEVER = new AbortController().signal;
const [LEAST, NOW] = [20, 1_700_000_000_000];
const KINDS = ['pictures', 'sounds'] as const;

let folder: Awaited<ReturnType<typeof mkdtempDisposable>>;
beforeEach(async () => {
  folder = await mkdtempDisposable(join(tmpdir(), 'quarry-calibration-'));
  for (const kind of KINDS) await cp(tinyModelFolder(`tiny-${kind}`), join(folder.path, kind), { recursive: true });
});
afterEach(async () => {
  await folder.remove();
});

const read = async (kind: 'pictures' | 'sounds') => {
  const model = await readClipModel(join(folder.path, kind), kind);
  if (!model) throw new Error(`There is no model of ${kind}.`);
  return model;
};

/** Of a library as it is wanted; its models are scripted, their folders real. */
async function calibrationOf(
  wanted: MeasuredLibrary,
  more: { media?: object; folder?: object; now?: () => number } = {},
) {
  const library = measuredLibrary(wanted);
  const files = [await read('pictures'), await read('sounds')];
  const told: string[] = [];
  const media = { ...library.media, ...more.media } as unknown as MediaTool;
  const calibration = new ClipCalibration({
    ...library,
    folder: { ...library.folder, ...more.folder },
    media: async () => media,
    models: () => ({ vectors: library.models, files }),
    onMeasured: async () => void told.push('measured'),
    now: more.now ?? (() => NOW),
    least: LEAST,
  });
  return { calibration, told, library };
}

async function stepsOf(steps: AsyncIterable<CalibrationStep>) {
  const all = await Array.fromAsync(steps);
  const last = all.pop();
  if (last?.type !== 'done') throw new Error('It did not come to its end.');
  return { progress: all, models: last.models };
}

it('measures both models with clips of the library, and writes that into their folders', async () => {
  const { calibration, told } = await calibrationOf({ videos: 40 });
  const { progress, models } = await stepsOf(calibration.run(NEVER));
  expect(progress).toHaveLength(41);
  expect(progress.at(-1)).toMatchObject({ done: 40, of: 40, secondsLeft: 0 });
  expect(models.map(({ kind, clips, reason }) => [kind, clips, reason])).toEqual([
    ['pictures', 40, null],
    ['sounds', 40, null],
  ]);
  for (const { kind, thresholds } of models) {
    expect(thresholds?.same).toBeGreaterThan(0.98); // a copy has a tenth of something else in it
    expect(thresholds?.closest).toBeGreaterThan(0.4);
    expect((await read(kind)).manifest).toMatchObject({ thresholds, measured: { by: 40, at: NOW } });
  }
  expect(told).toEqual(['measured']);
});

it('says what is known of the models, measured or not', async () => {
  const { calibration } = await calibrationOf({ videos: 0 });
  const known = calibration.thresholds();
  expect(known.map(({ kind, name, measured }) => [kind, name, measured])).toEqual([
    ['pictures', 'tiny-pictures', null],
    ['sounds', 'tiny-sounds', null],
  ]);
  expect(known[0]?.thresholds?.same).toBe((await read('pictures')).manifest.thresholds?.same);
});

it('measures by titles where a description was made of labels, which come from the model itself', async () => {
  const { calibration, library } = await calibrationOf({ videos: 30 });
  for (const row of library.rows.slice(0, 10)) row.described_by = 'speech';
  await stepsOf(calibration.run(NEVER));
  expect(library.said.filter((text) => text.startsWith('title'))).toHaveLength(10);
});

it('says how many videos it takes where there are too few, and reads none', async () => {
  const { calibration, library } = await calibrationOf({ videos: LEAST - 1 });
  await expect(stepsOf(calibration.run(NEVER))).rejects.toMatchObject({
    ...{ code: 'BAD_REQUEST', said: { message: { key: 'clipCalibration.tooFew', params: { videos: 19, least: 20 } } } },
  });
  expect(library.said).toEqual([]);
});

it('measures pictures where too few clips have sound, and says what is lost', async () => {
  const manifest = join(folder.path, 'sounds', MANIFEST_FILE);
  await writeFile(manifest, JSON.stringify({ ...(await read('sounds')).manifest, thresholds: null }));
  const { calibration, told } = await calibrationOf({ videos: 30, heard: 5 });
  const before = (await read('sounds')).manifest;
  const [pictures, sounds] = (await stepsOf(calibration.run(NEVER))).models;
  expect(pictures).toMatchObject({ clips: 30, reason: null });
  expect(sounds).toMatchObject({ clips: 5, thresholds: null });
  expect(sounds?.reason?.said?.text?.key).toBe('clipCalibration.fewSounds');
  expect((await read('sounds')).manifest).toEqual(before);
  expect(told).toEqual(['measured']);
});

it('says that what was measured of sounds before stays, where too few clips have some by now', async () => {
  const { calibration } = await calibrationOf({ videos: 30, heard: 5 });
  const [, sounds] = (await stepsOf(calibration.run(NEVER))).models;
  expect(sounds?.reason?.said?.text?.key).toBe('clipCalibration.soundsStay');
  expect((await read('sounds')).manifest.thresholds).not.toBeNull();
});

it('keeps nothing where copies are as far as others are, or words say nothing of their clips', async () => {
  for (const [wanted, why] of [
    [{ videos: 30, copyNoise: 50 }, 'clipCalibration.copies'],
    [{ videos: 30, words: 0 }, 'clipCalibration.words'],
  ] as const) {
    const before = (await read('pictures')).manifest;
    const { calibration, told } = await calibrationOf(wanted);
    const { models } = await stepsOf(calibration.run(NEVER));
    expect(models.map(({ thresholds, reason }) => [thresholds, reason?.said?.text?.key])).toEqual([
      [null, why],
      [null, why],
    ]);
    expect([told, (await read('pictures')).manifest]).toEqual([[], before]);
  }
});

it('passes over clips that cannot be read, and ends where too few are left', async () => {
  const damaged = (most: number) => ({
    pictures: async (path: string) => {
      const number = Number(/\d+/.exec(path)?.[0]);
      if (number <= most) throw new UnusableMedia('damaged');
      return [{ width: 2 * number, height: 2, rgb: new Uint8Array(number * 12) }];
    },
  });
  const some = await calibrationOf({ videos: 30 }, { media: damaged(10) });
  expect((await stepsOf(some.calibration.run(NEVER))).models[0]?.clips).toBe(20);
  const most = await calibrationOf({ videos: 30 }, { media: damaged(11) });
  await expect(stepsOf(most.calibration.run(NEVER))).rejects.toMatchObject({
    ...{ code: 'BAD_REQUEST', said: { message: { key: 'clipCalibration.unread', params: { read: 19, of: 30 } } } },
  });
  expect(most.told).toEqual([]);
});

it('passes over clips whose files are gone, and ends where the program that reads them is', async () => {
  const fails = {
    pictures: async (path: string) => {
      if (path === 'clip 7') throw new QuarryError({ code: 'ENGINE_UNAVAILABLE', message: 'it cannot be read' });
      return await measuredLibrary({ videos: 30 }).media.pictures(path);
    },
  };
  const has = (isThere: boolean) => ({ has: async () => isThere });
  const gone = await calibrationOf({ videos: 30 }, { folder: has(false), media: fails });
  expect((await stepsOf(gone.calibration.run(NEVER))).models[0]?.clips).toBe(29);
  const there = await calibrationOf({ videos: 30 }, { folder: has(true), media: fails });
  await expect(stepsOf(there.calibration.run(NEVER))).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
});

it('tells how long the rest will take', async () => {
  let now = 0;
  const { calibration } = await calibrationOf({ videos: 30 }, { now: () => 2_000 * now++ });
  const { progress } = await stepsOf(calibration.run(NEVER));
  expect(progress.slice(0, 5)).toEqual([
    { type: 'progress', done: 0, of: 30, secondsLeft: null },
    { type: 'progress', done: 1, of: 30, secondsLeft: null },
    { type: 'progress', done: 2, of: 30, secondsLeft: null },
    { type: 'progress', done: 3, of: 30, secondsLeft: 54 },
    { type: 'progress', done: 4, of: 30, secondsLeft: 52 },
  ]);
});

it('goes on once at a time, and another time after it was ended', async () => {
  const { calibration, told } = await calibrationOf({ videos: 30 });
  const stop = new AbortController();
  const running = calibration.run(stop.signal);
  await running.next();
  await expect(calibration.run(NEVER).next()).rejects.toMatchObject({ code: 'OVERLOADED' });
  stop.abort(new Error('stopped'));
  await expect(running.next()).rejects.toThrow('stopped');
  expect(told).toEqual([]);
  const left = calibration.run(NEVER);
  await left.next();
  await left.return(undefined); // nobody looks on any more
  expect((await stepsOf(calibration.run(NEVER))).models).toHaveLength(2);
});

it('refuses to write into a folder in which another model lies by now, and has what was written used', async () => {
  const { calibration, told } = await calibrationOf({ videos: 30 });
  await rm(join(folder.path, 'sounds'), { recursive: true });
  await expect(stepsOf(calibration.run(NEVER))).rejects.toMatchObject({ code: 'MODEL_INVALID' });
  expect(told).toEqual(['measured']);
  expect((await read('pictures')).manifest.measured).toEqual({ by: 30, at: NOW });
});

it('says what is missing without models, or without a program that reads videos', async () => {
  const library = measuredLibrary({ videos: 30 });
  const more = { now: () => NOW, onMeasured: async () => undefined };
  const blind = new ClipCalibration({
    ...{ ...library, ...more, media: async () => library.media as unknown as MediaTool },
    models: () => ({ vectors: null, files: [] }),
  });
  await expect(stepsOf(blind.run(NEVER))).rejects.toMatchObject({ said: { message: { key: 'clips.noModels' } } });
  const deaf = new ClipCalibration({
    ...{ ...library, ...more, media: async () => undefined },
    models: () => ({ vectors: library.models, files: [] }),
  });
  await expect(stepsOf(deaf.run(NEVER))).rejects.toMatchObject({ said: { message: { key: 'clips.noMedia' } } });
});
