import { type FileHandle, open, rename } from 'node:fs/promises';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { syncFolder } from '../../../base/atomic-file.ts';
import { ifMissing } from '../../../base/swallowed.ts';
import type { DatasetPage, DatasetPart, DatasetServer } from '../../../models/hub/dataset-server.ts';

export interface RowsToFetch {
  server: Pick<DatasetServer, 'pages'>;
  part: DatasetPart;
  /** Of the file that they become: each as JSON, in a line of its own. */
  folder: string;
  file: string;
  path: string;
  /** Bytes that the file may have. */
  mostBytes: number;
  signal: AbortSignal;
}

/** How far it is. */
export interface RowsFetched {
  bytes: number;
  rows: number;
  /** Rows of all. */
  total: number;
}

/** Where rows are that are not all of them yet. */
export const rowsPartial = (path: string) => `${path}.partial`;

/**
 * Fetches all rows of a table, page by page; what an earlier try has is not fetched again.
 * @throws UNSUPPORTED for rows that the server cuts off, or too many of them; what the server's pages throw; the signal's reason
 */
export async function* fetchRows(wanted: RowsToFetch): AsyncGenerator<RowsFetched, void, undefined> {
  const { server, part, folder, path, signal } = wanted;
  const partial = rowsPartial(path);
  const before = await wholeLines(partial);
  const file = await open(partial, 'a');
  try {
    await file.truncate(before.bytes);
    yield* append(file, server.pages(part, signal, before.rows), before, wanted);
  } finally {
    await file.close();
  }
  signal.throwIfAborted();
  await rename(partial, path);
  await syncFolder(folder);
}

async function* append(
  file: FileHandle,
  pages: AsyncIterable<DatasetPage>,
  before: { bytes: number; rows: number },
  { file: name, mostBytes }: RowsToFetch,
): AsyncGenerator<RowsFetched, void, undefined> {
  let { bytes, rows } = before;
  for await (const page of pages) {
    const lines = Buffer.from(page.rows.map(lineOf).join(''));
    bytes += lines.length;
    rows += page.rows.length;
    if (bytes > mostBytes) throw unusable(say('contextFiles.tooMany', { file: name, most: mostBytes }));
    await file.appendFile(lines);
    await file.datasync();
    yield { bytes, rows, total: page.total };
  }
}

/** A row of which something is missing would be asked about as if it were whole. */
function lineOf({ at, value, cut }: DatasetPage['rows'][number]): string {
  if (cut.length > 0) throw unusable(say('contextFiles.rowCut', { fields: cut.slice(0, 5), row: String(at + 1) }));
  return `${JSON.stringify(value)}\n`;
}

/** What is here of it: a line that broke off is fetched again. */
async function wholeLines(path: string): Promise<{ bytes: number; rows: number }> {
  const found = { bytes: 0, rows: 0 };
  const file = await open(path, 'r').catch(ifMissing);
  if (!file) return found;
  try {
    let read = 0;
    for await (const piece of file.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>) {
      for (let at = piece.indexOf('\n'); at >= 0; at = piece.indexOf('\n', at + 1)) {
        found.rows++;
        found.bytes = read + at + 1;
      }
      read += piece.length;
    }
  } finally {
    await file.close();
  }
  return found;
}

const unusable = (message: ReturnType<typeof say>) =>
  new QuarryError({ code: 'UNSUPPORTED', message, hint: say('contextFiles.rowCut.hint') });
