import type { Saying } from '../../../../../src-preload/contract/saying.ts';
import { say } from '../../../../../src-preload/contract/saying.ts';
import { cosine } from '../../../../base/cosine.ts';
import { type MediaTool, UnusableMedia } from '../../../../clips/media/media.ts';
import type { TextVectors } from '../../../../clips/models/clip-models.ts';
import type { SpaceThresholds } from '../../../../clips/models/space-thresholds.ts';
import { type ReadingTools, readCut, withCut } from '../../../../clips/reading/read-cut.ts';
import type { ClipVectors } from '../rules/clip.ts';
import { isBent, isOfClip } from '../rules/deep-check.ts';
import type { Told, ToldClip } from '../synapse/handed-in.ts';
import { type FetchedClip, isBehindTheEnd, isCutOff } from './look-closely.ts';

type ReadVectors = Pick<ClipVectors, 'video' | 'audio'>;

/** What a stretch is read with, when it is read anew. */
export type RereadingTools = ReadingTools & { media: Pick<MediaTool, 'cut'> };

/**
 * Has a stretch read as whoever makes clips reads it: copied into a file of its own, which is there as long as it is read.
 * @returns what `use` found, or why there is no such clip, by the very bytes
 * @throws UnusableMedia where less of it came than its source says; as media and `use`
 */
export async function asCut<Found>(
  clip: Pick<Told, 'from' | 'to'>,
  fetched: FetchedClip,
  tools: Pick<RereadingTools, 'media' | 'signal'>,
  use: (cut: string) => Promise<Found>,
): Promise<Found | Saying> {
  if (isBehindTheEnd(clip, fetched)) return say('clipValidation.lie.end', { seconds: Math.round(clip.to) });
  if (isCutOff(clip, fetched)) throw new UnusableMedia('damaged');
  try {
    return await withCut(fetched.path, clip, tools, use);
  } catch (error) {
    // Nobody could make it: else whoever chose such stretches could say of them what they like, and never be found out.
    if (error instanceof UnusableMedia && error.fault === 'tooLong') return say('clipValidation.lie.tooLong');
    throw error;
  }
}

/**
 * Holds what a miner says of a clip against the clip itself.
 * @param words of the topic and of the description
 * @returns why it is a lie; null where it is right
 */
export async function lieAbout(
  clip: ToldClip,
  fetched: FetchedClip,
  { words, thresholds, ...tools }: RereadingTools & { words: readonly TextVectors[]; thresholds: SpaceThresholds },
): Promise<Saying | null> {
  return await asCut(clip, fetched, tools, async (cut) => {
    const { seen, heard } = await readCut(cut, tools);
    const [claimed, found] = [
      { video: clip.seen, audio: clip.heard },
      { video: seen, audio: heard },
    ];
    if (!isOfClip(claimed, found, thresholds)) return lieOf(claimed, found, thresholds);
    return isBent(claimed, found, words, thresholds) ? say('clipValidation.lie.bent') : null;
  });
}

function lieOf(claimed: ReadVectors, found: ReadVectors, { same }: SpaceThresholds): Saying {
  if (claimed.audio && !found.audio) return say('clipValidation.lie.noSound');
  if (!claimed.audio && found.audio) return say('clipValidation.lie.hasSound');
  const seen = cosine(claimed.video, found.video);
  const heard = claimed.audio && found.audio ? cosine(claimed.audio, found.audio) : 1;
  const figures = (apart: number) => ({ cosine: Number(apart.toFixed(3)), least: same });
  return seen > same ? say('clipValidation.lie.heard', figures(heard)) : say('clipValidation.lie.seen', figures(seen));
}
