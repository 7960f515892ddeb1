import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openMediaTool } from '../../src-main/clips/media/find-media-tool.ts';
import { type RawPicture, UnusableMedia } from '../../src-main/clips/media/media.ts';
import { MOST_CLIP_SECONDS } from '../../src-preload/contract/data-limits.ts';
import { USABLE_LICENCES } from '../../src-preload/contract/data-names.ts';
import { fakeWorld } from '../support/fake-world/fake-world.ts';
import { makeFakeWorld } from '../support/fake-world/make-world.ts';
import { PLANTED } from '../support/fake-world/plan.ts';
import { temporaryFolder } from '../support/quarry-process.ts';

const world = await fakeWorld();
const { signal } = new AbortController();

describe.skipIf(!world)('the fake world', () => {
  const { folder = '', clips = [] } = world ?? {};
  const path = (file: string) => join(folder, file);
  const planted = (kind: string) => clips.filter((clip) => clip.planted === kind);

  it('has each thing that is planted, and some that are as they should be', () => {
    expect(new Set(clips.map((clip) => clip.planted))).toEqual(new Set([null, ...PLANTED]));
    const unusable = clips.filter(({ licence }) => !USABLE_LICENCES.includes(licence)).map((clip) => clip.planted);
    expect(unusable.sort()).toEqual(['noDerivatives', 'unknownLicence']);
  });

  it('is as its manifest says', async () => {
    const tool = await openMediaTool();
    for (const clip of clips) {
      if (clip.planted === 'truncated') continue;
      const facts = await tool.probe(path(clip.file), { signal });
      expect([clip.file, facts.width, facts.height]).toEqual([clip.file, clip.width, clip.height]);
      expect(Math.abs(facts.seconds - clip.seconds)).toBeLessThan(0.3);
      expect(facts.audioCodec === null).toBe(clip.planted === 'silent');
      expect(facts.seconds).toBeLessThan(MOST_CLIP_SECONDS);
    }
  });

  it('has files of which half is gone', async () => {
    const tool = await openMediaTool();
    for (const { file, seconds } of planted('truncated')) {
      const left = await tool.probe(path(file), { signal }).then(
        (facts) => facts.seconds,
        (error) => (error instanceof UnusableMedia ? 0 : Promise.reject(error)),
      );
      expect(left).toBeLessThan(0.8 * seconds);
    }
  });

  it('has copies that show the same with other bytes', async () => {
    const tool = await openMediaTool();
    const look = async (file: string) =>
      (await tool.pictures(path(file), { from: 1, to: 5 }, { count: 1, side: 160, signal }))[0] as RawPicture;
    for (const { file, copyOf } of planted('duplicate')) {
      const original = clips.find(({ name }) => name === copyOf);
      const other = clips.find(({ name, planted: kind }) => name !== copyOf && kind === null);
      const [copy, same, different] = [
        await look(file),
        await look(original?.file ?? ''),
        await look(other?.file ?? ''),
      ];
      expect(await readFile(path(file))).not.toEqual(await readFile(path(original?.file ?? '')));
      expect(distance(copy, same)).toBeLessThan(15);
      expect(distance(copy, different)).toBeGreaterThan(25);
    }
  });

  it('knows who speaks when, and what', () => {
    const spoken = clips.filter(({ turns }) => turns.length > 0);
    expect(spoken.length).toBeGreaterThan(2);
    for (const { turns, words, seconds, sound } of spoken) {
      expect(words.length).toBe(turns.length);
      for (const [index, { from, to }] of turns.entries()) {
        expect(from).toBeGreaterThanOrEqual(turns[index - 1]?.to ?? 0);
        expect(to).toBeLessThanOrEqual(seconds);
      }
      const speakers = new Set(turns.map(({ speaker }) => speaker)).size;
      expect(speakers).toBe(sound === 'conversation' ? 2 : 1);
    }
    for (const { sound, turns } of planted('twoSpeakers'))
      expect([sound, turns.length >= 2]).toEqual(['conversation', true]);
  });

  it('is the same each time', async () => {
    const other = await temporaryFolder();
    const { clips: again } = await makeFakeWorld(other.path, 2);
    expect(again).toEqual(clips.slice(0, 2));
    for (const { file } of again) expect(await readFile(join(other.path, file))).toEqual(await readFile(path(file)));
    await other.remove();
  });
});

/** Steps of a byte, of the picture as a whole: they have different shapes, so a few places are compared. */
function distance(one: RawPicture, other: RawPicture): number {
  let sum = 0;
  for (let row = 0; row < 32; row++)
    for (let column = 0; column < 32; column++) sum += at(one, other, column / 32, row / 32);
  return sum / (32 * 32);
}

function at(one: RawPicture, other: RawPicture, x: number, y: number): number {
  const [first, second] = [one, other].map(({ width, height, rgb }) => {
    const begin = 3 * (Math.floor(y * height) * width + Math.floor(x * width));
    return rgb.subarray(begin, begin + 3);
  }) as [Uint8Array, Uint8Array];
  return first.reduce((sum, value, index) => sum + Math.abs(value - (second[index] ?? 0)), 0) / 3;
}
