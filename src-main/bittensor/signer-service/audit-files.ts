import type { FileHandle } from 'node:fs/promises';
import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { placeNew } from '../../base/atomic-file.ts';
import { ifMissing } from '../../base/swallowed.ts';

/** What a line tells, beside its time. */
export interface AuditEntry {
  event: 'start' | 'stop' | 'continue' | 'not_continued' | 'sign' | 'set_weights' | 'refused';
  /** `asked` stands before what is done: whoever is killed in between leaves it without the other. */
  outcome?: 'asked' | 'done' | 'pending' | 'refused' | 'failed';
  /** Of the request: its lines have the same. */
  request?: string;
  /** The address of who asked. */
  from?: string;
  [more: string]: unknown;
}

/** Before the first line. */
export const NOTHING = '0'.repeat(64);
export const LINE_END = 0x0a;
/** The longest line has 4,096 weights. */
export const MOST_LINE_BYTES = 256 << 10;

const DIGITS = 6;
const MOST_DIGITS = 15;
/** No file has a number beyond: it would not be found again. */
const MOST_NUMBER = 10 ** MOST_DIGITS - 1;

/** Name of a file that is full, from 1 on: `signer-audit-000001.jsonl` beside `signer-audit.jsonl`. */
export function fullName(path: string, number: number): string {
  return basename(path).replace(/(\.\w+)?$/, `-${String(number).padStart(DIGITS, '0')}$1`);
}

/** The number in such a name; 0 for what is none. */
export function numberIn(path: string, name: unknown): number {
  if (typeof name !== 'string') return 0;
  const number = Number(new RegExp(`-(\\d{${DIGITS},${MOST_DIGITS}})(?:\\.\\w+)?$`).exec(name)?.[1] ?? 0);
  return name === fullName(path, number) ? number : 0;
}

/** Numbers of the files that are full, the oldest first. Their names alone are looked at. */
export async function fullFiles(path: string): Promise<number[]> {
  const names = await readdir(dirname(path));
  return names
    .map((name) => numberIn(path, name))
    .filter((number) => number > 0)
    .sort((a, b) => a - b);
}

/** Where it lies. */
export const fullPath = (path: string, number: number): string => join(dirname(path), fullName(path, number));

/**
 * Gives the file that is full its number. Whoever is killed amid that leaves it with both names.
 * @throws EEXIST where another file has the number, which stays; ERANGE for a number that none can have
 */
export async function giveNumber(path: string, number: number): Promise<void> {
  if (number > MOST_NUMBER) throw Object.assign(new Error(`no file has the number ${number}`), { code: 'ERANGE' });
  await placeNew(path, fullPath(path, number));
  await rm(path, { force: true });
}

/** Whether the file is the one with this number: it has been given it, and kept its own name as well. */
export async function hasNumber(file: FileHandle, path: string, number: number): Promise<boolean> {
  const own = await file.stat({ bigint: true });
  const full = await stat(fullPath(path, number), { bigint: true }).catch(ifMissing);
  return own.ino === full?.ino && own.dev === full.dev;
}

/** @returns the first line where it is whole; no more is read than it may have */
export async function firstLine(file: FileHandle): Promise<Buffer | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(MOST_LINE_BYTES + 1), 0, MOST_LINE_BYTES + 1, 0);
  const end = buffer.subarray(0, bytesRead).indexOf(LINE_END);
  return end < 0 ? undefined : buffer.subarray(0, end);
}

/** How a file ends. */
export interface FileEnd {
  /** Undefined for an empty one, or where what stands there is too long for a line. */
  last?: Buffer;
  /** Whether the power went while it was written. */
  isTorn: boolean;
  isTooLong: boolean;
}

/** Reads the end of a file, and no more of it than a line may have. */
export async function fileEnd(file: FileHandle): Promise<FileEnd> {
  const { size } = await file.stat();
  const length = Math.min(size, MOST_LINE_BYTES + 1);
  if (length === 0) return { isTorn: false, isTooLong: false };
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
  const isTorn = buffer.at(-1) !== LINE_END;
  const end = isTorn ? length : length - 1;
  const before = end === 0 ? -1 : buffer.lastIndexOf(LINE_END, end - 1);
  if (before < 0 && length < size) return { isTorn, isTooLong: true };
  return { last: buffer.subarray(before + 1, end), isTorn, isTooLong: false };
}
