import { setImmediate } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { OUTCOMES } from '../../../src-preload/contract/validator-names.ts';
import type { Ask } from './leases.ts';
import type { StoredResult } from './result-rows.ts';
import { bySigner, type Cursor } from './results-queries.ts';
import type { ResultTables } from './results-tables.ts';
import { checkWhole } from './signed-result.ts';

/** Which results are looked for. Default: all. */
export interface ResultChoice {
  miner?: string | undefined;
  environment?: string | undefined;
  outcome?: (typeof OUTCOMES)[number] | undefined;
}

/** What a list shows of a result: nothing that is long. */
export type ListedResult = Pick<
  StoredResult,
  'id' | 'environment' | 'environmentVersion' | 'miner' | 'model' | 'score' | 'success' | 'latencyMs' | 'createdAt'
>;

export interface ListPage {
  /** Newest first. */
  results: ListedResult[];
  /** Where to go on; undefined at the end. */
  next: Cursor | undefined;
}

/** Rows of the index that one statement looks through: some milliseconds on a slow machine. */
export const LOOKED_THROUGH = 2_000;
/** Statements of one call, with turns for others in between. */
export const MOST_LOOKS = 50;
/** Results of the last minutes that are looked through at once, in some ten milliseconds: at the start of a run alone. */
const MOST_LATELY = 50_000;
/** An hour of results is counted in one statement. */
const COUNTED_MS = 3_600_000;
/** Validators that are told apart: names of signers are anybody’s who can write to the database. */
const MOST_OTHERS = 1_000;
const NEWEST: Cursor = { createdAt: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };

/**
 * Results as people look through them: by miner, environment and outcome, all out of one index, which has them in the order of time. However many
 * there are, a call looks through so many at most and says where it stopped: no index of its own makes each result dearer to keep.
 */
export class ResultList {
  readonly #ask: Ask;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** @param limit at most 500 @param before the `next` of the page before @throws BAD_REQUEST for a cursor that is none */
  async page(
    choice: ResultChoice,
    { before, limit }: { before?: Cursor | undefined; limit: number },
  ): Promise<ListPage> {
    if (before) {
      checkWhole('before.createdAt', before.createdAt);
      checkWhole('before.id', before.id, Number.MAX_SAFE_INTEGER);
    }
    const found: Cursor[] = [];
    let from: Cursor | undefined = before ?? NEWEST;
    for (let looks = 0; from && looks < MOST_LOOKS && found.length < limit; looks++) {
      if (looks > 0) await setImmediate();
      const more = await this.#look(choice, from, limit - found.length);
      found.push(...more);
      from = found.length === limit ? found.at(-1) : await this.#endOf(from);
    }
    return { results: await this.#read(found), next: from };
  }

  /** @param since Unix milliseconds @param until counted in one go from there on @throws BAD_REQUEST */
  async counts(since: number, until: number): Promise<{ asked: number; answered: number }> {
    checkWhole('since', since);
    const sum = { asked: 0, answered: 0 };
    for (let from = since; ; from += COUNTED_MS) {
      const to = from + COUNTED_MS > until ? undefined : from + COUNTED_MS;
      const { asked, answered } = await this.#ask((db) => countQuery(db, from, to).executeTakeFirstOrThrow());
      sum.asked += Number(asked);
      sum.answered += Number(answered ?? 0);
      if (to === undefined) return sum;
      await setImmediate();
    }
  }

  /**
   * Results since a moment that others than these have signed, and how many others that are: a thousand at most.
   * @param since Unix milliseconds @throws BAD_REQUEST
   */
  async ofOthers(since: number, signers: readonly string[]): Promise<{ results: number; validators: number }> {
    checkWhole('since', since);
    const others = new Set<string>();
    let results = 0;
    for (let from: Cursor | undefined = NEWEST; from && from.createdAt >= since; ) {
      const start: Cursor = from;
      for (const { signer, count } of await this.#ask((db) => othersQuery(db, start, { since, signers }).execute())) {
        results += Number(count);
        if (others.size < MOST_OTHERS) others.add(signer);
      }
      from = await this.#endOf(start);
      await setImmediate();
    }
    return { results, validators: others.size };
  }

  /** How many results each miner has that a validator has signed since a moment, Unix milliseconds; of the last 50,000 of all. @throws BAD_REQUEST */
  async lately(since: number, signer: string): Promise<{ miner: string; count: number }[]> {
    checkWhole('since', since);
    const rows = await this.#ask((db) => latelyQuery(db, since, signer).execute());
    return rows.map(({ miner, count }) => ({ miner, count: Number(count) }));
  }

  async #look(choice: ResultChoice, from: Cursor, limit: number): Promise<Cursor[]> {
    const rows = await this.#ask((db) => chosenQuery(db, choice, from, limit).execute());
    return rows.map(({ created_at: createdAt, id }) => ({ createdAt, id }));
  }

