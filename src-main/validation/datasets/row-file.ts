import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { jsonExcess } from '../../base/json-shape.ts';
import { MOST_BYTES, MOST_ROW_BYTES, type RowSource, type SourceRow, type SourceRows } from './source-row.ts';

const NEWLINE = 0x0a;
const PIECE = 1 << 16;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Rows of a JSONL file, one JSON object a line; of one whose name ends with `.gz`, unpacked. Empty lines do not count.
 * @param path absolute: a relative one would start from the node's own working folder
 * @param mostBytes of all of it, unpacked. Default 2 GiB: what is kept of a row may be less
 */
export function rowFile(path: string, mostBytes = 2 * MOST_BYTES): RowSource {
  return { name: path, read: (signal) => readFile(path, mostBytes, signal) };
}

async function* readFile(
  path: string,
  mostBytes: number,
  signal?: AbortSignal,
): AsyncGenerator<SourceRows, void, undefined> {
  const size = await sizeOf(path);
  const file = createReadStream(path, { highWaterMark: PIECE, signal });
  const text = path.toLowerCase().endsWith('.gz') ? unpacked(file) : file;
  const lines = new Lines(mostBytes);
  try {
    for await (const piece of text) {
      const rows = lines.take(piece as Buffer).map(rowOf);
      yield { rows, share: size === 0 ? null : Math.min(1, file.bytesRead / size) };
    }
    yield { rows: lines.end().map(rowOf), share: 1 };
  } catch (error) {
    signal?.throwIfAborted();
    throw unreadable(path, error);
  } finally {
    text.destroy();
    file.destroy();
  }
}

function unpacked(file: Readable): Readable {
  const text = createGunzip();
  file.once('error', (error) => text.destroy(error));
  return file.pipe(text);
}

/** @throws BAD_REQUEST for what is no file: a pipe has no end, and one that nobody writes to never begins */
async function sizeOf(path: string): Promise<number> {
  if (!isAbsolute(path)) throw refused(say('datasets.notAbsolute', { path }));
  const found = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  if (!found.isFile()) throw refused(say('datasets.notFile', { path }));
  return found.size;
}

const refused = (message: ReturnType<typeof say>) => new QuarryError({ code: 'BAD_REQUEST', message, field: 'path' });

function unreadable(path: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (error instanceof QuarryError || code === '') return error;
  return refused(
    code.startsWith('Z_') ? say('datasets.badGzip', { path }) : say('datasets.unreadable', { path, code }),
  );
}

/** A line's bytes, or that it was longer than a row may be. */
interface Line {
  line: number;
  bytes: Buffer | undefined;
}

/** Cuts what is read into lines, of which none is held that is too long. */
class Lines {
  #open: Buffer[] = [];
  #length = 0;
  #line = 1;
  #left: number;

  constructor(mostBytes: number) {
    this.#left = mostBytes;
  }

  /** @throws BAD_REQUEST where there is more than a data set may have: what was packed may have no end */
  take(piece: Buffer): Line[] {
    this.#left -= piece.length;
    if (this.#left < 0) throw refused(say('datasets.tooLarge', { most: MOST_BYTES }));
    const lines: Line[] = [];
    let at = 0;
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, at)) {
      this.#add(piece.subarray(at, end));
      lines.push(...this.end());
      at = end + 1;
    }
    this.#add(piece.subarray(at));
    return lines;
  }

  /** The line that is open; none where it is empty. */
  end(): Line[] {
    const line = this.#line++;
    const isTooLong = this.#length > MOST_ROW_BYTES;
    const bytes = isTooLong ? undefined : Buffer.concat(this.#open);
    const isEmpty = bytes?.every((byte) => byte <= 0x20);
    this.#open = [];
    this.#length = 0;
    return isEmpty ? [] : [{ line, bytes }];
  }

  #add(bytes: Buffer): void {
    this.#length += bytes.length;
    if (this.#length > MOST_ROW_BYTES) this.#open = [];
    else if (bytes.length > 0) this.#open.push(bytes);
  }
}

function rowOf({ line, bytes }: Line): SourceRow {
  if (!bytes) return { line, fault: say('datasets.rowTooLong', { most: MOST_ROW_BYTES }) };
  if (jsonExcess(bytes)) return { line, fault: say('datasets.rowTooMuch') };
  try {
    return { line, value: JSON.parse(UTF8.decode(bytes)) };
  } catch {
    return { line, fault: say('datasets.noJson') }; // it is none, or not even text
  }
}
