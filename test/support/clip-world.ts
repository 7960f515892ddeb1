import { appendFile, open, readFile, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { Changes } from '../../src-main/base/changes.ts';
import { ifMissing } from '../../src-main/base/swallowed.ts';
import { ClipFolder, type ClipPlace } from '../../src-main/clips/kept/clip-folder.ts';
import type { MediaFacts, MediaTool, Span } from '../../src-main/clips/media/media.ts';
import { windowsOf } from '../../src-main/clips/media/windows.ts';
import { cleanUp } from '../../src-main/clips/mining/clean-up.ts';
import { DiskRoom } from '../../src-main/clips/mining/disk-room.ts';
import { Miner } from '../../src-main/clips/mining/miner.ts';
import type { Sources } from '../../src-main/clips/mining/ports.ts';
import { VideoSearch } from '../../src-main/clips/mining/video-search.ts';
import { VideoWork } from '../../src-main/clips/mining/video-work.ts';
import type { ClipModels } from '../../src-main/clips/models/clip-models.ts';
import type { ClipTools, Conditions } from '../../src-main/clips/models/clip-tools.ts';
import { LocalCaptioner } from '../../src-main/clips/models/local-captioner.ts';
import { whyUnusable } from '../../src-main/clips/sources/licences.ts';
import type { Source } from '../../src-main/clips/sources/source.ts';
import { ClipJobStore } from '../../src-main/store/clips/clip-jobs.ts';
import { ClipStore } from '../../src-main/store/clips/clips.ts';
import type { Db } from '../../src-main/store/database.ts';
import type { FoundVideo } from '../../src-preload/contract/data.ts';
import { USABLE_LICENCES } from '../../src-preload/contract/data-names.ts';

/** A video of the scripted source: what it says of it, and its bytes. */
export interface WorldVideo {
  id: string;
  seconds: number;
  bytes: number;
}

/** What a source says of a video. */
export const foundVideo = (id: string, more: Partial<FoundVideo> = {}): FoundVideo => ({
  ...{ source: 'commons', id, title: `Video ${id}`, description: `What ${id} is about`, licence: 'by' },
  ...{ licenceUrl: 'https://licence.example/by', author: 'Ann', attribution: `Ann, ${id}`, page: null },
  ...{ seconds: null, bytes: null, ...more },
});

/** So many bytes of a video's file are fetched at once. */
const PIECE = 1_000;

/**
 * A source of videos that are made up: each is a file of so many bytes that begins with how long it is. Fetching goes on where it was.
 * @param pieceMs how long each thousand bytes take
 */
export class WorldSource implements Source {
  readonly kind = 'commons';
  readonly videos: WorldVideo[];
  readonly pieceMs: number;
  /** Videos that are fetched, in order. */
  readonly fetched: string[] = [];
  /** What it says of some of them when it is asked again; null: it has it no more. */
  readonly looks = new Map<string, Partial<FoundVideo> | null>();
  /** What it fails with, by what it is asked. */
  readonly failures = new Map<string, Error>();

  constructor(videos: WorldVideo[], pieceMs = 0) {
    this.videos = videos;
    this.pieceMs = pieceMs;
  }

  async search(_topic: string, { from }: { from?: string | undefined }) {
    this.#fail('search');
    const at = Number(from ?? 0);
    const found = this.videos.slice(at, at + 3).map(({ id, seconds }) => foundVideo(id, { seconds }));
    return { found, next: at + 3 < this.videos.length ? String(at + 3) : null };
  }

  async look(id: string): Promise<FoundVideo | null> {
    this.#fail(`look ${id}`);
    const said = this.looks.get(id);
    return said === null ? null : foundVideo(id, said);
  }

  async fetch(id: string, to: string, { signal, onProgress }: Parameters<Source['fetch']>[2]) {
    this.fetched.push(id);
    this.#fail(`fetch ${id}`);
    const bytes = this.#bytes(id);
    for (let at = (await stat(to).catch(ifMissing))?.size ?? 0; at < bytes.length; at += PIECE) {
      signal.throwIfAborted();
      await appendFile(to, bytes.subarray(at, at + PIECE));
      onProgress?.(Math.min(at + PIECE, bytes.length), bytes.length);
      if (this.pieceMs > 0) await sleep(this.pieceMs, undefined, { signal });
    }
    return { bytes: bytes.length, url: `https://videos.example/${id}` };
  }

  #bytes(id: string): Buffer {
    const video = this.videos.find((one) => one.id === id);
    if (!video) throw new Error(`there is no ${id}`);
    return Buffer.from(`${JSON.stringify(video)}\n`.padEnd(video.bytes, id));
  }

  #fail(at: string): void {
    const failure = this.failures.get(at);
    if (failure) throw failure;
  }
}

/** Cuts such files: a clip is the line of its video, and which stretch of it it is. @param stepMs how long each thing takes */
export class WorldMedia implements MediaTool {
  readonly stepMs: number;
  /** Fails with that when it is asked for a cut. */
  cutFails: Error | undefined;

  constructor(stepMs = 0) {
    this.stepMs = stepMs;
  }

  async probe(path: string): Promise<MediaFacts> {
    const text = await readFile(path, 'utf8');
    const { seconds } = JSON.parse(text.split('\n')[0] ?? '') as WorldVideo;
    const codecs = { videoCodec: 'vp9', audioCodec: 'opus' };
    return {
      ...codecs,
      seconds,
      keyFrames: everyTen(seconds),
      width: 320,
      height: 180,
      bytes: text.length,
    };
  }

