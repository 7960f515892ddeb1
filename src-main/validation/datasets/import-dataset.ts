import { createHash } from 'node:crypto';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Saying, say, type Words } from '../../../src-preload/contract/saying.ts';
import { ignoring } from '../../base/swallowed.ts';
import { valueFault } from '../../base/value-fault.ts';
import { type Dataset, ROWS_TOGETHER, type StoredDatasets } from '../../store/results/stored-datasets.ts';
import type { DatasetKind } from './dataset-kind.ts';
import { MOST_BYTES, MOST_ROW_BYTES, MOST_ROWS, type RowSource, type SourceRow } from './source-row.ts';

export interface DatasetImport {
  name: string;
  kind: DatasetKind;
  source: RowSource;
  into: StoredDatasets;
  /** Only the first rows. Default: all. */
  mostRows?: number | undefined;
  /** Leaves out rows with a fault, in place of refusing them all. Default false. */
  skipBad?: boolean | undefined;
  /** Default: what the rows say. */
  licence?: string | undefined;
  signal?: AbortSignal | undefined;
  now?: () => number;
}

export interface ImportProgress {
  type: 'progress';
  /** That are in. */
  rows: number;
  /** 0 to 1; null where nobody knows. */
  share: number | null;
}

export interface Imported {
  dataset: Dataset;
  /** Rows that were left out, and the first of their faults. */
  skipped: number;
  faults: Saying[];
}

/** Faults that are told. */
const MOST_FAULTS = 10;
/** Licences that are told, where rows have several. */
const MOST_LICENCES = 5;
/** Of what is told of its source, and of its licence, UTF-16 units. */
const MOST_TOLD = 500;

/**
 * Takes a data set in, all of it or nothing; it is seen at the end, in place of what had its name. Leaving it on the way gives it up.
 * @throws BAD_REQUEST for rows that are none, or too many; what the source throws; CANCELLED
 */
export async function* importDataset(wanted: DatasetImport): AsyncGenerator<ImportProgress, Imported, undefined> {
  const { name, kind, source, into, signal, now = Date.now } = wanted;
  const about = { name, kind: kind.name, source: storable(source.name) };
  const id = await into.begin(about, now());
  const rows = new RowIntake(wanted);
  try {
    for await (const { rows: some, share } of source.read(signal)) {
      for (const row of some) if (!rows.isFull) rows.take(row);
      signal?.throwIfAborted();
      const batches = rows.batches();
      for (const batch of batches) await into.append(id, batch.from, batch.rows, now());
      if (batches.length > 0) yield { type: 'progress', rows: rows.count, share };
      if (rows.isFull) break;
    }
    const last = rows.end();
    if (last.rows.length > 0) await into.append(id, last.from, last.rows, now());
    const dataset = await into.publish({ id, ...about }, rows.facts(), now());
    return { dataset, skipped: rows.skipped, faults: rows.faults };
  } finally {
    await into.discard(id, now()).catch(ignoring('it was published, or what is left of it goes with the next import'));
  }
}

interface Batch {
  /** The place of its first row. */
  from: number;
  rows: string[];
}

/** Looks at rows, and puts together those that are written at once. */
class RowIntake {
  readonly #wanted: DatasetImport;
  readonly #digest = createHash('sha256');
  readonly #licences = new Set<string>();
  #ready: Batch[] = [];
  #open: Batch = { from: 0, rows: [] };
  #openBytes = 0;
  #bytes = 0;
  count = 0;
  skipped = 0;
  faults: Saying[] = [];

  constructor(wanted: DatasetImport) {
    this.#wanted = wanted;
  }

  /** Whether it has all that was wanted. */
  get isFull(): boolean {
    return this.count === this.#wanted.mostRows;
  }

  /** @throws BAD_REQUEST where there are too many, or too many have a fault */
  take(row: SourceRow): void {
    if (this.count + this.skipped === MOST_ROWS) throw refused(say('datasets.tooManyRows', { most: MOST_ROWS }));
    const read = readRow(this.#wanted.kind, row);
    if ('fault' in read) this.#fail(row.line, read.fault);
    else if (this.#wanted.skipBad || this.skipped === 0) this.#add(read.data, read.license);
  }

  /** Those that are complete, once. */
  batches(): Batch[] {
    return this.#ready.splice(0);
  }

  /** What is left. @throws BAD_REQUEST where there is nothing, or what there is has faults */
  end(): Batch {
    if (this.skipped > 0 && !this.#wanted.skipBad) throw this.#refused();
    if (this.count === 0) throw refused(say('datasets.noRows'), say('datasets.lines'));
    return this.#open;
  }

  facts() {
    const licence = storable(this.#wanted.licence ?? [...this.#licences].join(', '));
    return { rows: this.count, bytes: this.#bytes, sha256: this.#digest.digest('hex'), licence };
  }

  #add(data: string, licence: string | undefined): void {
    const bytes = Buffer.byteLength(data);
    this.#digest.update(`${data}\n`);
    this.#bytes += bytes;
    this.count++;
    if (this.#bytes > MOST_BYTES) throw refused(say('datasets.tooLarge', { most: MOST_BYTES }));
    if (licence && this.#licences.size < MOST_LICENCES) this.#licences.add(licence);
    const isFull = this.#open.rows.length === ROWS_TOGETHER.rows || this.#openBytes + bytes > ROWS_TOGETHER.bytes;
    if (isFull) this.#close();
    this.#open.rows.push(data);
    this.#openBytes += bytes;
  }

  #close(): void {
    this.#ready.push(this.#open);
    this.#open = { from: this.#open.from + this.#open.rows.length, rows: [] };
    this.#openBytes = 0;
  }

  #fail(line: number, why: Words): void {
    this.skipped++;
    if (this.faults.length < MOST_FAULTS) this.faults.push(say('datasets.lineFault', { line: String(line), why }));
    if (this.skipped === MOST_FAULTS && !this.#wanted.skipBad) throw this.#refused();
  }

  #refused(): QuarryError {
    const { name } = this.#wanted;
    const message = say('datasets.badRows', { name, faults: this.faults });
    return new QuarryError({ code: 'BAD_REQUEST', message, hint: say('datasets.mend') });
  }
}

/** PostgreSQL takes neither a zero nor half a character. */
const storable = (text: string) => text.slice(0, MOST_TOLD).toWellFormed().replaceAll('\0', '');

const refused = (message: Saying, hint = say('datasets.fewer')) =>
  new QuarryError({ code: 'BAD_REQUEST', message, hint });

/** What is kept of a row, or what is wrong with it. */
function readRow(kind: DatasetKind, row: SourceRow): { data: string; license: string | undefined } | { fault: Words } {
  if ('fault' in row) return row;
  const { data: read, error } = kind.row.safeParse(row.value);
  if (error) return { fault: rowFault(error.issues[0] ?? error) };
  const data = JSON.stringify(read);
  if (Buffer.byteLength(data) > MOST_ROW_BYTES) return { fault: say('datasets.rowTooLong', { most: MOST_ROW_BYTES }) };
  return { data, license: (read as { license?: string }).license };
}

function rowFault(issue: { message: string; path?: PropertyKey[] }): Words {
  const field = issue.path?.map(String).join('.');
  const why = valueFault(issue);
  return field ? say('datasets.fieldFault', { field, why }) : say('datasets.wholeFault', { why });
}
