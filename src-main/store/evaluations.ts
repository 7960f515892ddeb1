import { type Selectable, sql } from 'kysely';
import type { AnswersOf } from '../../src-preload/contract/evaluation.ts';
import { BAND_ENDS, DEPTH_BANDS, type DepthBand } from '../../src-preload/contract/evaluation-numbers.ts';
import { Slices } from '../base/slices.ts';
import type { Db } from './database.ts';
import type { TableGroup } from './migrate.ts';

/** `running` of a process that died is `paused`. */
export type EvaluationState = 'running' | 'paused' | 'done' | 'failed';

/** A model that was asked about long texts, once. */
export interface EvaluationRow {
  id: string;
  /** Unix milliseconds. */
  created_at: number;
  ended_at: number | null;
  state: EvaluationState;
  /** As it was asked for: JSON. */
  plan: string;
  /** Who answered, as it calls itself; null before the first answer. */
  model: string | null;
  /** SHA-256 of its file, 64 hex; null where that is not known. */
  sha256: string | null;
  /** Texts there are to be asked about, and those that are done with. */
  texts: number;
  done: number;
  /** Of time spent, in all its turns. */
  seconds: number;
  /** Why it failed: JSON. */
  error: string | null;
}

/** One question, and what came of it. Its text is not kept: it comes out of the evaluation's seed, and `words`. */
export interface EvaluationAnswerRow {
  evaluation: string;
  /** Which text it is about, in the order in which they are asked. */
  text: number;
  /** Which question about that; -1: there is none, as whoever was asked has no room for the text. */
  question: number;
  suite: string;
  variant: string;
  /** Tokens that the prompt was to have. */
  length: number;
  /** Words of which the text was made; null where it was not made. */
  words: number | null;
  /** Where what was asked for stands, 0–1; null: nowhere in particular. */
  depth: number | null;
  /** The beginning of it; null where none came. */
  answer: string | null;
  /** JSON of why none came. */
  error: string | null;
  score: number;
  /** As whoever answered counted them; null where it does not tell. */
  prompt_tokens: number | null;
  cached_tokens: number | null;
  answer_tokens: number | null;
  /** Milliseconds, by this node's clock, from the question to the first piece of the answer and to the last. */
  first_ms: number | null;
  total_ms: number | null;
  /** Unix milliseconds. */
  at: number;
}

interface EvaluationTables {
  evaluations: EvaluationRow;
  evaluation_answers: EvaluationAnswerRow;
}

const SCHEMA = [
  `CREATE TABLE evaluations (
    id TEXT PRIMARY KEY,
    created_at INTEGER NOT NULL,
    ended_at INTEGER,
    state TEXT NOT NULL,
    plan TEXT NOT NULL,
    model TEXT,
    sha256 TEXT,
    texts INTEGER NOT NULL,
    done INTEGER NOT NULL,
    seconds REAL NOT NULL,
    error TEXT
  ) STRICT`,
  `CREATE TABLE evaluation_answers (
    evaluation TEXT NOT NULL REFERENCES evaluations (id) ON DELETE CASCADE,
    text INTEGER NOT NULL,
    question INTEGER NOT NULL,
    suite TEXT NOT NULL,
    variant TEXT NOT NULL,
    length INTEGER NOT NULL,
    words INTEGER,
    depth REAL,
    answer TEXT,
    error TEXT,
    score REAL NOT NULL,
    prompt_tokens INTEGER,
    cached_tokens INTEGER,
    answer_tokens INTEGER,
    first_ms REAL,
    total_ms REAL,
    at INTEGER NOT NULL,
    PRIMARY KEY (evaluation, text, question)
  ) STRICT, WITHOUT ROWID`,
];

/** All that cells are made of, in their order: a million answers are summed up without being sorted, nor looked up one by one. */
const CELLS = [
  `CREATE INDEX evaluation_cells ON evaluation_answers (
    evaluation, suite, variant, length,
    CASE WHEN depth IS NULL THEN NULL WHEN depth < 0.1 THEN 'beginning' WHEN depth < 0.3 THEN 'early'
      WHEN depth < 0.7 THEN 'middle' WHEN depth < 0.9 THEN 'late' ELSE 'end' END,
    error, score, depth, first_ms, total_ms, prompt_tokens, cached_tokens
  )`,
];

export const evaluations: TableGroup<EvaluationTables> = {
  migrations: { '0555-evaluations': SCHEMA, '0557-evaluation-cells': CELLS },
};

/** The band that an answer's depth is in, by the ends of bands: an exact end belongs to the next one. As the index of cells has it. */
const BAND = sql<DepthBand | null>`CASE WHEN depth IS NULL THEN NULL ${sql.join(
  DEPTH_BANDS.slice(0, -1).map((band) => sql`WHEN depth < ${sql.lit(BAND_ENDS[band])} THEN ${sql.lit(band)}`),
  sql` `,
)} ELSE ${sql.lit(DEPTH_BANDS.at(-1))} END`;

/** Answers that are removed together: some milliseconds of work. */
const REMOVED_AT_ONCE = 500;

/** What came of all questions of one kind, one length and one depth. */
export type EvaluationCell = Awaited<ReturnType<EvaluationStore['cells']>>[number];

