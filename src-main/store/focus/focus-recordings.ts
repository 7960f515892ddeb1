import { sql } from 'kysely';
import type {
  ActivitySecond,
  BeginRecording,
  Recording,
  RecordingEnd,
  RecordingState,
  Surface,
} from '../../../src-preload/contract/focus.ts';
import type { RecordedTask, TaskKind } from '../../../src-preload/contract/focus-task-kinds.ts';
import type { Db } from '../database.ts';
import type { TableGroup } from '../migrate.ts';
import { emptyLog } from '../sqlite.ts';

interface RecordingRow {
  id: string;
  title: string;
  description: string;
  state: RecordingState;
  surface: Surface;
  microphone: number;
  system_sound: number;
  width: number;
  height: number;
  /** Unix milliseconds. */
  started_at: number;
  ended_at: number | null;
  ended: RecordingEnd | null;
  /** Of its chunks together. */
  active_ms: number;
  bytes: number;
  /** Whose key its chunks are signed with, 64 hex; null of one from before that was kept. */
  signer: string | null;
}

interface ChunkRow {
  recording: string;
  /** Streams of the recorder, one after the other, from 0; and the chunks of each, from 0. */
  part: number;
  chunk: number;
  /** When the node got it, Unix milliseconds. */
  at: number;
  bytes: number;
  active_ms: number;
  motion: number;
  keys: number | null;
  clicks: number | null;
  moves: number | null;
  idle_ms: number | null;
  /** 16 hex. */
  picture: string | null;
  sha256: string;
  /** Of this chunk and all before it, 64 hex, and the node’s signature of that, 128 hex. */
  link: string;
  signature: string;
}

interface FocusTables {
  focus_recordings: RecordingRow;
  focus_chunks: ChunkRow;
}

