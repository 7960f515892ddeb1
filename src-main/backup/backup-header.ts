import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { z } from 'zod';
import type { BackupHeader } from '../../src-preload/contract/backup.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { hexPattern } from '../../src-preload/contract/limits.ts';
import { type Saying, say } from '../../src-preload/contract/saying.ts';

/** The first bytes of every backup. Another version of the format has another number. */
export const MAGIC = Buffer.from('quarry-backup/1\n', 'ascii');
/** Bytes of plaintext in each piece but the last. */
export const PIECE_BYTES = 65_536;
/** What the encryption adds to each piece. */
export const PIECE_OVERHEAD = 17;
/** Of the keyed hash behind the header. */
export const MAC_BYTES = 32;
const MAX_HEADER_BYTES = 4_096;
const MIB = 1_048_576;

/** What Argon2id may take: a file that asks for more is no backup of Quarry's, and may not eat this computer. */
const KDF_LIMITS = { passes: { least: 1, most: 8 }, memoryMiB: { least: 8, most: 1_024 } };
/** What a new backup takes: about a second on an ordinary computer, and for whoever guesses as much each time. */
export const KDF_DEFAULT = { passes: 3, memoryMiB: 256 };

const headerSchema = z.strictObject({
  /** Id of the node. */
  node: z.string().regex(hexPattern(32)),
  /** Unix milliseconds. */
  createdAt: z.int().min(0).max(8_640_000_000_000_000),
  /** Of Quarry. It is shown before anything of the file is proved: no control characters. */
  version: z.string().regex(/^[\w.+-]{1,40}$/),
  /** Of the plaintext. */
  bytes: z
    .int()
    .min(1)
    .max(2 ** 44),
  kdf: z.strictObject({
    name: z.literal('argon2id13'),
    passes: z.int().min(KDF_LIMITS.passes.least).max(KDF_LIMITS.passes.most),
    memoryMiB: z.int().min(KDF_LIMITS.memoryMiB.least).max(KDF_LIMITS.memoryMiB.most),
    salt: z.string().regex(hexPattern(16)),
  }),
  /** Header of the secretstream. */
  stream: z.string().regex(hexPattern(24)),
});
export type FileHeader = z.infer<typeof headerSchema>;

/** The beginning of a file: magic, length of the header, header. */
export function encodeHeader(header: FileHeader): Buffer {
  const text = Buffer.from(JSON.stringify(header), 'utf8');
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  return Buffer.concat([MAGIC, length, text]);
}

/** A header as it stands in a file, and where the pieces begin. */
export interface ReadHeader {
  header: FileHeader;
  /** The bytes that {@link encodeHeader} gave. */
  encoded: Buffer;
  mac: Buffer;
  /** Of the whole file. */
  fileBytes: number;
}

/**
 * Reads what a backup says without its password. Everything of it is a stranger's word until the password has been checked.
 * @throws BAD_REQUEST when the file is no backup, is of a later version, or is not as long as it should be
 */
export function readHeader(file: number): ReadHeader {
  const fileBytes = fstatSync(file).size;
  const start = readExactly(file, MAGIC.length + 4, 0);
  if (!start.subarray(0, MAGIC.length).equals(MAGIC)) {
    throw unusable(say(isBackup(start) ? 'backup.laterFormat' : 'backup.noBackup'));
  }
  const length = start.readUInt32LE(MAGIC.length);
  if (length > MAX_HEADER_BYTES) throw unusable(say('backup.noBackup'));
  const text = readExactly(file, length, start.length);
  const mac = readExactly(file, MAC_BYTES, start.length + length);
  const header = parse(text);
  const encoded = Buffer.concat([start, text]);
  const whole = encoded.length + MAC_BYTES + sealedBytes(header.bytes);
  if (fileBytes < whole) throw unusable(say('backup.truncated'));
  if (fileBytes > whole) throw unusable(say('backup.damaged'));
  return { header, encoded, mac, fileBytes };
}

/** Whether a file that begins so may be a backup. */
export const isBackup = (start: Buffer): boolean => start.subarray(0, 14).equals(MAGIC.subarray(0, 14));

/** What anybody can see of a backup. @throws as {@link readHeader}; CONFIG_INVALID when the file cannot be read */
export function showBackup(path: string): BackupHeader {
  const file = openBackup(path);
  try {
    const { header, fileBytes } = readHeader(file);
    const { node, createdAt, version } = header;
    return { node, createdAt, version, bytes: fileBytes };
  } finally {
    closeSync(file);
  }
}

/** @throws BAD_REQUEST when it cannot be read, or is no file */
export function openBackup(path: string): number {
  const file = openAtOnce(path);
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw unusable(say('backup.noBackup'));
}

/** A pipe, too, is opened without waiting for somebody at its other end. */
function openAtOnce(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)); // Windows has no such flag
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw unusable(say('backup.noFile', { path }));
    throw unusable(say('backup.unreadable', { path, code: String(code) }));
  }
}

/** Bytes of so many bytes of plaintext when they are encrypted: the last piece is always there, if an empty one. */
function sealedBytes(bytes: number): number {
  return bytes + PIECE_OVERHEAD * (Math.floor((bytes - 1) / PIECE_BYTES) + 1);
}

export function unusable(message: Saying, field = 'file'): QuarryError {
  return new QuarryError({ code: 'BAD_REQUEST', message, field });
}

/** @throws BAD_REQUEST when the file ends before */
export function readExactly(file: number, bytes: number, at: number | null): Buffer {
  const buffer = Buffer.alloc(bytes);
  let have = 0;
  while (have < bytes) {
    const read = readSync(file, buffer, have, bytes - have, at === null ? null : at + have);
    if (read === 0) throw unusable(say('backup.truncated'));
    have += read;
  }
  return buffer;
}

function parse(text: Buffer): FileHeader {
  try {
    return headerSchema.parse(JSON.parse(text.toString('utf8')));
  } catch {
    throw unusable(say('backup.noBackup'));
  }
}

/** Bytes of memory that a header asks for. */
export const memoryOf = ({ kdf }: Pick<FileHeader, 'kdf'>): number => kdf.memoryMiB * MIB;
