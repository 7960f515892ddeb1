import type { Provenance, VideoRef } from '../../../../../src-preload/contract/data.ts';
import type { SpokenTurn } from '../../../../clips/models/clip-models.ts';
import { numbersOf } from './vector-numbers.ts';

interface Handed extends VideoRef, Pick<Provenance, 'licence' | 'attribution' | 'page'> {
  from: number;
  to: number;
  space: string;
}

/** A clip as it is handed in. */
export interface HandedClip extends Handed {
  description: string;
  seen: Float32Array;
  /** Null without sound. */
  heard: Float32Array | null;
  /** Of the description, among pictures: OMEGA's miners send it, and who judges reckons it anew. */
  described: Float32Array;
}

/** A sound of speech as it is handed in. */
export interface HandedSound extends Handed {
  heard: Float32Array;
  turns: readonly SpokenTurn[];
}

/** An entry of `Videos` (OMEGA, B1). */
export const videoEntry = ({ description, seen, heard, described, ...about }: HandedClip) => ({
  ...entryOf(about),
  description,
  video_emb: numbersOf(seen),
  audio_emb: heard ? numbersOf(heard) : [],
  description_emb: numbersOf(described),
});

/** An entry of `Audios`, without the sound itself: whoever looks closely fetches it. */
export const audioEntry = ({ heard, turns, ...about }: HandedSound) => ({
  ...entryOf(about),
  audio_emb: numbersOf(heard),
  diar_timestamps_start: turns.map(({ from }) => from),
  diar_timestamps_end: turns.map(({ to }) => to),
  diar_speakers: turns.map(({ speaker }) => speaker),
});

/** Nobody counts views here, and OMEGA wants a number. */
const entryOf = ({ source, id, from, to, ...about }: Handed) => ({
  ...{ video_id: id, views: 0, start_time: Math.floor(from), end_time: Math.ceil(to) },
  ...{ source, source_id: id, clip_from: from, clip_to: to, ...about },
});
