import { rm } from 'node:fs/promises';
import type { MediaTool, RawPicture, RawSound, Span } from '../media/media.ts';
import { SOUND_RATE, SPEECH_RATE } from '../media/sound-rates.ts';
import { type ClipModels, PICTURE_SIDE, PICTURES_OF_A_CLIP } from '../models/clip-models.ts';

/*
 * How a stretch of a video becomes numbers. Vectors of two nodes are held against each other, so there is one way: the stretch is copied into a file of its own, which begins at the key frame before it,
 * and all of that file is read, from its beginning to the end of its picture. Whoever changes what is read changes `READING`, which is a part of the space's name: a test holds them together.
 */

/** What is to be seen in a stretch and heard in it; null without sound, or without a model that hears. */
export interface StretchVectors {
  seen: Float32Array;
  heard: Float32Array | null;
}

export interface ReadingTools {
  media: Pick<MediaTool, 'probe' | 'pictures' | 'sound'>;
  models: Pick<ClipModels, 'pictures' | 'sound'>;
  signal: AbortSignal;
}

/** A stretch that was cut, as numbers. @param cut the file that it is, and all of which is read @throws as media and models */
export async function readCut(cut: string, tools: ReadingTools): Promise<StretchVectors> {
  const { models, signal } = tools;
  return { seen: await models.pictures(await picturesOfCut(cut, tools), signal), heard: await hearCut(cut, tools) };
}

/** The pictures that stand for it. @throws as media */
export async function picturesOfCut(cut: string, tools: Omit<ReadingTools, 'models'>): Promise<RawPicture[]> {
  const { media, signal } = tools;
  const wanted = { count: PICTURES_OF_A_CLIP, side: PICTURE_SIDE, signal };
  return await media.pictures(cut, await allOf(cut, tools), wanted);
}

/** What is heard in it alone. @throws as media and models */
export async function hearCut(cut: string, tools: ReadingTools): Promise<Float32Array | null> {
  const { models, signal } = tools;
  const sound = await soundOfCut(cut, tools);
  return sound && (await models.sound(sound, signal));
}

/** Its sound, for a model of sounds; null where there is none. @throws as media */
export async function soundOfCut(cut: string, tools: Omit<ReadingTools, 'models'>): Promise<RawSound | null> {
  const { media, signal } = tools;
  return await media.sound(cut, await allOf(cut, tools), { rate: SOUND_RATE, signal });
}

/** Its sound, for those who listen to speech; null where there is none. @throws as media */
export async function speechOfCut(cut: string, tools: Omit<ReadingTools, 'models'>): Promise<RawSound | null> {
  const { media, signal } = tools;
  return await media.sound(cut, await allOf(cut, tools), { rate: SPEECH_RATE, signal });
}

/** Whoever has cut it, or read it before, has it known how long it is. */
async function allOf(cut: string, { media, signal }: Omit<ReadingTools, 'models'>): Promise<Span> {
  return { from: 0, to: (await media.probe(cut, { signal })).seconds };
}

/**
 * Cuts a stretch out of what was fetched of a video, for as long as somebody reads it.
 * @param use is given the file
 * @throws UnusableMedia `tooLong` where it begins so long after a key frame that no clip can be made of it; as media and `use`
 */
export async function withCut<Found>(
  fetched: string,
  { from, to }: Span,
  { media, signal }: { media: Pick<MediaTool, 'cut'>; signal: AbortSignal },
  use: (cut: string) => Promise<Found>,
): Promise<Found> {
  const cut = `${fetched}.cut`;
  try {
    await media.cut(fetched, { from, to }, cut, { signal });
    return await use(cut);
  } finally {
    await rm(cut, { force: true });
  }
}

/** A stretch of what was fetched of a video as numbers: the same as whoever makes a clip of it has. @throws as {@link withCut} */
export function readStretch(
  fetched: string,
  span: Span,
  tools: ReadingTools & { media: Pick<MediaTool, 'cut'> },
): Promise<StretchVectors> {
  return withCut(fetched, span, tools, (cut) => readCut(cut, tools));
}
