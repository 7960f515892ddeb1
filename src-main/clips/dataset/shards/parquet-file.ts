import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { SubmissionKind } from '../../../../src-preload/contract/data-names.ts';
import { COLUMNS, type ColumnType, type DataRecord, schemaOf } from './columns.ts';
import { addRecord, noFacts, type ShardFacts } from './shard-facts.ts';

/** Rows that are in memory before they are written: sounds bring their samples, up to 3 MB each. */
const ROWS_OF_A_GROUP: Record<SubmissionKind, number> = { videos: 128, sounds: 8 };

/** A file that is whole and on the disk. */
export interface WrittenFile {
  rows: number;
  bytes: number;
  /** 64 hex. */
  sha256: string;
  facts: ShardFacts;
}

/** Writes one Parquet file, some rows at a time: no more of them are in memory. It blocks: for a thread of its own. */
export class ParquetFile {
  readonly #kind: SubmissionKind;
  readonly #path: string;
  readonly #file: FileWriter;
  readonly #parquet: ParquetWriter;
  readonly #facts = noFacts();
  #waiting: DataRecord[] = [];
  #rows = 0;

  /** @param path nothing is there yet @throws what the system says */
  constructor(kind: SubmissionKind, path: string) {
    this.#kind = kind;
    this.#path = path;
    this.#file = new FileWriter(openSync(path, 'wx'));
    this.#parquet = new ParquetWriter({ writer: this.#file, schema: schemaOf(kind), createdBy: 'quarry' });
  }

  write(records: readonly DataRecord[]): void {
    for (const record of records) {
      addRecord(this.#facts, record);
      this.#rows++;
      if (this.#waiting.push(record) >= ROWS_OF_A_GROUP[this.#kind]) this.#writeGroup();
    }
  }

  /** @throws what the system says */
  finish(): WrittenFile {
    if (this.#waiting.length > 0) this.#writeGroup();
    this.#parquet.finish();
    this.#file.sync();
    this.#file.close();
    return { rows: this.#rows, bytes: this.#file.offset, sha256: this.#file.sha256(), facts: this.#facts };
  }

  /** Gives it up. */
  drop(): void {
    this.#file.close();
    rmSync(this.#path, { force: true });
  }

  #writeGroup(): void {
    const records = this.#waiting;
    const columns: readonly { name: string; type: ColumnType }[] = COLUMNS[this.#kind];
    const columnData = columns.map(({ name, type }) => ({
      ...{ name, data: records.map((record) => plain(record[name])), columnIndex: false, offsetIndex: false },
      ...(PLAIN.has(type) && { codec: 'UNCOMPRESSED' as const, encoding: 'PLAIN' as const, statistics: false }),
    }));
    this.#parquet.write({ columnData, rowGroupSize: records.length });
    this.#waiting = [];
  }
}

/** What does not become smaller, and has no least and greatest. */
const PLAIN: ReadonlySet<ColumnType> = new Set(['numbers', 'audio']);

/** Lists are arrays to the writer, and nothing else is. */
function plain(value: unknown): unknown {
  return value instanceof Float32Array ? Array.from(value) : value;
}

/** What a Parquet file is written to: the disk, each group at once. */
class FileWriter extends ByteWriter {
  readonly #descriptor: number;
  readonly #hash = createHash('sha256');
  #isClosed = false;

  constructor(descriptor: number) {
    super();
    this.#descriptor = descriptor;
  }

  flush(): void {
    const bytes = this.getBytes();
    this.#hash.update(bytes);
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(this.#descriptor, bytes, written, bytes.length - written);
    }
    this.index = 0;
  }

  override finish(): void {
    this.flush();
  }

  sync(): void {
    fsyncSync(this.#descriptor);
  }

  close(): void {
    if (!this.#isClosed) closeSync(this.#descriptor);
    this.#isClosed = true;
  }

  sha256(): string {
    return this.#hash.digest('hex');
  }
}
