import type { Generated } from 'kysely';
import type { Describer, JobState, Licence, SourceKind } from '../../../src-preload/contract/data-names.ts';
import { JOB_STATES } from '../../../src-preload/contract/data-names.ts';
import type { TableGroup } from '../migrate.ts';

/** A video of which clips are made. */
export interface ClipJobRow {
  number: Generated<number>;
  source: SourceKind;
  /** What its source calls it. */
  video: string;
  title: string;
  topic: string;
  /** As it was found: JSON of a `FoundVideo`. */
  found: string;
  /** 1: it was found for the order; 0: somebody chose it. */
  is_ordered: number;
  state: JobState;
  /** Why it is as it is: JSON of a sentence. */
  reason: string | null;
  /** How often it has failed since somebody asked for it, and when it may be tried again: Unix milliseconds. */
  tries: number;
  due_at: number;
  /** Bytes of what was fetched of it and lies here, and where they came from. */
  bytes: number;
  url: string | null;
  /** The stretches that clips are made of, JSON; null until it was looked at. The first of them that is not done. */
  spans: string | null;
  next_span: number;
  /** Clips that came of it. */
  clips: number;
  created_at: number;
  changed_at: number;
}

export interface ClipRow {
  number: Generated<number>;
  /** 32 hex: made of its video and its stretch, so the same clip has the same id whenever it is made. */
  clip: string;
  source: SourceKind;
  video: string;
  title: string;
  topic: string;
  /** In its video, seconds. */
  from_s: number;
  to_s: number;
  description: string;
  described_by: Describer;
  /** The model that wrote it; null where none did, or nobody noted which. */
  described_with: string | null;
  words: string | null;
  /** Who speaks in it when, seconds from its beginning: JSON; null where nobody listened. */
  turns: string | null;
  /** 0 or 1. */
  has_sound: number;
  licence: Licence;
  licence_url: string | null;
  author: string | null;
  attribution: string;
  page: string | null;
  /** Where its bytes came from; null for own files. */
  url: string | null;
  bytes: number;
  poster_bytes: number;
  sha256: string;
  width: number;
  height: number;
  /** Of its file: `webm`, `mp4`, `matroska`. */
  container: string;
  /** Of its vectors; null without models. */
  space: string | null;
  /** For its topic: JSON of a `ClipScore`. */
  score: string | null;
  /** 0 or 1. */
  is_taken_down: number;
  created_at: number;
}

/** What a vector is of: what is seen and heard, and what is said of it, among pictures and among sounds. */
export const CLIP_VECTOR_KINDS = ['seen', 'heard', 'described-seen', 'described-heard'] as const;
export type ClipVectorKind = (typeof CLIP_VECTOR_KINDS)[number];

interface ClipVectorRow {
  id: Generated<number>;
  clip: string;
  kind: ClipVectorKind;
  space: string;
  /** Numbers of four bytes, of length 1 together. */
  vector: Buffer;
}

/** What is looked for. There is one row. */
export interface ClipOrderRow {
  id: 1;
  /** 1: what waits is worked on. */
  is_on: number;
  /** Null as long as no topic was named. */
  topic: string | null;
  /** JSON list. */
  sources: string;
  /** Clips that are wanted, and that came of it. */
  most: number;
  made: number;
  /** Where the search goes on, by source: JSON; null for one that has nothing more. */
  cursors: string;
}

/** Files that are to be deleted: their rows are gone. */
interface ClipGoneRow {
  clip: string;
  container: string;
}

/** Kept by triggers: how many rows there are, and bytes. */
interface ClipSumRow {
  /** `clips`, or the state of jobs. */
  of: string;
  rows: number;
  bytes: number;
}

export interface ClipTables {
  /** What words are in which clips, by FTS5. */
  clip_texts: { rowid: number };
  clip_jobs: ClipJobRow;
  clips: ClipRow;
  clip_vectors: ClipVectorRow;
  clip_order: ClipOrderRow;
  clips_gone: ClipGoneRow;
  clip_sums: ClipSumRow;
}

const JOBS = [
  `CREATE TABLE clip_jobs (
    number INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    video TEXT NOT NULL,
    title TEXT NOT NULL,
    topic TEXT NOT NULL,
    found TEXT NOT NULL,
    is_ordered INTEGER NOT NULL,
    state TEXT NOT NULL,
    reason TEXT,
    tries INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    url TEXT,
    spans TEXT,
    next_span INTEGER NOT NULL,
    clips INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    UNIQUE (source, video)
  ) STRICT`,
  'CREATE INDEX clip_jobs_by_state ON clip_jobs (state, number)',
  'CREATE INDEX clip_jobs_by_turn ON clip_jobs (state, is_ordered, due_at, number)',
  'CREATE INDEX clip_jobs_fetched ON clip_jobs (changed_at) WHERE bytes > 0',
  `CREATE TABLE clip_order (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    is_on INTEGER NOT NULL,
    topic TEXT,
    sources TEXT NOT NULL,
    most INTEGER NOT NULL,
    made INTEGER NOT NULL,
    cursors TEXT NOT NULL
  ) STRICT`,
];

