import { type Selectable, sql } from 'kysely';
import type { VideoRef } from '../../../src-preload/contract/data.ts';
import type { SourceKind, SubmissionKind } from '../../../src-preload/contract/data-names.ts';
import type { Db } from '../database.ts';
import type { TableGroup } from '../migrate.ts';
import { ClipStore, type StoredClip } from './clips.ts';

/** A file of the data set. */
interface ShardRow {
  /** As in its name; in the order in which they were made. */
  ulid: string;
  kind: SubmissionKind;
  rows: number;
  bytes: number;
  /** 64 hex. */
  sha256: string;
  /** JSON: what its rows are, summed up. */
  facts: string;
  /** Unix milliseconds. */
  created_at: number;
  uploaded_at: number | null;
  uploaded_to: string | null;
  /** When another took its place: it is no longer here, and to be deleted where it was uploaded to. */
  replaced_at: number | null;
}

/** Which clips are in which file. */
interface ShardClipRow {
  kind: SubmissionKind;
  /** 32 hex. */
  clip: string;
  shard: string;
  source: SourceKind;
  video: string;
}

/** A video that is to be in no file. */
interface TakeDownRow {
  source: SourceKind;
  video: string;
  reason: string;
  /** Unix milliseconds. */
  at: number;
}

interface ClipShardTables {
  clip_shards: ShardRow;
  clip_shard_rows: ShardClipRow;
  clip_take_downs: TakeDownRow;
}

