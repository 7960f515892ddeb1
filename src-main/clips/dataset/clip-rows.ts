import { setImmediate as aTurn } from 'node:timers/promises';
import { type ClipScore, clipScoreSchema } from '../../../src-preload/contract/data.ts';
import type { SubmissionKind } from '../../../src-preload/contract/data-names.ts';
import { keptJson } from '../../base/kept-json.ts';
import type { ClipShardStore } from '../../store/clips/clip-shards.ts';
import type { ClipStore, ClipVectorsByKind, StoredClip } from '../../store/clips/clips.ts';
import { type RawSound, UnusableMedia } from '../media/media.ts';
import { turnsOf } from '../models/spoken-turns.ts';
import type { DataRows, RowsByKind, SoundRow, VideoRow } from './shards/data-rows.ts';
import { wavOf } from './wav.ts';

/** Clips that are read at once, and those that are only counted. */
const [CLIPS_AT_ONCE, COUNTED_AT_ONCE] = [100, 2_000];

export interface ClipRowsOptions {
  shards: Pick<ClipShardStore, 'clips' | 'countWaiting'>;
  clips: Pick<ClipStore, 'vectors'>;
  /** What is heard in a clip; null where that cannot be read now. @throws UnusableMedia where its file is damaged: its row is without it */
  sound: (clip: StoredClip) => Promise<RawSound | null>;
}

/** The clips of the library as rows of the data set: all of them as videos, and those that somebody listened to as sounds, too. */
export class ClipRows implements DataRows {
  readonly #options: ClipRowsOptions;

  constructor(options: ClipRowsOptions) {
    this.#options = options;
  }

  async *rows<Kind extends SubmissionKind>(kind: Kind): AsyncGenerator<RowsByKind[Kind]> {
    const { clips } = this.#options;
    for await (const clip of this.#waiting(kind)) {
      const vectors = clip.space === null ? {} : await clips.vectors(clip.clip, clip.space);
      const row = kind === 'videos' ? videoRow(clip, vectors) : soundRow(clip, vectors, await this.#sound(clip));
      yield row as RowsByKind[Kind];
    }
  }

  /** One damaged file keeps no other from the data set. */
  async #sound(clip: StoredClip): Promise<RawSound | null> {
    try {
      return await this.#options.sound(clip);
    } catch (error) {
      if (error instanceof UnusableMedia) return null;
      throw error;
    }
  }

  async waiting(kind: SubmissionKind): Promise<number> {
    let count = 0;
    for (let after: number | null = 0; after !== null; await aTurn()) {
      const { waiting, last } = await this.#options.shards.countWaiting(kind, after, COUNTED_AT_ONCE);
      count += waiting;
      after = last;
    }
    return count;
  }

  async *#waiting(kind: SubmissionKind): AsyncGenerator<StoredClip> {
    for (let after = 0; ; await aTurn()) {
      const some = await this.#options.shards.clips(kind, after, CLIPS_AT_ONCE);
      if (some.length === 0) return;
      yield* some.filter(({ isInFile, is_taken_down }) => !isInFile && is_taken_down === 0);
      after = some.at(-1)?.number ?? after;
    }
  }
}

function anyRow(clip: StoredClip, vectors: ClipVectorsByKind, score: ClipScore | null) {
  return {
    ...{ clip: clip.clip, source: clip.source, id: clip.video, title: clip.title },
    ...{ from: clip.from_s, to: clip.to_s, words: clip.words, sha256: clip.sha256, space: clip.space },
    ...{ licence: clip.licence, licenceUrl: clip.licence_url, author: clip.author },
    ...{ attribution: clip.attribution, page: clip.page },
    ...{ query: clip.topic, queryRelevance: score?.topicRelevance ?? null, submittedAt: clip.created_at },
    audioVector: vectors.heard ?? null,
  };
}

function videoRow(clip: StoredClip, vectors: ClipVectorsByKind): VideoRow {
  const score = clip.score === null ? null : (keptJson(clip.score, clipScoreSchema) ?? null);
  return {
    ...anyRow(clip, vectors, score),
    ...{ description: clip.description, describedBy: clip.described_by, width: clip.width, height: clip.height },
    videoVector: vectors.seen ?? null,
    descriptionVector: vectors['described-seen'] ?? null,
    descriptionRelevance: score?.descriptionRelevance ?? null,
  };
}

/** What a sound is worth is said by those that it is handed to. */
function soundRow(clip: StoredClip, vectors: ClipVectorsByKind, sound: RawSound | null): SoundRow {
  const turns = turnsOf(clip) ?? [];
  return {
    ...anyRow(clip, vectors, null),
    wav: sound && wavOf(sound),
    turnsFrom: turns.map(({ from }) => from),
    turnsTo: turns.map(({ to }) => to),
    speakers: turns.map(({ speaker }) => speaker),
    ...{ inverseDer: null, lengthScore: null, qualityScore: null, totalScore: null },
  };
}
