import { MOST_CLIPS } from '../../../../../src-preload/contract/data-limits.ts';
import type { TextVectors } from '../../../../clips/models/clip-models.ts';
import type { SpaceThresholds } from '../../../../clips/models/space-thresholds.ts';
import { isOfLength } from './admissible.ts';
import type { SubmittedClip } from './clip.ts';
import { detailFactor } from './detail.ts';
import { type NotNew, notNew } from './novelty.ts';
import { descriptionRelevance, topicRelevance } from './relevance.ts';
import { isStuffed } from './stuffing.ts';

/** What whoever answers gets at the least, and who is shown to lie (B2). */
export const [LEAST_SCORE, LIE_SCORE] = [0.005, -5] as const;
const [DESCRIPTION_WEIGHT, TOPIC_WEIGHT] = [0.7, 1.3];

/** Why a clip does not count. */
export type Uncounted = 'length' | 'tooMany' | 'stuffed' | NotNew;

/** What one clip is worth, and by what. */
export type ClipWorth =
  | { counts: false; why: Uncounted }
  | {
      counts: true;
      /** Before its length, −1 to 1. */
      descriptionRelevance: number;
      /** By the length of the description, 0.65 to 1. */
      detail: number;
      topicRelevance: number;
      /** What it adds to the submission’s score. */
      worth: number;
    };

export interface SubmissionScore {
  /** {@link LEAST_SCORE} or more. */
  score: number;
  /** In the order of the clips. */
  clips: ClipWorth[];
}

/**
 * What a submission of clips is worth that nobody has shown to be a lie (OMEGA, B5, steps 3 and 7 to 13; a description that is stuffed costs its clip, not five
 * points: nobody can prove that it was meant to deceive).
 */
export function submissionScore(
  clips: readonly SubmittedClip[],
  topic: TextVectors,
  thresholds: SpaceThresholds,
): SubmissionScore {
  const short = clips.map(({ from, to }): Uncounted | undefined =>
    isOfLength(to - from, 'videos') ? undefined : 'length',
  );
  const counted = clips.filter((_, at) => !short[at]).slice(0, MOST_CLIPS);
  const distinct = counted.map(({ seen: vector, distanceToKnown }) => ({ vector, distanceToKnown }));
  const reasons = notNew(distinct, thresholds);
  const scores = clips.map((clip, at): ClipWorth => {
    const place = counted.indexOf(clip);
    const why =
      short[at] ?? (place < 0 ? 'tooMany' : reasons[place]) ?? (isStuffed(clip, thresholds) ? 'stuffed' : undefined);
    return why ? { counts: false, why } : clipWorth(clip, topic, thresholds);
  });
  const sum = scores.reduce((total, one) => total + (one.counts ? one.worth : 0), 0);
  return { score: Math.max(LEAST_SCORE, sum), clips: scores };
}

function clipWorth(clip: SubmittedClip, topic: TextVectors, { closest }: SpaceThresholds): ClipWorth {
  const parts = {
    descriptionRelevance: descriptionRelevance(clip, closest),
    detail: detailFactor(clip.uniqueTokens),
    topicRelevance: topicRelevance(clip, topic, closest),
  };
  const described = parts.descriptionRelevance * parts.detail;
  const worth = (DESCRIPTION_WEIGHT * described + TOPIC_WEIGHT * parts.topicRelevance) / 2 / MOST_CLIPS;
  return { counts: true, ...parts, worth };
}
