import type { VideoStrip } from '../../../../../src-preload/contract/focus.ts';

type Shape = Pick<VideoStrip, 'columns' | 'width' | 'height' | 'times'>;

/** Which picture is shown at a time: the last that had begun by then. */
export function pictureAt({ times }: Pick<Shape, 'times'>, atMs: number): number {
  return Math.max(
    0,
    times.findLastIndex((time) => time <= atMs),
  );
}

/** What a chapter looks like: the first picture after its beginning, for it begins with the second in which most changed. */
export function pictureOfChapter({ times }: Pick<Shape, 'times'>, begin: number): number {
  const index = times.findIndex((time) => time > begin);
  return index < 0 ? Math.max(0, times.length - 1) : index;
}

/** Pictures beside each other that fill a line, each of the middle of its piece of time. @param height of the line, pixels as its width */
export function picturesAcross(shape: Shape, line: { width: number; height: number }, durationMs: number): number[] {
  if (line.width <= 0 || shape.times.length === 0) return [];
  const count = Math.max(1, Math.floor((line.width * shape.height) / (line.height * shape.width)));
  return Array.from({ length: count }, (_, place) => pictureAt(shape, ((place + 0.5) * durationMs) / count));
}

/** What a window of the size of one picture has to do to the whole file to show that one: percentages of the window. */
export function offsetOf({ columns }: Pick<Shape, 'columns'>, index: number) {
  return {
    width: `${100 * columns}%`,
    left: `${-100 * (index % columns)}%`,
    top: `${-100 * Math.floor(index / columns)}%`,
  };
}

/** So soon after a chapter began, «back» goes to the one before. Milliseconds. */
const JUST_BEGUN_MS = 1_000;

/** Where the next chapter begins, or the one before; undefined where there is none. */
export function chapterFrom(chapters: readonly number[], atMs: number, way: 'next' | 'back'): number | undefined {
  if (way === 'next') return chapters.find((begin) => begin > Math.ceil(atMs));
  return chapters.findLast((begin) => begin < atMs - JUST_BEGUN_MS) ?? chapters[0];
}

/** The number of the chapter that a time lies in, from 0. */
export const chapterAt = (chapters: readonly number[], atMs: number): number =>
  chapters.findLastIndex((begin) => begin <= Math.ceil(atMs));
