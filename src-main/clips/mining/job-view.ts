import type { DataJob } from '../../../src-preload/contract/data.ts';
import { sentenceSchema } from '../../../src-preload/contract/saying-schema.ts';
import { keptJson } from '../../base/kept-json.ts';
import type { StoredJob } from '../../store/clips/clip-jobs.ts';
import type { VideoProgress } from './video-work.ts';

/** A video of the queue, as people look at it. @param progress of its present step; undefined for one that is not worked on */
export function jobView(row: StoredJob, progress: VideoProgress | undefined): DataJob {
  return {
    ...{ number: row.number, source: row.source, id: row.video, title: row.title, topic: row.topic },
    ...{ done: progress?.done ?? null, fetched: progress?.fetched ?? null },
    ...{ state: row.state, clips: row.clips, createdAt: row.created_at, changedAt: row.changed_at },
    reason: row.reason === null ? null : (keptJson(row.reason, sentenceSchema) ?? null),
  };
}
