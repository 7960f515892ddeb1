import { writeFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { FoundVideo } from '../../../src-preload/contract/data.ts';
import { LEAST_CLIP_SECONDS } from '../../../src-preload/contract/data-limits.ts';
import { sha256OfFile } from '../../base/sha256.ts';
import type { StoredJob } from '../../store/clips/clip-jobs.ts';
import type { ClipVectorsByKind, NewClip } from '../../store/clips/clips.ts';
import type { ClipFolder, ClipPlace } from '../kept/clip-folder.ts';
import type { MediaFacts, MediaTool, Span } from '../media/media.ts';
import type { ClipTools } from '../models/clip-tools.ts';
import { keptTurns } from '../models/spoken-turns.ts';
import { speechOfCut } from '../reading/read-cut.ts';
import { fileVectors, textVectors } from '../reading/vectors-by-kind.ts';
import { describeClip, type Heard, listen } from './describe-clip.ts';
import type { Described } from './ports.ts';

/** What a clip is made of. */
export interface ToMake {
  job: StoredJob;
  /** As its source has it now. */
  video: FoundVideo;
  span: Span;
  place: ClipPlace;
  media: MediaTool;
}

export interface MakeTools {
  folder: ClipFolder;
  tools: Pick<ClipTools, 'models' | 'listeners' | 'captioner' | 'plain'>;
  log: Logger;
  now: () => number;
  signal: AbortSignal;
  /** Told once it is cut. */
  onCut: () => Promise<void>;
}

export interface MadeClip {
  row: NewClip;
  vectors: ClipVectorsByKind;
}

/** A stretch that comes out this much shorter still counts, seconds: frames have a length. */
const TOLERANCE = 0.1;
/** Pixels of the longer side of a clip's picture, and of those that a model is shown; how many it is shown. */
const [POSTER_SIDE, SHOWN_SIDE, SHOWN] = [640, 512, 4] as const;

/** Cuts, hears, describes and reckons one clip; its files are yet to be put in their place. @returns undefined where it came out too short */
export async function makeClip(about: ToMake, tools: MakeTools): Promise<MadeClip | undefined> {
  const { media, span, place } = about;
  const { folder, signal, onCut } = tools;
  await folder.drop(place);
  const path = folder.made(place).video;
  const facts = await media.cut(folder.fetched(about.job.number), span, path, { signal });
  if (facts.seconds < LEAST_CLIP_SECONDS - TOLERANCE) return undefined;
  const poster = await media.jpeg(path, facts.seconds / 2, { side: POSTER_SIDE, signal });
  await writeFile(folder.made(place).poster, poster);
  await onCut();
  const sound = await speechOfCut(path, { media, signal });
  const heard = await listen(tools.tools.listeners(), sound, signal);
  const models = tools.tools.models();
  const ofFile = models && (await fileVectors(path, { media, models, signal }));
  const described = await describe(about, { path, facts, heard, seen: ofFile?.seen ?? null }, tools);
  const vectors = models ? { ...ofFile, ...(await textVectors(described.text, models, signal)) } : {};
  const sha256 = await sha256OfFile(path, signal);
  const row = rowOf(about, {
    ...{ facts, heard, described, sha256, space: models?.space ?? null },
    ...{ hasSound: sound !== null, posterBytes: poster.length, now: tools.now() },
  });
  return { row, vectors };
}

async function describe(
  { video, place, media }: ToMake,
  { path, facts, heard, seen }: { path: string; facts: MediaFacts; heard: Heard; seen: Float32Array | null },
  { tools, signal, log }: MakeTools,
): Promise<Described> {
  const captioner = tools.captioner();
  const jpegs: Uint8Array[] = [];
  for (let at = 0; captioner && at < SHOWN; at++) {
    const second = (facts.seconds * (at + 0.5)) / SHOWN;
    jpegs.push(await media.jpeg(path, second, { side: SHOWN_SIDE, signal }));
  }
  const onFailed = (err: unknown) => log.warn({ err, clip: place.clip }, 'clips: the model that sees says nothing');
  const { plain } = tools;
  return await describeClip({ video, words: heard.words, jpegs, seen }, { captioner, plain }, { signal, onFailed });
}

interface Facts {
  facts: MediaFacts;
  heard: Heard;
  described: Described;
  sha256: string;
  space: string | null;
  hasSound: boolean;
  posterBytes: number;
  now: number;
}

function rowOf({ job, video, span, place }: ToMake, made: Facts): NewClip {
  const { facts, heard, described } = made;
  return {
    ...{ clip: place.clip, container: place.container, source: video.source, video: video.id },
    ...{ title: video.title, topic: job.topic, from_s: span.from, to_s: span.to },
    ...{
      description: described.text,
      described_by: described.by,
      described_with: described.model,
      words: heard.words,
      turns: heard.turns && keptTurns(heard.turns),
    },
    ...{ has_sound: made.hasSound ? 1 : 0, licence: video.licence, licence_url: video.licenceUrl },
    ...{ author: video.author, attribution: video.attribution, page: video.page, url: job.url },
    ...{ bytes: facts.bytes, poster_bytes: made.posterBytes, sha256: made.sha256 },
    ...{ width: facts.width, height: facts.height, space: made.space },
    ...{ score: null, is_taken_down: 0, created_at: made.now },
  };
}
