import { expect, it } from 'vitest';
import { MediaPlace } from '../../../../src-main/clips/media/media-place.ts';
import { say } from '../../../../src-preload/contract/saying.ts';

const FOUND = { ffmpeg: '/bin/ffmpeg', ffprobe: '/bin/ffprobe', version: '7.1' };
const LACKS = { lacks: say('clips.media.none'), hint: say('clips.media.getLinux') };

it('looks for ffmpeg when it is wanted, again where it was not there, and when the setting is another', async () => {
  const asked: (string | undefined)[] = [];
  const clock = { now: 0, path: undefined as string | undefined, isThere: false };
  const place = new MediaPlace({
    path: () => clock.path,
    now: () => clock.now,
    find: async ({ path }) => {
      asked.push(path);
      return clock.isThere ? FOUND : LACKS;
    },
  });
  expect(asked).toEqual([]);
  expect(await place.tool()).toBeUndefined();
  expect(await place.ability()).toMatchObject({ ability: 'media', isReady: false, by: null });
  expect((await place.ability()).lost?.text).toMatch(/^The program ffmpeg, .+ is not on this computer\. Without it /);
  expect(asked.length).toBe(1);
  Object.assign(clock, { isThere: true, now: 9_999 });
  expect(await place.tool()).toBeUndefined();
  clock.now = 10_000;
  const tool = await place.tool();
  expect(tool?.version).toBe('7.1');
  clock.now = 1e9;
  expect(await place.tool()).toBe(tool);
  expect(await place.ability()).toMatchObject({ isReady: true, by: 'ffmpeg 7.1', lost: null });
  clock.path = '/opt/ffmpeg';
  expect(await place.tool()).not.toBe(tool);
  expect(asked).toEqual([undefined, undefined, '/opt/ffmpeg']);
});
