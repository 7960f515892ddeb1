import { type Kysely, type Selectable, sql } from 'kysely';
import { noteMiners } from './miners-seen.ts';
import { rowOf } from './result-rows.ts';
import type { LeaseRow, ResultTables } from './results-tables.ts';
import { checkResult, type SignedResult } from './signed-result.ts';

/** Asks the database. @throws what the results database throws */
export type Ask = <T>(query: (db: Kysely<ResultTables>) => Promise<T>) => Promise<T>;

/** A challenge that is to be asked of a miner. */
export interface Assignment {
  environment: string;
  version: string;
  level: string;
  /** 64 hex: with it the challenge can be posed again. */
  seed: string;
  miner: string;
}

/** An assignment with who drew it, and that validator’s signature of it: whoever can write to the database can plant no seed of his choice. */
export interface DrawnAssignment extends Assignment {
  /** The validator’s key, 64 hex; empty for those of before there were signatures, which nobody takes over. */
  drawnBy: string;
  /** 128 hex. */
  signature: string;
}

/** Miners that are told of at once; the others come after them. */
const MOST_LAPSED = 1_000;

/** An assignment that one validator has, until a moment (Unix milliseconds). */
export interface Lease extends DrawnAssignment {
  id: number;
  holder: string;
  until: number;
}

/**
 * Who works on which challenge. Validators that share a database find here what others have begun and did not end, so that each challenge is asked
 * to its end and has one result: only its holder writes it, and lets go of it in the same transaction.
 */
export class Leases {
  readonly #ask: Ask;
  readonly #clock: () => string;

  /** @param clock how the database tells the time, in SQL */
  constructor(ask: Ask, clock: () => string) {
    this.#ask = ask;
    this.#clock = clock;
  }

  /** The moment by the one clock that all have who share the database, Unix milliseconds: theirs may differ. */
  async now(): Promise<number> {
    const asked = sql<{ seconds: number | string }>`SELECT ${sql.raw(this.#clock())} AS seconds`;
    const { rows } = await this.#ask((db) => asked.execute(db));
    return Math.round(Number(rows[0]?.seconds) * 1_000);
  }

  /** Takes a new challenge. */
  async begin(assignment: DrawnAssignment, holder: string, until: number): Promise<Lease> {
    const { version: environment_version, drawnBy: drawn_by, ...rest } = assignment;
    const { id } = await this.#ask((db) =>
      db
        .insertInto('leases')
        .values({ ...rest, environment_version, drawn_by, holder, until })
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
    return { ...assignment, id, holder, until };
  }

