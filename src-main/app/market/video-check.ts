import { rm } from 'node:fs/promises';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { makeVideo } from '../../focus/media/media-job.ts';
import type { ProcessSpawner } from '../../process/process-spawner.ts';
import { type CheckVideo, NoVideo } from '../../subnets/omega/market/server/examination.ts';

/** Writes the video anew in a process of its own, and throws that away: what can be read to its end, packet by packet, is one. */
export function videoCheck(spawner: ProcessSpawner | undefined): CheckVideo {
  return async (file, signal) => {
    const copy = `${file}.checked`;
    try {
      return await makeVideo({ task: 'edit', from: file, spans: null, mute: false }, copy, {
        spawner,
        signal,
        overwrite: true,
      });
    } catch (error) {
      const { code, message } = QuarryError.from(error);
      throw code === 'BAD_REQUEST' ? new NoVideo(message) : error;
    } finally {
      await rm(copy, { force: true });
    }
  };
}
