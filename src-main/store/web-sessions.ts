import type { Db } from './database.ts';
import type { TableGroup } from './migrate.ts';

/** A browser that has logged in. Times are Unix milliseconds. */
export interface WebSession {
  /** SHA-256 of what the browser holds, as base64. */
  hash: string;
  /** Stands for the tokens of the node when the session began: with others it means nothing. */
  realm: string;
  startedAt: number;
  usedAt: number;
}

/** A {@link WebSession}, as it is kept. */
interface WebSessionRow {
  hash: string;
  realm: string;
  started_at: number;
  used_at: number;
}

interface WebSessionTables {
  web_sessions: WebSessionRow;
}

const SCHEMA = [
  'CREATE TABLE web_sessions (hash TEXT PRIMARY KEY, realm TEXT NOT NULL, started_at INTEGER NOT NULL, used_at INTEGER NOT NULL) STRICT',
];

export const webSessions: TableGroup<WebSessionTables> = {
  migrations: { '0502-web-sessions': SCHEMA },
  leftOutOfBackups: ['web_sessions'],
};

/** The sessions that outlive a restart. There are few: they are written as a whole. */
export class WebSessionStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async load(): Promise<WebSession[]> {
    const rows = await this.#db.selectFrom('web_sessions').selectAll().execute();
    return rows.map(({ hash, realm, started_at, used_at }) => ({
      hash,
      realm,
      startedAt: started_at,
      usedAt: used_at,
    }));
  }

  /** From now on these are all, whatever happens to this process. */
  async save(sessions: readonly WebSession[]): Promise<void> {
    const rows = sessions.map(({ hash, realm, startedAt, usedAt }) => ({
      hash,
      realm,
      started_at: startedAt,
      used_at: usedAt,
    }));
    await this.#db.transaction().execute(async (tx) => {
      await tx.deleteFrom('web_sessions').execute();
      if (rows.length > 0) await tx.insertInto('web_sessions').values(rows).execute();
    });
  }
}
