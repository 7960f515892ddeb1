import type { Selectable } from 'kysely';
import type { RecordingState } from '../../../src-preload/contract/focus.ts';
import type { Db } from '../database.ts';
import type { TableGroup } from '../migrate.ts';
import { FOCUS_VECTORS, type FocusVectorTables } from './focus-vectors.ts';

interface ScoreRow {
  recording: string;
  scorer: 'rules' | 'model';
  /** Of the rules or the questions: scores of different ones are not compared. */
  version: string;
  score: number | null;
  /** JSON: what was found, and why. */
  findings: string;
  /** Unix milliseconds. */
  at: number;
  /** Who was asked, and where: host and port. Null of the rules. */
  model: string | null;
  host: string | null;
}

/** What a recording is worth, as it stands. */
interface VerdictRow {
  recording: string;
  score: number | null;
  /** JSON of what main says. */
  why: string;
  at: number;
  /** The score as others can check it; null where nothing was scored. */
  payload: string | null;
  signature: string | null;
}

interface AppealRow {
  recording: string;
  at: number;
  note: string;
}

interface FocusScoreTables extends FocusVectorTables {
  focus_scores: ScoreRow;
  focus_verdicts: VerdictRow;
  focus_appeals: AppealRow;
}

const SCHEMA = [
  `CREATE TABLE focus_scores (
    recording TEXT NOT NULL REFERENCES focus_recordings (id) ON DELETE CASCADE,
    scorer TEXT NOT NULL,
    version TEXT NOT NULL,
    score REAL,
    findings TEXT NOT NULL,
    at INTEGER NOT NULL,
    model TEXT,
    host TEXT,
    PRIMARY KEY (recording, scorer)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE focus_verdicts (
    recording TEXT PRIMARY KEY REFERENCES focus_recordings (id) ON DELETE CASCADE,
    score REAL,
    why TEXT NOT NULL,
    at INTEGER NOT NULL,
    payload TEXT,
    signature TEXT
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE focus_appeals (
    recording TEXT NOT NULL REFERENCES focus_recordings (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    note TEXT NOT NULL,
    PRIMARY KEY (recording, at)
  ) STRICT, WITHOUT ROWID`,
  ...FOCUS_VECTORS,
];

/** What is known of recordings is in no backup, as they are. */
export const focusScores: TableGroup<FocusScoreTables> = {
  migrations: { '0531-focus-scores': SCHEMA },
  leftOutOfBackups: ['focus_scores', 'focus_verdicts', 'focus_appeals', 'focus_vectors'],
};

export type StoredScore = Omit<ScoreRow, 'recording'>;
export type StoredVerdict = Selectable<VerdictRow>;
/** From which state to which. */
export interface Move {
  from: RecordingState;
  to: RecordingState;
}

/** What recordings are worth. What a method has written when it returns survives the death of the process. */
export class FocusScoreStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** @returns false where the recording is in another state by now, or gone: then nothing is written */
  async move(recording: string, { from, to }: Move): Promise<boolean> {
    const moved = this.#db.updateTable('focus_recordings').set({ state: to });
    const { numUpdatedRows } = await moved.where('id', '=', recording).where('state', '=', from).executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /**
   * Another state, what it came of, and the scores that take the place of those before, all at once or nothing.
   * @returns as {@link move}
   */
  async settle(move: Move, verdict: StoredVerdict, scores: readonly StoredScore[]): Promise<boolean> {
    const { recording } = verdict;
    return await this.#db.transaction().execute(async (trx) => {
      if (!(await new FocusScoreStore(trx).move(recording, move))) return false;
      await trx.deleteFrom('focus_scores').where('recording', '=', recording).execute();
      await trx.deleteFrom('focus_verdicts').where('recording', '=', recording).execute();
      await trx.insertInto('focus_verdicts').values(verdict).execute();
      for (const score of scores)
        await trx
          .insertInto('focus_scores')
          .values({ ...score, recording })
          .execute();
      return true;
    });
  }

  /** Keeps what its owner says against its score. */
  async addAppeal(appeal: AppealRow): Promise<void> {
    await this.#db.insertInto('focus_appeals').values(appeal).execute();
  }

  async scores(recording: string): Promise<StoredScore[]> {
    const rows = this.#db.selectFrom('focus_scores').selectAll().where('recording', '=', recording);
    return (await rows.execute()).map(({ recording: _, ...score }) => score);
  }

  async verdicts(recordings: readonly string[]): Promise<StoredVerdict[]> {
    if (recordings.length === 0) return [];
    return await this.#db.selectFrom('focus_verdicts').selectAll().where('recording', 'in', recordings).execute();
  }

  /** Oldest first. */
  async appeals(recording: string): Promise<{ at: number; note: string }[]> {
    const rows = this.#db.selectFrom('focus_appeals').select(['at', 'note']).where('recording', '=', recording);
    return await rows.orderBy('at').execute();
  }

  /** Undefined for a recording that is not there. */
  async stateOf(recording: string): Promise<RecordingState | undefined> {
    const row = this.#db.selectFrom('focus_recordings').select('state').where('id', '=', recording);
    return (await row.executeTakeFirst())?.state;
  }

  async inState(state: RecordingState): Promise<string[]> {
    const rows = this.#db.selectFrom('focus_recordings').select('id').where('state', '=', state);
    return (await rows.execute()).map(({ id }) => id);
  }
}
