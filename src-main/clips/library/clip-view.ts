import { type Clip, clipScoreSchema } from '../../../src-preload/contract/data.ts';
import { keptJson } from '../../base/kept-json.ts';
import type { StoredClip } from '../../store/clips/clips.ts';
import { turnsOf } from '../models/spoken-turns.ts';

/** A clip, as people look at it. @param closeness to what was asked for, a cosine; null where nothing was */
export function clipView(row: StoredClip, closeness: number | null = null): Clip {
  return {
    ...{ clip: row.clip, source: row.source, id: row.video, title: row.title, topic: row.topic },
    ...{
      from: row.from_s,
      to: row.to_s,
      description: row.description,
      describedBy: row.described_by,
      describedWith: row.described_with,
    },
    ...{ words: row.words, speakers: speakersIn(row), hasSound: row.has_sound === 1 },
    ...{ licence: row.licence, licenceUrl: row.licence_url, author: row.author, attribution: row.attribution },
    ...{ page: row.page, bytes: row.bytes, sha256: row.sha256, width: row.width, height: row.height },
    ...{ space: row.space, createdAt: row.created_at, isTakenDown: row.is_taken_down === 1, closeness },
    score: row.score === null ? null : (keptJson(row.score, clipScoreSchema) ?? null),
  };
}

function speakersIn(row: StoredClip): number | null {
  const turns = turnsOf(row);
  return turns && new Set(turns.map(({ speaker }) => speaker)).size;
}
