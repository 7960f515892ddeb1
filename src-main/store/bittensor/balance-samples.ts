import type { ChainNetwork } from '../../../src-preload/contract/chain.ts';
import type { Db } from '../database.ts';
import type { TableGroup } from '../migrate.ts';

/** What an account had in all when somebody looked. */
export interface BalanceSample {
  /** Unix milliseconds. */
  at: number;
  /** Rao. */
  total: bigint;
}

interface BalanceTables {
  balance_samples: { address: string; network: ChainNetwork; hour: number; at: number; total: string };
}

const SCHEMA = [
  'CREATE TABLE balance_samples (address TEXT NOT NULL, network TEXT NOT NULL, hour INTEGER NOT NULL, at INTEGER NOT NULL, total TEXT NOT NULL, PRIMARY KEY (address, network, hour)) STRICT, WITHOUT ROWID',
  'CREATE INDEX balance_samples_by_hour ON balance_samples (hour)',
];

export const balanceSamples: TableGroup<BalanceTables> = { migrations: { '0525-balance-samples': SCHEMA } };

const HOUR_MS = 3_600_000;
const KEPT_HOURS = 400 * 24;

/** What accounts had in all, one value an hour: the last of it. */
export class BalanceSampleStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Keeps what accounts have now, where that is something else than before in this hour, and forgets what is older than 400 days. @param at Unix milliseconds */
  async keep(network: ChainNetwork, totals: ReadonlyMap<string, bigint>, at: number): Promise<void> {
    const hour = Math.floor(at / HOUR_MS);
    const rows = [...totals].map(([address, total]) => ({ address, network, hour, at, total: String(total) }));
    await this.#db
      .insertInto('balance_samples')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['address', 'network', 'hour'])
          .doUpdateSet((row) => ({ at: row.ref('excluded.at'), total: row.ref('excluded.total') }))
          .whereRef('balance_samples.total', '!=', 'excluded.total'),
      )
      .execute();
    await this.#db
      .deleteFrom('balance_samples')
      .where('hour', '<', hour - KEPT_HOURS)
      .execute();
  }

  /** The oldest first. @param since Unix milliseconds */
  async since(network: ChainNetwork, address: string, since: number): Promise<BalanceSample[]> {
    const samples = this.#db.selectFrom('balance_samples').select(['at', 'total']).where('address', '=', address);
    const wanted = samples.where('network', '=', network).where('hour', '>=', Math.floor(since / HOUR_MS));
    return (await wanted.orderBy('hour').execute()).map(({ at, total }) => ({ at, total: BigInt(total) }));
  }
}
