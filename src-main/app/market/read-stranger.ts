import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { MediaTools } from '../../focus/media/media-job.ts';
import type { ProcessSpawner } from '../../process/process-spawner.ts';
import { NoVideo, VideoFailed } from '../../subnets/omega/market/server/examination.ts';

/** An hour and a half of pictures, each decoded, takes some minutes; what takes longer than this was made to. */
const DEADLINE_MS = 30 * 60_000;
/** For the 3,600 pictures that a video may have from one key frame to the next: nothing is said before one of them is taken. */
const QUIET_MS = 5 * 60_000;

/**
 * Reads a file of a stranger in a process of its own.
 * @throws NoVideo for what is wrong with the file, VideoFailed where the process dies or takes too long; the signal’s reason
 */
export async function readStranger<T>(
  read: (tools: MediaTools) => Promise<T>,
  spawner: ProcessSpawner | undefined,
  signal: AbortSignal,
): Promise<T> {
  try {
    return await read({ spawner, signal, deadlineMs: DEADLINE_MS, quietMs: QUIET_MS });
  } catch (error) {
    if (signal.aborted) throw error;
    const { code, message } = QuarryError.from(error);
    if (code === 'BAD_REQUEST') throw new NoVideo(message);
    throw code === 'INTERNAL' ? new VideoFailed(message, { cause: error }) : error;
  }
}
