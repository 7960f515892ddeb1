import { fingerprintVideo, inspectVideo } from '../../focus/media/media-job.ts';
import type { ProcessSpawner } from '../../process/process-spawner.ts';
import type { CheckVideo, PicturesOf } from '../../subnets/omega/market/server/examination.ts';
import { readStranger } from './read-stranger.ts';

/** Reads the video to its end in a process of its own, which writes nothing. */
export function videoCheck(spawner: ProcessSpawner | undefined): CheckVideo {
  return (file, mostMs, signal) => readStranger((tools) => inspectVideo(file, mostMs, tools), spawner, signal);
}

/** Decodes all of the video in such a process. */
export function videoPictures(spawner: ProcessSpawner | undefined): PicturesOf {
  return (file, durationMs, signal) => {
    const seconds = Math.ceil(durationMs / 1_000);
    return readStranger((tools) => fingerprintVideo(file, seconds, tools), spawner, signal);
  };
}