  /** The last row that a look from there goes through; undefined where there are fewer. */
  async #endOf(start: Cursor): Promise<Cursor | undefined> {
    const row = await this.#ask((db) => endQuery(db, start).executeTakeFirst());
    return row && { createdAt: row.created_at, id: row.id };
  }

  async #read(found: readonly Cursor[]): Promise<ListedResult[]> {
    if (found.length === 0) return [];
    const ids = found.map(({ id }) => id);
    const rows = await this.#ask((db) => shownQuery(db, ids).execute());
    const results = rows.map(({ success, ...row }) => ({ ...row, success: success === 1 }));
    return results.sort((a, b) => b.createdAt - a.createdAt || b.id - a.id);
  }
}

/** Of the rows that a look from there goes through, the first that are looked for. */
export function chosenQuery(
  db: Kysely<ResultTables>,
  { miner, environment, outcome }: ResultChoice,
  start: Cursor,
  limit: number,
) {
  return db
    .selectFrom(lookedThrough(db, start).limit(LOOKED_THROUGH).as('looked'))
    .select(['id', 'created_at'])
    .$if(miner !== undefined, (query) => query.where('miner', '=', miner ?? ''))
    .$if(environment !== undefined, (query) => query.where('environment', '=', environment ?? ''))
    .$if(outcome !== undefined, (query) => query.where('success', '=', outcome === 'silent' ? 0 : 1))
    .$if(outcome === 'right', (query) => query.where('score', '>=', 1))
    .$if(outcome === 'wrong', (query) => query.where('score', '<', 1))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
}

/** Where such a look ends. */
export const endQuery = (db: Kysely<ResultTables>, start: Cursor) =>
  lookedThrough(db, start)
    .offset(LOOKED_THROUGH - 1)
    .limit(1);

/** Of the rows that a look from there goes through, how many each has signed who is none of these. */
export const othersQuery = (
  db: Kysely<ResultTables>,
  start: Cursor,
  { since, signers }: { since: number; signers: readonly string[] },
) =>
  db
    .selectFrom(lookedThrough(db, start).limit(LOOKED_THROUGH).as('looked'))
    .select(({ fn }) => ['signer', fn.countAll<number | string>().as('count')])
    .where('created_at', '>=', since)
    .where(({ not }) => not(bySigner(signers)))
    .groupBy('signer');

/** How many there are from one moment until before another. */
export const countQuery = (db: Kysely<ResultTables>, from: number, to: number | undefined) =>
  db
    .selectFrom('results')
    .select(({ fn }) => [
      fn.countAll<number | string>().as('asked'),
      fn.sum<number | string | null>('success').as('answered'),
    ])
    .where('created_at', '>=', from)
    .$if(to !== undefined, (query) => query.where('created_at', '<', to ?? 0));

/** Of the last so many results, how many each miner has of one signer since a moment. */
export const latelyQuery = (db: Kysely<ResultTables>, since: number, signer: string) =>
  db
    .selectFrom(lookedThrough(db, NEWEST).where('created_at', '>=', since).limit(MOST_LATELY).as('lately'))
    .select(({ fn }) => ['miner', fn.countAll<number | string>().as('count')])
    .where('signer', '=', signer)
    .groupBy('miner');

const lookedThrough = (db: Kysely<ResultTables>, { createdAt, id }: Cursor) =>
  db
    .selectFrom('results')
    .select(['created_at', 'id', 'environment', 'miner', 'score', 'success', 'signer'])
    .where(sql<boolean>`(created_at, id) < (${createdAt}, ${id})`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc');

const shownQuery = (db: Kysely<ResultTables>, ids: readonly number[]) =>
  db
    .selectFrom('results')
    .select(['id', 'environment', 'environment_version as environmentVersion', 'miner', 'model', 'score', 'success'])
    .select(['latency_ms as latencyMs', 'created_at as createdAt'])
    .where('id', 'in', ids);
