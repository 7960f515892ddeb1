import { z } from 'zod';
import { boundedArray } from '../../../../../src-preload/contract/bounded.ts';
import type { VideoRef } from '../../../../../src-preload/contract/data.ts';
import {
  MAX_ATTRIBUTION_CHARS,
  MAX_CLIP_DESCRIPTION_CHARS,
  MAX_VIDEO_ID_CHARS,
} from '../../../../../src-preload/contract/data-limits.ts';
import { LICENCES, type Licence, SOURCE_KINDS } from '../../../../../src-preload/contract/data-names.ts';
import { parsedJson } from '../../../../base/json-text.ts';
import type { SpokenTurn } from '../../../../clips/models/clip-models.ts';
import type { WantedClips } from '../../../../validation/environment.ts';
import { vectorOf } from './vector-numbers.ts';
import { MOST_ASKED } from './videos.ts';

/**
 * Most bytes of an answer, and commas and colons in it. Eight clips with three vectors of 1,024 numbers have 225 kB in five digits, as a Quarry node sends them, and 520 kB in
 * seventeen, as Python writes them, with 25,000 marks. Sounds as bytes (`audio_bytes`, 3.4 MB each) do not fit, and nobody here reads them.
 */
export const MOST_OF_CLIPS = { bytes: 1 << 20, marks: 60_000 };

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
const clipSchema = aboutSchema.extend({ description: z.string().max(MAX_CLIP_DESCRIPTION_CHARS) });
const soundSchema = aboutSchema.extend({ turns: boundedArray(turnSchema, MOST_TURNS) });

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
 * The text of an answer that is judged, out of the JSON that came: what is said of the clips first, so that it is there where only the beginning is kept, and then the vectors.
 * Vectors of descriptions are left out: they are reckoned from the words. What else a miner says is left out, too.
 */
export function handedInText(of: WantedClips['of'], said: unknown): string {
  if (!Array.isArray(said)) return JSON.stringify({ list: null });
  const entries = said.slice(0, MOST_ASKED + 1).map((each) => (each ?? {}) as Record<string, unknown>);
  const list = entries.map((entry) => aboutOf(of, entry));
  const vectors = entries.map(({ video_emb, audio_emb }) =>
    of === 'videos' ? [video_emb, audio_emb] : [undefined, audio_emb],
  );
  return JSON.stringify({ list, vectors });
}

function aboutOf(of: WantedClips['of'], entry: Record<string, unknown>) {
  const about = Object.fromEntries(Object.keys(aboutSchema.shape).map((name) => [name, entry[name]]));
  return of === 'videos' ? { ...about, description: entry.description } : { ...about, turns: turnsOf(entry) };
}

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
  return readAll(text, clipSchema, ({ description, ...about }, [seen, heard]) => {
    const vector = vectorOf(seen);
    const sound = isMissing(heard) ? null : vectorOf(heard);
    if (!vector || (sound === null && !isMissing(heard))) return 'vector';
    return { ...toldOf(about), description, seen: vector, heard: sound };
  });
}

export function readSounds(text: string): ToldSound[] | Unreadable {
  return readAll(text, soundSchema, ({ turns, ...about }, [, heard]) => {
    const vector = vectorOf(heard);
    if (!vector) return 'vector';
    const read = turns.map(([from, to, speaker]) => ({ from, to, speaker }));
    const speakers = new Set(read.map(({ speaker }) => speaker));
    if (speakers.size > MOST_SPEAKERS || read.some(({ from, to }) => to < from)) return 'turns';
    return { ...toldOf(about), heard: vector, turns: read };
  });
}

/** OMEGA's miners leave a sound out as an empty list. */
const isMissing = (numbers: unknown) =>
  numbers === undefined || numbers === null || (Array.isArray(numbers) && numbers.length === 0);

function readAll<About, Read extends object>(
  text: string,
  schema: z.ZodType<About>,
  read: (about: About, vectors: readonly unknown[]) => Read | Unreadable['fault'],
): Read[] | Unreadable {
  const { list, vectors } = (parsedJson(text) ?? {}) as { list?: unknown; vectors?: unknown };
  if (!Array.isArray(list) || !Array.isArray(vectors)) return { fault: 'list', entry: 0 };
  if (list.length > MOST_ASKED) return { fault: 'tooMany', entry: 0 };
  const all: Read[] = [];
  for (const [at, each] of list.entries()) {
    const { data } = schema.safeParse(each);
    const one = data === undefined ? 'entry' : read(data, Array.isArray(vectors[at]) ? vectors[at] : []);
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
