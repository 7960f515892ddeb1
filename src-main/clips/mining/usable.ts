import type { FoundVideo } from '../../../src-preload/contract/data.ts';
import { LEAST_CLIP_SECONDS } from '../../../src-preload/contract/data-limits.ts';
import { USABLE_LICENCES } from '../../../src-preload/contract/data-names.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import type { TakeDowns } from './ports.ts';

/** Why no clip may be made of a video; undefined where one may. */
export async function unusableBecause(video: FoundVideo, takeDowns: TakeDowns): Promise<Saying | undefined> {
  if (video.licence === 'unknown') return say('clips.noLicence');
  if (!USABLE_LICENCES.includes(video.licence)) return say('clips.noDerivatives');
  if (video.seconds !== null && video.seconds < LEAST_CLIP_SECONDS)
    return say('clips.tooShort', { least: LEAST_CLIP_SECONDS });
  return (await takeDowns.isTakenDown(video)) ? say('clips.takenDown') : undefined;
}
