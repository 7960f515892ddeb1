import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src-main/base/seeded-random.ts';
import { type MediaTool, type RawPicture, type RawSound, UnusableMedia } from '../../src-main/clips/media/media.ts';
import { type Film, lengthOf, writeFilm } from './fake-world/film.ts';
import { paintScene } from './fake-world/paint.ts';
import { randomScene } from './fake-world/scene.ts';

const RATE = 16_000;
const random = seededRandom(7);
/** Three scenes; after four seconds a tone. */
const FILM: Omit<Film, 'format'> = {
  shots: [
    { scene: randomScene(random, { shape: 'circle', colour: 'red', background: 'black' }), seconds: 6 },
    { scene: randomScene(random, { shape: 'star', colour: 'yellow', background: 'checkered' }), seconds: 5 },
    { scene: randomScene(random, { shape: 'square', colour: 'blue', background: 'gradient' }), seconds: 5 },
  ],
  sound: toneAfter(4, 16),
  width: 320,
  height: 180,
  keySeconds: 2,
};
const FORMATS = ['webm', 'mp4'] as const;
const signal = new AbortController().signal;

/** What every {@link MediaTool} promises. @param skipped why it cannot be tried here */
export function mediaToolContract(name: string, open: () => Promise<MediaTool>, skipped: string | undefined): void {
  describe.skipIf(skipped)(`${name} as a media tool${skipped ? `: skipped, ${skipped}` : ''}`, () => {
    let tool: MediaTool;
    let folder: string;
    const path = (file: string) => join(folder, file);

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'quarry-media-'));
      tool = await open();
      for (const format of FORMATS) await writeFilm(path(`film.${format}`), { ...FILM, format });
      await writeFilm(path('silent.webm'), { ...FILM, sound: null, format: 'webm' });
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    it.each(FORMATS)('says what a file is (%s)', async (format) => {
      const facts = await tool.probe(path(`film.${format}`), { signal });
      const codecs =
        format === 'webm' ? { videoCodec: 'vp9', audioCodec: 'opus' } : { videoCodec: 'h264', audioCodec: 'aac' };
      expect(facts).toMatchObject({ width: 320, height: 180, ...codecs });
      expect(facts.seconds).toBeCloseTo(lengthOf(FILM), 0);
      expect(facts.keyFrames.length).toBeGreaterThanOrEqual(8);
      expect(facts.keyFrames[0]).toBeLessThan(0.1);
      expect(facts.bytes).toBeGreaterThan(10_000);
    });

    it.each(FORMATS)('finds where scenes begin (%s)', async (format) => {
      const scenes = await tool.scenes(path(`film.${format}`), { from: 0, to: 16 }, { signal });
      expect(scenes.length).toBe(2);
      for (const [index, at] of [6, 11].entries()) expect(Math.abs((scenes[index] ?? 0) - at)).toBeLessThanOrEqual(0.3);
      const later = await tool.scenes(path(`film.${format}`), { from: 8, to: 16 }, { signal });
      expect(later.map(Math.round)).toEqual([11]);
    });

    it.each(FORMATS)(
      'takes pictures evenly, in order, as they were drawn, the same ones each time (%s)',
      async (format) => {
        const wanted = { count: 8, side: 160, signal };
        const pictures = await tool.pictures(path(`film.${format}`), { from: 0, to: 16 }, wanted);
        expect(pictures.map(({ width, height }) => [width, height])).toEqual(Array(8).fill([160, 90]));
        for (const [index, picture] of pictures.entries()) expect(difference(picture, 2 * index + 1)).toBeLessThan(12);
        const again = await tool.pictures(path(`film.${format}`), { from: 0, to: 16 }, wanted);
        expect(again).toEqual(pictures);
      },
    );

    it('takes pictures of a stretch, never larger than they are', async () => {
      const [picture] = await tool.pictures(path('film.webm'), { from: 12, to: 13 }, { count: 1, side: 2_000, signal });
      expect(picture).toMatchObject({ width: 320, height: 180 });
      expect(difference(picture as RawPicture, 12.5)).toBeLessThan(12);
    });

    it.each(FORMATS)('hears a stretch at the rate that is wanted (%s)', async (format) => {
      const sound = await tool.sound(path(`film.${format}`), { from: 2, to: 8 }, { rate: 8_000, signal });
      expect(sound?.rate).toBe(8_000);
      expect(sound?.samples.length).toBeGreaterThan(5.9 * 8_000);
      expect(sound?.samples.length).toBeLessThan(6.1 * 8_000);
      expect(loudness(sound as RawSound, 0.1, 1.8)).toBeLessThan(0.01);
      expect(loudness(sound as RawSound, 2.2, 5.8)).toBeGreaterThan(0.2);
    });

    it('says that there is no sound', async () => {
      expect(await tool.sound(path('silent.webm'), { from: 0, to: 5 }, { rate: RATE, signal })).toBeNull();
      expect(await tool.probe(path('silent.webm'), { signal })).toMatchObject({ audioCodec: null });
    });

    it.each(FORMATS)('cuts from key frame to end, and all of it is there (%s)', async (format) => {
      const { keyFrames } = await tool.probe(path(`film.${format}`), { signal });
      const from = keyFrames.find((at) => at >= 3) as number;
      const made = await tool.cut(path(`film.${format}`), { from, to: from + 6 }, path('cut'), { signal });
      expect(made.seconds).toBeCloseTo(6, 0);
      expect(await tool.probe(path('cut'), { signal })).toEqual(made);
      const begin = made.keyFrames[0] as number;
      const [picture] = await tool.pictures(
        path('cut'),
        { from: begin, to: begin + 1 },
        { count: 1, side: 320, signal },
      );
      expect(difference(picture as RawPicture, from + 0.5)).toBeLessThan(12);
      expect(await readdir(folder)).not.toContain('cut.part');
    });

    it('begins a copy at the key frame before', async () => {
      const { keyFrames } = await tool.probe(path('film.webm'), { signal });
      const from = (keyFrames[2] as number) + 0.9;
      const made = await tool.cut(path('film.webm'), { from, to: 12 }, path('cut'), { signal });
      expect(made.seconds).toBeCloseTo(12 - (keyFrames[2] as number), 0);
    });

    it('shows one picture as JPEG', async () => {
      const jpeg = await tool.jpeg(path('film.mp4'), 3, { side: 100, signal });
      expect(Buffer.from(jpeg.subarray(0, 3)).toString('hex')).toBe('ffd8ff');
    });

    it('takes the last picture where there is none after a time', async () => {
      expect((await tool.jpeg(path('film.webm'), 15.99, { side: 100, signal })).length).toBeGreaterThan(500);
      expect(
        (await tool.pictures(path('film.webm'), { from: 15.99, to: 20 }, { count: 4, side: 64, signal })).length,
      ).toBe(1);
    });

    it.each([
      ['text', 'damaged', 'This is no video, whatever it is called.\n'.repeat(50)],
      ['nothing', 'damaged', ''],
    ])('says that a file is to blame: %s', async (_, fault, content) => {
      await writeFile(path('wrong.mp4'), content);
      await expect(tool.probe(path('wrong.mp4'), { signal })).rejects.toMatchObject({ fault });
      await expect(
        tool.pictures(path('wrong.mp4'), { from: 0, to: 5 }, { count: 2, side: 64, signal }),
      ).rejects.toThrow(UnusableMedia);
      await expect(tool.cut(path('wrong.mp4'), { from: 0, to: 5 }, path('none'), { signal })).rejects.toThrow(
        UnusableMedia,
      );
      expect(await readdir(folder)).not.toContain('none');
    });

    it('blames no file that is not there', async () => {
      await expect(tool.probe(path('nowhere.mp4'), { signal })).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    });

    it('stops when it is told to, with the reason', async () => {
      const stop = new AbortController();
      const scenes = tool.scenes(path('film.webm'), { from: 0, to: 16 }, { signal: stop.signal });
      stop.abort(new Error('enough'));
      await expect(scenes).rejects.toThrow('enough');
      await expect(tool.probe(path('film.webm'), { signal: stop.signal })).rejects.toThrow('enough');
    });
  });
}

function toneAfter(begin: number, seconds: number): RawSound {
  const samples = new Float32Array(seconds * RATE);
  for (let index = begin * RATE; index < samples.length; index++) samples[index] = 0.5 * Math.sin(index / 5);
  return { samples, rate: RATE };
}

/** From what the film has at a time, in steps of a byte a pixel. */
function difference({ width, height, rgb }: RawPicture, seconds: number): number {
  const [first, second, third] = FILM.shots as [Film['shots'][0], Film['shots'][0], Film['shots'][0]];
  const [shot, begin] = seconds < 6 ? [first, 0] : seconds < 11 ? [second, 6] : [third, 11];
  const drawn = paintScene(shot.scene, seconds - begin, { width, height }).rgb;
  return rgb.reduce((sum, value, index) => sum + Math.abs(value - (drawn[index] ?? 0)), 0) / rgb.length;
}

/** Root of the mean square. */
function loudness({ samples, rate }: RawSound, from: number, to: number): number {
  const part = samples.subarray(Math.round(from * rate), Math.round(to * rate));
  return Math.sqrt(part.reduce((sum, sample) => sum + sample * sample, 0) / part.length);
}
