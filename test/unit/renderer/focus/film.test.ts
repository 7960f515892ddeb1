import { expect, it } from 'vitest';
import {
  chapterAt,
  chapterFrom,
  offsetOf,
  pictureAt,
  pictureOfChapter,
  picturesAcross,
} from '../../../../src-renderer/pages/focus/review/film/film.ts';

const STRIP = { columns: 10, width: 160, height: 90, times: [0, 2_000, 4_000, 6_000] };
const CHAPTERS = [0, 21_000, 43_000];

it('the picture of a time is the last that had begun; of a chapter the first after its beginning', () => {
  expect([0, 1_999, 2_000, 9_000].map((atMs) => pictureAt(STRIP, atMs))).toEqual([0, 0, 1, 3]);
  expect(pictureAt({ times: [500] }, 0)).toBe(0);
  expect([0, 2_000, 3_000, 6_000].map((begin) => pictureOfChapter(STRIP, begin))).toEqual([1, 2, 2, 3]);
});

it('as many pictures are beside each other as have room, each of its piece of time', () => {
  expect(picturesAcross(STRIP, { width: 320, height: 45 }, 8_000)).toEqual([0, 1, 2, 3]);
  expect(picturesAcross(STRIP, { width: 170, height: 45 }, 8_000)).toEqual([1, 3]);
  expect(picturesAcross(STRIP, { width: 20, height: 45 }, 8_000)).toEqual([2]);
  expect(picturesAcross(STRIP, { width: 0, height: 45 }, 8_000)).toEqual([]);
  expect(picturesAcross({ ...STRIP, times: [] }, { width: 320, height: 45 }, 8_000)).toEqual([]);
});

it('the file is moved so that one of its pictures is seen', () => {
  expect(offsetOf(STRIP, 0)).toEqual({ width: '1000%', left: '0%', top: '0%' });
  expect(offsetOf(STRIP, 23)).toEqual({ width: '1000%', left: '-300%', top: '-200%' });
});

it('goes to the chapter after, back to where this one began, and at its beginning to the one before', () => {
  expect(chapterFrom(CHAPTERS, 0, 'next')).toBe(21_000);
  expect(chapterFrom(CHAPTERS, 20_999.7, 'next')).toBe(43_000); // a video stands a fraction before where it was sent
  expect(chapterFrom(CHAPTERS, 50_000, 'next')).toBeUndefined();
  expect(chapterFrom(CHAPTERS, 50_000, 'back')).toBe(43_000);
  expect(chapterFrom(CHAPTERS, 43_500, 'back')).toBe(21_000);
  expect(chapterFrom(CHAPTERS, 300, 'back')).toBe(0);
  expect(chapterFrom([], 300, 'back')).toBeUndefined();
  expect([0, 20_999.7, 22_000, 90_000].map((atMs) => chapterAt(CHAPTERS, atMs))).toEqual([0, 1, 1, 2]);
});
