import { rm } from 'node:fs/promises';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { makeFile } from '../../focus/media/media-job.ts';
import type { ProcessSpawner } from '../../process/process-spawner.ts';
import { type CheckVideo, NoVideo } from '../../subnets/omega/market/server/examination.ts';

/** Writes the video anew in a process of its own, and throws that away: what can be read to its end, packet by packet, is one. */
export function videoCheck(spawner: ProcessSpawner | undefined): CheckVideo {
  return async (file, signal) => {
    const copy = `${file}.checked`;
    try {
      const whole = { spans: null, mute: false, boxes: [], container: 'webm' as const, tags: null };
      const tools = { spawner, signal, overwrite: true };
      return await makeFile({ task: 'edit' as const, from: file, ...whole }, copy, tools);
    } catch (error) {
      const { code, message } = QuarryError.from(error);
      throw code === 'BAD_REQUEST' ? new NoVideo(message) : error;
    } finally {
      await rm(copy, { force: true });
    }
  };
}