const SCHEMA = [
  `CREATE TABLE clip_shards (
    ulid TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    rows INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    facts TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    uploaded_at INTEGER,
    uploaded_to TEXT,
    replaced_at INTEGER
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE clip_shard_rows (
    kind TEXT NOT NULL,
    clip TEXT NOT NULL,
    shard TEXT NOT NULL REFERENCES clip_shards (ulid) ON DELETE CASCADE,
    source TEXT NOT NULL,
    video TEXT NOT NULL,
    PRIMARY KEY (kind, clip)
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX clip_shard_rows_by_shard ON clip_shard_rows (shard)',
  'CREATE INDEX clip_shard_rows_by_video ON clip_shard_rows (source, video)',
  `CREATE TABLE clip_take_downs (
    source TEXT NOT NULL,
    video TEXT NOT NULL,
    reason TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (source, video)
  ) STRICT, WITHOUT ROWID`,
];

/** Files of the data set are in no backup, so what is known of them is in none. What was taken down is: it stays taken down. */
export const clipShards: TableGroup<ClipShardTables> = {
  migrations: { '0565-clip-shards': SCHEMA },
  leftOutOfBackups: ['clip_shards', 'clip_shard_rows'],
};

export type StoredShard = Selectable<ShardRow>;
export type NewShard = Omit<StoredShard, 'uploaded_at' | 'uploaded_to' | 'replaced_at'>;
export type ShardClip = Pick<ShardClipRow, 'clip' | 'source' | 'video'>;
export type TakenDown = Selectable<TakeDownRow>;

/** Values of one statement: SQLite takes a limited number. */
const AT_ONCE = 500;

/** The data set as far as it is written down: its files, what is in them, and what may not be. What a method has written when it returns survives a power cut. */
export class ClipShardStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Oldest first, those that were replaced among them. */
  async all(): Promise<StoredShard[]> {
    return await this.#db.selectFrom('clip_shards').selectAll().orderBy('ulid').execute();
  }

  /** A new file with its clips: all of it or nothing. @throws where a clip is in another file of this kind */
  async add(shard: NewShard, clips: readonly ShardClip[]): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await insertShard(trx, shard);
      for (let first = 0; first < clips.length; first += AT_ONCE) {
        const some = clips.slice(first, first + AT_ONCE);
        const rows = some.map((clip) => ({ ...clip, kind: shard.kind, shard: shard.ulid }));
        await trx.insertInto('clip_shard_rows').values(rows).execute();
      }
    });
  }

  /** A file takes the place of another, without the clips that were taken down; null: none does, as none of its clips is left. All of it or nothing. */
  async replace(old: string, shard: NewShard | null, at: number): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      if (shard) {
        await insertShard(trx, shard);
        await trx
          .updateTable('clip_shard_rows')
          .set({ shard: shard.ulid })
          .where('shard', '=', old)
          .where(sql<boolean>`NOT EXISTS (
            SELECT 1 FROM clip_take_downs AS down WHERE down.source = clip_shard_rows.source AND down.video = clip_shard_rows.video
          )`)
          .execute();
      }
      await trx.deleteFrom('clip_shard_rows').where('shard', '=', old).execute();
      await trx.updateTable('clip_shards').set({ replaced_at: at }).where('ulid', '=', old).execute();
      await trx.deleteFrom('clip_shards').where('ulid', '=', old).where('uploaded_at', 'is', null).execute();
    });
  }

  async uploaded(ulids: readonly string[], at: number, to: string): Promise<void> {
    if (ulids.length === 0) return;
    const change = this.#db.updateTable('clip_shards').set({ uploaded_at: at, uploaded_to: to });
    await change.where('ulid', 'in', ulids).execute();
  }

  /** One that was replaced is gone where it was uploaded to. */
  async forget(ulids: readonly string[]): Promise<void> {
    if (ulids.length === 0) return;
    const shards = this.#db.deleteFrom('clip_shards').where('ulid', 'in', ulids);
    await shards.where('replaced_at', 'is not', null).execute();
  }

  /** Which of these are in a file. */
  async inFiles(kind: SubmissionKind, clips: readonly string[]): Promise<Set<string>> {
    if (clips.length === 0) return new Set();
    const rows = this.#db.selectFrom('clip_shard_rows').select('clip').where('kind', '=', kind);
    return new Set((await rows.where('clip', 'in', clips).execute()).map(({ clip }) => clip));
  }

  /** Clips of a file that were taken down since, by the file. */
  async takenDownInShards(): Promise<Map<string, string[]>> {
    const rows = await this.#db
      .selectFrom('clip_take_downs')
      .innerJoin('clip_shard_rows', (join) =>
        join
          .onRef('clip_shard_rows.source', '=', 'clip_take_downs.source')
          .onRef('clip_shard_rows.video', '=', 'clip_take_downs.video'),
      )
      .select(['shard', 'clip'])
      .orderBy('shard')
      .orderBy('clip')
      .execute();
    const clips = Map.groupBy(rows, ({ shard }) => shard);
    return new Map([...clips].map(([shard, some]) => [shard, some.map(({ clip }) => clip)]));
  }

  /** Newest first, each with how many clips of it there are. */
  async takeDowns(): Promise<(TakenDown & { clips: number })[]> {
    return await this.#db
      .selectFrom('clip_take_downs')
      .selectAll()
      .select(
        sql<number>`(SELECT count(*) FROM clips WHERE source = clip_take_downs.source AND video = clip_take_downs.video)`.as(
          'clips',
        ),
      )
      .orderBy('at', 'desc')
      .orderBy('source')
      .orderBy('video')
      .execute();
  }

  /** A reason takes the place of the one before. @returns how many clips of it there are */
  async takeDown(row: TakenDown): Promise<number> {
    const { source, video, reason, at } = row;
    return await this.#db.transaction().execute(async (db) => {
      await db
        .insertInto('clip_take_downs')
        .values(row)
        .onConflict((conflict) => conflict.columns(['source', 'video']).doUpdateSet({ reason, at }))
        .execute();
      return await new ClipStore(db).setTakenDown({ source, id: video }, true);
    });
  }

  async undoTakeDown({ source, id }: VideoRef): Promise<void> {
    await this.#db.transaction().execute(async (db) => {
      await db.deleteFrom('clip_take_downs').where('source', '=', source).where('video', '=', id).execute();
      await new ClipStore(db).setTakenDown({ source, id }, false);
    });
  }

  async isTakenDown({ source, id }: VideoRef): Promise<boolean> {
    const rows = this.#db.selectFrom('clip_take_downs').select('at').where('source', '=', source);
    return (await rows.where('video', '=', id).executeTakeFirst()) !== undefined;
  }

  /**
   * Clips that may become rows of a kind, by their numbers, each with whether it is in a file: some at a time, as there may be many before the first that is in none.
   * @param after number behind which to go on; 0 for the beginning
   */
  async clips(kind: SubmissionKind, after: number, limit: number): Promise<(StoredClip & { isInFile: boolean })[]> {
    const rows = await this.#behind(kind, after, limit)
      .leftJoin('clip_shard_rows', (join) =>
        join.onRef('clip_shard_rows.clip', '=', 'clips.clip').on('clip_shard_rows.kind', '=', kind),
      )
      .selectAll('clips')
      .select('shard')
      .execute();
    return rows.map(({ shard, ...clip }) => ({ ...clip, isInFile: shard !== null }));
  }

  /** Of so many clips, how many wait for a file of a kind, which what is taken down does not, and the number of the last that was looked at; null after all. @param after as in {@link clips} */
  async countWaiting(
    kind: SubmissionKind,
    after: number,
    limit: number,
  ): Promise<{ waiting: number; last: number | null }> {
    const { waiting, last } = await this.#db
      .selectFrom(this.#behind(kind, after, limit).select(['clips.number', 'clips.clip', 'is_taken_down']).as('some'))
      .leftJoin('clip_shard_rows', (join) =>
        join.onRef('clip_shard_rows.clip', '=', 'some.clip').on('clip_shard_rows.kind', '=', kind),
      )
      .select(({ fn }) =>
        fn.countAll<number>().filterWhere('shard', 'is', null).filterWhere('is_taken_down', '=', 0).as('waiting'),
      )
      .select(({ fn }) => fn.max('number').as('last'))
      .executeTakeFirstOrThrow();
    return { waiting, last };
  }

  #behind(kind: SubmissionKind, after: number, limit: number) {
    const clips = this.#db.selectFrom('clips').where('clips.number', '>', after).orderBy('clips.number').limit(limit);
    return kind === 'videos' ? clips : clips.where('turns', 'is not', null);
  }
}

async function insertShard(db: Db, shard: NewShard): Promise<void> {
  const values = { ...shard, uploaded_at: null, uploaded_to: null, replaced_at: null };
  await db.insertInto('clip_shards').values(values).execute();
}
