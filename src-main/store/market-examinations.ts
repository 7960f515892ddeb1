import type { Db } from './database.ts';
import type { TableGroup } from './migrate.ts';

interface LookTable {
  offer: string;
  /** 1: its bytes are those of its SHA-256. */
  hashed: number;
  /** How often whatever read it died or took too long. */
  failures: number;
}

interface ScoreTable {
  sha256: string;
  /** How it looks from second to second: 16 hex, with commas between them; nothing where it is as before. */
  pictures: string;
  score: number;
  reason: string;
  review: number;
  /** Unix milliseconds. */
  at: number;
}

interface ExaminationTables {
  market_looks: LookTable;
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

/** What a content was found to be worth. */
export interface KeptScore {
  score: number;
  reason: string;
  review: boolean;
}

/** Bytes or pictures of which there is one in these states are not offered once more. */
const OFFERED = ['review', 'submitted', 'purchasePending', 'purchased'] as const;
/** Compared one by one with what comes in: the newest. */
const MOST_COMPARED = 2_000;

export const marketExaminations: TableGroup<ExaminationTables> = {
  migrations: { '0542-market-examinations': SCHEMA },
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

  async score(sha256: string, since: number): Promise<KeptScore | undefined> {
    const rows = this.#db.selectFrom('market_scores').selectAll().where('sha256', '=', sha256);
    const row = await rows.where('at', '>', since).executeTakeFirst();
    return row && keptScore(row);
  }

  /** Those since then, and of all that is offered or was sold: these first, and of each the newest. */
  async scoresWithPictures(since: number): Promise<(KeptScore & { pictures: string; isOffered: boolean })[]> {
    const rows = await this.#db
      .selectFrom('market_scores')
      .selectAll()
      .select(({ eb }) => [eb('sha256', 'in', offered(this.#db)).as('offered')])
      .where(({ eb, or }) => or([eb('at', '>', since), eb('sha256', 'in', offered(this.#db))]))
      .orderBy('offered', 'desc')
      .orderBy('at', 'desc')
      .limit(MOST_COMPARED)
      .execute();
    return rows.map((row) => ({ ...keptScore(row), pictures: row.pictures, isOffered: Boolean(row.offered) }));
  }

  async keepScore({ review, ...row }: KeptScore & { sha256: string; pictures: string; at: number }): Promise<void> {
    const now = { ...row, review: Number(review) };
    const put = this.#db.insertInto('market_scores').values(now);
    await put.onConflict((conflict) => conflict.column('sha256').doUpdateSet(now)).execute();
  }

  /** From now on a person looks at what shows the same, before it is listed. */
  async leaveToPerson(sha256: string): Promise<void> {
    await this.#db.updateTable('market_scores').set({ review: 1 }).where('sha256', '=', sha256).execute();
  }

  /** Older ones, but for what is offered or was sold. */
  async forgetScores(before: number): Promise<void> {
    await this.#db
      .deleteFrom('market_scores')
      .where('at', '<', before)
      .where('sha256', 'not in', offered(this.#db))
      .execute();
  }

  /** Its bytes are others from now on, or gone. */
  async forget(offer: string): Promise<void> {
    await this.#db.deleteFrom('market_looks').where('offer', '=', offer).execute();
  }
}

const offered = (db: Db) => db.selectFrom('market_offers').select('sha256').where('state', 'in', OFFERED);

const keptScore = ({ score, reason, review }: ScoreTable): KeptScore => ({ score, reason, review: review === 1 });
