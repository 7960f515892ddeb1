import type { Span } from './media.ts';
import { guardedSpan, PICTURE } from './strange-file.ts';

/** So different two pictures a quarter of a second apart are where something else begins: ffmpeg's own measure, 0 to 1. */
const DIFFERENT = 0.2;
const LOOKS_A_SECOND = 4;

/**
 * Arguments that say when something else begins to be seen. Small pictures are compared, a few a second; pictures on which no other depends, and the
 * smoothing of blocks, are not worth their time here.
 */
export function scenesIn(path: string, span: Span): string[] {
  const small = `fps=${LOOKS_A_SECOND},scale=96:54:flags=fast_bilinear`;
  const filter = `${small},select='gt(scene,${DIFFERENT})',metadata=print:key=lavfi.scene_score:file=-`;
  const input = ['-skip_frame', 'noref', '-skip_loop_filter', 'all', ...guardedSpan(path, span)];
  return [...input, '-map', PICTURE, '-vf', filter, '-f', 'null', '-'];
}

/** A line for each, and one for its measure. */
export const MOST_SCENE_BYTES = 1_000 * 200;

/** The first pictures of a stretch differ by how they are encoded: nothing new begins so soon. */
const SETTLED_SECONDS = 0.4;

/** @param text as the filter prints it @returns seconds in the video, in order, none at the very beginning */
export function scenesOf(text: string, { from, to }: Span): number[] {
  const times = [...text.matchAll(/^frame:\d+ .*pts_time:(\d+(?:\.\d+)?)/gm)].map(([, at]) => from + Number(at));
  return times.filter((at) => at > from + SETTLED_SECONDS && at < to);
}
