import type { TextVectors } from '../../../src-main/clips/models/clip-models.ts';

/** A clip with all that its score is made of. */
export interface ToReckon {
  video: Float32Array;
  audio: Float32Array | null;
  description: TextVectors;
  uniqueTokens: number;
}

/**
 * What clips that count are worth, each, by the formulas as they stand in OMEGA's fact sheet (B5, steps 11 to 13), written down once more: none of the rules' own code has a part in it.
 * @param closest above which a cosine counts as this one: the sheet knows none
 */
export function reckonedWorth(clip: ToReckon, topic: TextVectors, closest: number): number {
  const { video, audio, description, uniqueTokens } = clip;
  const near = (one: Float32Array, other: Float32Array) => Math.min(closest, dot(one, other));
  const [seen, asked] = [near(video, description.seen), near(video, topic.seen)];
  const said = audio ? near(audio, description.heard as Float32Array) : null;
  const descRel = said === null ? seen : 0.65 * seen + 0.35 * said;
  const text = Math.min(0.5, dot(description.seen, topic.seen) ** 2);
  const queryRel = (asked + (audio ? near(audio, topic.heard as Float32Array) : 0) + text) / 3;
  const u = Math.min(uniqueTokens, 300);
  const f = u <= 100 ? 0 : (Math.log2(u) - Math.log2(100)) / (Math.log2(300) - Math.log2(100));
  return (0.7 * (descRel - descRel * 0.35 * (1 - f)) + 1.3 * queryRel) / 2 / 8;
}

/** Of vectors of any length. */
function dot(one: Float32Array, other: Float32Array): number {
  let [sum, ones, others] = [0, 0, 0];
  for (const [at, number] of one.entries()) {
    const against = other[at] as number;
    sum += number * against;
    ones += number * number;
    others += against * against;
  }
  return sum / Math.sqrt(ones * others);
}
