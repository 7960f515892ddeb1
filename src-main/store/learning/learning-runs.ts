import type { Generated } from 'kysely';
import type { FeedbackKind, FeedbackState } from '../../../src-preload/contract/learning.ts';
import type { Objective, RunState } from '../../../src-preload/contract/learning-runs.ts';
import type { TableGroup } from '../migrate.ts';

/** One try at making the model better from feedback. */
export interface RunRow {
  id: string;
  /** Name of the adapter that is to become better. */
  name: string;
  state: RunState;
  /** Unix milliseconds, as all times here. */
  created_at: number;
  started_at: number | null;
  ended_at: number | null;
  /** The version that it starts from; null: the model as it is. */
  parent: string | null;
  /** The version that came of it. */
  version: string | null;
  /** Null until it is chosen. */
  objective: Objective | null;
  /** JSON of what main says: why this objective. */
  why: string | null;
  /** JSON: learning rate, rank and so on. */
  settings: string;
  /** Steps that are on the disk. */
  step: number;
  /** JSON: measured before and after, and what was decided, in words. */
  verdict: string | null;
  /** JSON of a QuarryError. */
  error: string | null;
  /** Spent computing so far. */
  seconds: number;
  watt_hours: number | null;
}

interface StepRow {
  run: string;
  step: number;
  /** JSON: losses, gradient norm, and what was measured where something was. */
  figures: string;
}

/** What somebody said of an answer. */
export interface FeedbackRow {
  id: number;
  at: number;
  /** Chosen by whoever gave it, so that what is sent twice counts once. */
  key: string;
  completion: string;
  /** Name of the adapter that is to learn from it. */
  name: string;
  /** `say`: what should be different. `edit`: how it should have been. `up`, `down`: a thumb. */
  kind: FeedbackKind;
  /** What should be different, or how it should have been; null of a thumb. */
  text: string | null;
  /** JSON: how the client wants it to be learnt; null: by the settings. */
  training: string | null;
  state: FeedbackState;
  run: string | null;
  /** How often in a row runs with it have failed in the same way, and by what: JSON of a QuarryError. */
  failures: number;
  failure: string | null;
}

interface RunTables {
  learning_runs: RunRow;
  learning_steps: StepRow;
  learning_feedback: Omit<FeedbackRow, 'id' | 'failures'> & { id: Generated<number>; failures: Generated<number> };
}

const SCHEMA = [
  `CREATE TABLE learning_runs (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    state TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    ended_at INTEGER,
    parent TEXT,
    version TEXT,
    objective TEXT,
    why TEXT,
    settings TEXT NOT NULL,
    step INTEGER NOT NULL DEFAULT 0,
    verdict TEXT,
    error TEXT,
    seconds REAL NOT NULL DEFAULT 0,
    watt_hours REAL
  ) STRICT`,
  'CREATE INDEX learning_runs_by_time ON learning_runs (created_at)',
  'CREATE INDEX learning_runs_open ON learning_runs (created_at) WHERE ended_at IS NULL',
  `CREATE TABLE learning_steps (
    run TEXT NOT NULL REFERENCES learning_runs (id) ON DELETE CASCADE,
    step INTEGER NOT NULL,
    figures TEXT NOT NULL,
    PRIMARY KEY (run, step)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE learning_feedback (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    key TEXT NOT NULL UNIQUE,
    completion TEXT NOT NULL REFERENCES learning_completions (id),
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    text TEXT,
    training TEXT,
    state TEXT NOT NULL,
    run TEXT REFERENCES learning_runs (id)
  ) STRICT`,
  'CREATE INDEX learning_feedback_by_state ON learning_feedback (state, id)',
  'CREATE INDEX learning_feedback_by_completion ON learning_feedback (completion)',
  'CREATE INDEX learning_feedback_by_run ON learning_feedback (run)',
];

const FAILURES = [
  'ALTER TABLE learning_feedback ADD COLUMN failures INTEGER NOT NULL DEFAULT 0',
  'ALTER TABLE learning_feedback ADD COLUMN failure TEXT',
];

export const learningRuns: TableGroup<RunTables> = {
  migrations: { '0549-learning-runs': SCHEMA, '0551-learning-failures': FAILURES },
  leftOutOfBackups: ['learning_feedback', 'learning_steps', 'learning_runs'],
};