const CLIPS = [
  `CREATE TABLE clips (
    number INTEGER PRIMARY KEY,
    clip TEXT NOT NULL UNIQUE,
    source TEXT NOT NULL,
    video TEXT NOT NULL,
    title TEXT NOT NULL,
    topic TEXT NOT NULL,
    from_s REAL NOT NULL,
    to_s REAL NOT NULL,
    description TEXT NOT NULL,
    described_by TEXT NOT NULL,
    words TEXT,
    turns TEXT,
    has_sound INTEGER NOT NULL,
    licence TEXT NOT NULL,
    licence_url TEXT,
    author TEXT,
    attribution TEXT NOT NULL,
    page TEXT,
    url TEXT,
    bytes INTEGER NOT NULL,
    poster_bytes INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    container TEXT NOT NULL,
    space TEXT,
    score TEXT,
    is_taken_down INTEGER NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT`,
  'CREATE INDEX clips_by_video ON clips (source, video)',
  'CREATE INDEX clips_by_source ON clips (source)',
  'CREATE INDEX clips_by_licence ON clips (licence)',
  'CREATE INDEX clips_by_describer ON clips (described_by)',
  'CREATE INDEX clips_by_topic ON clips (topic)',
  'CREATE INDEX clips_taken_down ON clips (number) WHERE is_taken_down = 1',
  'CREATE INDEX clips_heard ON clips (number) WHERE turns IS NOT NULL',
  'CREATE TABLE clips_gone (clip TEXT PRIMARY KEY, container TEXT NOT NULL) STRICT',
  `CREATE TABLE clip_vectors (
    id INTEGER PRIMARY KEY,
    clip TEXT NOT NULL REFERENCES clips (clip) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    space TEXT NOT NULL,
    vector BLOB NOT NULL,
    UNIQUE (clip, kind, space)
  ) STRICT`,
  'CREATE INDEX clip_vectors_by_space ON clip_vectors (space, kind, clip)',
];

/** Words of clips. What is deleted is overwritten there, too. */
const TEXTS = [
  `CREATE VIRTUAL TABLE clip_texts USING fts5 (
    title, description, words, content = 'clips', content_rowid = 'number', tokenize = 'unicode61 remove_diacritics 2'
  )`,
  `INSERT INTO clip_texts (clip_texts, rank) VALUES ('secure-delete', 1)`,
  `CREATE TRIGGER clips_added AFTER INSERT ON clips BEGIN
    INSERT INTO clip_texts (rowid, title, description, words) VALUES (new.number, new.title, new.description, new.words);
  END`,
  `CREATE TRIGGER clips_removed AFTER DELETE ON clips BEGIN
    INSERT INTO clip_texts (clip_texts, rowid, title, description, words)
      VALUES ('delete', old.number, old.title, old.description, old.words);
  END`,
  `CREATE TRIGGER clips_described AFTER UPDATE OF title, description, words ON clips BEGIN
    INSERT INTO clip_texts (clip_texts, rowid, title, description, words)
      VALUES ('delete', old.number, old.title, old.description, old.words);
    INSERT INTO clip_texts (rowid, title, description, words) VALUES (new.number, new.title, new.description, new.words);
  END`,
];

/**
 * Words that begin with two or three letters are listed by these: else all words that do are gathered for each question, 200 ms of 100,000 clips where a third of all words begin so. The triggers
 * go on with the new table, and all clips are read once: 3.5 s of the processor for 100,000.
 */
const BEGINNINGS = [
  'DROP TABLE clip_texts',
  `CREATE VIRTUAL TABLE clip_texts USING fts5 (
    title, description, words, content = 'clips', content_rowid = 'number', tokenize = 'unicode61 remove_diacritics 2',
    prefix = '2 3'
  )`,
  `INSERT INTO clip_texts (clip_texts, rank) VALUES ('secure-delete', 1)`,
  `INSERT INTO clip_texts (clip_texts) VALUES ('rebuild')`,
];

const SUMS = [
  'CREATE TABLE clip_sums ("of" TEXT PRIMARY KEY, rows INTEGER NOT NULL, bytes INTEGER NOT NULL) STRICT',
  ...['clips', ...JOB_STATES].map((of) => `INSERT INTO clip_sums VALUES ('${of}', 0, 0)`),
  `CREATE TRIGGER clips_counted AFTER INSERT ON clips BEGIN
    UPDATE clip_sums SET rows = rows + 1, bytes = bytes + new.bytes + new.poster_bytes WHERE "of" = 'clips';
  END`,
  `CREATE TRIGGER clips_uncounted AFTER DELETE ON clips BEGIN
    UPDATE clip_sums SET rows = rows - 1, bytes = bytes - old.bytes - old.poster_bytes WHERE "of" = 'clips';
  END`,
  `CREATE TRIGGER clip_jobs_counted AFTER INSERT ON clip_jobs BEGIN
    UPDATE clip_sums SET rows = rows + 1, bytes = bytes + new.bytes WHERE "of" = new.state;
  END`,
  `CREATE TRIGGER clip_jobs_moved AFTER UPDATE OF state, bytes ON clip_jobs BEGIN
    UPDATE clip_sums SET rows = rows - 1, bytes = bytes - old.bytes WHERE "of" = old.state;
    UPDATE clip_sums SET rows = rows + 1, bytes = bytes + new.bytes WHERE "of" = new.state;
  END`,
  `CREATE TRIGGER clip_jobs_uncounted AFTER DELETE ON clip_jobs BEGIN
    UPDATE clip_sums SET rows = rows - 1, bytes = bytes - old.bytes WHERE "of" = old.state;
  END`,
];

const DESCRIBED_WITH = ['ALTER TABLE clips ADD COLUMN described_with TEXT'];

/** Files of clips are in no backup, so what is known of them is in none. Rows that others refer to go last. */
export const clips: TableGroup<ClipTables> = {
  migrations: {
    '0564-clips': [...JOBS, ...CLIPS, ...TEXTS, ...SUMS],
    '0568-beginnings-of-words': BEGINNINGS,
    '0569-clips-described-with': DESCRIBED_WITH,
  },
  leftOutOfBackups: ['clip_vectors', 'clips_gone', 'clips', 'clip_jobs', 'clip_order'],
};
