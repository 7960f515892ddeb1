import type { ClipVectorsByKind } from '../../store/clips/clips.ts';
import type { MediaTool, Span } from '../media/media.ts';
import { type ClipModels, PICTURE_SIDE, PICTURES_OF_A_CLIP, SOUND_RATE } from '../models/clip-models.ts';

/** A clip's file as numbers: what is seen in it, and what is heard. */
export async function fileVectors(
  path: string,
  span: Span,
  { media, models, signal }: { media: MediaTool; models: ClipModels; signal: AbortSignal },
): Promise<ClipVectorsByKind> {
  const pictures = await media.pictures(path, span, { count: PICTURES_OF_A_CLIP, side: PICTURE_SIDE, signal });
  const seen = await models.pictures(pictures, signal);
  const sound = await media.sound(path, span, { rate: SOUND_RATE, signal });
  const heard = sound && (await models.sound(sound, signal));
  return { seen, ...(heard && { heard }) };
}

/** What is said of a clip as numbers: among pictures, and among sounds. */
export async function textVectors(
  description: string,
  models: ClipModels,
  signal: AbortSignal,
): Promise<ClipVectorsByKind> {
  const [vectors] = await models.texts([description], signal);
  if (!vectors) throw new Error('the models gave no numbers for a text');
  return { 'described-seen': vectors.seen, ...(vectors.heard && { 'described-heard': vectors.heard }) };
}
