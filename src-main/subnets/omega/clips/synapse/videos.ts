import { z } from 'zod';
import { MAX_TOPIC_CHARS, MOST_CLIPS_ASKED } from '../../../../../src-preload/contract/data-limits.ts';
import { defineSynapse } from '../../../../bittensor/synapse/synapse.ts';

const ANY = z.unknown().optional();
export const topicSchema = z.string().trim().min(1).max(MAX_TOPIC_CHARS);
export const countSchema = z.int().min(1).max(MOST_CLIPS_ASKED);

/** A question for clips of a topic as an axon takes it (OMEGA, B1). What the asker says of clips itself is not looked at. */
export const VIDEOS = defineSynapse({
  name: 'Videos',
  fields: { query: topicSchema, num_videos: countSchema, video_metadata: ANY },
});

/** The same as it is asked. What comes back is read as `handed-in.ts` says; a miner that repeats the question in a way of its own has answered it all the same. */
export const VIDEOS_ASKED = defineSynapse({
  name: 'Videos',
  fields: { query: z.string(), num_videos: z.int(), video_metadata: ANY },
});
