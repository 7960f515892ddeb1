import { z } from 'zod';
import { boundedArray } from '../../../../../src-preload/contract/bounded.ts';
import type { VideoRef } from '../../../../../src-preload/contract/data.ts';
import {
  MAX_ATTRIBUTION_CHARS,
  MAX_CLIP_DESCRIPTION_CHARS,
  MAX_VIDEO_ID_CHARS,
  MOST_CLIPS_ASKED,
} from '../../../../../src-preload/contract/data-limits.ts';
import { LICENCES, type Licence, SOURCE_KINDS } from '../../../../../src-preload/contract/data-names.ts';
import { parsedJson } from '../../../../base/json-text.ts';
import type { SpokenTurn } from '../../../../clips/models/clip-models.ts';
import type { WantedClips } from '../../../../validation/environment.ts';
import { vectorOf } from './vector-numbers.ts';

/**
 * Most bytes of an answer, commas and colons in it, and objects and lists. Eight clips with three vectors of 1,024 numbers have 225 kB in five digits, as a Quarry node sends them, and 520 kB in
 * seventeen, as Python writes them, with 25,000 marks. Sounds as bytes (`audio_bytes`, 3.4 MB each) do not fit, and nobody here reads them.
 * Objects and lists are a hundred: a megabyte of nothing else takes 40 ms to be parsed.
 */
export const MOST_OF_CLIPS = { bytes: 1 << 20, marks: 60_000, opened: 1_000 };

/** Whoever speaks in a sound, at the most; turns of these; and UTF-16 units of a speaker's name. */
const [MOST_SPEAKERS, MOST_TURNS, MOST_SPEAKER_CHARS] = [16, 500, 64];
/** Of a video, seconds: eleven days. */
const LATEST = 1_000_000;
const MOST_SPACE_CHARS = 200;
const MOST_PAGE_CHARS = 2_000;

const seconds = z.number().min(0).max(LATEST);
const turnSchema = z.tuple([seconds, seconds, z.string().max(MOST_SPEAKER_CHARS)]);

/** What is said of a clip beside its vectors. Fields that are OMEGA's have its names (B1); those from `source` on are ours, and may be missing. */
const aboutSchema = z.object({
  video_id: z.string().min(1).max(MAX_VIDEO_ID_CHARS),
  start_time: seconds,
  end_time: seconds,
  source: z.enum(SOURCE_KINDS).nullish(),
  source_id: z.string().min(1).max(MAX_VIDEO_ID_CHARS).nullish(),
  /** Its beginning and end to the millisecond: OMEGA's own are whole seconds. */
  clip_from: seconds.nullish(),
  clip_to: seconds.nullish(),
  space: z.string().max(MOST_SPACE_CHARS).nullish(),
  licence: z.enum(LICENCES).nullish(),
  attribution: z.string().max(MAX_ATTRIBUTION_CHARS).nullish(),
  page: z.string().max(MOST_PAGE_CHARS).nullish(),
});
const descriptionSchema = z.string().max(MAX_CLIP_DESCRIPTION_CHARS);
const turnsSchema = boundedArray(turnSchema, MOST_TURNS);

/** A clip or a sound as its miner tells of it: the shape is right, and nothing else is known. */
export interface Told {
  video: VideoRef;
  from: number;
  to: number;
  /** By which models its vectors were made, as the miner says; null where it does not. */
  space: string | null;
  licence: Licence;
  attribution: string;
  page: string | null;
}

export interface ToldClip extends Told {
  description: string;
  seen: Float32Array;
  /** Null without sound. */
  heard: Float32Array | null;
}

export interface ToldSound extends Told {
  heard: Float32Array;
  /** Who speaks when, as the miner found it. */
  turns: SpokenTurn[];
}

/** Why a list cannot be read, and of which of its entries that is said, from 1 on; 0 of the list. */
export interface Unreadable {
  fault: 'list' | 'tooMany' | 'entry' | 'vector' | 'turns';
  entry: number;
}

/**
 * The text of an answer that is judged, out of the JSON that came: what is said of the clips first, so that it is there where only the beginning is kept: from where to where they are, then words, or who speaks, then the vectors.
 * Vectors of descriptions are left out: they are reckoned from the words. What else a miner says is left out, too.
 */
