import type { Saying } from '../../../../../src-preload/contract/saying.ts';
import { say } from '../../../../../src-preload/contract/saying.ts';
import { type MediaTool, UnusableMedia } from '../../../../clips/media/media.ts';
import type { TextVectors } from '../../../../clips/models/clip-models.ts';
import type { SpaceThresholds } from '../../../../clips/models/space-thresholds.ts';
import { type ReadingTools, readCut, withCut } from '../../../../clips/reading/read-cut.ts';
import type { ReadVectors } from '../rules/clip.ts';
import { alikeness, isBent, isOfClip } from '../rules/deep-check.ts';
import type { Told, ToldClip } from '../synapse/handed-in.ts';
import { type FetchedClip, isBehindTheEnd, isCutOff } from './look-closely.ts';

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

/** By what it is found out that vectors are not those of a clip, or were bent. */
export interface HeldAgainst {
  /** Of the topic and, of a clip, of the description. */
  words: readonly TextVectors[];
  thresholds: SpaceThresholds;
}

/**
 * Holds what a miner says of a clip against the clip itself.
 * @returns why it is a lie; null where it is right
 */
export async function lieAbout(
  clip: ToldClip,
  fetched: FetchedClip,
  { words, thresholds, ...tools }: RereadingTools & HeldAgainst,
): Promise<Saying | null> {
  return await asCut(clip, fetched, tools, async (cut) =>
    lieIn(clip, await readCut(cut, tools), { words, thresholds }),
  );
}

/** Why what a miner says of a stretch is a lie; null where it is right. @param found as this node reads it */
export function lieIn(told: ReadVectors, found: ReadVectors, { words, thresholds }: HeldAgainst): Saying | null {
  if (!isOfClip(told, found, thresholds)) return lieOf(told, found, thresholds);
  return isBent(told, found, words, thresholds) ? say('clipValidation.lie.bent') : null;
}

function lieOf(told: ReadVectors, found: ReadVectors, { same }: SpaceThresholds): Saying {
  if (told.heard && !found.heard) return say('clipValidation.lie.noSound');
  if (!told.heard && found.heard) return say('clipValidation.lie.hasSound');
  const [seen, heard] = [alikeness(told.seen, found.seen), alikeness(told.heard, found.heard)];
  const figures = (alike: number) => ({ cosine: Number(alike.toFixed(3)), least: same });
  return seen > same ? say('clipValidation.lie.heard', figures(heard)) : say('clipValidation.lie.seen', figures(seen));
}
