import type { Db } from '../database.ts';
import type { TableGroup } from '../migrate.ts';

interface AxonNonceTables {
  /** Up to when an axon's hotkey may have taken nonces, in Unix milliseconds. */
  axon_nonces: { hotkey: string; taken_until: number };
}

const SCHEMA = [
  'CREATE TABLE axon_nonces (hotkey TEXT PRIMARY KEY, taken_until INTEGER NOT NULL) STRICT, WITHOUT ROWID',
];

export const axonNonces: TableGroup<AxonNonceTables> = { migrations: { '0522-axon-nonces': SCHEMA } };

/** How far the nonces go that axons have taken: one row a hotkey, however many were taken. */
export class AxonNonceStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Unix milliseconds; 0 when the hotkey's axon has taken none. */
  async load(hotkey: string): Promise<number> {
    const kept = this.#db.selectFrom('axon_nonces').select('taken_until').where('hotkey', '=', hotkey);
    return (await kept.executeTakeFirst())?.taken_until ?? 0;
  }

  /** Never lower than before. Outlives the death of the process when this resolves. */
  async raise(hotkey: string, until: number): Promise<void> {
    const put = this.#db.insertInto('axon_nonces').values({ hotkey, taken_until: until });
    await put
      .onConflict((conflict) =>
        conflict.column('hotkey').doUpdateSet({ taken_until: until }).where('axon_nonces.taken_until', '<', until),
      )
      .execute();
  }
}
