import { setImmediate as aTurn } from 'node:timers/promises';
import type { ClipScore } from '../../../src-preload/contract/data.ts';
import type { SubmissionKind } from '../../../src-preload/contract/data-names.ts';
import type { ClipShardStore } from '../../store/clips/clip-shards.ts';
import type { ClipStore, ClipVectorsByKind, StoredClip } from '../../store/clips/clips.ts';
import type { DataRows, RowsByKind, VideoRow } from './shards/data-rows.ts';

/** Clips that are read at once, and those that are only counted. */
const [CLIPS_AT_ONCE, COUNTED_AT_ONCE] = [100, 2_000];

/** The clips of the library as rows of the data set. Sounds with speakers are what others hand in: this node makes none. */
export class ClipRows implements DataRows {
  readonly #shards: Pick<ClipShardStore, 'clips' | 'countWaiting'>;
  readonly #clips: Pick<ClipStore, 'vectors'>;

  constructor(stores: { shards: Pick<ClipShardStore, 'clips' | 'countWaiting'>; clips: Pick<ClipStore, 'vectors'> }) {
    this.#shards = stores.shards;
    this.#clips = stores.clips;
  }

  async *rows<Kind extends SubmissionKind>(kind: Kind): AsyncGenerator<RowsByKind[Kind]> {
    if (kind !== 'videos') return;
    for await (const clip of this.#waiting()) {
      const vectors = clip.space === null ? {} : await this.#clips.vectors(clip.clip, clip.space);
      yield rowOf(clip, vectors) as RowsByKind[Kind];
    }
  }

  async waiting(kind: SubmissionKind): Promise<number> {
    let count = 0;
    for (let after: number | null = kind === 'videos' ? 0 : null; after !== null; await aTurn()) {
      const { waiting, last } = await this.#shards.countWaiting(after, COUNTED_AT_ONCE);
      count += waiting;
      after = last;
    }
    return count;
  }

  async *#waiting(): AsyncGenerator<StoredClip> {
    for (let after = 0; ; await aTurn()) {
      const some = await this.#shards.clips(after, CLIPS_AT_ONCE);
      if (some.length === 0) return;
      yield* some.filter(({ isKnown, is_taken_down }) => !isKnown && is_taken_down === 0);
      after = some.at(-1)?.number ?? after;
    }
  }
}

function rowOf(clip: StoredClip, vectors: ClipVectorsByKind): VideoRow {
  const score = clip.score === null ? null : (JSON.parse(clip.score) as ClipScore);
  return {
    ...{ clip: clip.clip, source: clip.source, id: clip.video, title: clip.title },
    ...{ from: clip.from_s, to: clip.to_s, words: clip.words, sha256: clip.sha256, space: clip.space },
    ...{ licence: clip.licence, licenceUrl: clip.licence_url, author: clip.author },
    ...{ attribution: clip.attribution, page: clip.page },
    ...{ description: clip.description, describedBy: clip.described_by, width: clip.width, height: clip.height },
    ...{ query: clip.topic, queryRelevance: score?.topicRelevance ?? null, submittedAt: clip.created_at },
    videoVector: vectors.seen ?? null,
    audioVector: vectors.heard ?? null,
    descriptionVector: vectors['described-seen'] ?? null,
    descriptionRelevance: score?.descriptionRelevance ?? null,
  };
}