/** Evaluations and their answers. What a method has written when it returns survives the death of the process. */
export class EvaluationStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async add(row: EvaluationRow): Promise<void> {
    await this.#db.insertInto('evaluations').values(row).execute();
  }

  async set(id: string, changes: Partial<Omit<EvaluationRow, 'id' | 'created_at'>>): Promise<void> {
    await this.#db.updateTable('evaluations').set(changes).where('id', '=', id).execute();
  }

  async find(id: string): Promise<EvaluationRow | undefined> {
    return await this.#db.selectFrom('evaluations').selectAll().where('id', '=', id).executeTakeFirst();
  }

  /** The newest first. @param before only what was created earlier, Unix milliseconds */
  async page(limit: number, before?: number): Promise<EvaluationRow[]> {
    let rows = this.#db.selectFrom('evaluations').selectAll();
    if (before !== undefined) rows = rows.where('created_at', '<', before);
    return await rows.orderBy('created_at', 'desc').orderBy('id').limit(limit).execute();
  }

  /** What a process that died left running goes on only when somebody says so. */
  async pauseAll(): Promise<void> {
    await this.#db.updateTable('evaluations').set({ state: 'paused' }).where('state', '=', 'running').execute();
  }

  /**
   * With its answers, some at a time: others have their turns in between. Of one whose process dies meanwhile, what is left is paused and begins anew, so that no sums
   * lack answers unseen.
   */
  async remove(id: string): Promise<void> {
    await this.set(id, { state: 'paused', done: 0 });
    const turns = new Slices();
    for (let next = await this.#answerAt(id, REMOVED_AT_ONCE); next; next = await this.#answerAt(id, REMOVED_AT_ONCE)) {
      const { text, question } = next;
      await this.#db
        .deleteFrom('evaluation_answers')
        .where('evaluation', '=', id)
        .where(({ eb, refTuple, tuple }) => eb(refTuple('text', 'question'), '<', tuple(text, question)))
        .execute();
      await turns.next();
    }
    await this.#db.deleteFrom('evaluations').where('id', '=', id).execute();
  }

  /** Which answer is the one after so many. */
  async #answerAt(evaluation: string, offset: number): Promise<{ text: number; question: number } | undefined> {
    const rows = this.#db.selectFrom('evaluation_answers').select(['text', 'question']);
    const inOrder = rows.where('evaluation', '=', evaluation).orderBy('text').orderBy('question');
    return await inOrder.limit(1).offset(offset).executeTakeFirst();
  }

  async answered(row: EvaluationAnswerRow): Promise<void> {
    await this.#db.insertInto('evaluation_answers').values(row).execute();
  }

  /** Which questions of a text have their answers. */
  async questionsOf(evaluation: string, text: number): Promise<Set<number>> {
    const rows = this.#db.selectFrom('evaluation_answers').select('question').where('evaluation', '=', evaluation);
    return new Set((await rows.where('text', '=', text).execute()).map(({ question }) => question));
  }

  async answer(evaluation: string, text: number, question: number): Promise<EvaluationAnswerRow | undefined> {
    const rows = this.#db.selectFrom('evaluation_answers').selectAll().where('evaluation', '=', evaluation);
    return await rows.where('text', '=', text).where('question', '=', question).executeTakeFirst();
  }

  /** A page of answers, in the order of asking. @param of only those to these questions */
  async answers(
    evaluation: string,
    limit: number,
    after = { text: -1, question: -1 },
    of: AnswersOf = {},
  ): Promise<Selectable<EvaluationAnswerRow>[]> {
    return await this.#db
      .selectFrom('evaluation_answers')
      .selectAll()
      .where('evaluation', '=', evaluation)
      .where(sql<boolean>`(text, question) IN ${this.#placesOf(evaluation, limit, after, of)}`)
      .orderBy('text')
      .orderBy('question')
      .execute();
  }

  /**
   * Which answers are on a page. Those of one suite and length are found by the index of cells, however few of all they are: a plus keeps SQLite from walking
   * along the key.
   */
  #placesOf(
    evaluation: string,
    limit: number,
    after: { text: number; question: number },
    { suite, variants, length, band }: AnswersOf,
  ) {
    const isFew = suite !== undefined && length !== undefined;
    const text = sql.raw(isFew ? '+text' : 'text');
    const question = sql.raw(isFew ? '+question' : 'question');
    return this.#db
      .selectFrom('evaluation_answers')
      .select(['text', 'question'])
      .where('evaluation', '=', evaluation)
      .where(sql<boolean>`(${text}, ${question}) > (${after.text}, ${after.question})`)
      .$if(suite !== undefined, (rows) => rows.where('suite', '=', suite ?? ''))
      .$if(variants !== undefined, (rows) => rows.where('variant', 'in', variants ?? []))
      .$if(length !== undefined, (rows) => rows.where('length', '=', length ?? 0))
      .$if(band !== undefined, (rows) =>
        rows.where(({ eb, or }) => or([eb(BAND, '=', band ?? 'end'), eb('depth', 'is', null)])),
      )
      .orderBy(text)
      .orderBy(question)
      .limit(limit);
  }

  /** By suite, variant, length and depth, how many were asked and answered, how well, and how long it took. */
  async cells(evaluation: string) {
    return await this.#db
      .selectFrom('evaluation_answers')
      .select(({ fn }) => [
        ...(['suite', 'variant', 'length'] as const),
        BAND.as('band'),
        fn.countAll<number>().as('asked'),
        sql<number>`count(*) - count(error)`.as('answered'),
        fn.sum<number>('score').as('score'),
        fn.avg<number | null>('depth').as('depth'),
        fn.avg<number | null>('first_ms').as('firstMs'),
        fn.avg<number | null>('total_ms').as('totalMs'),
        sql<number>`total(prompt_tokens - coalesce(cached_tokens, 0))`.as('promptTokens'),
        sql<number>`total(first_ms)`.as('promptMs'),
      ])
      .where('evaluation', '=', evaluation)
      .groupBy(['suite', 'variant', 'length', 'band'])
      .orderBy('suite')
      .orderBy('variant')
      .orderBy('length')
      .orderBy('band')
      .execute();
  }
}
