import type { TableGroup } from './migrate.ts';

/** An adapter by its name: a line of versions of which one is in use. */
export interface AdapterRow {
  name: string;
  /** SHA-256 of the model's file that it belongs to, 64 hex, and the model's name. */
  base: string;
  base_name: string;
  /** Id of the version that `latest` stands for; null: the model as it is. */
  latest: string | null;
  /** Whether others may fetch it over the models network: 0 or 1. */
  shared: 0 | 1;
}

/** What was learnt up to a moment. Nothing of it is ever overwritten. */
export interface AdapterVersionRow {
  /** `<name>-<YYYYMMDD-HHMMSS>`, in UTC, or `<name>-init`; names a folder of files. */
  id: string;
  name: string;
  /** 1, 2, 3 … within the name. */
  number: number;
  parent: string | null;
  /** Unix milliseconds. */
  created_at: number;
  /** `init`: of zeros, changes nothing. */
  origin: 'init' | 'learnt' | 'imported';
  rank: number;
  alpha: number;
  /** JSON: names of the modules that it changes. */
  modules: string;
  /** Of the two files. */
  gguf_sha256: string;
  peft_sha256: string;
  bytes: number;
  /** JSON: ids of the feedback that it learnt from, beyond its parent's. */
  feedback: string;
  /** JSON: what was measured when it was accepted. */
  metrics: string | null;
  run: string | null;
}

interface AdapterTables {
  learning_adapters: AdapterRow;
  learning_versions: AdapterVersionRow;
}

const SCHEMA = [
  `CREATE TABLE learning_adapters (
    name TEXT PRIMARY KEY,
    base TEXT NOT NULL,
    base_name TEXT NOT NULL,
    latest TEXT,
    shared INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE learning_versions (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL REFERENCES learning_adapters (name) ON UPDATE CASCADE ON DELETE CASCADE,
    number INTEGER NOT NULL,
    parent TEXT,
    created_at INTEGER NOT NULL,
    origin TEXT NOT NULL,
    rank INTEGER NOT NULL,
    alpha REAL NOT NULL,
    modules TEXT NOT NULL,
    gguf_sha256 TEXT NOT NULL,
    peft_sha256 TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    feedback TEXT NOT NULL,
    metrics TEXT,
    run TEXT
  ) STRICT`,
  'CREATE UNIQUE INDEX learning_versions_by_number ON learning_versions (name, number)',
];

export const learningAdapters: TableGroup<AdapterTables> = {
  migrations: { '0550-learning-adapters': SCHEMA },
  leftOutOfBackups: ['learning_versions', 'learning_adapters'],
};
