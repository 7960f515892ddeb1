import { cosine } from '../../../../base/cosine.ts';
import type { TextVectors } from '../../../../clips/models/clip-models.ts';
import type { SpaceThresholds } from '../../../../clips/models/space-thresholds.ts';
import type { DescribedVectors, SubmittedClip } from './clip.ts';

/** What the picture counts for how well a description fits, and what the sound does (OMEGA, B2). */
export const VIDEO_SHARE = 0.65;
const AUDIO_SHARE = 1 - VIDEO_SHARE;
/** What the description's text earns at the most for being about the topic (B5, step 11). */
const MOST_OF_TEXT = 0.5;

/** How well a description fits picture and sound, −1 to 1. A clip without sound is measured by its picture alone. */
export function descriptionRelevance(
  { seen, heard, description }: DescribedVectors,
  closest: SpaceThresholds['closest'],
): number {
  const ofPicture = closeness(seen, description.seen, closest);
  if (!heard || !description.heard) return ofPicture;
  return VIDEO_SHARE * ofPicture + AUDIO_SHARE * closeness(heard, description.heard, closest);
}

/**
 * How well a clip fits the topic that was asked for: picture, sound and text count alike, a sound that is not there counts nothing.
 * @param textCloseness cosine of description and topic as texts
 * @param closest see {@link SpaceThresholds}
 */
export function topicRelevance(
  { seen, heard, textCloseness }: Pick<SubmittedClip, 'seen' | 'heard' | 'textCloseness'>,
  topic: TextVectors,
  closest: SpaceThresholds['closest'],
): number {
  const ofSound = heard && topic.heard ? closeness(heard, topic.heard, closest) : 0;
  const text = Math.min(MOST_OF_TEXT, textCloseness ** 2);
  return (closeness(seen, topic.seen, closest) + ofSound + text) / 3;
}

const closeness = (one: Float32Array, other: Float32Array, closest: number) => Math.min(closest, cosine(one, other));
