import {
  audioEntry,
  type HandedClip,
  type HandedSound,
  videoEntry,
} from '../../src-main/subnets/omega/clips/synapse/entries.ts';
import { handedInText } from '../../src-main/subnets/omega/clips/synapse/handed-in.ts';
import { clipVectors, SPACE, TURNS, textVectors } from './judged-clips.ts';

/** A description of so many different words, of which few say something. */
export function described(words: string, length = 300): string {
  const filler = Array.from({ length }, (_, at) => `filler${at}`);
  return `${words} ${filler.join(' ')}`;
}

/** A clip of the small world as an honest miner hands it in. @param id `owls night:17` */
export function honestClip(id: string, changed: Partial<HandedClip> = {}): HandedClip {
  const { from = 10, to = 40, description = described(id.split(':')[0] ?? '') } = changed;
  const about = {
    source: 'commons' as const,
    id,
    from,
    to,
    space: SPACE,
    licence: 'by' as const,
    attribution: id,
    page: null,
  };
  const described_ = textVectors(description).seen;
  return { ...about, description, ...clipVectors(id, { from, to }), described: described_, ...changed };
}

export function honestSound(id: string, changed: Partial<HandedSound> = {}): HandedSound {
  const { from = 0, to = 60 } = changed;
  const about = {
    source: 'commons' as const,
    id,
    from,
    to,
    space: SPACE,
    licence: 'by' as const,
    attribution: id,
    page: null,
  };
  const { heard } = clipVectors(id, { from, to });
  return { ...about, heard: heard as Float32Array, turns: TURNS, ...changed };
}

/** As it comes to whoever judges. */
export const videosText = (clips: readonly HandedClip[]) =>
  handedInText('videos', JSON.parse(JSON.stringify(clips.map(videoEntry))));
export const soundsText = (sounds: readonly HandedSound[]) =>
  handedInText('sounds', JSON.parse(JSON.stringify(sounds.map(audioEntry))));
