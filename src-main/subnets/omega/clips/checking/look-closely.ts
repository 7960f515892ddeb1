import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceKind } from '../../../../../src-preload/contract/data-names.ts';
import { QuarryError } from '../../../../../src-preload/contract/errors.ts';
import { makeFolder } from '../../../../base/folder.ts';
import { Places, type PlaceWanted } from '../../../../base/places.ts';
import { randomToken } from '../../../../base/random-token.ts';
import { type MediaTool, UnusableMedia } from '../../../../clips/media/media.ts';
import { fetchLimits } from '../../../../clips/reading/fetch-limits.ts';
import { mayBePassedOn } from '../../../../clips/sources/licences.ts';
import { removeFetched } from '../../../../clips/sources/part-file.ts';
import type { Fetched, Source } from '../../../../clips/sources/source.ts';
import type { StoredLook } from '../../../../store/clips/clip-looks.ts';
import type { Told } from '../synapse/handed-in.ts';

/** For one clip, from asking its source to its vectors: less than a validator has for judging. */
const PATIENCE_MS = 150_000;
/** Clips that are looked at at a time: so many times `MOST_FETCHED_BYTES` is what lies on the disk at the most, and the stretches that are cut out of them. */
const LOOKS_AT_ONCE = 4;
/** A video may be shorter by this than its miner measured it. */
const SLACK_SECONDS = 1;

/** Why a clip could not be looked at: its source has none, or less of it than it says, or it is no video, or more than anybody fetches; this node was kept from fetching it; or it may not be used. */
export type Unseen = NonNullable<StoredLook['unseen']>;

/** What was fetched: a file that is there as long as it is looked at. */
export interface FetchedClip {
  path: string;
  /** Seconds of it, and of the video as its source says; null where it does not. Of a long video the beginning may be all that was fetched. */
  seconds: number;
  saidSeconds: number | null;
}

/** What was found by looking, and when the video's file was changed last, Unix milliseconds; undefined where its source does not say. */
export interface LookedAt<Found> {
  found: Found;
  changedAt: number | undefined;
}

export interface LookPorts {
  /** Undefined for one that is not asked, as things are. */
  source: (kind: SourceKind) => Pick<Source, 'look' | 'fetch'> | undefined;
  media: MediaTool;
  /** For what is fetched: all of it goes again. */
  folder: string;
  /** Milliseconds, from when its turn has come. Default 150,000. */
  patienceMs?: number;
}

/** What its source says of a video that is here. */
type FetchedVideo = Pick<FetchedClip, 'saidSeconds'> & Pick<Fetched, 'changedAt'>;

/** Whose clip is looked at; its signal ends waiting for a turn as well. */
export type LookFor = Pick<PlaceWanted, 'party'> & { signal: AbortSignal };

/**
 * Fetches what miners hand in, a few at a time: neither the line nor the computer is to be filled by them. Each miner has as much of the time as any other, so one whose sources are slow
 * keeps its own clips waiting, and nobody else's for long.
 */
export class ClipLook {
  readonly #ports: LookPorts;
  readonly #places = new Places(LOOKS_AT_ONCE);

  constructor(ports: LookPorts) {
    this.#ports = ports;
  }

  /** Takes away what a process that was killed has left. */
  async open(): Promise<void> {
    await rm(this.#ports.folder, { recursive: true, force: true });
  }

  /** Whether this node asks a source, as things are. */
  asks(source: SourceKind): boolean {
    return this.#ports.source(source) !== undefined;
  }

  /**
   * Fetches the video of a clip, as much of it as whoever made it, and has something looked at.
   * @throws what `use` throws; the reason of a signal that was aborted
   */
  at<Found>(
    clip: Told,
    { party, signal }: LookFor,
    use: (fetched: FetchedClip, signal: AbortSignal) => Promise<Found>,
  ): Promise<LookedAt<Found> | Unseen> {
    return this.#places.take(() => this.#fetched(clip, signal, use), { party, signal });
  }

  async #fetched<Found>(
    { video }: Told,
    outer: AbortSignal,
    use: (fetched: FetchedClip, signal: AbortSignal) => Promise<Found>,
  ): Promise<LookedAt<Found> | Unseen> {
    const { media, folder, patienceMs = PATIENCE_MS } = this.#ports;
    const late = AbortSignal.timeout(patienceMs);
    const signal = AbortSignal.any([outer, late]);
    const path = join(folder, `${randomToken()}.video`);
    try {
      await makeFolder(folder, 0o700);
      const fetched = await this.#fetch(video, path, signal);
      if (typeof fetched === 'string') return fetched;
      const { seconds } = await media.probe(path, { signal });
      const { saidSeconds, changedAt } = fetched;
      return { found: await use({ path, seconds, saidSeconds }, signal), changedAt };
    } catch (error) {
      outer.throwIfAborted();
      if (late.aborted) return 'blocked';
      if (error instanceof UnusableMedia) return 'gone';
      throw error;
    } finally {
      await removeFetched(path);
    }
  }

  async #fetch({ source: kind, id }: Told['video'], path: string, signal: AbortSignal): Promise<FetchedVideo | Unseen> {
    const source = this.#ports.source(kind);
    if (!source) return 'blocked';
    try {
      const found = await source.look(id, signal);
      if (!found) return 'gone';
      if (!mayBePassedOn(found.licence)) return 'licence';
      const { changedAt } = await source.fetch(id, path, { ...fetchLimits(kind), signal });
      return { saidSeconds: found.seconds, changedAt };
    } catch (error) {
      signal.throwIfAborted();
      const { retryable, code } = QuarryError.from(error);
      return retryable || code === 'UNAUTHORIZED' ? 'blocked' : 'gone'; // a source that turns this node away says nothing of the video
    }
  }
}

/** Whether what was fetched ends before a clip does. */
export function isCutOff({ to }: Pick<Told, 'to'>, { seconds }: Pick<FetchedClip, 'seconds'>): boolean {
  return to > seconds + SLACK_SECONDS;
}

/** Whether a clip ends behind the end of its video. Where its source does not say how long that is all of it was fetched; where it says that there is more, whoever sent it may be at fault. */
export function isBehindTheEnd(clip: Pick<Told, 'to'>, fetched: FetchedClip): boolean {
  const { saidSeconds: seconds } = fetched;
  return isCutOff(clip, fetched) && (seconds === null || isCutOff(clip, { seconds }));
}
