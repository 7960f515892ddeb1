import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import type { z } from 'zod';
import { QuarryError } from '../../../../../src-preload/contract/errors.ts';
import { type Saying, say, type Words } from '../../../../../src-preload/contract/saying.ts';
import { openRegular } from '../../../../base/regular-file.ts';
import { sha256 } from '../../../../base/sha256.ts';
import { valueFault } from '../../../../base/value-fault.ts';
import { Lines, type RawRow, rowOf } from '../../../../validation/datasets/lines.ts';
import { MOST_BYTES, MOST_ROWS } from '../../../../validation/datasets/source-row.ts';
import { ListItems } from './list-items.ts';

/** What the rows of a file are, and how they stand in it. */
export interface RowFormat<Row> {
  /** One row in each line, or all of them in one JSON list. */
  layout: 'lines' | 'list';
  row: z.ZodType<Row>;
  id(row: Row): string | undefined;
  /** What is wrong with a row that has the right shape. */
  fault?(row: Row): Words | undefined;
}

/** A row, and what its file calls it: its number where it has no name. */
export interface FoundRow<Row> {
  row: Row;
  id: string;
}

/** The good rows of a file. It stays on the disk: only where they are is kept in memory. */
export interface RowIndex<Row> {
  /** Its name, without its folder. */
  readonly file: string;
  /** Of all of it, 64 hex digits. */
  readonly sha256: string;
  readonly rows: number;
  /** Rows that are left out, and the first of their faults. */
  readonly skipped: number;
  readonly faults: readonly Saying[];
  /** @param index below {@link rows} @throws BAD_REQUEST where the file is another one by now */
  read(index: number): Promise<FoundRow<Row>>;
}

/** Of a row: the longest report of GovReport has more than one megabyte. */
export const MOST_TEXT_BYTES = 8 << 20;
/** Of a file; HotpotQA's for training has 566 MB. */
const MOST_FILE_BYTES = 2 * MOST_BYTES;
/** Faults that are told. */
const MOST_FAULTS = 10;
const PIECE = 1 << 18;

/**
 * Looks through a file once, of any size: what of it can be used, and its SHA-256.
 * @throws BAD_REQUEST where nothing of it can be used; ENOENT; the signal's reason
 */
export async function indexRows<Row>(
  path: string,
  format: RowFormat<Row>,
  signal?: AbortSignal,
): Promise<RowIndex<Row>> {
  const rows = new Places(path, format);
  const cutter = format.layout === 'lines' ? Lines : ListItems;
  const cut = new cutter(MOST_FILE_BYTES, MOST_TEXT_BYTES);
  const digest = createHash('sha256');
  const file = await opened(path);
  try {
    for await (const piece of piecesOf(file)) {
      signal?.throwIfAborted();
      digest.update(piece);
      for (const raw of cut.take(piece)) rows.take(raw);
    }
    for (const raw of cut.end()) rows.take(raw);
  } finally {
    await file.close();
  }
  return rows.index(digest.digest('hex'));
}

async function* piecesOf(file: FileHandle): AsyncGenerator<Buffer, void, undefined> {
  for (;;) {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.allocUnsafe(PIECE) });
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Where a row is, and what tells whether it is still the same. */
interface Place {
  line: number;
  at: number;
  bytes: number;
  digest: string;
}

/** Notes where the good rows of a file are, and what is wrong with the others. */
class Places<Row> {
  readonly #path: string;
  readonly #format: RowFormat<Row>;
  readonly #places: Place[] = [];
  readonly #faults: Saying[] = [];
  #skipped = 0;

  constructor(path: string, format: RowFormat<Row>) {
    this.#path = path;
    this.#format = format;
  }

  /** @throws BAD_REQUEST for more rows than a data set may have */
  take(raw: RawRow): void {
    if (this.#places.length + this.#skipped === MOST_ROWS) {
      throw refused(say('datasets.tooManyRows', { most: MOST_ROWS }), say('datasets.fewer'));
    }
    const read = readRow(this.#format, raw);
    if ('fault' in read) this.#fail(raw.line, read.fault);
    else this.#places.push(placeOf(raw));
  }

  /** @throws BAD_REQUEST where there is no good row */
  index(sha: string): RowIndex<Row> {
    const file = basename(this.#path);
    if (this.#places.length === 0) throw this.#useless();
    return {
      ...{ file, sha256: sha, rows: this.#places.length, skipped: this.#skipped, faults: this.#faults },
      read: (index) => readAgain(this.#path, this.#format, this.#places[index] as Place),
    };
  }

  #fail(line: number, why: Words): void {
    this.#skipped++;
    const told = { file: basename(this.#path), line: String(line), why };
    if (this.#faults.length < MOST_FAULTS) this.#faults.push(say('contextFiles.rowFault', told));
  }

  #useless(): QuarryError {
    const path = this.#path;
    if (this.#faults.length === 0) return refused(say('contextFiles.empty', { path }), say('contextFiles.fetchAgain'));
    return refused(say('contextFiles.useless', { path, faults: this.#faults }), say('contextFiles.fetchAgain'));
  }
}

function placeOf({ line, at, bytes = Buffer.alloc(0) }: RawRow): Place {
  return { line, at, bytes: bytes.length, digest: digestOf(bytes) };
}

/** Enough to see that a file was replaced; whoever could forge it could replace the file before. */
const digestOf = (bytes: Buffer) => sha256(bytes).toString('base64url', 0, 12);

/** What a row says, if it can be used. */
function readRow<Row>(format: RowFormat<Row>, raw: RawRow): { row: Row } | { fault: Words } {
  const found = rowOf(raw, MOST_TEXT_BYTES);
  if ('fault' in found) return found;
  const { data: row, error } = format.row.safeParse(found.value);
  if (error) return { fault: shapeFault(error.issues[0] ?? error) };
  const fault = format.fault?.(row);
  return fault ? { fault } : { row };
}

function shapeFault(issue: { message: string; path?: PropertyKey[] }): Words {
  const field = issue.path?.map(String).join('.');
  const why = valueFault(issue);
  return field ? say('datasets.fieldFault', { field, why }) : say('datasets.wholeFault', { why });
}

async function readAgain<Row>(path: string, format: RowFormat<Row>, place: Place): Promise<FoundRow<Row>> {
  const bytes = Buffer.alloc(place.bytes);
  const file = await opened(path);
  try {
    await file.read({ buffer: bytes, position: place.at });
  } finally {
    await file.close();
  }
  const read = digestOf(bytes) === place.digest ? readRow(format, { ...place, bytes }) : undefined;
  if (!read || 'fault' in read) throw refused(say('contextFiles.changed', { path }), say('datasets.again'));
  return { row: read.row, id: format.id(read.row) ?? String(place.line) };
}

async function opened(path: string): Promise<FileHandle> {
  const file = await openRegular(path);
  if (!file) throw refused(say('datasets.notFile', { path }));
  return file;
}

const refused = (message: Saying, hint?: Saying) =>
  new QuarryError({ code: 'BAD_REQUEST', message, ...(hint && { hint }), field: 'path' });
