import { type Kysely, sql } from 'kysely';
import type { AskCompetition, CompetitionTables, Intervention, RoundHead, RoundRow } from './competition-tables.ts';

/** What becomes of a submission when its round has ended. */
export interface Placed {
  id: string;
  place: number;
  share: number;
}

/** Places that one statement says: with one for each, a large round would hold everybody up. */
const PLACED_TOGETHER = 128;

/** The rounds of one server. Each change is one transaction: a process that is killed has made it, or has not. */
export class CompetitionRounds {
  readonly #ask: AskCompetition;
  readonly #server: string;

  /** @param server ss58 */
  constructor(ask: AskCompetition, server: string) {
    this.#ask = ask;
    this.#server = server;
  }

  get(number: number): Promise<RoundRow | undefined> {
    return this.#ask((db) => this.#all(db).where('number', '=', number).executeTakeFirst());
  }

  /** The newest first, without their records. @param before a round’s number */
  list(before: number | undefined, limit: number): Promise<RoundHead[]> {
    return this.#ask((db) =>
      this.#of(db)
        .select(['server', 'number', 'state', 'opened_at', 'ends_at', 'closed_at', 'ended_at', 'opened_block'])
        .select(['closed_block', 'seed', 'seed_sha256', 'baselines', 'carried'])
        .$if(before !== undefined, (query) => query.where('number', '<', before as number))
        .orderBy('number', 'desc')
        .limit(limit)
        .execute(),
    );
  }

  /** The one in this state that has been there longest. */
  oldest(state: RoundRow['state']): Promise<RoundRow | undefined> {
    return this.#ask((db) => this.#all(db).where('state', '=', state).orderBy('number').limit(1).executeTakeFirst());
  }

  newestEnded(): Promise<RoundRow | undefined> {
    return this.#ask((db) =>
      this.#all(db).where('state', '=', 'ended').orderBy('number', 'desc').limit(1).executeTakeFirst(),
    );
  }

  /** Whether something is, or was, measured against the bytes of this hash. */
  async hasBaseline(sha256: string): Promise<boolean> {
    const found = await this.#ask((db) =>
      this.#of(db).select('number').where('baselines', 'like', `%"${sha256}"%`).limit(1).executeTakeFirst(),
    );
    return found !== undefined;
  }

  /** The first one. */
  async begin(round: RoundRow): Promise<void> {
    await this.#ask((db) => db.insertInto('competition_rounds').values(round).execute());
  }

  /** @returns whether it was open */
  setEnd(number: number, endsAt: number, intervention: Intervention): Promise<boolean> {
    return this.#ask((db) =>
      db.transaction().execute(async (all) => {
        const { numUpdatedRows } = await all
          .updateTable('competition_rounds')
          .set({ ends_at: endsAt })
          .where('server', '=', this.#server)
          .where('number', '=', number)
          .where('state', '=', 'open')
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) return false;
        await noteIntervention(all, this.#server, number, intervention);
        return true;
      }),
    );
  }

  /**
   * Closes the open round, and opens the next. Commitments that could not be revealed yet count in that one; those that could, and were not, are missed.
   * @param closing the intervention where a person closes it before its time
   * @returns whether it was open
   */
  close(number: number, closing: { closedAt: number; block: number; next: RoundRow; intervention?: Intervention }) {
    const { closedAt, block, next, intervention } = closing;
    return this.#ask((db) =>
      db.transaction().execute(async (all) => {
        const { numUpdatedRows } = await all
          .updateTable('competition_rounds')
          .set({ state: 'judging', closed_at: closedAt, closed_block: block })
          .where('server', '=', this.#server)
          .where('number', '=', number)
          .where('state', '=', 'open')
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) return false;
        const unrevealed = () =>
          all
            .updateTable('competition_submissions')
            .where('server', '=', this.#server)
            .where('counts_in', '=', number)
            .where('state', '=', 'committed');
        await unrevealed().set({ counts_in: next.number }).where('reveal_block', '>', block).execute();
        await unrevealed().set({ state: 'missed' }).execute();
        await all.insertInto('competition_rounds').values(next).execute();
        if (intervention) await noteIntervention(all, this.#server, number, intervention);
        return true;
      }),
    );
  }

  /**
   * Ends a round that was judged, with its signed record; says to the next what it is measured against, and what came over from this one’s pot.
   * @returns whether it was being judged
   */
  end(
    number: number,
    ended: { endedAt: number; record: string; signature: string; placed: readonly Placed[] },
    next: { baselines: string; carried: number },
  ): Promise<boolean> {
    const { endedAt, record, signature, placed } = ended;
    return this.#ask((db) =>
      db.transaction().execute(async (all) => {
        const { numUpdatedRows } = await all
          .updateTable('competition_rounds')
          .set({ state: 'ended', ended_at: endedAt, record, signature })
          .where('server', '=', this.#server)
          .where('number', '=', number)
          .where('state', '=', 'judging')
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) return false;
        for (let from = 0; from < placed.length; from += PLACED_TOGETHER)
          await place(all, placed.slice(from, from + PLACED_TOGETHER));
        await all
          .updateTable('competition_rounds')
          .set(next)
          .where('server', '=', this.#server)
          .where('number', '=', number + 1)
          .execute();
        return true;
      }),
    );
  }

  /** What people did to a round: at most so many, the first first. */
  interventions(round: number, limit: number): Promise<Intervention[]> {
    return this.#ask((db) =>
      db
        .selectFrom('competition_interventions')
        .select(['at', 'what'])
        .where('server', '=', this.#server)
        .where('round', '=', round)
        .orderBy('at')
        .limit(limit)
        .execute(),
    );
  }

  #all(db: Kysely<CompetitionTables>) {
    return this.#of(db).selectAll();
  }

  #of(db: Kysely<CompetitionTables>) {
    return db.selectFrom('competition_rounds').where('server', '=', this.#server);
  }
}

/** @param some at least one */
async function place(db: Kysely<CompetitionTables>, some: readonly Placed[]): Promise<void> {
  const told = some.map(({ id, place, share }) => sql`(${id}, ${place}, ${share})`);
  await sql`WITH told (id, place, share) AS (VALUES ${sql.join(told)})
    UPDATE competition_submissions SET place = CAST(told.place AS bigint), share = CAST(told.share AS bigint)
    FROM told WHERE competition_submissions.id = told.id`.execute(db);
}

/** Within the transaction of what was done: the record of a round tells of nothing that did not happen, and of all that did. */
export async function noteIntervention(
  db: Kysely<CompetitionTables>,
  server: string,
  round: number,
  { at, what }: Intervention,
): Promise<void> {
  await db.insertInto('competition_interventions').values({ server, round, at, what }).execute();
}
