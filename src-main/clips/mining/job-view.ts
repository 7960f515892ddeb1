import type { DataJob } from '../../../src-preload/contract/data.ts';
import { sentenceSchema } from '../../../src-preload/contract/saying-schema.ts';
import { keptJson } from '../../base/kept-json.ts';
import type { StoredJob } from '../../store/clips/clip-jobs.ts';

/** A video of the queue, as people look at it. @param done how far its present step is */
export function jobView(row: StoredJob, done: number | null): DataJob {
  return {
    ...{ number: row.number, source: row.source, id: row.video, title: row.title, topic: row.topic },
    ...{ state: row.state, done, clips: row.clips, createdAt: row.created_at, changedAt: row.changed_at },
    reason: row.reason === null ? null : (keptJson(row.reason, sentenceSchema) ?? null),
  };
}
