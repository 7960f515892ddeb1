import type { CallOptions } from '../../../../bittensor/dendrite/dendrite.ts';
import type { SynapseType } from '../../../../bittensor/synapse/synapse.ts';
import type { WantedClips } from '../../../../validation/environment.ts';
import { AUDIOS_ASKED } from './audios.ts';
import { handedInText, MOST_OF_CLIPS } from './handed-in.ts';
import { VIDEOS_ASKED } from './videos.ts';

/** Calls an axon with a synapse. @returns it as it was answered */
export type CallAxon = <Fields>(
  type: SynapseType<Fields>,
  fields: Fields,
  most: NonNullable<CallOptions['most']>,
) => Promise<Fields>;

/** Asks as OMEGA's validators do. @returns the text that is judged @throws what `call` throws */
export async function askForClips({ of, topic, count }: WantedClips, call: CallAxon): Promise<string> {
  if (of === 'videos') {
    const answer = await call(VIDEOS_ASKED, { query: topic, num_videos: count }, MOST_OF_CLIPS);
    return handedInText(of, answer.video_metadata);
  }
  const answer = await call(AUDIOS_ASKED, { query: topic, num_audios: count }, MOST_OF_CLIPS);
  return handedInText(of, answer.audio_metadata);
}
