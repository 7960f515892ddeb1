import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** How fast a model was on this machine, loaded in one certain way. */
export interface CalibrationRow {
  /** Of the model’s file, 64 hex. */
  sha256: string;
  /** The GPU and its driver, or 'cpu'. */
  device: string;
  threads: number;
  gpu_layers: number;
  /** Tokens a second: reading a prompt, and writing an answer. */
  prefill: number;
  decode: number;
  /** Bytes of weights that each token of the answer was computed with. */
  cpu_bytes: number;
  gpu_bytes: number;
  /** Unix milliseconds. */
  measured_at: number;
}

export interface ModelTables {
  calibrations: CalibrationRow;
}

export const modelMigrations: Record<string, Migration> = {
  '0300-calibrations': {
    async up(db: Kysely<unknown>): Promise<void> {
      await sql`CREATE TABLE calibrations (
        sha256 TEXT NOT NULL,
        device TEXT NOT NULL,
        threads INTEGER NOT NULL,
        gpu_layers INTEGER NOT NULL,
        prefill REAL NOT NULL CHECK (prefill > 0),
        decode REAL NOT NULL CHECK (decode > 0),
        cpu_bytes REAL NOT NULL,
        gpu_bytes REAL NOT NULL,
        measured_at INTEGER NOT NULL,
        PRIMARY KEY (sha256, device, threads, gpu_layers)
      ) STRICT, WITHOUT ROWID`.execute(db);
    },
  },
};
