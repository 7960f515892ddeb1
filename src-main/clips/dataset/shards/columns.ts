import type { ParquetWriter } from 'hyparquet-writer';
import type { SubmissionKind } from '../../../../src-preload/contract/data-names.ts';
import type { RowsByKind, SoundRow, VideoRow } from './data-rows.ts';

/** As the writer knows them: it has a version of its own of the reader's types. */
type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

/** What a value is: its type in Parquet is written out, as guessing makes something else of a list than others read. */
export type ColumnType = 'text' | 'integer' | 'seconds since 1970' | 'number' | 'numbers' | 'texts' | 'audio';

export interface Column<Row> {
  name: string;
  type: ColumnType;
  /** Of which none is null. */
  always?: true;
  /** For the card, a clause. */
  about: string;
  of: (row: Row) => unknown;
}

/** A row by the names of its columns. */
export type DataRecord = Record<string, unknown>;

type Shared = VideoRow | SoundRow;

const BEGINNING: readonly Column<Shared>[] = [
  { name: 'uuid', type: 'text', always: true, about: 'of the clip', of: ({ clip }) => uuidOf(clip) },
  { name: 'source', type: 'text', always: true, about: 'where the video was found', of: ({ source }) => source },
  { name: 'source_id', type: 'text', always: true, about: 'what it is called there', of: ({ id }) => id },
  { name: 'title', type: 'text', always: true, about: 'of the video', of: ({ title }) => title },
  { name: 'start_time', type: 'number', always: true, about: 'in the video, seconds', of: ({ from }) => from },
  { name: 'end_time', type: 'number', always: true, about: 'in the video, seconds', of: ({ to }) => to },
  { name: 'words', type: 'text', about: 'what is said', of: ({ words }) => words },
];

const END: readonly Column<Shared>[] = [
  {
    ...{ name: 'query_relevance_score', type: 'number', about: 'how well it fits the query, a cosine' },
    of: ({ queryRelevance }) => queryRelevance,
  },
  { name: 'query', type: 'text', always: true, about: 'what was looked for', of: ({ query }) => query },
  {
    ...{ name: 'submitted_at', type: 'seconds since 1970', always: true, about: 'when it was made' },
    of: ({ submittedAt }) => BigInt(Math.floor(submittedAt / 1_000)),
  },
  {
    name: 'space',
    type: 'text',
    about: 'the models of the embeddings, with hashes of their files',
    of: ({ space }) => space,
  },
  { name: 'sha256', type: 'text', always: true, about: 'of the clip’s file', of: ({ sha256 }) => sha256 },
  { name: 'licence', type: 'text', always: true, about: 'under what it may be used', of: ({ licence }) => licence },
  { name: 'licence_url', type: 'text', about: 'the licence’s own words', of: ({ licenceUrl }) => licenceUrl },
  { name: 'author', type: 'text', about: 'who made the video', of: ({ author }) => author },
  {
    ...{ name: 'attribution', type: 'text', always: true, about: 'as whoever uses it has to name it' },
    of: ({ attribution }) => attribution,
  },
  { name: 'page', type: 'text', about: 'where the video is found', of: ({ page }) => page },
];

const VIDEOS: readonly Column<VideoRow>[] = [
  ...BEGINNING,
  { name: 'description', type: 'text', always: true, about: 'what is seen and heard', of: (row) => row.description },
  { name: 'described_by', type: 'text', always: true, about: 'who wrote that', of: (row) => row.describedBy },
  { name: 'width', type: 'integer', always: true, about: 'pixels', of: (row) => row.width },
  { name: 'height', type: 'integer', always: true, about: 'pixels', of: (row) => row.height },
  { name: 'video_embed', type: 'numbers', about: 'of the pictures, length 1', of: (row) => row.videoVector },
  { name: 'audio_embed', type: 'numbers', about: 'of the sound, length 1', of: (row) => row.audioVector },
  {
    ...{ name: 'description_embed', type: 'numbers', about: 'of the description, length 1' },
    of: (row) => row.descriptionVector,
  },
  {
    ...{ name: 'description_relevance_score', type: 'number', about: 'how well the description fits the clip' },
    of: (row) => row.descriptionRelevance,
  },
  ...END,
];

const SOUNDS: readonly Column<SoundRow>[] = [
  ...BEGINNING,
  {
    ...{ name: 'audio', type: 'audio', about: 'WAV, 16 kHz, one channel' },
    of: ({ wav, clip }) => wav && { bytes: wav, path: `${clip}.wav` },
  },
  { name: 'audio_embed', type: 'numbers', about: 'of the sound, length 1', of: (row) => row.audioVector },
  {
    name: 'diar_timestamps_start',
    type: 'numbers',
    about: 'when somebody begins to speak',
    of: (row) => row.turnsFrom,
  },
  { name: 'diar_timestamps_end', type: 'numbers', about: 'when he ends', of: (row) => row.turnsTo },
  { name: 'diar_speakers', type: 'texts', about: 'who it is', of: (row) => row.speakers },
  { name: 'inverse_der', type: 'number', about: '1 − the error of who speaks when', of: (row) => row.inverseDer },
  { name: 'audio_length_score', type: 'number', about: 'by its length', of: (row) => row.lengthScore },
  {
    name: 'audio_quality_score',
    type: 'number',
    about: 'by speech, noise and speakers',
    of: (row) => row.qualityScore,
  },
  { name: 'total_score', type: 'number', about: 'of all these', of: (row) => row.totalScore },
  ...END,
];

/** Columns of the files of a kind, in their order (B8, and where it is from). */
export const COLUMNS: { readonly [Kind in SubmissionKind]: readonly Column<RowsByKind[Kind]>[] } = {
  videos: VIDEOS,
  sounds: SOUNDS,
};

export function recordOf<Kind extends SubmissionKind>(kind: Kind, row: RowsByKind[Kind]): DataRecord {
  return Object.fromEntries(COLUMNS[kind].map(({ name, of }) => [name, of(row)]));
}

/** 32 hex as others write them. */
const uuidOf = (clip: string) => clip.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
export const clipOf = (uuid: string) => uuid.replaceAll('-', '');

export function schemaOf(kind: SubmissionKind): SchemaElement[] {
  const columns: readonly Pick<Column<never>, 'name' | 'type' | 'always'>[] = COLUMNS[kind];
  return [{ name: 'schema', num_children: columns.length }, ...columns.flatMap(elementsOf)];
}

const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;
const SCALARS = {
  text: TEXT,
  integer: { type: 'INT32' },
  'seconds since 1970': { type: 'INT64' },
  number: { type: 'DOUBLE' },
} as const;
const ELEMENTS = { numbers: { type: 'FLOAT' }, texts: TEXT } as const;

function elementsOf({ name, type, always }: Pick<Column<never>, 'name' | 'type' | 'always'>): SchemaElement[] {
  const repetition_type = always ? 'REQUIRED' : 'OPTIONAL';
  switch (type) {
    case 'numbers':
    case 'texts':
      return [
        { name, repetition_type, num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' } },
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        { name: 'element', repetition_type: 'REQUIRED', ...ELEMENTS[type] },
      ];
    case 'audio': // as the hub's viewer and Python's `datasets` know it
      return [
        { name, repetition_type, num_children: 2 },
        { name: 'bytes', repetition_type: 'REQUIRED', type: 'BYTE_ARRAY' },
        { name: 'path', repetition_type: 'REQUIRED', ...TEXT },
      ];
    default:
      return [{ name, repetition_type, ...SCALARS[type] }];
  }
}
