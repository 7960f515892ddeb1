/** How much of an export has come. */
export interface CsvProgress {
  /** Without the head. */
  rows: number;
  bytes: number;
}

/**
 * Gathers the pieces of a CSV, each of whole rows and the first the head, into a file.
 * @throws what the pieces throw, and the signal's reason once it aborts
 */
export async function gatherCsv(
  pieces: AsyncIterable<string>,
  signal: AbortSignal,
  onProgress: (progress: CsvProgress) => void,
): Promise<Blob> {
  const parts: Blob[] = [];
  let rows = -1;
  let bytes = 0;
  for await (const piece of pieces) {
    signal.throwIfAborted();
    const part = new Blob([piece]); // keeps a long ledger out of the page's own memory
    parts.push(part);
    rows += countRows(piece);
    bytes += part.size;
    onProgress({ rows: Math.max(0, rows), bytes });
  }
  signal.throwIfAborted();
  return new Blob(parts, { type: 'text/csv;charset=utf-8' });
}

/** Ends of lines outside quotes. */
export function countRows(csv: string): number {
  let rows = 0;
  let quoted = false;
  for (const character of csv) {
    if (character === '"') quoted = !quoted;
    else if (character === '\n' && !quoted) rows++;
  }
  return rows;
}

/** `quarry-ledger-2026-11-21.csv`, by this computer's calendar. */
export function csvFileName(now: Date): string {
  const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0'));
  return `quarry-ledger-${day.join('-')}.csv`;
}
