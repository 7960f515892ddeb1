import type { Generated } from 'kysely';
import type { Sent, SentBy, SentThing } from '../../../src-preload/contract/focus-sent.ts';
import type { ListedKind, TaskChoice } from '../../../src-preload/contract/focus-task-kinds.ts';
import type { Db } from '../database.ts';
import type { TableGroup } from '../migrate.ts';

interface TaskRow {
  recording: string;
  kind: ListedKind;
  task: string;
  multiplier: number;
}

interface ListRow {
  /** Who signed it, 64 hex. */
  signer: string;
  number: number;
  /** The file as it came. */
  text: string;
  /** Unix milliseconds. */
  taken_at: number;
}

interface SentRow {
  id: Generated<number>;
  at: number;
  /** Without a reference: what left stays written down when the recording is deleted. */
  recording: string;
  what: SentThing;
  address: string;
  bytes: number;
  by: SentBy;
}

interface FocusTaskTables {
  /** Of recordings whose task was typed there is no row. */
  focus_tasks: TaskRow;
  focus_task_lists: ListRow;
  focus_sent: SentRow;
}

const refuse = (when: string) =>
  `CREATE TRIGGER focus_sent_no_${when.toLowerCase()} BEFORE ${when} ON focus_sent BEGIN SELECT RAISE(ABORT, 'what was sent stays written down'); END`;

const SCHEMA = [
  `CREATE TABLE focus_tasks (
    recording TEXT PRIMARY KEY REFERENCES focus_recordings (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    task TEXT NOT NULL,
    multiplier REAL NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE focus_task_lists (
    signer TEXT PRIMARY KEY,
    number INTEGER NOT NULL,
    text TEXT NOT NULL,
    taken_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE focus_sent (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    recording TEXT NOT NULL,
    what TEXT NOT NULL,
    address TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    by TEXT NOT NULL
  ) STRICT`,
  'CREATE INDEX focus_sent_by_recording ON focus_sent (recording)',
  refuse('UPDATE'),
  refuse('DELETE'),
];

/** Which task a recording is of is in no backup, as the recording is in none. What was sent is: it is about others, too. */
export const focusTasks: TableGroup<FocusTaskTables> = {
  migrations: { '0529-focus-tasks': SCHEMA },
  leftOutOfBackups: ['focus_tasks'],
};

/** A signed list, as it was taken. */
export interface KeptList {
  number: number;
  text: string;
  takenAt: number;
}

/** Tasks of recordings, and lists of them. */
export class FocusTaskStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** How many recordings there are of each task that has a list. */
  async counts(): Promise<(TaskChoice & { count: number })[]> {
    const rows = this.#db
      .selectFrom('focus_tasks')
      .select(({ fn }) => ['kind', 'task', fn.countAll<number>().as('count')]);
    return (await rows.groupBy(['kind', 'task']).execute()).map(({ task, ...row }) => ({ ...row, id: task }));
  }

  /** Tasks that were typed, by their titles, the last recorded first, with the description that was given last. */
  async own(most: number): Promise<{ title: string; description: string; count: number }[]> {
    // SQLite takes the other columns of the row that has the greatest value.
    return await this.#db
      .selectFrom('focus_recordings')
      .leftJoin('focus_tasks', 'recording', 'focus_recordings.id')
      .select(({ fn }) => [
        'title',
        'description',
        fn.countAll<number>().as('count'),
        fn.max('started_at').as('last_at'),
      ])
      .where('recording', 'is', null)
      .groupBy('title')
      .orderBy('last_at', 'desc')
      .limit(most)
      .execute();
  }

  async list(signer: string): Promise<KeptList | undefined> {
    const row = await this.#db
      .selectFrom('focus_task_lists')
      .selectAll()
      .where('signer', '=', signer)
      .executeTakeFirst();
    return row && { number: row.number, text: row.text, takenAt: row.taken_at };
  }

  async keepList(signer: string, { number, text, takenAt }: KeptList): Promise<void> {
    const row = { number, text, taken_at: takenAt };
    const insert = this.#db.insertInto('focus_task_lists').values({ signer, ...row });
    await insert.onConflict((conflict) => conflict.column('signer').doUpdateSet(row)).execute();
  }
}

/** What left this computer: lines are added, and none is ever changed or taken away; the database itself refuses that. */
export class FocusSentStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** On the disk when it returns. */
  async add({ to, ...line }: Sent): Promise<void> {
    await this.#db
      .insertInto('focus_sent')
      .values({ ...line, address: to })
      .execute();
  }

  /** Newest first. */
  async list({ recording, limit }: { recording?: string | undefined; limit: number }): Promise<Sent[]> {
    let rows = this.#db.selectFrom('focus_sent').selectAll().orderBy('id', 'desc').limit(limit);
    if (recording !== undefined) rows = rows.where('recording', '=', recording);
    return (await rows.execute()).map(({ id: _, address, ...row }) => ({ ...row, to: address }));
  }
}
