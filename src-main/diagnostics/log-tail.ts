import { setTimeout as sleep } from 'node:timers/promises';
import { dataPath } from '../base/data-folder.ts';
import { ignoring } from '../base/swallowed.ts';
import { LogLines } from './log-lines.ts';

/** Lines that a reader of the log gets first. */
const FIRST_LINES = 500;
const FIRST_BYTES = 2_000_000;
/** Milliseconds between two looks at the file. */
const LOOK_MS = 500;

/** The last lines of a node's log, oldest first, reaching into the file that was set aside before. */
export async function lastLogLines(dataDir: string, count: number, maxBytes: number): Promise<string[]> {
  const current = await LogLines.open(logPath(dataDir), maxBytes);
  try {
    return await lastOf(current, dataDir, count, maxBytes);
  } finally {
    await current?.close();
  }
}

export interface FollowOptions {
  /** Milliseconds between two looks at the file. Default 500. */
  lookMs?: number;
  /** Lines that come first, at most. Default 500. */
  lines?: number;
  /** How far they may reach back in a file. Default 2 MB. */
  maxBytes?: number;
}

/**
 * The end of a node's log, then its new lines as they come, also when the file is set aside for a new one. Reads no faster
 * than it is asked, and ends with the signal.
 */
export async function* followLog(
  dataDir: string,
  signal?: AbortSignal,
  { lookMs = LOOK_MS, lines: first = FIRST_LINES, maxBytes = FIRST_BYTES }: FollowOptions = {},
): AsyncGenerator<string[], void, undefined> {
  let file = await LogLines.open(logPath(dataDir), maxBytes);
  try {
    yield await lastOf(file, dataDir, first, maxBytes);
    while (!signal?.aborted) {
      // Looked at before reading: what the old file got until it was replaced is read first.
      const replaced = await file?.isReplaced();
      const lines = (await file?.read()) ?? [];
      if (lines.length > 0) {
        yield lines;
      } else if (file && !replaced) {
        await sleep(lookMs, undefined, { signal }).catch(ignoring('the loop sees the signal'));
      } else {
        await file?.close();
        file = await LogLines.open(logPath(dataDir));
        if (!file) await sleep(lookMs, undefined, { signal }).catch(ignoring('the loop sees the signal'));
      }
    }
  } finally {
    await file?.close();
  }
}

/** Reads a file to its present end, and what lacks at the count from the one before it. */
async function lastOf(file: LogLines | undefined, dataDir: string, count: number, maxBytes: number): Promise<string[]> {
  const whole = file?.isWhole ?? true;
  const lines = await rest(file, count);
  if (!whole || lines.length >= count) return lines;
  const older = await LogLines.open(`${logPath(dataDir)}.1`, maxBytes);
  const before = await rest(older, count - lines.length).finally(() => older?.close());
  return [...before, ...lines];
}

async function rest(file: LogLines | undefined, count: number): Promise<string[]> {
  let last: string[] = [];
  for (;;) {
    const lines = (await file?.read()) ?? [];
    if (lines.length === 0) return last;
    last = [...last, ...lines].slice(-count);
  }
}

/** The file that a node writes its log to. */
export function logPath(dataDir: string): string {
  return dataPath(dataDir, 'log');
}