const SCHEMA = [
  `CREATE TABLE focus_recordings (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    state TEXT NOT NULL,
    surface TEXT NOT NULL,
    microphone INTEGER NOT NULL,
    system_sound INTEGER NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    ended TEXT,
    active_ms INTEGER NOT NULL DEFAULT 0,
    bytes INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX focus_recordings_by_start ON focus_recordings (started_at)',
  `CREATE TABLE focus_chunks (
    recording TEXT NOT NULL REFERENCES focus_recordings (id) ON DELETE CASCADE,
    part INTEGER NOT NULL,
    chunk INTEGER NOT NULL,
    at INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    active_ms INTEGER NOT NULL,
    motion INTEGER NOT NULL,
    keys INTEGER,
    clicks INTEGER,
    moves INTEGER,
    idle_ms INTEGER,
    picture TEXT,
    sha256 TEXT NOT NULL,
    link TEXT NOT NULL,
    signature TEXT NOT NULL,
    PRIMARY KEY (recording, part, chunk)
  ) STRICT, WITHOUT ROWID`,
];

/** A node may have another key one day: what it signed before is checked with the old one. */
const SIGNERS = ['ALTER TABLE focus_recordings ADD COLUMN signer TEXT'];

/** Videos are in no backup, so what is known of them is in none either. */
export const focusRecordings: TableGroup<FocusTables> = {
  migrations: { '0528-focus-recordings': SCHEMA, '0533-focus-signers': SIGNERS },
  leftOutOfBackups: ['focus_chunks', 'focus_recordings'],
};

/** What is known of a recording when it begins. */
export interface NewRecording extends Omit<BeginRecording, 'task'> {
  /** As its list has it now; absent for one that was typed. */
  task?: RecordedTask;
}

/** A chunk that is on the disk. */
export interface StoredChunk extends ActivitySecond {
  part: number;
  chunk: number;
  bytes: number;
  sha256: string;
  link: string;
  signature: string;
}

/** Recordings and their chunks; the bytes themselves are files. What a method has written when it returns survives the death of the process. */
export class FocusRecordingStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** There is none without its task, whatever ends the process. @param signer whose key its chunks will be signed with */
  async begin(
    id: string,
    { sound, task, ...about }: NewRecording,
    { startedAt, signer }: { startedAt: number; signer: string },
  ): Promise<Recording> {
    const row = { microphone: Number(sound.microphone), system_sound: Number(sound.system), started_at: startedAt };
    await this.#db.transaction().execute(async (trx) => {
      await trx
        .insertInto('focus_recordings')
        .values({ ...about, ...row, id, signer, state: 'recording', active_ms: 0, bytes: 0 })
        .execute();
      if (!task) return;
      const { kind, multiplier } = task;
      await trx.insertInto('focus_tasks').values({ recording: id, kind, task: task.id, multiplier }).execute();
    });
    return this.#only(id);
  }

  async get(id: string): Promise<Recording | undefined> {
    const row = await this.#rows().where('id', '=', id).executeTakeFirst();
    return row && recordingOf(row);
  }

  /** Newest first. @param text in title or description; whether its letters are large or small counts for those beyond ASCII alone */
  async list({
    text,
    before,
    limit,
    kind,
    state,
  }: {
    text: string;
    before?: number | undefined;
    limit: number;
    kind?: TaskKind | undefined;
    state?: RecordingState | undefined;
  }): Promise<Recording[]> {
    let rows = this.#rows().orderBy('started_at', 'desc').limit(limit);
    if (before !== undefined) rows = rows.where('started_at', '<', before);
    if (kind) rows = kind === 'own' ? rows.where('kind', 'is', null) : rows.where('kind', '=', kind);
    if (state !== undefined) rows = rows.where('state', '=', state);
    if (text) rows = rows.where(sql<boolean>`instr(lower(title || char(10) || description), lower(${text})) > 0`);
    return (await rows.execute()).map(recordingOf);
  }

  /** Those whose id begins like that. @param beginning digits of hex and dashes */
  async startingWith(beginning: string, limit: number): Promise<Recording[]> {
    const rows = this.#rows().where('id', '>=', beginning);
    // «g» is behind all that ids are made of.
    return (await rows.where('id', '<', `${beginning}g`).orderBy('id').limit(limit).execute()).map(recordingOf);
  }

  async inState(state: RecordingState): Promise<Recording[]> {
    const rows = this.#rows().where('state', '=', state).orderBy('started_at');
    return (await rows.execute()).map(recordingOf);
  }

  async sums(): Promise<{ count: number; bytes: number }> {
    const { count, bytes } = await this.#db
      .selectFrom('focus_recordings')
      .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | null>('bytes').as('bytes')])
      .executeTakeFirstOrThrow();
    return { count, bytes: bytes ?? 0 };
  }

  /** Whose key its chunks are signed with; null where nobody wrote that down. */
  async signerOf(id: string): Promise<string | null> {
    const row = await this.#db.selectFrom('focus_recordings').select('signer').where('id', '=', id).executeTakeFirst();
    return row?.signer ?? null;
  }

  /** Those of which nobody wrote down who signs them. */
  async withoutSigner(): Promise<Recording[]> {
    return (await this.#rows().where('signer', 'is', null).execute()).map(recordingOf);
  }

  async setSigner(id: string, signer: string): Promise<void> {
    await this.#db.updateTable('focus_recordings').set({ signer }).where('id', '=', id).execute();
  }

  async setState(id: string, state: RecordingState): Promise<void> {
    await this.#db.updateTable('focus_recordings').set({ state }).where('id', '=', id).execute();
  }

  async end(id: string, ended: RecordingEnd, endedAt: number): Promise<Recording> {
    const change = { state: 'draft' as const, ended, ended_at: endedAt };
    await this.#db.updateTable('focus_recordings').set(change).where('id', '=', id).execute();
    return this.#only(id);
  }

  async update(id: string, change: { title?: string | undefined; description?: string | undefined }): Promise<void> {
    const { title, description } = change;
    const set = { ...(title !== undefined && { title }), ...(description !== undefined && { description }) };
    if (Object.keys(set).length === 0) return;
    await this.#db.updateTable('focus_recordings').set(set).where('id', '=', id).execute();
  }

  /** With its chunks. Idempotent. */
  async remove(id: string): Promise<void> {
    await this.#db.deleteFrom('focus_recordings').where('id', '=', id).execute();
  }

  /** What its chunks are together is written with it. */
  async addChunk(recording: string, { activeMs, idleMs, ...chunk }: StoredChunk): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await trx
        .insertInto('focus_chunks')
        .values({ ...chunk, recording, active_ms: activeMs, idle_ms: idleMs })
        .execute();
      await trx
        .updateTable('focus_recordings')
        .set(({ eb }) => ({ active_ms: activeMs, bytes: eb('bytes', '+', chunk.bytes) }))
        .where('id', '=', recording)
        .execute();
    });
  }

  /** Those after so many milliseconds of the recording, for good. @returns what is left of it */
  async removeChunksAfter(recording: string, activeMs: number): Promise<Recording> {
    await this.#db.transaction().execute(async (trx) => {
      await trx
        .deleteFrom('focus_chunks')
        .where('recording', '=', recording)
        .where('active_ms', '>', activeMs)
        .execute();
      await sumUp(trx, recording);
    });
    return this.#only(recording);
  }

  /** This chunk, and all after it. */
  async removeChunksFrom(recording: string, { part, chunk }: Pick<StoredChunk, 'part' | 'chunk'>): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await trx
        .deleteFrom('focus_chunks')
        .where('recording', '=', recording)
        .where(({ or, and, eb }) => or([eb('part', '>', part), and([eb('part', '=', part), eb('chunk', '>=', chunk)])]))
        .execute();
      await sumUp(trx, recording);
    });
  }

  /** Nothing that was deleted stays in the files of the database. Without effect while another process reads them. */
  async forgetDeleted(): Promise<void> {
    await emptyLog(this.#db);
  }

  /** In their order. */
  async chunks(recording: string): Promise<StoredChunk[]> {
    const rows = this.#db.selectFrom('focus_chunks').selectAll().where('recording', '=', recording);
    return (await rows.orderBy('part').orderBy('chunk').execute()).map(chunkOf);
  }

  /** Of each second how many blocks of the picture changed, in their order. */
  async motion(recording: string): Promise<number[]> {
    const rows = this.#db.selectFrom('focus_chunks').select('motion').where('recording', '=', recording);
    return (await rows.orderBy('part').orderBy('chunk').execute()).map(({ motion }) => motion);
  }

  /** What was done in each chunk, in their order: without sums and signatures, which are most of a row. */
  async activity(recording: string): Promise<ActivitySecond[]> {
    const done = ['at', 'motion', 'keys', 'clicks', 'moves', 'picture'] as const;
    return await this.#db
      .selectFrom('focus_chunks')
      .select([...done, 'active_ms as activeMs', 'idle_ms as idleMs'])
      .where('recording', '=', recording)
      .orderBy('part')
      .orderBy('chunk')
      .execute();
  }

  async firstChunk(recording: string): Promise<StoredChunk | undefined> {
    const rows = this.#db.selectFrom('focus_chunks').selectAll().where('recording', '=', recording);
    const row = await rows.orderBy('part').orderBy('chunk').limit(1).executeTakeFirst();
    return row && chunkOf(row);
  }

  async lastChunk(recording: string): Promise<StoredChunk | undefined> {
    const rows = this.#db.selectFrom('focus_chunks').selectAll().where('recording', '=', recording);
    const row = await rows.orderBy('part', 'desc').orderBy('chunk', 'desc').limit(1).executeTakeFirst();
    return row && chunkOf(row);
  }

  /** With the task that each is of. */
  #rows() {
    return this.#db
      .selectFrom('focus_recordings')
      .leftJoin('focus_tasks', 'recording', 'focus_recordings.id')
      .selectAll('focus_recordings')
      .select(['kind', 'task', 'multiplier']);
  }

  async #only(id: string): Promise<Recording> {
    const found = await this.get(id);
    if (!found) throw new Error(`There is no recording ${id}.`);
    return found;
  }
}

/** What its chunks come to, beside them. */
async function sumUp(db: Db, recording: string): Promise<void> {
  const { active_ms, bytes } = await db
    .selectFrom('focus_chunks')
    .select(({ fn }) => [
      fn.max<number | null>('active_ms').as('active_ms'),
      fn.sum<number | null>('bytes').as('bytes'),
    ])
    .where('recording', '=', recording)
    .executeTakeFirstOrThrow();
  const set = { active_ms: active_ms ?? 0, bytes: bytes ?? 0 };
  await db.updateTable('focus_recordings').set(set).where('id', '=', recording).execute();
}

/** Null where its task was typed. */
type TaskOf = { kind: RecordedTask['kind'] | null; task: string | null; multiplier: number | null };

function recordingOf(row: RecordingRow & TaskOf): Recording {
  const { id, title, description, state, surface, width, height, ended, bytes } = row;
  return {
    ...{ id, title, description, state, surface, width, height, ended, bytes },
    sound: { microphone: row.microphone !== 0, system: row.system_sound !== 0 },
    startedAt: row.started_at,
    endedAt: row.ended_at,
    activeMs: row.active_ms,
    ...taskOf(row),
  };
}

function taskOf({ kind, task: id, multiplier }: TaskOf): Pick<Recording, 'task'> {
  return kind === null || id === null || multiplier === null ? {} : { task: { kind, id, multiplier } };
}

function chunkOf({ recording: _, active_ms: activeMs, idle_ms: idleMs, ...row }: ChunkRow): StoredChunk {
  return { ...row, activeMs, idleMs };
}
