import { type Generated, sql } from 'kysely';
import type { MinerOfClips } from '../../../src-preload/contract/data.ts';
import type { DeepCheckState, SubmissionKind, SubmissionRole } from '../../../src-preload/contract/data-names.ts';
import { bytesOf, numbersOf } from '../../base/packed-numbers.ts';
import type { Db } from '../database.ts';
import type { TableGroup } from '../migrate.ts';
import { keepLook, lastLooks, lastLooksAtOthers, type NewLook, type StoredLook } from './clip-looks.ts';
import { deleteOldest } from './oldest-first.ts';

interface SubmissionRow {
  number: Generated<number>;
  /** 32 hex: of the challenge that it answers, or by chance. What is judged again takes the place of what was there. */
  key: string;
  role: SubmissionRole;
  kind: SubmissionKind;
  /** Unix milliseconds. */
  at: number;
  /** Whoever asked, or was asked. */
  peer: string;
  topic: string;
  score: number | null;
  /** What came of looking at it closely. */
  deep_check: DeepCheckState;
  /** Clips, and those of them that count; of these the sums. */
  clip_count: number;
  counted: number;
  description_sum: number;
  topic_sum: number;
  /** Null where novelty was not asked for. */
  novelty_sum: number | null;
  /** JSON of what main says; null where it says nothing. */
  reason: string | null;
  /** JSON, as the contract’s submission has them. */
  clips: string;
}

interface SubmittedVectorRow {
  /** 32 hex. */
  id: string;
  /** Of the submission. */
  key: string;
  space: string;
  kind: SubmissionKind;
  /** Numbers of four bytes, of length 1 together. */
  vector: Buffer;
  at: number;
}

interface HandedInRow {
  asker: string;
  clip: string;
  at: number;
}

interface ClipSubmissionTables {
  clip_submissions: SubmissionRow;
  clip_submission_vectors: SubmittedVectorRow;
  clips_handed_in: HandedInRow;
}

