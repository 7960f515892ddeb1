import { rm } from 'node:fs/promises';
import type { Saying } from '../../../../../src-preload/contract/saying.ts';
import { say } from '../../../../../src-preload/contract/saying.ts';
import { cosine } from '../../../../base/cosine.ts';
import type { MediaTool, Span } from '../../../../clips/media/media.ts';
import {
  type ClipModels,
  PICTURE_SIDE,
  PICTURES_OF_A_CLIP,
  SOUND_RATE,
  type TextVectors,
} from '../../../../clips/models/clip-models.ts';
import type { ClipVectors } from '../rules/clip.ts';
import { deepCheck, isBent } from '../rules/deep-check.ts';
import type { ClipThresholds } from '../rules/thresholds.ts';
import type { Told, ToldClip } from '../synapse/handed-in.ts';
import { type FetchedClip, isBehindTheEnd } from './look-closely.ts';

type ReadVectors = Pick<ClipVectors, 'video' | 'audio'>;

export interface ReadingPorts {
  media: Pick<MediaTool, 'cut' | 'pictures' | 'sound'>;
  models: Pick<ClipModels, 'pictures' | 'sound'>;
}

/** A stretch as whoever makes clips has it: copied into a file of its own, which is there as long as it is looked at. @param use is given the file, and all of it as a stretch @throws as media */
export async function withCut<Found>(
  path: string,
  { from, to }: Span,
  media: Pick<MediaTool, 'cut'>,
  signal: AbortSignal,
  use: (cut: string, whole: Span) => Promise<Found>,
): Promise<Found> {
  const cut = `${path}.cut`;
  try {
    const { seconds } = await media.cut(path, { from, to }, cut, { signal });
    return await use(cut, { from: 0, to: seconds });
  } finally {
    await rm(cut, { force: true });
  }
}

/** The vectors of a stretch of a video. @throws as media and models */
const readVectors = (
  path: string,
  clip: Span,
  { media, models }: ReadingPorts,
  signal: AbortSignal,
): Promise<ReadVectors> =>
  withCut(path, clip, media, signal, async (cut, whole) => {
    const pictures = await media.pictures(cut, whole, { count: PICTURES_OF_A_CLIP, side: PICTURE_SIDE, signal });
    const video = await models.pictures(pictures, signal);
    const sound = await media.sound(cut, whole, { rate: SOUND_RATE, signal });
    return { video, audio: sound && (await models.sound(sound, signal)) };
  });

/**
 * Holds what a miner says of a clip against the clip itself.
 * @param words of the topic and of the description
 * @returns why it is a lie; null where it is right
 */
export async function lieAbout(
  clip: ToldClip,
  fetched: FetchedClip,
  { words, thresholds, ...ports }: ReadingPorts & { words: readonly TextVectors[]; thresholds: ClipThresholds },
  signal: AbortSignal,
): Promise<Saying | null> {
  if (isBehindTheEnd(clip, fetched)) return behindTheEnd(clip);
  const found = await readVectors(fetched.path, clip, ports, signal);
  const claimed = { video: clip.seen, audio: clip.heard };
  if (deepCheck(claimed, found, thresholds) === 'lie') return lieOf(claimed, found, thresholds);
  return isBent(claimed, found, words, thresholds) ? say('clipValidation.lie.bent') : null;
}

export const behindTheEnd = ({ to }: Pick<Told, 'to'>) => say('clipValidation.lie.end', { seconds: Math.round(to) });

function lieOf(claimed: ReadVectors, found: ReadVectors, { same }: ClipThresholds): Saying {
  if (claimed.audio && !found.audio) return say('clipValidation.lie.noSound');
  if (!claimed.audio && found.audio) return say('clipValidation.lie.hasSound');
  const seen = cosine(claimed.video, found.video);
  const heard = claimed.audio && found.audio ? cosine(claimed.audio, found.audio) : 1;
  const figures = (apart: number) => ({ cosine: Number(apart.toFixed(3)), least: same });
  return seen > same ? say('clipValidation.lie.heard', figures(heard)) : say('clipValidation.lie.seen', figures(seen));
}
