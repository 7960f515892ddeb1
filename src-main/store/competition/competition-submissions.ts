import { setImmediate } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { noteIntervention } from './competition-rounds.ts';
import type { AskCompetition, CompetitionTables, Intervention, SubmissionRow } from './competition-tables.ts';

type State = SubmissionRow['state'];

/** What is known of a submission when it is committed. */
export type NewSubmission = Pick<
  SubmissionRow,
  | 'number'
  | 'id'
  | 'hotkey'
  | 'commitment'
  | 'track'
  | 'round'
  | 'counts_in'
  | 'committed_at'
  | 'committed_block'
  | 'reveal_block'
  | 'clock'
  | 'receipt'
>;

/** What a reveal adds to it. */
export interface RevealedFacts {
  tokens: number;
  sha256: string;
  bytes: number;
  salt: string;
  revealed_at: number;
  revealed_block: number;
}

/** What was revealed. */
export interface Artefact {
  track: string;
  sha256: string;
}

/** Artefacts whose owners are looked up in one go. */
const OWNERS_TOGETHER = 128;

const UNREVEALED = {
  ...{ tokens: null, sha256: null, bytes: null, salt: null, revealed_at: null, revealed_block: null },
  ...{ verdict: null, judged_at: null, tries: 0, next_try_at: 0, trouble: null, place: null, share: 0 },
};

/** The submissions of one server. None is ever deleted. */
export class CompetitionSubmissions {
  readonly #ask: AskCompetition;
  readonly #server: string;

  /** @param server ss58 */
  constructor(ask: AskCompetition, server: string) {
    this.#ask = ask;
    this.#server = server;
  }

