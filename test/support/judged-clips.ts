import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { cosine } from '../../src-main/base/cosine.ts';
import { type SeededRandom, seededRandom } from '../../src-main/base/seeded-random.ts';
import { sha256 } from '../../src-main/base/sha256.ts';
import { type MediaTool, type Span, UnusableMedia } from '../../src-main/clips/media/media.ts';
import type { ClipModels, Listeners, SpokenTurn, TextVectors } from '../../src-main/clips/models/clip-models.ts';
import type { Fetched, Source } from '../../src-main/clips/sources/source.ts';
import { ClipSubmissionStore } from '../../src-main/store/clips/clip-submissions.ts';
import type { CheckingPorts } from '../../src-main/subnets/omega/clips/checking/checking-ports.ts';
import { ClipLook } from '../../src-main/subnets/omega/clips/checking/look-closely.ts';
import { IMAGEBIND } from '../../src-main/subnets/omega/clips/rules/thresholds.ts';
import type { SourceKind } from '../../src-preload/contract/data-names.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { memoryDatabase } from './memory-database.ts';

/*
 * A small world of videos whose models are exact: a text is the sum of its words, and a clip lies between the words for what is in it and a direction of its own. Nothing is decoded: a
 * «file» is the id of its video.
 */

export const SPACE = 'seen@1+heard@2';
const NUMBERS = 256;
/** How much of a clip its words say: no text is closer to it. */
const SAID = 0.45;
/** Words that say nothing begin so. */
const FILLER = /^filler/;

const seedOf = (text: string) => sha256(text).readUInt32LE();

function direction(random: SeededRandom): Float32Array {
  return unit(Float32Array.from({ length: NUMBERS }, () => random.normal()));
}

export function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((number) => number / (length || 1));
}

/** Parts of vectors together, of length 1. */
export function mixed(...parts: readonly (readonly [number, Float32Array])[]): Float32Array {
  const sum = new Float32Array(NUMBERS);
  for (const [weight, vector] of parts) for (let at = 0; at < NUMBERS; at++) sum[at]! += weight * vector[at]!;
  return unit(sum);
}

/** What is asked for again and again is reckoned once. */
function remembered<Value>(reckon: (name: string) => Value): (name: string) => Value {
  const all = new Map<string, Value>();
  return (name) => {
    const value = all.get(name) ?? reckon(name);
    all.set(name, value);
    return value;
  };
}

/** A direction that is like no other, the same for the same name. */
export const random = remembered((name: string) => direction(seededRandom(seedOf(name))));

const wordsOf = (text: string) => text.toLowerCase().match(/\w+/g) ?? [];

export const textVectors = remembered((text: string): TextVectors => {
  const words = [...new Set(wordsOf(text))].filter((word) => !FILLER.test(word));
  const of = (kind: string) =>
    words.length === 0
      ? random(`nothing ${kind}`)
      : mixed(...words.map((word) => [1, random(`word ${kind} ${word}`)] as const));
  return { seen: of('seen'), heard: of('heard') };
});

/** What is in a video: words, and what makes it unlike others of the same words. @param id `owls night:17`: the words, and a name */
export const clipVectors = (id: string, { from }: Span) => vectorsOf(JSON.stringify([id, Math.floor(from / 5)]));

const vectorsOf = remembered((place: string): { seen: Float32Array; heard: Float32Array | null } => {
  const [id, part] = JSON.parse(place) as [string, number];
  const said = textVectors(id.split(':')[0] ?? '');
  const own = (kind: 'seen' | 'heard') => {
    const video = mixed([0.9, random(`${kind} ${id}`)], [0.44, random(`${kind} ${id} ${part}`)]);
    const words = said[kind] as Float32Array;
    const apart = cosine(video, words);
    const across = mixed([1, video], [-apart, words]);
    return mixed([SAID, words], [Math.sqrt(1 - SAID ** 2), across]);
  };
  return { seen: own('seen'), heard: id.includes('silent') ? null : own('heard') };
});

export const models: ClipModels = {
  space: SPACE,
  hears: true,
  pictures: async ([picture]) => clipVectors(...placeOf(picture?.rgb ?? new Uint8Array())).seen,
  sound: async ({ samples }) => clipVectors(...placeOf(Uint8Array.from(samples))).heard,
  texts: async (texts) => texts.map(textVectors),
  async pieces(text) {
    const words = wordsOf(text);
    const pieces = Array.from({ length: Math.ceil(words.length / 60) }, (_, at) =>
      words.slice(60 * at, 60 * at + 60).join(' '),
    );
    return { pieces, uniqueTokens: new Set(words).size };
  },
};

/** Two who speak in turns of five seconds. */
export const TURNS: SpokenTurn[] = Array.from({ length: 12 }, (_, at) => ({
  from: 5 * at,
  to: 5 * at + 4,
  speaker: at % 2 ? 'b' : 'a',
}));

