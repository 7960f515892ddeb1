import type { TextVectors } from '../../../../clips/models/clip-models.ts';

/** A clip and what is said of it, as numbers that the validator reckoned, or has found to be right. */
export interface ClipVectors {
  video: Float32Array;
  /** null for a clip without sound. */
  audio: Float32Array | null;
  description: TextVectors;
}

/** One clip of a submission. */
export interface SubmittedClip extends ClipVectors {
  /** Where it begins and ends in its video, seconds. */
  from: number;
  to: number;
  /** Of the description, by pieces of 60 tokens; one that is shorter than 5 is none. */
  pieces: readonly TextVectors[];
  /** Different tokens of the description. */
  uniqueTokens: number;
  /** How close description and topic are as texts, a cosine. */
  textCloseness: number;
  /** 1 − the cosine of the nearest clip that others have handed in; null where that could not be asked. */
  distanceToKnown: number | null;
}
