import { type ExpressionBuilder, sql } from 'kysely';
import type { OfferState } from '../../../src-preload/contract/market-names.ts';
import type { Db, Tables } from '../database.ts';
import type { TableGroup } from '../migrate.ts';

interface LookTable {
  offer: string;
  /** 1: its bytes are those of its SHA-256. */
  hashed: number;
  /** How often whatever read it died or took too long. */
  failures: number;
}

interface ContentTable {
  sha256: string;
  /** How it looks from second to second: 16 hex, with commas between them; nothing where it is as before. */
  pictures: string;
  /** 1: a person has refused it. */
  refused: number;
  /** When it was looked at last, Unix milliseconds. */
  at: number;
}

interface ScoreTable {
  sha256: string;
  /** SHA-256 of the words of the task that it was scored for. */
  task: string;
  score: number;
  reason: string;
  review: number;
  /** Unix milliseconds. */
  at: number;
}

interface ExaminationTables {
  market_looks: LookTable;
  market_contents: ContentTable;
  market_scores: ScoreTable;
}

const SCHEMA = [
  `CREATE TABLE market_looks (
    offer TEXT PRIMARY KEY,
    hashed INTEGER NOT NULL,
    failures INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE market_scores (
    sha256 TEXT PRIMARY KEY,
    pictures TEXT NOT NULL,
    score REAL NOT NULL,
    reason TEXT NOT NULL,
    review INTEGER NOT NULL,
    at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX market_scores_by_time ON market_scores (at)',
];

/** What was scored before, nobody knows for which task: those scores are forgotten, the pictures are not. */
const SCORES_OF_TASKS = [
  `CREATE TABLE market_contents (
    sha256 TEXT PRIMARY KEY,
    pictures TEXT NOT NULL,
    refused INTEGER NOT NULL,
    at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'INSERT INTO market_contents SELECT sha256, pictures, review, at FROM market_scores',
  'CREATE INDEX market_contents_by_time ON market_contents (at)',
  'DROP TABLE market_scores',
  `CREATE TABLE market_scores (
    sha256 TEXT NOT NULL,
    task TEXT NOT NULL,
    score REAL NOT NULL,
    reason TEXT NOT NULL,
    review INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (sha256, task)
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX market_scores_by_time ON market_scores (at)',
];

/** How a content looks, and what became of it. */
export interface KnownPictures {
  sha256: string;
  /** As they were kept. */
  pictures: string;
  /** By a person of the market. */
  isRefused: boolean;
  /** Of an offer that waits for a person, is for sale or was sold: its state. */
  offered: OfferState | null;
}

/** What a content was found to be worth, as a recording of one task. */
export interface KeptScore {
  score: number;
  reason: string;
  review: boolean;
}

/** Bytes or pictures of which there is one in these states are not offered once more. */
const OFFERED = ['review', 'submitted', 'purchasePending', 'purchased'] as const;
/** Read at once: the pictures of a long video are 92 kB. */
const PAGE = 20;

export const marketExaminations: TableGroup<ExaminationTables> = {
  migrations: { '0542-market-examinations': SCHEMA, '0545-scores-of-tasks': SCORES_OF_TASKS },
};

/** What a market remembers of looking at videos. */
export class MarketExaminationStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** All offers that are to be looked at, those that wait longest first. */
  async waiting(): Promise<{ id: string; seller: string; failures: number }[]> {
    const rows = await this.#db
      .selectFrom('market_offers')
      .leftJoin('market_looks', 'market_looks.offer', 'market_offers.id')
      .select(['market_offers.id', 'market_offers.seller', 'market_looks.failures'])
      .where('market_offers.state', '=', 'processing')
      .orderBy('market_offers.changed_at')
      .execute();
    return rows.map(({ failures, ...offer }) => ({ ...offer, failures: failures ?? 0 }));
  }

  async isHashed(offer: string): Promise<boolean> {
    const look = this.#db.selectFrom('market_looks').select('hashed').where('offer', '=', offer);
    return (await look.executeTakeFirst())?.hashed === 1;
  }

  async noteHashed(offer: string): Promise<void> {
    const put = this.#db.insertInto('market_looks').values({ offer, hashed: 1, failures: 0 });
    await put.onConflict((conflict) => conflict.column('offer').doUpdateSet({ hashed: 1 })).execute();
  }

  /** @returns how often it has failed now */
  async noteFailure(offer: string): Promise<number> {
    const put = this.#db.insertInto('market_looks').values({ offer, hashed: 0, failures: 1 });
    const { failures } = await put
      .onConflict((conflict) =>
        conflict.column('offer').doUpdateSet(({ eb }) => ({ failures: eb('market_looks.failures', '+', 1) })),
      )
      .returning('failures')
      .executeTakeFirstOrThrow();
    return failures;
  }

  /** How these bytes look, where it is known. */
  async content(sha256: string): Promise<{ pictures: string; isRefused: boolean } | undefined> {
    const rows = this.#db.selectFrom('market_contents').selectAll().where('sha256', '=', sha256);
    const row = await rows.executeTakeFirst();
    return row && { pictures: row.pictures, isRefused: row.refused === 1 };
  }

  /** What is known of how they look, and that they were refused, stays. */
  async keepContent(content: { sha256: string; pictures: string; at: number }): Promise<void> {
    const put = this.#db.insertInto('market_contents').values({ ...content, refused: 0 });
    await put.onConflict((conflict) => conflict.column('sha256').doUpdateSet({ at: content.at })).execute();
  }

  /** All others that were looked at since then, or are offered or were sold, page by page. */
  async *contentsBeside(own: string, since: number): AsyncGenerator<KnownPictures, void, undefined> {
    for (let after = ''; ; ) {
      const rows = await this.#db
        .selectFrom('market_contents')
        .selectAll()
        .select((eb) => offeredState(eb).as('offered'))
        .where('sha256', '>', after)
        .where('sha256', '!=', own)
        .where((eb) => eb.or([eb('at', '>', since), eb(offeredState(eb), 'is not', null)]))
        .orderBy('sha256')
        .limit(PAGE)
        .execute();
      for (const { sha256, pictures, refused, offered } of rows) {
        yield { sha256, pictures, isRefused: refused === 1, offered };
      }
      const last = rows.at(-1);
      if (!last || rows.length < PAGE) return;
      after = last.sha256;
    }
  }

  /** What these bytes were found to be worth since then, for each task. */
  async scores(sha256: string, since: number): Promise<(KeptScore & { task: string })[]> {
    const rows = this.#db.selectFrom('market_scores').selectAll().where('sha256', '=', sha256);
    return (await rows.where('at', '>', since).execute()).map((row) => ({ ...keptScore(row), task: row.task }));
  }

  async keepScore({ review, ...row }: KeptScore & { sha256: string; task: string; at: number }): Promise<void> {
    const now = { ...row, review: Number(review) };
    const put = this.#db.insertInto('market_scores').values(now);
    await put.onConflict((conflict) => conflict.columns(['sha256', 'task']).doUpdateSet(now)).execute();
  }

  /** From now on a person looks at what shows the same, before it is listed. */
  async refuse(sha256: string, at: number): Promise<void> {
    await this.#db.updateTable('market_contents').set({ refused: 1, at }).where('sha256', '=', sha256).execute();
  }

  /** Older ones; how they look not of what is offered or was sold. */
  async forgetContents(before: number): Promise<void> {
    await this.#db.deleteFrom('market_scores').where('at', '<', before).execute();
    await this.#db
      .deleteFrom('market_contents')
      .where('at', '<', before)
      .where((eb) => eb(offeredState(eb), 'is', null))
      .execute();
  }

  /** Its bytes are others from now on, or gone. */
  async forget(offer: string): Promise<void> {
    await this.#db.deleteFrom('market_looks').where('offer', '=', offer).execute();
  }
}

/** Of the one offer with these bytes that is not at its end, where it is that far. */
function offeredState(eb: ExpressionBuilder<Tables, 'market_contents'>) {
  return eb
    .selectFrom('market_offers')
    .select('state')
    .whereRef('market_offers.sha256', '=', 'market_contents.sha256')
    .where(sql<boolean>`state NOT IN ('rejected', 'withdrawn')`) // in the words of the index that has only these
    .where('state', 'in', OFFERED);
}

const keptScore = ({ score, reason, review }: ScoreTable): KeptScore => ({ score, reason, review: review === 1 });