const SCHEMA = [
  `CREATE TABLE clip_submissions (
    number INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    role TEXT NOT NULL,
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    peer TEXT NOT NULL,
    topic TEXT NOT NULL,
    score REAL,
    deep_check TEXT NOT NULL,
    clip_count INTEGER NOT NULL,
    counted INTEGER NOT NULL,
    description_sum REAL NOT NULL,
    topic_sum REAL NOT NULL,
    novelty_sum REAL,
    reason TEXT,
    clips TEXT NOT NULL
  ) STRICT`,
  'CREATE INDEX clip_submissions_by_role ON clip_submissions (role, number)',
  `CREATE INDEX clip_submissions_looked_at ON clip_submissions (number) WHERE deep_check <> 'unlooked'`,
  `CREATE INDEX clip_submissions_of_peer ON clip_submissions (peer, number) WHERE deep_check <> 'unlooked'`,
  `CREATE TABLE clip_submission_vectors (
    id TEXT PRIMARY KEY,
    key TEXT NOT NULL,
    space TEXT NOT NULL,
    kind TEXT NOT NULL,
    vector BLOB NOT NULL,
    at INTEGER NOT NULL
  ) STRICT`,
  'CREATE INDEX clip_submission_vectors_by_space ON clip_submission_vectors (space, kind, id)',
  'CREATE INDEX clip_submission_vectors_by_time ON clip_submission_vectors (at)',
  'CREATE INDEX clip_submission_vectors_of ON clip_submission_vectors (key)',
  `CREATE TABLE clips_handed_in (
    asker TEXT NOT NULL,
    clip TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (asker, clip)
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX clips_handed_in_by_time ON clips_handed_in (at)',
];

/** What this computer was handed in, and has handed in, is in no backup: it is large, and what came of it is in results. */
export const clipSubmissions: TableGroup<ClipSubmissionTables> = {
  migrations: { '0566-clip-submissions': SCHEMA },
  leftOutOfBackups: ['clip_submissions', 'clip_submission_vectors', 'clips_handed_in'],
};

export type StoredSubmission = Omit<SubmissionRow, 'number'> & { number: number };
export type NewSubmission = Omit<SubmissionRow, 'number'>;
/** What this node was handed in, with where the clip was from that was looked at, and why it could not be fetched. */
export type ReceivedSubmission = NewSubmission & Pick<NewLook, 'looked_source' | 'unseen'>;
/** What this node hands in: what came of it others know. */
export type SentSubmission = Pick<NewSubmission, 'key' | 'kind' | 'at' | 'peer' | 'topic' | 'clip_count' | 'clips'>;

/** Of a clip that counted. */
export interface SubmittedVector {
  id: string;
  vector: Float32Array;
}

/** A vector that is kept no more. */
export type ForgottenVector = Pick<SubmittedVectorRow, 'id' | 'space' | 'kind'>;

/** Of a submission that went out. */
const UNJUDGED: Omit<NewSubmission, keyof SentSubmission> = {
  ...{ role: 'sent', score: null, deep_check: 'unlooked', reason: null },
  ...{ counted: 0, description_sum: 0, topic_sum: 0, novelty_sum: null },
};

/**
 * Submissions, vectors, clips and looks that are remembered: the oldest go first. 10,000 submissions take 160 MB where all descriptions are long, 100,000 vectors of 512 numbers 210 MB. Looks are
 * small, and many more of them are kept, 50 of each miner: with a thousand miners none has more than ten of these submissions, too few to tell who hides. Where it is asked how others do, the last thousand tell.
 */
const MOST = {
  submissions: 10_000,
  vectors: 100_000,
  handedIn: 200_000,
  looks: 50_000,
  looksOfOne: 50,
  looksHeard: 1_000,
};
/** They are looked for each time after so many: what goes at once is to be little. Clips that were handed in are counted seldom, as that reads them all. */
const [TRIM_AFTER, TRIM_HANDED_IN_AFTER] = [10, 100] as const;

/** Clips that were handed in: by this node, and to it. What a method has written when it returns survives the death of the process. */
export class ClipSubmissionStore {
  readonly #db: Db;
  readonly #most: typeof MOST;
  #written = 0;
  #sent = 0;

  /** @param most Default: see above */
  constructor(db: Db, most: Partial<typeof MOST> = {}) {
    this.#db = db;
    this.#most = { ...MOST, ...most };
  }

  /**
   * Keeps a submission with the vectors of those of its clips that count, all at once or nothing; what was kept of the same key goes.
   * @param vectors of a space
   * @returns those that are kept no more: of the same key, and now and then the oldest of all
   */
  async keep(
    { looked_source, unseen, ...submission }: ReceivedSubmission,
    vectors: readonly SubmittedVector[],
    space: string,
  ): Promise<ForgottenVector[]> {
    const { key, kind, at, peer, deep_check } = submission;
    const ids = new Set(vectors.map(({ id }) => id));
    const gone = await this.#db.transaction().execute(async (trx) => {
      await trx.deleteFrom('clip_submissions').where('key', '=', key).execute();
      const before = trx.deleteFrom('clip_submission_vectors').where('key', '=', key);
      const replaced = await before.returning(['id', 'space', 'kind']).execute();
      await trx.insertInto('clip_submissions').values(submission).execute();
      await keepLook(trx, { key, peer, deep_check, looked_source, unseen }, this.#most.looksOfOne);
      const rows = vectors.map(({ id, vector }) => ({ id, key, space, kind, at, vector: bytesOf(vector) }));
      if (rows.length > 0) await trx.insertInto('clip_submission_vectors').values(rows).execute();
      return replaced.filter((one) => one.space !== space || !ids.has(one.id));
    });
    return ++this.#written % TRIM_AFTER === 0 ? [...gone, ...(await this.#trimKept())] : gone;
  }

  /** Keeps a submission that goes out, and that its clips were handed in to whoever asked, all at once or nothing. */
  async keepSent(sent: SentSubmission, clips: readonly string[]): Promise<void> {
    const { peer: asker, at } = sent;
    await this.#db.transaction().execute(async (trx) => {
      await trx
        .insertInto('clip_submissions')
        .values({ ...sent, ...UNJUDGED })
        .execute();
      const rows = clips.map((clip) => ({ asker, clip, at }));
      if (rows.length > 0)
        await trx
          .insertInto('clips_handed_in')
          .values(rows)
          .onConflict((conflict) => conflict.columns(['asker', 'clip']).doNothing())
          .execute();
    });
    if (++this.#written % TRIM_AFTER === 0) await this.#trimSubmissions();
    if (++this.#sent % TRIM_HANDED_IN_AFTER === 0) await this.#trimHandedIn();
  }

  /** Which of these clips were handed in to somebody before. */
  async handedIn(asker: string, clips: readonly string[]): Promise<Set<string>> {
    if (clips.length === 0) return new Set();
    const rows = this.#db.selectFrom('clips_handed_in').select('clip').where('asker', '=', asker);
    return new Set((await rows.where('clip', 'in', clips).execute()).map(({ clip }) => clip));
  }

  /** Newest first. @param before a number; default: from the newest on */
  async list({
    role,
    before,
    rows,
  }: {
    role?: SubmissionRole;
    before?: number;
    rows: number;
  }): Promise<StoredSubmission[]> {
    const roles: SubmissionRole[] = role ? [role] : ['sent', 'received'];
    const pages = await Promise.all(roles.map((each) => this.#page(each, before ?? Number.MAX_SAFE_INTEGER, rows)));
    return pages
      .flat()
      .sort((a, b) => b.number - a.number)
      .slice(0, rows);
  }

  /** What came of the last looks, newest first. @param who of one miner; default: of all */
  lastChecks(rows: number, { of }: { of?: string } = {}): Promise<StoredLook[]> {
    return lastLooks(this.#db, rows, of);
  }

  /** What came of the last look at each miner but one, at each source, among the last looks. */
  lastOfOthers(miner: string): Promise<StoredLook[]> {
    return lastLooksAtOthers(this.#db, miner, this.#most.looksHeard);
  }

  /** Who has handed in what to this node, the best first. */
  async miners(): Promise<MinerOfClips[]> {
    const { rows } = await sql<MinerOfClips>`
      SELECT peer AS miner, count(*) AS submissions, sum(clip_count) AS clips, coalesce(avg(score), 0) AS meanScore,
        sum(description_sum) / nullif(sum(counted), 0) AS meanDescriptionRelevance,
        sum(topic_sum) / nullif(sum(counted), 0) AS meanTopicRelevance,
        sum(novelty_sum) / nullif(sum(CASE WHEN novelty_sum IS NULL THEN 0 ELSE counted END), 0) AS meanNovelty,
        sum(CASE WHEN deep_check = 'lie' THEN 1 ELSE 0 END) AS lies, max(at) AS lastAt
      FROM clip_submissions WHERE role = 'received' GROUP BY peer ORDER BY meanScore DESC, peer LIMIT 500`.execute(
      this.#db,
    );
    return rows;
  }

  /** Vectors that are kept of a space, in the order of their ids. @param after the last one before; null for the beginning */
  async vectors({
    space,
    kind,
    after,
    rows,
  }: {
    space: string;
    kind: SubmissionKind;
    after: string | null;
    rows: number;
  }) {
    const page = this.#db
      .selectFrom('clip_submission_vectors')
      .select(['id', 'vector'])
      .where('space', '=', space)
      .where('kind', '=', kind)
      .where('id', '>', after ?? '')
      .orderBy('id')
      .limit(rows);
    return (await page.execute()).map(({ id, vector }): SubmittedVector => ({ id, vector: numbersOf(vector) }));
  }

  /** Ids of the vectors of a submission. */
  async vectorsOf(key: string): Promise<string[]> {
    const rows = this.#db.selectFrom('clip_submission_vectors').select('id').where('key', '=', key);
    return (await rows.execute()).map(({ id }) => id);
  }

  /** Forgets the oldest of what is too much. @returns vectors that are kept no more */
  async trim(): Promise<ForgottenVector[]> {
    await this.#trimHandedIn();
    return await this.#trimKept();
  }

  async #trimSubmissions(): Promise<void> {
    await deleteOldest(this.#db, { table: 'clip_submissions', by: 'number', most: this.#most.submissions });
  }

  async #trimHandedIn(): Promise<void> {
    await deleteOldest(this.#db, { table: 'clips_handed_in', by: 'at', most: this.#most.handedIn });
  }

  async #trimKept(): Promise<ForgottenVector[]> {
    await this.#trimSubmissions();
    await deleteOldest(this.#db, { table: 'clip_looks', by: 'number', most: this.#most.looks });
    const vectors = { table: 'clip_submission_vectors', by: 'at', most: this.#most.vectors };
    return await deleteOldest<ForgottenVector>(this.#db, { ...vectors, returning: ['id', 'space', 'kind'] });
  }

  #page(role: SubmissionRole, before: number, rows: number) {
    const page = this.#db.selectFrom('clip_submissions').selectAll().where('role', '=', role);
    return page.where('number', '<', before).orderBy('number', 'desc').limit(rows).execute();
  }
}
