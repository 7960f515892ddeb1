import { stat } from 'node:fs/promises';
import type { Container } from '../../../src-preload/contract/focus.ts';
import type { MadeVideo } from './media-tasks.ts';
import { VideoReader } from './video-reader.ts';

/** The clock of a file is read in seconds, and written in milliseconds. */
const TOLERANCE_MS = 2;

/**
 * Reads a video that was made: whether it has its tracks, begins with a whole picture and says how long it is.
 * @throws Error where it does not
 */
export async function checkMade(
  path: string,
  expected: Omit<MadeVideo, 'bytes'>,
  container: Container = 'webm',
): Promise<MadeVideo> {
  await using made = await VideoReader.open(path, { container });
  const shape = await made.shape();
  if (!shape) throw new Error('The video that was written has no pictures.');
  if ((shape.audio !== null) !== expected.hasSound)
    throw new Error('The video that was written has other sound than it should.');
  const durationMs = (await made.durationMs()) ?? 0;
  if (Math.abs(durationMs - expected.durationMs) > TOLERANCE_MS)
    throw new Error(`The video that was written says that it has ${durationMs} ms, and not ${expected.durationMs}.`);
  const { size } = await stat(path);
  if (made.bytes !== size) throw new Error('The video that was written is not whole.');
  return { ...expected, bytes: size };
}
