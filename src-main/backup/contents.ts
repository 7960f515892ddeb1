import {
  chmodSync,
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { z } from 'zod';
import type { Books } from '../../src-preload/contract/backup.ts';
import { hexPattern } from '../../src-preload/contract/limits.ts';
import { say } from '../../src-preload/contract/saying.ts';
import { DATA, dataNames, dataPath } from '../base/data-folder.ts';
import { identityFromFile } from '../mesh/transport/identity.ts';
import { totalsIn } from '../store/credits/receipts.ts';
import { LEFT_OUT_OF_BACKUPS, openDatabase } from '../store/database.ts';
import { unusable } from './backup-header.ts';

const READ_BYTES = 1_048_576;
const MAX_MANIFEST_BYTES = 16_384;
const MAX_IDENTITY_BYTES = 4_096;

/** The beginning of the plaintext: a length, this as JSON, and then the bytes of the files, one after the other. */
const manifestSchema = z.strictObject({
  v: z.literal(1),
  node: z.string().regex(hexPattern(32)),
  receipts: z.int().min(0),
  points: z.int().min(0),
  files: z.array(z.strictObject({ name: z.string().max(100), bytes: z.int().min(0) })).max(50),
});
type Manifest = z.infer<typeof manifestSchema>;

/** Copies of the databases of a data folder, each as it is at one moment, also while a node writes it. Plain: whoever makes them removes them. */
export interface Copies {
  /** Without what is left out of backups. */
  books: string;
  /** What a validator keeps; undefined where there is no such file. */
  results: string | undefined;
}

/** @param to files that are not there; they will be readable by their owner only */
export function copyDatabases(dataDir: string, to: { books: string; results: string }): Copies {
  const from = dataPath(dataDir, 'results');
  const results = existsSync(from) ? to.results : undefined;
  snapshot(dataPath(dataDir, 'database'), to.books);
  leaveOut(to.books);
  if (results) snapshot(from, results);
  return { books: to.books, results };
}

function snapshot(from: string, to: string): void {
  closeSync(openSync(to, 'wx', 0o600));
  const database = new SQLite(from, { fileMustExist: true, timeout: 60_000 });
  try {
    database.prepare('VACUUM INTO ?').run(to);
  } finally {
    database.close();
  }
  chmodSync(to, 0o600);
}

function leaveOut(books: string): void {
  const copy = new SQLite(books);
  try {
    copy.pragma('secure_delete = ON'); // nor are their rows in pages that are free
    for (const table of LEFT_OUT_OF_BACKUPS) copy.exec(`DELETE FROM ${table}`);
    copy.exec('VACUUM'); // and free pages are carried nowhere: recordings can be most of the database
  } finally {
    copy.close();
  }
}

/** How much the books in a database hold. @param node whose they are */
export const booksOf = (database: string, node: string): Books => ({ node, ...totalsIn(database) });

/**
 * The plaintext of a backup, and how long it is.
 * @param copies of the databases; everything else is read from the data folder
 * @param onRead told how much has been read
 */
export function plaintext(
  { dataDir, copies, books }: { dataDir: string; copies: Copies; books: Books },
  onRead: (bytes: number) => void,
): { bytes: number; pieces: Iterable<Buffer>; close: () => void } {
  const files = openFiles(dataDir, copies);
  const listed = files.map(({ name, bytes }) => ({ name, bytes }));
  const text = Buffer.from(JSON.stringify({ v: 1, ...books, files: listed } satisfies Manifest), 'utf8');
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  const head = Buffer.concat([length, text]);
  function* pieces() {
    yield head;
    let done = 0;
    for (const file of files) {
      for (const piece of readAll(file)) {
        yield piece;
        done += piece.length;
        onRead(done);
      }
    }
  }
  const bytes = files.reduce((sum, file) => sum + file.bytes, head.length);
  const close = () => {
    for (const { file } of files) closeSync(file);
  };
  return { bytes, pieces: pieces(), close };
}

interface OpenFile {
  name: string;
  bytes: number;
  file: number;
}

/** All are opened before one is read: what replaces one of them meanwhile is a new file. */
function openFiles(dataDir: string, { books, results }: Copies): OpenFile[] {
  const copies: Record<string, string | undefined> = { [DATA.database.name]: books, [DATA.results.name]: results };
  return dataNames(({ inBackup }) => inBackup).flatMap((name) => {
    const path = name in copies ? copies[name] : join(dataDir, name);
    if (path === undefined) return [];
    const file = openSync(path, 'r');
    return { name, file, bytes: fstatSync(file).size };
  });
}

function* readAll({ name, file, bytes }: OpenFile): Generator<Buffer, void, undefined> {
  for (let done = 0; done < bytes; ) {
    const buffer = Buffer.alloc(Math.min(READ_BYTES, bytes - done));
    const read = readSync(file, buffer, 0, buffer.length, done);
    if (read === 0) throw new Error(`${name} has become shorter while it was read.`);
    done += read;
    yield buffer.subarray(0, read);
  }
}

/**
 * Writes what a backup holds into a new folder, flushed to the disk, and looks whether a node could be opened with it.
 * @param node who it should be, by the header
 * @throws BAD_REQUEST when it is not what a backup holds; DATABASE_CORRUPT, DATABASE_NEWER
 */
export async function unpack(
  pieces: Iterator<Buffer>,
  folder: string,
  node: string,
  onWritten: (bytes: number) => void,
): Promise<Books> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  const source = new Source(pieces);
  const { files, node: written } = readManifest(source);
  if (written !== node) throw unusable(say('backup.damaged'));
  let done = 0;
  for (const { name, bytes } of files) {
    write(join(folder, name), source.next(bytes), (piece) => {
      done += piece;
      onWritten(done);
    });
  }
  if (!source.isEmpty()) throw unusable(say('backup.damaged'));
  const identity = readFileSync(dataPath(folder, 'identity'), 'utf8');
  if (identityFromFile(identity, DATA.identity.name).id !== node) throw unusable(say('backup.damaged'));
  const database = dataPath(folder, 'database');
  const db = await openDatabase(database); // brings an older one up to date, too
  await db.destroy();
  return booksOf(database, node);
}

