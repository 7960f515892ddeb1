import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { hexPattern } from '../../../src-preload/contract/limits.ts';
import { sha256 } from '../../base/sha256.ts';
import { ifMissing } from '../../base/swallowed.ts';
import {
  type AuditEntry,
  fullFiles,
  fullName,
  fullPath,
  hasNumber,
  LINE_END,
  MOST_LINE_BYTES,
  NOTHING,
  numberIn,
} from './audit-files.ts';

/** A line as it was read. */
export interface AuditLine {
  /** Name of its file. */
  file: string;
  /** In its file, from 1 on. */
  number: number;
  /** Undefined for one that is none. */
  entry: (AuditEntry & { at: string }) | undefined;
  hash: string;
  /**
   * `changed`: the line before is not the one that this one came after. `unreadable`: it is no line, and no power cut explains it. `missing`: the files
   * before it are gone.
   */
  fault?: 'changed' | 'unreadable' | 'missing';
  /** The first and the last of these, and what the hash of the last line of that one has to be. */
  missing?: { from: string; to: string; hash: string | undefined };
}

/** What was read so far. */
interface Progress {
  /** Hash of the last line. */
  before: string;
  /** Half a line: whether a power cut explains it, the next one says. */
  torn: AuditLine | undefined;
  /** Number of the last file that was there, or was told as missing. */
  seen: number;
}

/**
 * All lines of all files, the oldest first, each held against the one before, also over the end of a file. Nothing where there is no file. One line
 * at a time is in memory. A log that is being written may be read.
 */
export async function* readAudit(path: string): AsyncGenerator<AuditLine, void, undefined> {
  const progress: Progress = { before: NOTHING, torn: undefined, seen: 0 };
  for await (const { number, file } of filesOf(path)) {
    const name = number === undefined ? basename(path) : fullName(path, number);
    let gap = number !== undefined && number > progress.seen + 1 ? number - 1 : 0;
    let line = 0;
    for await (const bytes of linesOf(file)) {
      const read = parsed(bytes);
      if (number === undefined) gap = Math.max(gap, numberIn(path, read?.entry.after));
      yield* held(path, { file: name, number: ++line }, { bytes, read, gap, progress });
      gap = 0;
    }
    if (line > 0) progress.seen = Math.max(progress.seen, number ?? 0); // one that was emptied is gone
  }
  if (progress.torn) yield { ...progress.torn, fault: 'unreadable' };
}

interface Found {
  bytes: Buffer;
  read: Parsed | undefined;
  /** Up to which number there have to be files before this line. */
  gap: number;
  progress: Progress;
}

/** The line, and half a line before it, with what is wrong about them. */
function* held(
  path: string,
  at: { file: string; number: number },
  { bytes, read, gap, progress }: Found,
): Generator<AuditLine, void, undefined> {
  const { before, torn, seen } = progress;
  const hash = sha256(bytes).toString('hex');
  const follows = read?.before === before;
  if (torn) yield { ...torn, ...(!(follows && read.entry.afterTorn === true) && { fault: 'unreadable' }) };
  const isMissing = gap > seen;
  progress.seen = Math.max(seen, gap);
  progress.before = hash;
  progress.torn = read || isMissing ? undefined : { ...at, entry: undefined, hash };
  if (isMissing) {
    const missing = { from: fullName(path, seen + 1), to: fullName(path, gap), hash: read && hashIn(read.before) };
    yield { ...at, entry: read?.entry, hash, fault: 'missing', missing };
  } else if (read) yield { ...at, entry: read.entry, hash, ...(!follows && { fault: 'changed' }) };
}

const HASH = hexPattern(32);
const hashIn = (before: unknown) => (typeof before === 'string' && HASH.test(before) ? before : undefined);

interface Parsed {
  entry: AuditEntry & { at: string };
  before: unknown;
}

function parsed(bytes: Buffer): Parsed | undefined {
  try {
    const { before, ...entry } = JSON.parse(bytes.toString('utf8'));
    return { entry, before };
  } catch {
    return undefined; // the power went while it was written, or somebody changed it
  }
}

/** Those that are full in their order, then the one that is written: which may become full, and another one be begun, while the others are read. */
async function* filesOf(path: string): AsyncGenerator<{ number?: number; file: FileHandle }, void, undefined> {
  let last = 0;
  for (;;) {
    const newest = await open(path, 'r').catch(ifMissing);
    const full = (await numbersIn(path)).filter((number) => number > last);
    if (full.length === 0 && newest && !(await hasNumber(newest, path, last))) return yield { file: newest };
    await newest?.close();
    if (full.length === 0) return;
    for (const number of full) {
      last = number;
      const file = await open(fullPath(path, number), 'r').catch(ifMissing);
      if (file) yield { number, file };
    }
  }
}

const numbersIn = async (path: string) => (await fullFiles(path).catch(ifMissing)) ?? [];

/** Closes the file. */
async function* linesOf(file: FileHandle): AsyncGenerator<Buffer, void, undefined> {
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream('', { fd: file }) as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(LINE_END); end >= 0; end = rest.indexOf(LINE_END)) {
      yield rest.subarray(0, end);
      rest = rest.subarray(end + 1);
    }
    if (rest.length > MOST_LINE_BYTES) break; // what comes is no log: its last line is told as unreadable
  }
  if (rest.length > 0) yield rest;
}
