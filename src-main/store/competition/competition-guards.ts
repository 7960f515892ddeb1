import { setImmediate } from 'node:timers/promises';
import { type Nonce, NonceQueue } from '../nonce-queue.ts';
import type { AddressRow, AskCompetition } from './competition-tables.ts';

/** Nonces that are forgotten in one go: some milliseconds on SQLite, where each lies on pages of its own. */
const FORGOTTEN_TOGETHER = 100;

/** A reading of a server’s own clock. */
export interface Reading {
  block: number;
  /** Unix milliseconds. */
  at: number;
  /** 128 hex. */
  signature: string;
}

/** What keeps strangers from doing harm to one server: nonces, failures and bans of addresses; and its clock. */
export class CompetitionGuards {
  readonly #ask: AskCompetition;
  readonly #server: string;
  readonly #nonces = new NonceQueue((nonces) => this.#write(nonces));

  /** @param server ss58 */
  constructor(ask: AskCompetition, server: string) {
    this.#ask = ask;
    this.#server = server;
  }

  /** @returns false when it was taken before */
  takeNonce(hotkey: string, nonce: string, at: number): Promise<boolean> {
    return this.#nonces.take({ hotkey, nonce, at });
  }

  #write(nonces: readonly Nonce[]): Promise<Pick<Nonce, 'hotkey' | 'nonce'>[]> {
    return this.#ask((db) =>
      db
        .insertInto('competition_nonces')
        .values(nonces.map((nonce) => ({ server: this.#server, ...nonce })))
        .onConflict((conflict) => conflict.columns(['server', 'hotkey', 'nonce']).doNothing())
        .returning(['hotkey', 'nonce'])
        .execute(),
    );
  }

  /** In slices: requests go on between them. @param signal ends it after a slice: the next time goes on there */
  async forgetNonces(before: number, signal?: AbortSignal): Promise<void> {
    while (!signal?.aborted && (await this.#forgetSome(before))) await setImmediate();
  }

  /** @returns whether there were any */
  async #forgetSome(before: number): Promise<boolean> {
    const old = await this.#ask((db) =>
      db
        .selectFrom('competition_nonces')
        .select('at')
        .where('server', '=', this.#server)
        .where('at', '<', before)
        .orderBy('at')
        .limit(FORGOTTEN_TOGETHER)
        .execute(),
    );
    const last = old.at(-1);
    if (!last) return false;
    await this.#ask((db) =>
      db.deleteFrom('competition_nonces').where('server', '=', this.#server).where('at', '<=', last.at).execute(),
    );
    return true;
  }

  /** All that is known of addresses. */
  addresses(): Promise<AddressRow[]> {
    return this.#ask((db) =>
      db.selectFrom('competition_addresses').selectAll().where('server', '=', this.#server).execute(),
    );
  }

  async putAddress(row: Omit<AddressRow, 'server'>): Promise<void> {
    const { address, ...values } = row;
    await this.#ask((db) =>
      db
        .insertInto('competition_addresses')
        .values({ server: this.#server, ...row })
        .onConflict((conflict) => conflict.columns(['server', 'address']).doUpdateSet(values))
        .execute(),
    );
  }

  async removeAddress(address: string): Promise<void> {
    await this.#ask((db) =>
      db
        .deleteFrom('competition_addresses')
        .where('server', '=', this.#server)
        .where('address', '=', address)
        .execute(),
    );
  }

  /** The last reading of the clock. */
  reading(): Promise<Reading | undefined> {
    return this.#ask((db) =>
      db
        .selectFrom('competition_clocks')
        .select(['block', 'at', 'signature'])
        .where('server', '=', this.#server)
        .executeTakeFirst(),
    );
  }

  async putReading(reading: Reading): Promise<void> {
    await this.#ask((db) =>
      db
        .insertInto('competition_clocks')
        .values({ server: this.#server, ...reading })
        .onConflict((conflict) => conflict.column('server').doUpdateSet(reading))
        .execute(),
    );
  }
}
