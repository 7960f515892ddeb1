import type { ClipVectorsByKind } from '../../store/clips/clips.ts';
import type { ClipModels } from '../models/clip-models.ts';
import { type ReadingTools, readCut } from './read-cut.ts';

/** A clip's file as numbers, as they are kept: what is seen in it, and what is heard. @throws as {@link readCut} */
export async function fileVectors(
  clip: string,
  tools: ReadingTools,
): Promise<ClipVectorsByKind & { seen: Float32Array }> {
  const { seen, heard } = await readCut(clip, tools);
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