  /** The number of the next one; whoever takes it does so one after the other. */
  async nextNumber(): Promise<number> {
    const last = await this.#ask((db) =>
      this.#all(db).select('number').orderBy('number', 'desc').limit(1).executeTakeFirst(),
    );
    return (last?.number ?? 0) + 1;
  }

  /** @returns false where the hotkey has made this commitment before */
  async add(submission: NewSubmission): Promise<boolean> {
    const values = { ...submission, ...UNREVEALED, server: this.#server, state: 'committed' as const };
    const { numInsertedOrUpdatedRows = 0n } = await this.#ask((db) =>
      db
        .insertInto('competition_submissions')
        .values(values)
        .onConflict((conflict) => conflict.columns(['server', 'hotkey', 'commitment']).doNothing())
        .executeTakeFirstOrThrow(),
    );
    return numInsertedOrUpdatedRows === 1n;
  }

  get(id: string): Promise<SubmissionRow | undefined> {
    return this.#ask((db) => this.#all(db).selectAll().where('id', '=', id).executeTakeFirst());
  }

  /** Of a hotkey, the newest first. @param before a submission’s number */
  of(hotkey: string, { before, limit }: { before?: number | undefined; limit: number }): Promise<SubmissionRow[]> {
    return this.#ask((db) =>
      this.#all(db)
        .selectAll()
        .where('hotkey', '=', hotkey)
        .$if(before !== undefined, (query) => query.where('number', '<', before as number))
        .orderBy('number', 'desc')
        .limit(limit)
        .execute(),
    );
  }

  /** Commitments of a hotkey that wait to be revealed, the newest first. */
  waitingOf(hotkey: string, limit: number): Promise<SubmissionRow[]> {
    return this.#ask((db) =>
      this.#all(db)
        .selectAll()
        .where('hotkey', '=', hotkey)
        .where('state', '=', 'committed')
        .orderBy('number', 'desc')
        .limit(limit)
        .execute(),
    );
  }

  /** What counts in a round, in the order of commitment. */
  async inRound(round: number, states: readonly State[]): Promise<SubmissionRow[]> {
    const rows = await this.#ask((db) =>
      this.#all(db).selectAll().where('counts_in', '=', round).where('state', 'in', states).execute(),
    );
    // Put in order here: told to, SQLite goes through all of the server’s instead, whatever their round.
    return rows.sort((a, b) => a.number - b.number);
  }

  /** The first of a round that waits to be judged, and whose time has come. @param now Unix milliseconds */
  nextToJudge(round: number, now: number): Promise<SubmissionRow | undefined> {
    return this.#ask((db) =>
      this.#waiting(db, round)
        .selectAll()
        .where('next_try_at', '<=', now)
        .orderBy('number')
        .limit(1)
        .executeTakeFirst(),
    );
  }

  /** When the time comes of the first that waits to be judged in a round, Unix milliseconds; undefined where none waits. */
  async nextTry(round: number): Promise<number | undefined> {
    const { at } = await this.#ask((db) =>
      this.#waiting(db, round)
        .select(({ fn }) => fn.min<number | string | null>('next_try_at').as('at'))
        .executeTakeFirstOrThrow(),
    );
    return at === null ? undefined : Number(at);
  }

  /** How many there are in a round, by state; those of one hotkey where one is named. */
  async counts(round: number, hotkey?: string): Promise<Partial<Record<State, number>>> {
    const rows = await this.#ask((db) =>
      this.#all(db)
        .select(({ fn }) => ['state', fn.countAll<number | string>().as('count')])
        .where('counts_in', '=', round)
        .$if(hotkey !== undefined, (query) => query.where('hotkey', '=', hotkey as string))
        .groupBy('state')
        .execute(),
    );
    return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
  }

  /** @returns whether it was committed, and counts in an open round */
  reveal(id: string, facts: RevealedFacts): Promise<boolean> {
    return this.#change(id, ['committed'], { ...facts, state: 'revealed' }, 'open');
  }

  /** Says that its bytes are those of an earlier one. */
  async copy(id: string, state: 'copied' | 'repeated'): Promise<void> {
    await this.#change(id, ['revealed'], { state }, 'judging');
  }

  /** Keeps a verdict, once. @returns whether it waited for one */
  judge(id: string, state: 'wrong' | 'right', verdict: string, at: number): Promise<boolean> {
    return this.#ask((db) =>
      db.transaction().execute(async (all) => {
        const changes = { state, verdict, judged_at: at, trouble: null };
        const { numUpdatedRows } = await this.#changed(
          all,
          id,
          ['revealed'],
          changes,
          'judging',
        ).executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) return false;
        const row = { submission: id, server: this.#server, judged_at: at, verdict };
        await all.insertInto('competition_verdicts').values(row).execute();
        return true;
      }),
    );
  }

  /** It could not be judged, for reasons of ours. */
  async trouble(
    id: string,
    { tries, nextTryAt, why }: { tries: number; nextTryAt: number; why: string },
  ): Promise<void> {
    await this.#change(id, ['revealed'], { tries, next_try_at: nextTryAt, trouble: why }, 'judging');
  }

  /** @returns whether it was judged, in a round that has not ended */
  judgeAgain(id: string, intervention: Intervention): Promise<boolean> {
    const changes = { state: 'revealed' as const, verdict: null, judged_at: null, tries: 0, next_try_at: 0 };
    return this.#ask((db) =>
      db.transaction().execute(async (all) => {
        const changed = await this.#changed(all, id, ['wrong', 'right'], changes, 'judging')
          .returning('counts_in')
          .executeTakeFirst();
        if (!changed) return false;
        await noteIntervention(all, this.#server, changed.counts_in, intervention);
        return true;
      }),
    );
  }

  /** How often a submission was judged. */
  async verdicts(id: string): Promise<number> {
    const { count } = await this.#ask((db) =>
      db
        .selectFrom('competition_verdicts')
        .select(({ fn }) => fn.countAll<number | string>().as('count'))
        .where('submission', '=', id)
        .executeTakeFirstOrThrow(),
    );
    return Number(count);
  }

  /** Whoever committed first to artefacts that were revealed in rounds before one: of each one row, however many have revealed it since. */
  async owners(artefacts: readonly Artefact[], before: number): Promise<(Artefact & { hotkey: string })[]> {
    const owners: (Artefact & { hotkey: string })[] = [];
    for (let from = 0; from < artefacts.length; from += OWNERS_TOGETHER) {
      const query = this.#owners(artefacts.slice(from, from + OWNERS_TOGETHER), before);
      owners.push(...(await this.#ask((db) => query.execute(db))).rows);
      await setImmediate();
    }
    return owners;
  }

  /** @param some at least one */
  #owners(some: readonly Artefact[], before: number) {
    const asked = some.map(({ track, sha256 }) => sql`(${track}, ${sha256})`);
    // With a plus before it, SQLite does not go through all earlier rounds for each.
    return sql<Artefact & { hotkey: string }>`WITH asked (track, sha256) AS (VALUES ${sql.join(asked)})
      SELECT own.track, own.sha256, own.hotkey FROM asked JOIN competition_submissions AS own
      ON own.server = ${this.#server} AND own.number = (
        SELECT one.number FROM competition_submissions AS one WHERE one.server = ${this.#server}
        AND one.sha256 = asked.sha256 AND one.track = asked.track AND +one.counts_in < ${before}
        ORDER BY one.number LIMIT 1
      )`;
  }

  /** Whether the bytes of this hash are in a round that has ended. */
  async isPublic(sha256: string): Promise<boolean> {
    const found = await this.#ask((db) =>
      this.#all(db)
        .select('number')
        .where('sha256', '=', sha256)
        .where('counts_in', 'in', roundsIn(db, this.#server, 'ended'))
        .limit(1)
        .executeTakeFirst(),
    );
    return found !== undefined;
  }

  /** Bytes of what a hotkey has revealed in rounds that have not ended. */
  async bytesOf(hotkey: string): Promise<number> {
    const { bytes } = await this.#ask((db) =>
      this.#all(db)
        .select(({ fn }) => fn.sum<number | string | null>('bytes').as('bytes'))
        .where('hotkey', '=', hotkey)
        .where('counts_in', 'not in', roundsIn(db, this.#server, 'ended'))
        .executeTakeFirstOrThrow(),
    );
    return Number(bytes ?? 0);
  }

  /** The newest round in which the bytes of this hash were revealed. */
  async lastRound(sha256: string): Promise<number | undefined> {
    const { round } = await this.#ask((db) =>
      this.#all(db)
        .select(({ fn }) => fn.max<number | string | null>('counts_in').as('round'))
        .where('sha256', '=', sha256)
        .executeTakeFirstOrThrow(),
    );
    return round === null ? undefined : Number(round);
  }

  async #change(id: string, from: readonly State[], changes: Partial<SubmissionRow>, round: 'open' | 'judging') {
    const { numUpdatedRows } = await this.#ask((db) =>
      this.#changed(db, id, from, changes, round).executeTakeFirstOrThrow(),
    );
    return numUpdatedRows === 1n;
  }

  #changed(
    db: Kysely<CompetitionTables>,
    id: string,
    from: readonly State[],
    changes: Partial<SubmissionRow>,
    round: 'open' | 'judging',
  ) {
    return db
      .updateTable('competition_submissions')
      .set(changes)
      .where('server', '=', this.#server)
      .where('id', '=', id)
      .where('state', 'in', from)
      .where('counts_in', 'in', roundsIn(db, this.#server, round));
  }

  #all(db: Kysely<CompetitionTables>) {
    return db.selectFrom('competition_submissions').where('server', '=', this.#server);
  }

  #waiting(db: Kysely<CompetitionTables>, round: number) {
    return this.#all(db).where('counts_in', '=', round).where('state', '=', 'revealed');
  }
}

/** Numbers of the rounds in a state, within another statement. */
function roundsIn(
  db: Pick<Kysely<CompetitionTables>, 'selectFrom'>,
  server: string,
  state: 'open' | 'judging' | 'ended',
) {
  return db
    .selectFrom('competition_rounds')
    .select('competition_rounds.number')
    .where('competition_rounds.server', '=', server)
    .where('competition_rounds.state', '=', state);
}
