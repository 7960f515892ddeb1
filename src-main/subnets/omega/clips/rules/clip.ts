import type { TextVectors } from '../../../../clips/models/clip-models.ts';

/** What is seen and heard in a stretch as numbers, as its miner says or as the validator finds it. */
export interface ReadVectors {
  /** Null of a sound, of which nobody sends it. */
  seen: Float32Array | null;
  /** Null without sound. */
  heard: Float32Array | null;
}

/** A clip and what is said of it, as numbers that the validator reckoned, or has found to be right. */
export interface DescribedVectors extends ReadVectors {
  seen: Float32Array;
  description: TextVectors;
}

/** One clip of a submission. */
export interface SubmittedClip extends DescribedVectors {
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