/** @throws BAD_REQUEST unless it lists each file once, all that make a node, and none but those that belong into a backup */
function readManifest(source: Source): Manifest {
  const bytes = source.take(4).readUInt32LE(0);
  if (bytes > MAX_MANIFEST_BYTES) throw unusable(say('backup.damaged'));
  const manifest = parse(source.take(bytes).toString('utf8'));
  const names = manifest.files.map(({ name }) => name);
  const known = dataNames(({ inBackup }) => inBackup);
  if (names.some((name) => !known.includes(name))) throw unusable(say('backup.laterFormat'));
  const needed = dataNames(({ marksANode }) => marksANode);
  const hasAll = needed.every((name) => names.includes(name));
  const key = manifest.files.find(({ name }) => name === DATA.identity.name);
  const isLong = key !== undefined && key.bytes > MAX_IDENTITY_BYTES;
  if (!hasAll || isLong || new Set(names).size < names.length) throw unusable(say('backup.damaged'));
  return manifest;
}

function parse(text: string): Manifest {
  try {
    return manifestSchema.parse(JSON.parse(text));
  } catch {
    throw unusable(say('backup.damaged'));
  }
}

function write(path: string, pieces: Iterable<Buffer>, onWritten: (bytes: number) => void): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    for (const piece of pieces) {
      for (let at = 0; at < piece.length; ) at += writeSync(file, piece, at);
      onWritten(piece.length);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Pieces of any length, read as many bytes as are wanted at a time. */
class Source {
  readonly #pieces: Iterator<Buffer>;
  #left: Buffer = Buffer.alloc(0);

  constructor(pieces: Iterator<Buffer>) {
    this.#pieces = pieces;
  }

  /** So many bytes at once: few. @throws BAD_REQUEST when there are fewer */
  take(bytes: number): Buffer {
    return Buffer.concat([...this.next(bytes)]);
  }

  /** So many bytes, as they come. @throws BAD_REQUEST when there are fewer */
  *next(bytes: number): Generator<Buffer, void, undefined> {
    for (let wanted = bytes; wanted > 0; ) {
      if (this.isEmpty()) throw unusable(say('backup.damaged'));
      const piece = this.#left.subarray(0, wanted);
      this.#left = this.#left.subarray(piece.length);
      wanted -= piece.length;
      yield piece;
    }
  }

  /** Whether everything has been read. At the end this also reads what the file says of its end. */
  isEmpty(): boolean {
    while (this.#left.length === 0) {
      const next = this.#pieces.next();
      if (next.done) return true;
      this.#left = next.value;
    }
    return false;
  }
}
