import { readFile, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { say } from '../../src-preload/contract/saying.ts';
import { removeLeftovers, writeAtomically } from '../base/atomic-file.ts';
import { DATA, dataPath } from '../base/data-folder.ts';
import { isLocked } from '../base/file-lock.ts';

const runningNodeSchema = z.object({
  pid: z.int().min(1),
  /** Address of its API; absent until it listens, or when it has no server. */
  url: z
    .url({ protocol: /^https?$/ })
    .max(200)
    .optional(),
  /** Opens that API to programs of this user: see own-token.ts. */
  token: z.string().min(16).max(512).optional(),
  /** Unix milliseconds. */
  startedAt: z.int().min(0),
});

/** Milliseconds in which a node that is starting says where it is. */
const START_MS = 30_000;
const LOOK_AGAIN_MS = 100;

/** The node that runs on a data folder. */
export type RunningNode = z.infer<typeof runningNodeSchema>;

/**
 * The node that runs on this data folder now; undefined when none does, whatever a killed one has left behind. That it
 * runs is known from the lock; the note beside it only says who it is.
 */
export async function readRunningNode(dataDir: string): Promise<RunningNode | undefined> {
  return isLocked(lockPath(dataDir)) ? await readNote(dataDir) : undefined;
}

/** The node that runs there, once it can be asked. @throws NOT_RUNNING; DATA_DIR_IN_USE when it stays silent */
export async function reachableNode(dataDir: string, signal: AbortSignal): Promise<RunningNode & { url: string }> {
  for (const end = Date.now() + START_MS; ; ) {
    const running = await readRunningNode(dataDir);
    if (!running) throw notRunning(dataDir);
    const { url, pid } = running;
    if (url !== undefined) return { ...running, url };
    if (Date.now() > end) throw notUp(dataDir, pid);
    await sleep(LOOK_AGAIN_MS, undefined, { signal });
  }
}

/** The file whose lock the running node holds. */
export function lockPath(dataDir: string): string {
  return dataPath(dataDir, 'lock');
}

/** What the lock's holder wrote about itself; undefined when it has not yet, or somebody spoilt it. */
export async function readNote(dataDir: string): Promise<RunningNode | undefined> {
  try {
    return runningNodeSchema.parse(JSON.parse(await readFile(notePath(dataDir), 'utf8')));
  } catch {
    return undefined; // that it runs is known from the lock; this only costs its name
  }
}

/** A reader sees the whole note or the one before. */
export async function writeNote(dataDir: string, node: RunningNode): Promise<void> {
  await writeAtomically(notePath(dataDir), JSON.stringify(node), 0o600);
}

export async function removeNote(dataDir: string): Promise<void> {
  await rm(notePath(dataDir), { force: true });
}

/** Deletes what writes that were cut off left behind. Only for the lock's holder. */
export async function removeUnfinishedNotes(dataDir: string): Promise<void> {
  await removeLeftovers(dataDir, (file) => file.startsWith(`${DATA.runningNode.name}.`));
}

function notePath(dataDir: string): string {
  return dataPath(dataDir, 'runningNode');
}

function notRunning(dataDir: string): QuarryError {
  const message = say('node.notRunning', { dataDir });
  return new QuarryError({ code: 'NOT_RUNNING', message, hint: say('node.seeOthers') });
}

function notUp(dataDir: string, pid: number): QuarryError {
  return new QuarryError({
    code: 'DATA_DIR_IN_USE',
    message: `On ${dataDir} a node is still starting, or another command is at work (process ${pid}).`,
    hint: 'Try again in a moment, or press Ctrl+C where it was started.',
    retryable: true,
  });
}
