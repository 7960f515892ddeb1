import type { Provenance, VideoRef } from '../../../../src-preload/contract/data.ts';
import type { Describer, SubmissionKind } from '../../../../src-preload/contract/data-names.ts';

/** What every row has, whatever it is of. */
interface DataRow extends Provenance {
  /** 32 hex. */
  clip: string;
  source: VideoRef['source'];
  /** What the source calls the video. */
  id: string;
  title: string;
  /** In its video, seconds. */
  from: number;
  to: number;
  /** What is said in it; null where nothing is, or nobody listened. */
  words: string | null;
  /** Of the clip's file, 64 hex. */
  sha256: string;
  /** The models that made its vectors; null without. */
  space: string | null;
  audioVector: Float32Array | null;
  /** What was asked for when it was found, and how well it fits: null where nobody has reckoned it. */
  query: string;
  queryRelevance: number | null;
  /** Unix milliseconds. */
  submittedAt: number;
}

/** A clip with its description (OMEGA, B8). */
export interface VideoRow extends DataRow {
  description: string;
  describedBy: Describer;
  width: number;
  height: number;
  videoVector: Float32Array | null;
  descriptionVector: Float32Array | null;
  descriptionRelevance: number | null;
}

/** A sound with who speaks when (B8). */
export interface SoundRow extends DataRow {
  /** As WAV, 16 kHz, one channel, 16 bits; null where only its numbers are given away. */
  wav: Uint8Array | null;
  /** Seconds from the beginning of the sound, and whose turn it is, one as long as the other. */
  turnsFrom: readonly number[];
  turnsTo: readonly number[];
  speakers: readonly string[];
  inverseDer: number | null;
  lengthScore: number | null;
  qualityScore: number | null;
  totalScore: number | null;
}

export interface RowsByKind {
  videos: VideoRow;
  sounds: SoundRow;
}

/** Where rows come from. */
export interface DataRows {
  /** All that are in no file yet, the oldest first, read as they are taken. */
  rows<Kind extends SubmissionKind>(kind: Kind): AsyncIterable<RowsByKind[Kind]>;
  /** How many those are. */
  waiting(kind: SubmissionKind): Promise<number>;
}