export function handedInText(of: WantedClips['of'], handed: unknown): string {
  if (!Array.isArray(handed)) return JSON.stringify({ list: null });
  const entries = handed.slice(0, MOST_CLIPS_ASKED + 1).map((each) => (each ?? {}) as Record<string, unknown>);
  const list = entries.map(aboutOf);
  const said = entries.map((entry) => (of === 'videos' ? entry.description : turnsOf(entry)));
  const vectors = entries.map(({ video_emb, audio_emb }) =>
    of === 'videos' ? [video_emb, audio_emb] : [undefined, audio_emb],
  );
  return JSON.stringify({ list, said, vectors });
}

const aboutOf = (entry: Record<string, unknown>) =>
  Object.fromEntries(Object.keys(aboutSchema.shape).map((name) => [name, entry[name]]));

/** Three lists, as OMEGA has them, as one. @returns null where they are of different lengths, or none */
function turnsOf({
  diar_timestamps_start: from,
  diar_timestamps_end: to,
  diar_speakers: speakers,
}: Record<string, unknown>) {
  if (!Array.isArray(from) || !Array.isArray(to) || !Array.isArray(speakers)) return null;
  if (from.length !== to.length || from.length !== speakers.length || from.length > MOST_TURNS) return null;
  return from.map((start: unknown, at) => [start, to[at], speakers[at]]);
}

/** Every byte of it is a stranger's: its size was looked at by whoever asked, here it is its shape. */
export function readClips(text: string): ToldClip[] | Unreadable {
  return readAll(text, descriptionSchema, (told, description, [seen, heard]) => {
    const vector = vectorOf(seen);
    const sound = isMissing(heard) ? null : vectorOf(heard);
    if (!vector || (sound === null && !isMissing(heard))) return 'vector';
    return { ...told, description, seen: vector, heard: sound };
  });
}

export function readSounds(text: string): ToldSound[] | Unreadable {
  return readAll(text, turnsSchema, (told, said, [, heard]) => {
    const vector = vectorOf(heard);
    if (!vector) return 'vector';
    const turns = said.map(([from, to, speaker]) => ({ from, to, speaker }));
    const speakers = new Set(turns.map(({ speaker }) => speaker));
    if (speakers.size > MOST_SPEAKERS || turns.some(({ from, to }) => to < from)) return 'turns';
    return { ...told, heard: vector, turns };
  });
}

/** OMEGA's miners leave a sound out as an empty list. */
const isMissing = (numbers: unknown) =>
  numbers === undefined || numbers === null || (Array.isArray(numbers) && numbers.length === 0);

function readAll<Said, Read extends object>(
  text: string,
  schema: z.ZodType<Said>,
  read: (told: Told, said: Said, vectors: readonly unknown[]) => Read | Unreadable['fault'],
): Read[] | Unreadable {
  const { list, said, vectors } = (parsedJson(text) ?? {}) as Record<string, unknown>;
  if (!Array.isArray(list) || !Array.isArray(said) || !Array.isArray(vectors)) return { fault: 'list', entry: 0 };
  if (list.length > MOST_CLIPS_ASKED) return { fault: 'tooMany', entry: 0 };
  const all: Read[] = [];
  for (const [at, each] of list.entries()) {
    const [about, words] = [aboutSchema.safeParse(each), schema.safeParse(said[at])];
    const numbers: readonly unknown[] = Array.isArray(vectors[at]) ? vectors[at] : [];
    const one = about.success && words.success ? read(toldOf(about.data), words.data, numbers) : 'entry';
    if (typeof one === 'string') return { fault: one, entry: at + 1 };
    all.push(one);
  }
  return all;
}

/** What names no source has OMEGA's: an id of YouTube. */
function toldOf(about: z.output<typeof aboutSchema>): Told {
  const { source, source_id: id, video_id, clip_from, clip_to, start_time, end_time } = about;
  return {
    video: source && id ? { source, id } : { source: 'ytdlp', id: video_id },
    from: clip_from ?? start_time,
    to: clip_to ?? end_time,
    space: about.space ?? null,
    licence: about.licence ?? 'unknown',
    attribution: about.attribution ?? '',
    page: about.page ?? null,
  };
}