export const listeners: Listeners = {
  voice: { spans: async () => TURNS },
  words: null,
  speakers: { turns: async () => TURNS },
};

function placeOf(bytes: Uint8Array): [id: string, span: Span] {
  const [id = '', from = '', to = ''] = Buffer.from(bytes).toString().split('|');
  return [id, { from: Number(from), to: Number(to) }];
}

/** A file that was cut says which stretch it is. */
async function bytesOf(path: string, { from, to }: Span): Promise<Buffer> {
  const said = await readFile(path, 'utf8');
  return Buffer.from(said.includes('|') ? said : `${said}|${from}|${to}|`);
}

/** Of a «file» that says `broken` nothing can be made, of one that says `uncut` no clip, and of one that says `unkeyed` none that is short enough. */
export const media: MediaTool = {
  async probe(path) {
    const id = await readFile(path, 'utf8');
    if (id.includes('broken')) throw new UnusableMedia('damaged');
    return {
      seconds: id.includes('halved') ? VIDEO_SECONDS / 2 : VIDEO_SECONDS,
      keyFrames: [0],
      width: 640,
      height: 360,
      videoCodec: 'vp9',
      audioCodec: 'opus',
      bytes: id.length,
    };
  },
  scenes: async () => [],
  pictures: async (path, span) => [{ width: 1, height: 1, rgb: Uint8Array.from(await bytesOf(path, span)) }],
  async sound(path, span, { rate }) {
    const bytes = await bytesOf(path, span);
    return bytes.includes('silent') ? null : { samples: Float32Array.from(bytes), rate };
  },
  async cut(path, span, to, options) {
    const bytes = await bytesOf(path, span);
    if (bytes.includes('unkeyed')) throw new UnusableMedia('tooLong');
    if (bytes.includes('uncut')) throw new UnusableMedia('damaged');
    await writeFile(to, bytes);
    return { ...(await media.probe(path, options)), seconds: span.to - span.from };
  },
  jpeg: async () => new Uint8Array(),
};

export const VIDEO_SECONDS = 200;

/** What a source has: every id, but those that say otherwise (`gone`, `blocked`, `closed`, `forbidden`). Of how long it is `untold` says nothing, of `halved` it has but half, and `renewed 3` was changed three days ago. */
export const source: Pick<Source, 'look' | 'fetch'> = {
  async look(id) {
    if (id.includes('blocked')) throw new QuarryError({ code: 'RATE_LIMIT', message: 'Later.', retryable: true });
    if (id.includes('closed')) throw new QuarryError({ code: 'UNAUTHORIZED', message: 'Not for you.' });
    if (id.includes('gone')) return null;
    const licence = id.includes('forbidden') ? ('byNd' as const) : ('by' as const);
    const about = {
      source: 'commons' as const,
      id,
      title: id,
      description: '',
      licence,
      licenceUrl: null,
      author: null,
    };
    return { ...about, attribution: id, page: null, seconds: id.includes('untold') ? null : VIDEO_SECONDS, bytes: 100 };
  },
  async fetch(id, to) {
    await writeFile(to, id);
    const days = /renewed (\d+)/.exec(id)?.[1];
    return { bytes: 100, url: null, changedAt: days && Date.now() - Number(days) * 86_400_000 } as Fetched;
  },
};

const ASKED: readonly SourceKind[] = ['commons', 'archive', 'peertube'];

/** Ports of which the store alone is real, and what is known: as long as the process lives. @param folder for what is «fetched» */
export function checkingPorts(submissions: ClipSubmissionStore, folder: string) {
  const kept = new Map<string, Float32Array>();
  const ports: CheckingPorts = {
    judge: {
      space: SPACE,
      use: async () => ({ models, listeners, thresholds: IMAGEBIND }),
    },
    media,
    look: new ClipLook({ source: (kind) => (ASKED.includes(kind) ? source : undefined), media, folder }),
    known: {
      async distances(clips, { except }) {
        const others = [...kept].filter(([id]) => !except.includes(id));
        return clips.map((clip) => Math.min(2, ...others.map(([, vector]) => 1 - cosine(clip, vector))));
      },
      added: async (_, clips) => {
        for (const { id, vector } of clips) kept.set(id, vector);
      },
      forgotten: async (clips) => {
        for (const { id } of clips) kept.delete(id);
      },
    },
    submissions,
  };
  return { ports, kept };
}

/** The same, with a store of its own. @param whenDone takes what tidies up */
export async function clipChecking(
  changed: Partial<CheckingPorts> = {},
  whenDone: (tidy: () => Promise<void>) => void = onTestFinished,
) {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-clips-'));
  const db = await memoryDatabase();
  whenDone(async () => {
    await db.destroy();
    rmSync(folder, { recursive: true, force: true });
  });
  const submissions = new ClipSubmissionStore(db);
  const { ports, kept } = checkingPorts(submissions, folder);
  return { ports: { ...ports, ...changed }, submissions, kept, folder };
}
