import { cosine } from '../../../../base/cosine.ts';
import type { SpaceThresholds } from '../../../../clips/models/space-thresholds.ts';

/** Why a clip adds nothing: it is in the submission once more, or others have handed in one that is as good as the same. */
export type NotNew = 'repeated' | 'known';

/** By what a clip or a sound is told from others. */
export interface Distinct {
  vector: Float32Array;
  /** As of a `SubmittedClip`. */
  distanceToKnown: number | null;
}

/**
 * Which clips of a submission add nothing: first those of which another one comes later, then those that are near to one left after them, or to what others have handed
 * in (OMEGA, B5, steps 7 to 9; there the two distances of step 9 are put beside each other after one of the lists has become shorter).
 *
 * @returns for each, in their order, why it is not new; undefined where it is
 */
export function notNew(
  clips: readonly Distinct[],
  { same, novel }: Pick<SpaceThresholds, 'same' | 'novel'>,
): (NotNew | undefined)[] {
  const isRepeated = clips.map(({ vector }, at) => nearest(vector, clips.slice(at + 1)) > same);
  return clips.map(({ vector, distanceToKnown }, at) => {
    const left = clips.slice(at + 1).filter((_, later) => !isRepeated[at + 1 + later]);
    if (isRepeated[at] || 1 - nearest(vector, left) < novel) return 'repeated';
    return distanceToKnown !== null && distanceToKnown < novel ? 'known' : undefined;
  });
}

const nearest = (vector: Float32Array, others: readonly Distinct[]) =>
  Math.max(-1, ...others.map((other) => cosine(vector, other.vector)));
