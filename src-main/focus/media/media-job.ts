import { randomBytes } from 'node:crypto';
import { rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { say } from '../../../src-preload/contract/saying.ts';
import { placeNew, syncFolder } from '../../base/atomic-file.ts';
import { entryModule } from '../../base/installation.ts';
import { ifMissing } from '../../base/swallowed.ts';
import { allowedEnvironment, BASIC_ENVIRONMENT } from '../../process/child-environment.ts';
import { childTask } from '../../process/child-task.ts';
import { revived } from '../../process/failure.ts';
import type { ProcessSpawner } from '../../process/process-spawner.ts';
import { stuck, tooSlow, videoExists } from '../focus-problems.ts';
import {
  type Fingerprint,
  type InspectedVideo,
  type Made,
  type MakingTask,
  type MediaReport,
  type MediaResult,
  type MediaTask,
  mediaReportSchema,
  type StillsTask,
  type TypicalTask,
} from './media-tasks.ts';
import type { Still } from './stills.ts';

const ENTRY = entryModule('focus/media/media-child');
/** Decision 0030 has what an hour of 720p takes; the rest is for screens that are larger and busier. */
const LIMITS = { heapMiB: 256, youngMiB: 2, memoryMiB: 768, priority: 10 };
/** It may say nothing for so long, and for as long as reading all that it is given takes at so many bytes a second: before it begins it looks through it. */
const QUIET_MS = 60_000;
const SLOWEST_BYTES_PER_S = 10e6;

export interface MediaTools {
  spawner?: ProcessSpawner | undefined;
  /** Ends the work: nothing of it is left. */
  signal?: AbortSignal | undefined;
  /** Told how far it is, from 0 to 1, some times a second. */
  onDone?: ((done: number) => void) | undefined;
  /** Whether a file that is there gives way. Default false. */
  overwrite?: boolean;
  /** Milliseconds that all of it may take, whatever it says meanwhile. Default: as long as it takes. */
  deadlineMs?: number | undefined;
  /** Milliseconds for which it may say nothing, before those for reading. Default: a minute. */
  quietMs?: number | undefined;
}

type Unnamed<Task> = Task extends MakingTask ? Omit<Task, 'to'> : never;
type Unplaced = Unnamed<MakingTask>;

/**
 * Makes a video, or pictures of one, in a process of its own that ends with it. The file is there as a whole, flushed, or not at all; its owner alone may read it.
 *
 * @param to where it is to be; in a folder that is there
 * @throws BAD_REQUEST as {@link MediaTask}’s work does, and where there is a file; DISK_FULL; INTERNAL; the signal’s reason
 */
export async function makeFile<Task extends Unplaced>(
  task: Task,
  to: string,
  tools: MediaTools = {},
): Promise<Made<Task>> {
  const temporary = `${to}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const made = await run({ ...task, to: temporary }, tools);
    if (tools.overwrite) await rename(temporary, to);
    else await place(temporary, to);
    await syncFolder(dirname(to));
    return made as Made<Task>;
  } finally {
    await rm(temporary, { force: true });
  }
}

/**
 * Single pictures of a video, taken in a process of its own.
 * @throws BAD_REQUEST as {@link StillsTask}’s work does; INTERNAL; the signal’s reason
 */
export function takeStills(task: Omit<StillsTask, 'task'>, tools: MediaTools = {}): Promise<Still[]> {
  return taken({ task: 'stills', ...task }, tools);
}

/**
 * What a stranger’s video shows around some moments, in a process of its own.
 * @throws BAD_REQUEST as {@link TypicalTask}’s work does; INTERNAL; the signal’s reason
 */
export function takeTypical(task: Omit<TypicalTask, 'task'>, tools: MediaTools = {}): Promise<Still[]> {
  return taken({ task: 'typical', ...task }, tools);
}

/**
 * Reads a file of a stranger to its end in a process of its own, and writes nothing: see {@link InspectedVideo}.
 * @param mostMs none that is longer is read to its end
 * @throws BAD_REQUEST for what is no video, or has more in it than one; INTERNAL; the signal’s reason
 */
export async function inspectVideo(from: string, mostMs: number, tools: MediaTools = {}): Promise<InspectedVideo> {
  return (await run({ task: 'inspect', from, mostMs }, tools)) as InspectedVideo;
}

/**
 * How a stranger’s video looks from second to second, in a process of its own that decodes all of it.
 * @throws BAD_REQUEST for what cannot be decoded; INTERNAL; the signal’s reason
 */
export async function fingerprintVideo(from: string, seconds: number, tools: MediaTools = {}): Promise<Fingerprint> {
  return (await run({ task: 'fingerprint', from, seconds }, tools)) as Fingerprint;
}

async function taken(task: MediaTask, tools: MediaTools): Promise<Still[]> {
  const stills: Still[] = [];
  await run(task, tools, (still) => stills.push(still));
  return stills;
}

async function place(temporary: string, to: string): Promise<void> {
  await placeNew(temporary, to).catch((error) => {
    throw error.code === 'EEXIST' ? videoExists(to) : error;
  });
}

/** @param onStill given each picture, for tasks that have some */
async function run(
  task: MediaTask,
  { spawner, signal, onDone, deadlineMs, quietMs = QUIET_MS }: MediaTools,
  onStill?: (still: Still) => void,
): Promise<MediaResult> {
  const quiet = new AbortController();
  const timer = setTimeout(() => quiet.abort(stuck()), quietMs + (await readingMs(task)));
  const deadline =
    deadlineMs === undefined ? undefined : setTimeout(() => quiet.abort(tooSlow(deadlineMs)), deadlineMs);
  try {
    return await childTask<MediaReport, MediaResult>({
      ...{ spawner, task, signal: signal ? AbortSignal.any([signal, quiet.signal]) : quiet.signal },
      launch: { name: 'the work on a video', run: ENTRY, env: allowedEnvironment(BASIC_ENVIRONMENT), limits: LIMITS },
      messages: mediaReportSchema,
      onReport: (report, { resolve, reject }) => {
        timer.refresh();
        if ('result' in report) resolve(report.result);
        else if ('failed' in report) reject(revived(report.failed));
        else if ('still' in report) onStill?.({ ...report.still, jpeg: Buffer.from(report.still.jpeg, 'base64') });
        else onDone?.(report.done);
      },
      died: (reason) => say('focus.video.died', { reason }),
    });
  } finally {
    clearTimeout(timer);
    clearTimeout(deadline);
  }
}

/** What is not there takes no time: who reads it says so. */
async function readingMs(task: MediaTask): Promise<number> {
  const paths = task.task === 'remux' ? task.parts.map(({ path }) => path) : [task.from];
  const found = await Promise.all(paths.map((path) => stat(path).catch(ifMissing)));
  return (found.reduce((sum, file) => sum + (file?.size ?? 0), 0) / SLOWEST_BYTES_PER_S) * 1_000;
}
