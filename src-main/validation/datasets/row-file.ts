import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { Lines, rowOf } from './lines.ts';
import { MOST_BYTES, type RowSource, type SourceRows } from './source-row.ts';

const PIECE = 1 << 16;

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
      const rows = lines.take(piece as Buffer).map((line) => rowOf(line));
      yield { rows, share: size === 0 ? null : Math.min(1, file.bytesRead / size) };
    }
    yield { rows: lines.end().map((line) => rowOf(line)), share: 1 };
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
