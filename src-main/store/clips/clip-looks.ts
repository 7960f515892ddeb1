import { type Generated, sql } from 'kysely';
import type { DeepCheckState, SourceKind } from '../../../src-preload/contract/data-names.ts';
import type { Db } from '../database.ts';
import type { TableGroup } from '../migrate.ts';

interface LookRow {
  number: Generated<number>;
  /** Of the submission that the clip was from. What is judged again takes the place of what was there. */
  key: string;
  /** Whoever handed it in. */
  peer: string;
  /** What came of it; never `unlooked`. */
  deep_check: DeepCheckState;
  /** Where the clip was from; null in rows from before this was kept. */
  looked_source: SourceKind | null;
  /** Why it could not be fetched: see `Unseen` in subnets/omega/clips. Null where it could be. */
  unseen: 'gone' | 'blocked' | 'licence' | null;
}

interface ClipLookTables {
  clip_looks: LookRow;
}

/** Apart from the submissions, of which far fewer are kept: of a thousand miners each has ten of these, and one of them was looked at. */
const SCHEMA = [
  `CREATE TABLE clip_looks (
    number INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    peer TEXT NOT NULL,
    deep_check TEXT NOT NULL,
    looked_source TEXT,
    unseen TEXT
  ) STRICT`,
  `INSERT INTO clip_looks SELECT number, key, peer, deep_check, NULL, NULL FROM clip_submissions
    WHERE deep_check <> 'unlooked' AND role = 'received'`,
  'CREATE INDEX clip_looks_of ON clip_looks (peer, number)',
  'DROP INDEX clip_submissions_looked_at',
  'DROP INDEX clip_submissions_of_peer',
];

/** What came of looking at clips that were handed in. Like these it is in no backup. */
export const clipLooks: TableGroup<ClipLookTables> = {
  migrations: { '0567-clip-looks': SCHEMA },
  leftOutOfBackups: ['clip_looks'],
};

/** What came of looking at a clip of a miner. */
export type StoredLook = Omit<LookRow, 'number' | 'key'> & { number: number };
export type NewLook = Omit<LookRow, 'number'>;
const LOOK = ['number', 'peer', 'deep_check', 'looked_source', 'unseen'] as const;

/**
 * Keeps what came of a submission's look, in place of what was kept of the same key; where none of it was looked at, nothing.
 * @param most looks at one miner that are remembered
 */
export async function keepLook(db: Db, look: NewLook, most: number): Promise<void> {
  const { key, peer, deep_check } = look;
  await db.deleteFrom('clip_looks').where('key', '=', key).execute();
  if (deep_check === 'unlooked') return;
  await db.insertInto('clip_looks').values(look).execute();
  await sql`DELETE FROM clip_looks WHERE peer = ${peer} AND number <=
    (SELECT number FROM clip_looks WHERE peer = ${peer} ORDER BY number DESC LIMIT 1 OFFSET ${most})`.execute(db);
}

/** What came of the last looks, newest first. @param of of one miner; default: of all */
export async function lastLooks(db: Db, rows: number, of?: string): Promise<StoredLook[]> {
  const all = db.selectFrom('clip_looks').select(LOOK);
  const own = of === undefined ? all : all.where('peer', '=', of);
  return await own.orderBy('number', 'desc').limit(rows).execute();
}

/**
 * What came of the last look at each miner but one, at each source: of a group SQLite takes the row with the greatest number.
 * @param among so many of the last looks: whoever has left is not heard for good
 */
export async function lastLooksAtOthers(db: Db, miner: string, among: number): Promise<StoredLook[]> {
  const { rows } = await sql<StoredLook>`SELECT max(number) AS number, peer, deep_check, looked_source, unseen
    FROM clip_looks WHERE number > (SELECT max(number) FROM clip_looks) - ${among} AND peer <> ${miner}
    GROUP BY peer, looked_source ORDER BY 1`.execute(db);
  return rows;
}