  async scenes(_path: string, { to }: Span): Promise<number[]> {
    return everyTen(to).slice(1);
  }

  async pictures() {
    return [{ width: 1, height: 1, rgb: Uint8Array.of(1, 2, 3) }];
  }

  async sound() {
    return { samples: Float32Array.of(0), rate: 16_000 };
  }

  async cut(path: string, { from, to }: Span, into: string, { signal }: { signal: AbortSignal }): Promise<MediaFacts> {
    if (this.cutFails) throw this.cutFails;
    const facts = await this.probe(path);
    const file = await open(into, 'w');
    try {
      await file.writeFile(`${JSON.stringify({ id: 'clip', seconds: to - from })}\n`);
      await this.#wait(signal);
      await file.writeFile(`${from} to ${to}`);
    } finally {
      await file.close();
    }
    return { ...facts, seconds: to - from, bytes: (await stat(into)).size };
  }

  async jpeg(_path: string, at: number, { signal }: { signal: AbortSignal }): Promise<Uint8Array> {
    await this.#wait(signal);
    return Buffer.from(`picture at ${at}`);
  }

  async #wait(signal: AbortSignal): Promise<void> {
    if (this.stepMs > 0) await sleep(this.stepMs, undefined, { signal });
  }
}

/** Numbers out of the letters of texts: the same words are the same numbers. */
export const WORLD_MODELS: ClipModels = {
  space: 'world@1',
  hears: true,
  pictures: async () => Float32Array.of(1, 0),
  sound: async () => Float32Array.of(0, 1),
  texts: async (texts) => texts.map((text) => ({ seen: unit(text), heard: null })),
  pieces: async (text) => ({ pieces: [text], uniqueTokens: text.split(/\s+/).length }),
};

function unit(text: string): Float32Array {
  const angle = [...text].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % 90;
  return Float32Array.of(Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180));
}

class SlowFolder extends ClipFolder {
  readonly #placeMs: number;

  constructor(path: string, placeMs: number) {
    super(path);
    this.#placeMs = placeMs;
  }

  override async place(clip: ClipPlace): Promise<void> {
    await super.place(clip);
    if (this.#placeMs > 0) await sleep(this.#placeMs);
  }
}

/** Of one video. */
const MOST_CLIPS = 3;
const ALWAYS: Conditions = { against: () => [], subscribe: () => () => undefined };

export interface WorldOptions {
  db: Db;
  folder: string;
  source: Source;
  media?: MediaTool | undefined;
  conditions?: Conditions;
  tools?: Partial<ClipTools>;
  budget?: () => number;
  /** Bytes that are fetched of a video at the most. Default a million. */
  mostFetched?: number;
  isTakenDown?: (id: string) => boolean;
  now?: () => number;
  /** How long a clip is in its place before it is written down: whoever kills it meets that moment. */
  placeMs?: number;
}

/** All of mining, with a scripted source. What is there is put in order first, as a node does it. */
export async function openClipWorld(options: WorldOptions) {
  const { db, source, media = new WorldMedia(), conditions = ALWAYS, now = Date.now } = options;
  const { budget = () => 1e9, mostFetched = 1_000_000, isTakenDown = () => false } = options;
  const [jobs, clips, folder] = [
    new ClipJobStore(db),
    new ClipStore(db),
    new SlowFolder(options.folder, options.placeMs ?? 0),
  ];
  const sources: Sources = {
    list: () => [{ kind: source.kind, isOn: true, lacks: null, terms: null, askedAt: null, fault: null }],
    ready: [source.kind],
    get: () => source,
    whyUnusable: ({ licence }) => whyUnusable(licence, USABLE_LICENCES),
  };
  const tools: ClipTools = {
    media: async () => media,
    plain: new LocalCaptioner({ models: null }),
    models: () => WORLD_MODELS,
    listeners: () => ({ voice: null, words: null, speakers: null }),
    captioner: () => undefined,
    ...options.tools,
  };
  const takeDowns = { isTakenDown: async ({ id }: { id: string }) => isTakenDown(id) };
  const room = new DiskRoom({ jobs, clips, folder, budget, free: async () => 1e12 });
  const search = new VideoSearch({ jobs, sources, takeDowns, now });
  const log = pino({ level: 'silent' });
  const made: string[] = [];
  const work = new VideoWork({
    ...{ jobs, clips, folder, room, sources, tools, takeDowns, log, now },
    limits: () => ({ budget: budget(), fetched: mostFetched, clips: MOST_CLIPS }),
    onMade: (clip) => void made.push(clip),
  });
  const changes = new Changes();
  const miner = new Miner({ jobs, folder, search, work, tools, conditions, changes, log, now });
  await cleanUp({ jobs, clips, folder });
  return { jobs, clips, folder, room, search, work, miner, sources, changes, made };
}

/** What becomes clips of a video that is as many seconds long. */
export function spansOf(seconds: number): Span[] {
  const keyFrames = everyTen(seconds);
  return windowsOf({ seconds, keyFrames, scenes: keyFrames.slice(1), speech: [] }, MOST_CLIPS);
}

const everyTen = (seconds: number) => Array.from({ length: Math.ceil(seconds / 10) }, (_, at) => 10 * at);
