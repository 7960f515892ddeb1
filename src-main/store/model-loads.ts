import type { Db } from './database.ts';
import type { TableGroup } from './migrate.ts';

/** How long a model took to be loaded on this machine. */
export interface ModelLoad {
  /** Of its file, 64 hex. */
  sha256: string;
  /** Of its file. */
  bytes: number;
  /** Milliseconds: of several times, the later ones count more. */
  ms: number;
  /** When it was loaded last, in Unix milliseconds. */
  at: number;
}

const SCHEMA = [
  `CREATE TABLE model_loads (
        sha256 TEXT NOT NULL PRIMARY KEY,
        bytes INTEGER NOT NULL,
        ms REAL NOT NULL,
        at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID`,
];

export const modelLoads: TableGroup<{ model_loads: ModelLoad }> = { migrations: { '0560-model-loads': SCHEMA } };

/** What loading models took here: one row for each file. */
export class ModelLoadStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** The latest ones. @param most default 256 */
  async list(most = 256): Promise<ModelLoad[]> {
    return await this.#db.selectFrom('model_loads').selectAll().orderBy('at', 'desc').limit(most).execute();
  }

  /** Takes the place of what was known of the same file. */
  async put({ sha256, bytes, ms, at }: ModelLoad): Promise<void> {
    const insert = this.#db.insertInto('model_loads').values({ sha256, bytes, ms, at });
    await insert.onConflict((conflict) => conflict.column('sha256').doUpdateSet({ bytes, ms, at })).execute();
  }
}