  /** Miners with challenges that one of these validators drew, and nobody has ended in time. @param now Unix milliseconds */
  async lapsed(now: number, drawnBy: readonly string[]): Promise<string[]> {
    const rows = await this.#ask((db) =>
      db
        .selectFrom('leases')
        .select('miner')
        .distinct()
        .where('drawn_by', 'in', drawnBy)
        .where('until', '<', now)
        .where(isExact)
        .limit(MOST_LAPSED)
        .execute(),
    );
    return rows.map(({ miner }) => miner);
  }

  /**
   * Takes over what another has not ended in time, of one miner, the longest-lapsed first. Whether the signature holds is for the validation to say.
   * @param drawnBy who must have drawn it, at least one
   * @returns undefined where there is none, or somebody was quicker
   */
  async takeOver(
    miner: string,
    holder: string,
    { now, until, drawnBy }: { now: number; until: number; drawnBy: readonly string[] },
  ): Promise<Lease | undefined> {
    const lapsed = await this.#ask((db) =>
      db
        .selectFrom('leases')
        .selectAll()
        .where('drawn_by', 'in', drawnBy)
        .where('until', '<', now)
        .where(isExact)
        .where('miner', '=', miner)
        .orderBy('until')
        .orderBy('id')
        .limit(1)
        .executeTakeFirst(),
    );
    if (!lapsed) return undefined;
    const { numUpdatedRows } = await this.#ask((db) =>
      db
        .updateTable('leases')
        .set({ holder, until })
        .where('id', '=', lapsed.id)
        .where('holder', '=', lapsed.holder)
        .where('until', '=', lapsed.until)
        .executeTakeFirstOrThrow(),
    );
    return numUpdatedRows === 1n ? { ...leaseOf(lapsed), holder, until } : undefined;
  }

  /** Keeps a challenge for longer. @returns whether it was still the holder’s */
  async prolong({ id, holder }: Lease, until: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#ask((db) =>
      db
        .updateTable('leases')
        .set({ until })
        .where('id', '=', id)
        .where('holder', '=', holder)
        .executeTakeFirstOrThrow(),
    );
    return numUpdatedRows === 1n;
  }

  /** Whether there is a result of a challenge already, signed by one of these. */
  hasResult(challenge: Pick<SignedResult, 'miner' | 'challengeId'>, signers: readonly string[]): Promise<boolean> {
    return this.#ask((db) => hasResult(db, challenge, signers));
  }

  /**
   * Writes what came of a challenge, and lets go of it. Where one of these signers has a result of it already, that one stays and nothing is added: what
   * was copied before it ended, and put back, counts once.
   * @returns whether it was still the holder’s: else nothing is written
   */
  async end({ id, holder }: Lease, result: SignedResult, signers: readonly string[]): Promise<boolean> {
    const row = rowOf(checkResult(result));
    return this.#ask((db) =>
      db.transaction().execute(async (within) => {
        const { numDeletedRows } = await within
          .deleteFrom('leases')
          .where('id', '=', id)
          .where('holder', '=', holder)
          .executeTakeFirstOrThrow();
        if (numDeletedRows === 0n) return false;
        if (await hasResult(within, result, signers)) return true;
        await within
          .insertInto('results')
          .values(row)
          .onConflict((conflict) => conflict.columns(['signer', 'miner', 'challenge_id']).doNothing())
          .execute();
        await noteMiners(within, [row]);
        return true;
      }),
    );
  }

  /** Lets go of a challenge that nobody is to ask any more. */
  async drop({ id, holder }: Lease): Promise<void> {
    await this.#ask((db) => db.deleteFrom('leases').where('id', '=', id).where('holder', '=', holder).execute());
  }

  /** Gives up what holders of this name have, for whoever comes next. @param prefix what their names begin with @param now Unix milliseconds */
  async release(prefix: string, now: number): Promise<void> {
    const [from, to] = [prefix, `${prefix}\u{10ffff}`];
    await this.#ask((db) =>
      db
        .updateTable('leases')
        .set({ until: now - 1 })
        .where('holder', '>=', from)
        .where('holder', '<', to)
        .execute(),
    );
  }

  /** How many are under way, with those that lapsed. */
  async count(): Promise<number> {
    const { count } = await this.#ask((db) =>
      db
        .selectFrom('leases')
        .select(({ fn }) => fn.countAll<number | string>().as('count'))
        .executeTakeFirstOrThrow(),
    );
    return Number(count);
  }

  /** Forgets what has lapsed for so long that its miner will not come back, and what nobody takes over. */
  async forgetBefore(moment: number): Promise<void> {
    await this.#ask((db) => db.deleteFrom('leases').where('until', '<', moment).execute());
  }
}

/** Numbers that JavaScript rounds would name another row, or none: somebody else has put them there. */
const isExact = sql<boolean>`until >= 0 AND id BETWEEN 1 AND ${sql.lit(Number.MAX_SAFE_INTEGER)}`;

function leaseOf({ environment_version: version, drawn_by: drawnBy, ...row }: Selectable<LeaseRow>): Lease {
  return { ...row, version, drawnBy };
}

/** Each signer has an entry of its own in the index. */
async function hasResult(
  db: Kysely<ResultTables>,
  { miner, challengeId }: Pick<SignedResult, 'miner' | 'challengeId'>,
  signers: readonly string[],
): Promise<boolean> {
  const found = await db
    .selectFrom('results')
    .select('id')
    .where('signer', 'in', signers)
    .where('miner', '=', miner)
    .where('challenge_id', '=', challengeId)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
