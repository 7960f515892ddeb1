import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { inspectVideo } from '../../focus/media/media-job.ts';
import type { ProcessSpawner } from '../../process/process-spawner.ts';
import { type CheckVideo, NoVideo } from '../../subnets/omega/market/server/examination.ts';

/** Reads the video to its end in a process of its own, which writes nothing. */
export function videoCheck(spawner: ProcessSpawner | undefined): CheckVideo {
  return async (file, mostMs, signal) => {
    try {
      return await inspectVideo(file, mostMs, { spawner, signal });
    } catch (error) {
      const { code, message } = QuarryError.from(error);
      throw code === 'BAD_REQUEST' ? new NoVideo(message) : error;
    }
  };
}
