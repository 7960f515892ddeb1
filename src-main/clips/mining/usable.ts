import type { FoundVideo } from '../../../src-preload/contract/data.ts';
import { LEAST_CLIP_SECONDS } from '../../../src-preload/contract/data-limits.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import type { Sources, TakeDowns } from './ports.ts';

export interface UsableOptions {
  sources: Pick<Sources, 'whyUnusable'>;
  takeDowns: TakeDowns;
}

/** Why no clip may be made of a video; undefined where one may. */
export async function unusableBecause(
  video: FoundVideo,
  { sources, takeDowns }: UsableOptions,
): Promise<Saying | undefined> {
  const reason = sources.whyUnusable(video);
  if (reason) return reason;
  if (video.seconds !== null && video.seconds < LEAST_CLIP_SECONDS)
    return say('clips.tooShort', { least: LEAST_CLIP_SECONDS });
  return (await takeDowns.isTakenDown(video)) ? say('clips.takenDown') : undefined;
}
