import type { ClipJobStore, StoredJob } from '../../store/clips/clip-jobs.ts';
import type { ClipStore } from '../../store/clips/clips.ts';
import { type ClipFolder, clipId } from '../kept/clip-folder.ts';
import { removeGone } from '../kept/gone-clips.ts';
import { keptSpans } from './spans.ts';

const CONTAINERS = ['webm', 'mp4', 'matroska'] as const;

/**
 * What a process that died has left is put in order: files that nobody knows of go, and what was fetched is counted as it is. It looks only where something can have been left, however
 * many clips there are.
 */
export async function cleanUp({
  jobs,
  clips,
  folder,
}: {
  jobs: ClipJobStore;
  clips: ClipStore;
  folder: ClipFolder;
}): Promise<void> {
  /** What is as it was is not written: each write waits for the disk. */
  const count = async ({ number, bytes }: Pick<StoredJob, 'number' | 'bytes'>) => {
    const there = await folder.fetchedBytes(number);
    if (there !== bytes) await jobs.set(number, { bytes: there });
  };
  await folder.open();
  await removeGone(clips, folder);
  for (const number of await folder.sweep()) {
    const job = await jobs.get(number);
    if (!job || job.state === 'done' || job.state === 'skipped') await folder.removeFetched(number);
    else await count(job);
  }
  for (const job of await jobs.fetched(1_000)) await count(job);
  for (const job of await jobs.going()) {
    if (job.bytes > 0) await count(job);
    const [next] = (keptSpans(job.spans) ?? []).slice(job.next_span);
    const clip = next && clipId({ source: job.source, id: job.video }, next);
    // It may have been put in its place, and not been written down.
    if (clip && !(await clips.get(clip))) for (const container of CONTAINERS) await folder.remove({ clip, container });
  }
}
