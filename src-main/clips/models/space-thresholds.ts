import type { z } from 'zod';
import type { ClipModel, thresholdsSchema } from './files/model-manifest.ts';

/** From where on cosines mean something in a space: see {@link thresholdsSchema}. */
export type SpaceThresholds = z.infer<typeof thresholdsSchema>;

/**
 * Those of two models as one, for rules that hold pictures and sounds to the same numbers: what is held to be the same, or unlike, is so for both.
 * @returns null where one of them was not measured
 */
export function thresholdsOf({
  pictures,
  sounds,
}: {
  pictures: ClipModel<'pictures'> | null;
  sounds: ClipModel<'sounds'> | null;
}): SpaceThresholds | null {
  const seen = pictures?.manifest.thresholds;
  if (!seen || !sounds) return seen ?? null;
  const heard = sounds.manifest.thresholds;
  if (!heard) return null;
  return {
    same: Math.min(seen.same, heard.same),
    // Whether a clip is known is asked of its pictures alone; sounds without pictures are held to the sounds’ own.
    novel: seen.novel,
    unrelated: (seen.unrelated + heard.unrelated) / 2,
    closest: Math.max(seen.closest, heard.closest),
  };
}
