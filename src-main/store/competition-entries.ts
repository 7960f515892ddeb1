import type { Updateable } from 'kysely';
import { sql } from 'kysely';
import type { Db } from './database.ts';
import type { TableGroup } from './migrate.ts';

/**
 * How far an own submission is. `kept`: nothing of it has left this computer. `sending`: somebody said yes, and its commitment may have been sent. `there`: the server’s
 * receipt is here. `over`: nothing is to be asked of the server any more.
 */
export type EntryStep = 'kept' | 'sending' | 'there' | 'over';

/** An own submission to a competition. All that its commitment binds never changes. */
export interface EntryRow {
  /** 32 hex, out of the server, the hotkey and the commitment: the server calls it the same. */
  id: string;
  /** Unix milliseconds. */
  created_at: number;
  url: string;
  /** ss58 of the server’s hotkey. */
  server: string;
  /** Names of whoever signs. */
  wallet: string;
  hotkey_name: string;
  /** ss58 */
  hotkey: string;
  track: string;
  tokens: number;
  round: number;
  /** 64 hex: who knows it, and the artefact, can reveal. */
  salt: string;
  commitment: string;
  /** Of the artefact, which lies in a file of this name. */
  sha256: string;
  bytes: number;
  /** As whoever chose it calls the file. */
  name: string;
  step: EntryStep;
  /** JSON of what the server has signed; null before that is here. */
  receipt: string | null;
  /** JSON of what the server said of it last. */
  seen: string | null;
  /** JSON of why it does not go on, or goes on later. */
  error: string | null;
}

export type EntryChange = Pick<Updateable<EntryRow>, 'step' | 'receipt' | 'seen' | 'error'>;

interface EntryTables {
  competition_entries: EntryRow;
}

const SCHEMA = [
  `CREATE TABLE competition_entries (
    id TEXT PRIMARY KEY,
    created_at INTEGER NOT NULL,
    url TEXT NOT NULL,
    server TEXT NOT NULL,
    wallet TEXT NOT NULL,
    hotkey_name TEXT NOT NULL,
    hotkey TEXT NOT NULL,
    track TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    round INTEGER NOT NULL,
    salt TEXT NOT NULL,
    commitment TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    name TEXT NOT NULL,
    step TEXT NOT NULL,
    receipt TEXT,
    seen TEXT,
    error TEXT
  ) STRICT`,
  'CREATE INDEX competition_entries_by_time ON competition_entries (created_at)',
  `CREATE INDEX competition_entries_open ON competition_entries (created_at) WHERE step IN ('sending', 'there')`,
];

export const competitionEntries: TableGroup<EntryTables> = { migrations: { '0563-competition-entries': SCHEMA } };

/** In the words of the index that has only these. */
const IS_OPEN = sql<boolean>`step IN ('sending', 'there')`;

/** Own submissions to competitions. What a method has written when it resolves survives the death of the process, and a power cut. */
export class CompetitionEntryStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async add(row: EntryRow): Promise<void> {
    await this.#db.insertInto('competition_entries').values(row).execute();
  }

  get(id: string): Promise<EntryRow | undefined> {
    return this.#db.selectFrom('competition_entries').selectAll().where('id', '=', id).executeTakeFirst();
  }

  /** The newest first. */
  newest(limit: number): Promise<EntryRow[]> {
    return this.#db
      .selectFrom('competition_entries')
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  /** Those of which the server is to be asked, the oldest first. */
  open(): Promise<EntryRow[]> {
    return this.#db.selectFrom('competition_entries').selectAll().where(IS_OPEN).orderBy('created_at').execute();
  }

  /** @param from it is changed only where it is at one of these steps @returns whether it was */
  async change(id: string, from: readonly EntryStep[], change: EntryChange): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('competition_entries')
      .set(change)
      .where('id', '=', id)
      .where('step', 'in', from)
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  }

  async remove(id: string): Promise<void> {
    await this.#db.deleteFrom('competition_entries').where('id', '=', id).execute();
  }

  /** SHA-256 of the artefacts that are still needed. */
  async artefacts(): Promise<Set<string>> {
    const rows = await this.#db.selectFrom('competition_entries').select('sha256').distinct().execute();
    return new Set(rows.map(({ sha256 }) => sha256));
  }
}
