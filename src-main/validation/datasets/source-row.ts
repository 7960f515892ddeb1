import type { Words } from '../../../src-preload/contract/saying.ts';

/** Bytes of a row, as it comes and as it is kept. */
export const MOST_ROW_BYTES = 1 << 20;
/** Rows of a data set, and bytes of them. */
export const MOST_ROWS = 1_000_000;
export const MOST_BYTES = 1 << 30;

/** One row, as a source has it: its value, or why it has none. */
export type SourceRow = {
  /** Line of a file, or number in a data set: from 1. */
  line: number;
} & ({ value: unknown } | { fault: Words });

/** Some rows, in their order. */
export interface SourceRows {
  rows: readonly SourceRow[];
  /** How much of all is read, 0 to 1; null where nobody knows. */
  share: number | null;
}

/** Where rows come from. Nothing that it gives is believed. */
export interface RowSource {
  /** For people: a path, an address. */
  readonly name: string;
  /** @throws QuarryError; the signal's reason */
  read(signal?: AbortSignal): AsyncIterable<SourceRows>;
}
