import type { SubmissionKind } from '../../../../src-preload/contract/data-names.ts';
import type { RowsByKind } from './data-rows.ts';
import type { WrittenFile } from './parquet-file.ts';

/** Rows of one kind. */
export type RowsOf = { [Kind in SubmissionKind]: { kind: Kind; rows: RowsByKind[Kind][] } }[SubmissionKind];

/** What the thread does, one file at a time. `copy`: rows of a file that is there, but for some clips. */
export type ShardOrder =
  | { what: 'begin'; kind: SubmissionKind; path: string }
  | ({ what: 'rows' } & RowsOf)
  | { what: 'copy'; from: string; without: string[] }
  | { what: 'finish' }
  | { what: 'drop' };

/** Null but for `finish`. */
export type ShardAnswer = WrittenFile | null;
