import { type SeededRandom, seededRandom } from '../../base/seeded-random.ts';
import type { ClipStore, ClipVectorsByKind, StoredClip } from '../../store/clips/clips.ts';
import type { ClipFolder } from '../kept/clip-folder.ts';
import { type MediaTool, type RawPicture, UnusableMedia } from '../media/media.ts';
import type { ClipModels, TextVectors } from '../models/clip-models.ts';
import { picturesOfCut, soundOfCut } from '../reading/read-cut.ts';
import { quieter, repacked } from './copies.ts';
import type { Reading } from './thresholds-from.ts';

export interface ReadingOptions {
  store: Pick<ClipStore, 'get' | 'vectors'>;
  folder: Pick<ClipFolder, 'video' | 'has'>;
  media: Pick<MediaTool, 'probe' | 'pictures' | 'sound'>;
  models: Pick<ClipModels, 'space' | 'pictures' | 'sound' | 'texts'>;
}

/** A clip as its models have it; null without sound, or without a model of sounds. */
export interface ClipReadings {
  pictures: Reading;
  sounds: Reading | null;
}

/** Reads a clip once more, as a copy that is a little worse. @returns undefined where it was removed meanwhile, or its file is not there or cannot be read @throws what keeps models or media from working */
export async function clipReadings(
  id: string,
  { store, folder, media, models }: ReadingOptions,
  signal: AbortSignal,
): Promise<ClipReadings | undefined> {
  const [clip, vectors] = [await store.get(id), await store.vectors(id, models.space)];
  const { seen, heard } = vectors;
  if (!clip || !seen) return undefined;
  const file = folder.video(clip);
  try {
    const text = await ownWords(clip, vectors, models, signal);
    const pictures = await copiesOf(await picturesOfCut(file, { media, signal }));
    const group = JSON.stringify([clip.source, clip.video]);
    const ofPictures = { group, vector: seen, copy: await models.pictures(pictures, signal), text: text.seen };
    if (!heard || !text.heard) return { pictures: ofPictures, sounds: null };
    const copy = await soundCopy(file, seededRandom(clip.number), { media, models, signal });
    return { pictures: ofPictures, sounds: copy && { group, vector: heard, copy, text: text.heard } };
  } catch (error) {
    if (error instanceof UnusableMedia || !(await folder.has(clip))) return undefined;
    throw error;
  }
}

/** A description that was made of labels was made by the model that is to be measured: its title says what others called it. */
async function ownWords(
  { described_by: by, title, description }: StoredClip,
  { 'described-seen': seen, 'described-heard': heard }: ClipVectorsByKind,
  models: Pick<ClipModels, 'texts'>,
  signal: AbortSignal,
): Promise<TextVectors> {
  if (by !== 'speech' && seen && heard) return { seen, heard };
  const [text] = await models.texts([by === 'speech' ? title : description], signal);
  if (!text) throw new Error('the models gave no numbers for a text');
  return text;
}

async function copiesOf(pictures: readonly RawPicture[]): Promise<RawPicture[]> {
  const copies: RawPicture[] = [];
  for (const picture of pictures) copies.push(await repacked(picture));
  return copies;
}

async function soundCopy(
  file: string,
  random: SeededRandom,
  { media, models, signal }: Pick<ReadingOptions, 'media' | 'models'> & { signal: AbortSignal },
): Promise<Float32Array | null> {
  const sound = await soundOfCut(file, { media, signal });
  return sound && (await models.sound({ ...sound, samples: await quieter(sound.samples, random) }, signal));
}
