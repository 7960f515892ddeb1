import { sql } from 'kysely';
import type { Db } from '../database.ts';
import type { TableGroup } from '../migrate.ts';

/** An adapter by its name: a line of versions of which one is in use. */
export interface AdapterRow {
  name: string;
  /** SHA-256 of the model's file that it belongs to, 64 hex, and the model's name. */
  base: string;
  base_name: string;
  /** Id of the version that `latest` stands for; null: the model as it is. */
  latest: string | null;
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
  origin: 'init' | 'learnt' | 'imported' | 'fetched';
  rank: number;
  alpha: number;
  /** JSON: names of the modules that it changes. */
  modules: string;
  /** Of the two files. */
  gguf_sha256: string;
  peft_sha256: string;
  /** What its files take; 0 once they are deleted: the row stays, so that a number is given once and children know where they come from. */
  bytes: number;
  /** JSON: ids of the feedback that it learnt from, beyond its parent's. */
  feedback: string;
  /** JSON: what was measured when it was accepted. */
  metrics: string | null;
  run: string | null;
  /** JSON: of what was fetched from others, who vouched for it, and the SHA-256 of the file that came. */
  fetched: string | null;
}

/** `came`: of what was fetched, the SHA-256 of the file that came; null where it was not, or that is damaged. */
export type KnownVersion = Pick<AdapterVersionRow, 'name' | 'number' | 'gguf_sha256'> & { came: string | null };

const CAME = sql<string | null>`iif(json_valid(fetched), fetched ->> '$.sha256', NULL)`;

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
  migrations: {
    '0550-learning-adapters': SCHEMA,
    '0553-fetched-versions': [
      'ALTER TABLE learning_versions ADD COLUMN fetched TEXT',
      'ALTER TABLE learning_adapters DROP COLUMN shared', // one version is shared, not all of them: the models network keeps which
    ],
  },
  leftOutOfBackups: ['learning_versions', 'learning_adapters'],
};

/** Adapters and their versions, as they are kept. */
export class AdapterStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** All that happens to the store within `work` happens, or nothing of it. */
  async transaction<T>(work: (store: AdapterStore, db: Db) => Promise<T>): Promise<T> {
    return await this.#db.transaction().execute((trx) => work(new AdapterStore(trx), trx));
  }

  /** By their names. */
  async adapters(): Promise<AdapterRow[]> {
    return await this.#db.selectFrom('learning_adapters').selectAll().orderBy('name').execute();
  }

  async adapter(name: string): Promise<AdapterRow | undefined> {
    return await this.#db.selectFrom('learning_adapters').selectAll().where('name', '=', name).executeTakeFirst();
  }

  /** Also one whose files are deleted. */
  async version(id: string): Promise<AdapterVersionRow | undefined> {
    return await this.#db.selectFrom('learning_versions').selectAll().where('id', '=', id).executeTakeFirst();
  }

  async numbered(name: string, number: number): Promise<AdapterVersionRow | undefined> {
    const rows = this.#db.selectFrom('learning_versions').selectAll().where('name', '=', name);
    return await rows.where('number', '=', number).executeTakeFirst();
  }

  /** Versions of an adapter whose files are there, the newest first. @param below only those of a smaller number */
  async versions(name: string, limit: number, below = Number.MAX_SAFE_INTEGER): Promise<AdapterVersionRow[]> {
    const rows = this.#db.selectFrom('learning_versions').selectAll().where('name', '=', name).where('bytes', '>', 0);
    return await rows.where('number', '<', below).orderBy('number', 'desc').limit(limit).execute();
  }

  /** What every version whose files are there is called, and by what its bytes are known; of each adapter the newest first. */
  async all(): Promise<KnownVersion[]> {
    const rows = this.#db.selectFrom('learning_versions').select(['name', 'number', 'gguf_sha256', CAME.as('came')]);
    return await rows.where('bytes', '>', 0).orderBy('name').orderBy('number', 'desc').execute();
  }

  /** Of every version by its id whether its files are there, or were deleted. */
  async states(): Promise<Map<string, 'there' | 'deleted'>> {
    const rows = await this.#db.selectFrom('learning_versions').select(['id', 'bytes']).execute();
    return new Map(rows.map(({ id, bytes }) => [id, bytes > 0 ? 'there' : 'deleted']));
  }

  /** The newest that was learnt on from another; undefined where none was whose files are there. */
  async newestChild(name: string, parent: string | null): Promise<AdapterVersionRow | undefined> {
    const rows = this.#db.selectFrom('learning_versions').selectAll().where('name', '=', name).where('bytes', '>', 0);
    const children = rows.where('parent', parent === null ? 'is' : '=', parent);
    return await children.orderBy('number', 'desc').limit(1).executeTakeFirst();
  }

  async addAdapter(row: AdapterRow): Promise<void> {
    await this.#db.insertInto('learning_adapters').values(row).execute();
  }

  /** @returns its number: one more than the highest that was given */
  async addVersion(row: Omit<AdapterVersionRow, 'number'>): Promise<number> {
    const highest = this.#db.selectFrom('learning_versions').where('name', '=', row.name);
    const { last } = await highest.select(({ fn }) => fn.max('number').as('last')).executeTakeFirstOrThrow();
    const number = (last ?? 0) + 1;
    await this.#db
      .insertInto('learning_versions')
      .values({ ...row, number })
      .execute();
    return number;
  }

  async setLatest(name: string, latest: string | null): Promise<void> {
    await this.#db.updateTable('learning_adapters').set({ latest }).where('name', '=', name).execute();
  }

  /** With everything that names it: runs, and feedback. */
  async rename(name: string, to: string): Promise<void> {
    await this.#db.updateTable('learning_adapters').set({ name: to }).where('name', '=', name).execute();
    await this.#db.updateTable('learning_runs').set({ name: to }).where('name', '=', name).execute();
    await this.#db.updateTable('learning_feedback').set({ name: to }).where('name', '=', name).execute();
  }

  /** Writes down that its files are gone. */
  async bury(id: string): Promise<void> {
    await this.#db.updateTable('learning_versions').set({ bytes: 0 }).where('id', '=', id).execute();
  }
}
