import { inspectVideo } from '../../focus/media/media-job.ts';
import type { ProcessSpawner } from '../../process/process-spawner.ts';
import type { CheckVideo } from '../../subnets/omega/market/server/examination.ts';
import { readStranger } from './read-stranger.ts';

/** Reads the video to its end in a process of its own, which writes nothing. */
export function videoCheck(spawner: ProcessSpawner | undefined): CheckVideo {
  return (file, mostMs, signal) => readStranger((tools) => inspectVideo(file, mostMs, tools), spawner, signal);
}
