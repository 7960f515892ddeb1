import { type Generated, sql } from 'kysely';
import type { GapKind, PolicyRule } from '../../src-preload/contract/activity.ts';
import type { Db } from './database.ts';
import type { TableGroup } from './migrate.ts';

/** What a miner did in one minute, with one model. What was earned in it the ledger knows better; here it stands beside the time that it took. */
export interface ActivityMinute {
  /** Beginning of the minute, Unix milliseconds. */
  at: number;
  /** Name of the model that was loaded; empty without one. */
  model: string;
  /** The last moment that is in it, Unix milliseconds. */
  seen: number;
  /** Milliseconds that the node was on. */
  on_ms: number;
  /** … and of them, those in which it could serve; slowed by the load policy they count for as much less. */
  serving_ms: number;
  /** Tokens generated for the mesh. */
  tokens: number;
  /** Answers that were paid, and the points that they counted for. */
  answers: number;
  points: number;
  /** Requests that were refused for want of room. */
  busy: number;
  /** Energy that was measured while it could serve. */
  joules: number;
}

/** A time in which mining was not at full speed. */
export interface ActivityGap {
  id: Generated<number>;
  /** Unix milliseconds. */
  began: number;
  /** Null while it lasts. */
  ended: number | null;
  kind: GapKind;
  /** Of the load policy; null otherwise. */
  rule: PolicyRule | null;
}

/** What minutes come to, of one model. */
export type ActivitySums = Pick<ActivityMinute, 'model' | 'serving_ms' | 'answers' | 'points' | 'busy' | 'joules'> & {
  /** Where the first of them begins, Unix milliseconds. */
  first: number;
};

export type Gap = Pick<ActivityGap, 'began' | 'ended' | 'kind' | 'rule'>;

interface ActivityTables {
  activity_minutes: ActivityMinute;
  activity_gaps: ActivityGap;
}

const SCHEMA = [
  `CREATE TABLE activity_minutes (
    at INTEGER NOT NULL,
    model TEXT NOT NULL,
    seen INTEGER NOT NULL,
    on_ms INTEGER NOT NULL,
    serving_ms INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    answers INTEGER NOT NULL,
    points INTEGER NOT NULL,
    busy INTEGER NOT NULL,
    PRIMARY KEY (at, model)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE activity_gaps (
    id INTEGER PRIMARY KEY,
    began INTEGER NOT NULL,
    ended INTEGER,
    kind TEXT NOT NULL,
    rule TEXT
  ) STRICT`,
];

const ENERGY = ['ALTER TABLE activity_minutes ADD COLUMN joules INTEGER NOT NULL DEFAULT 0'];

export const activity: TableGroup<ActivityTables> = {
  migrations: { '0512-activity': SCHEMA, '0517-energy': ENERGY },
};

/** What a miner did, minute by minute, and when it could not. */
export class ActivityStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Adds to a minute what more was done in it. */
  async add(minute: ActivityMinute): Promise<void> {
    await sql`
      INSERT INTO activity_minutes (at, model, seen, on_ms, serving_ms, tokens, answers, points, busy, joules)
      VALUES (${minute.at}, ${minute.model}, ${minute.seen}, ${minute.on_ms}, ${minute.serving_ms}, ${minute.tokens},
        ${minute.answers}, ${minute.points}, ${minute.busy}, ${minute.joules})
      ON CONFLICT (at, model) DO UPDATE SET
        seen = max(seen, excluded.seen), on_ms = on_ms + excluded.on_ms, serving_ms = serving_ms + excluded.serving_ms,
        tokens = tokens + excluded.tokens, answers = answers + excluded.answers, points = points + excluded.points,
        busy = busy + excluded.busy, joules = joules + excluded.joules`.execute(this.#db);
  }

  /** The minutes from a time on, oldest first. */
  async minutes(from: number): Promise<ActivityMinute[]> {
    return await this.#db
      .selectFrom('activity_minutes')
      .selectAll()
      .where('at', '>=', from)
      .orderBy('at')
      .orderBy('model')
      .execute();
  }

  /** What the minutes from a time on come to, by model. */
  async sums(from: number): Promise<ActivitySums[]> {
    return await this.#db
      .selectFrom('activity_minutes')
      .select(({ fn }) => [
        'model',
        fn.min<number>('at').as('first'),
        fn.sum<number>('serving_ms').as('serving_ms'),
        fn.sum<number>('answers').as('answers'),
        fn.sum<number>('points').as('points'),
        fn.sum<number>('busy').as('busy'),
        fn.sum<number>('joules').as('joules'),
      ])
      .where('at', '>=', from)
      .groupBy('model')
      .execute();
  }

  /** The last moment that the node is known to have been on, Unix milliseconds; undefined before its first minute. */
  async lastSeen(): Promise<number | undefined> {
    const last = this.#db.selectFrom('activity_minutes').select(['at', 'seen']).orderBy('at', 'desc').limit(1);
    return (await last.executeTakeFirst())?.seen;
  }

  /** @returns its number */
  async begin({ began, ended, kind, rule }: Gap): Promise<number> {
    const row = { began, ended, kind, rule };
    const { id } = await this.#db.insertInto('activity_gaps').values(row).returning('id').executeTakeFirstOrThrow();
    return id;
  }

  async end(id: number, at: number): Promise<void> {
    await this.#db
      .updateTable('activity_gaps')
      .set((eb) => ({ ended: eb.fn<number>('max', ['began', eb.val(at)]) }))
      .where('id', '=', id)
      .where('ended', 'is', null)
      .execute();
  }

  /** Ends what a node that was killed left open. */
  async endAll(at: number): Promise<void> {
    await this.#db
      .updateTable('activity_gaps')
      .set((eb) => ({ ended: eb.fn<number>('max', ['began', eb.val(at)]) }))
      .where('ended', 'is', null)
      .execute();
  }

  /** Those that lasted at a time or later, oldest first. */
  async gaps(from: number): Promise<Gap[]> {
    return await this.#db
      .selectFrom('activity_gaps')
      .select(['began', 'ended', 'kind', 'rule'])
      .where((eb) => eb.or([eb('ended', 'is', null), eb('ended', '>', from)]))
      .orderBy('began')
      .orderBy('id')
      .execute();
  }

  /** Forgets what was over before a time, and of the gaps all but the newest. */
  async prune(before: number, mostGaps: number): Promise<void> {
    await this.#db.deleteFrom('activity_minutes').where('at', '<', before).execute();
    await this.#db.deleteFrom('activity_gaps').where('ended', '<', before).execute();
    const newest = this.#db.selectFrom('activity_gaps').select('id').orderBy('id', 'desc').limit(1).offset(mostGaps);
    await this.#db.deleteFrom('activity_gaps').where('id', '<=', newest).execute();
  }
}
