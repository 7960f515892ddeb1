import { stringify } from 'csv-stringify/sync';
import type { CreditEntry, EntryFilter } from '../../src-preload/contract/credits.ts';
import type { Db } from '../store/database.ts';
import { readHistory } from './history.ts';

const COLUMNS = ['number', 'time', 'kind', 'request', 'credits', 'points', 'memo'];

/**
 * The history as CSV, oldest first: a piece with the head, then one for each page. Times are ISO 8601 in UTC. Memos and
 * request ids come from peers: a text that a spreadsheet would take for a formula gets an apostrophe in front.
 */
export async function* historyCsv(db: Db, filter: EntryFilter): AsyncGenerator<string, void, undefined> {
  yield stringify([COLUMNS]);
  for await (const page of readHistory(db, filter)) yield stringify(page.map(cells), { escape_formulas: true });
}

function cells({ seq, at, kind, requestId, amount, points, memo }: CreditEntry): (string | number)[] {
  return [seq, new Date(at).toISOString(), kind, requestId ?? '', amount, points, memo];
}
