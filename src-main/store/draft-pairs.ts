import {
  type DraftCost,
  type DraftRates,
  draftCostsSchema,
  draftRatesSchema,
} from '../../src-preload/contract/drafting.ts';
import { keptJson } from '../base/kept-json.ts';
import type { CalibrationKey } from './calibrations.ts';
import type { Db } from './database.ts';
import type { TableGroup } from './migrate.ts';

/** A model and the smaller one that guesses for it, on one machine. */
export interface DraftPairKey extends CalibrationKey {
  /** Of the draft model’s file, 64 hex. */
  draftSha256: string;
}

/** What is known of a pair: what guessing costs here, and how good the guesses are. */
export interface DraftPair extends DraftPairKey {
  costs: readonly DraftCost[];
  /** Undefined before there were any. */
  rates: DraftRates | undefined;
}

/** A {@link DraftPair}, as it is kept. */
interface DraftPairRow {
  sha256: string;
  draft_sha256: string;
  device: string;
  threads: number;
  gpu_layers: number;
  costs: string;
  rates: string | null;
}

const SCHEMA = [
  `CREATE TABLE draft_pairs (
        sha256 TEXT NOT NULL,
        draft_sha256 TEXT NOT NULL,
        device TEXT NOT NULL,
        threads INTEGER NOT NULL,
        gpu_layers INTEGER NOT NULL,
        costs TEXT NOT NULL,
        rates TEXT,
        PRIMARY KEY (sha256, draft_sha256, device, threads, gpu_layers)
      ) STRICT, WITHOUT ROWID`,
];

export const draftPairs: TableGroup<{ draft_pairs: DraftPairRow }> = { migrations: { '0561-draft-pairs': SCHEMA } };

const KEY = ['sha256', 'draft_sha256', 'device', 'threads', 'gpu_layers'] as const;

/** Pairs that were measured on this machine. */
export class DraftPairStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async find(key: DraftPairKey): Promise<DraftPair | undefined> {
    const kept = keyOf(key);
    let query = this.#db.selectFrom('draft_pairs').selectAll();
    for (const column of KEY) query = query.where(column, '=', kept[column]);
    const row = await query.executeTakeFirst();
    if (!row) return undefined;
    const rates = row.rates === null ? undefined : keptJson(row.rates, draftRatesSchema);
    return { ...key, costs: keptJson(row.costs, draftCostsSchema) ?? [], rates };
  }

  /** Takes the place of what was known of the pair. */
  async put({ costs, rates, ...key }: DraftPair): Promise<void> {
    const row = { ...keyOf(key), costs: JSON.stringify(costs), rates: rates ? JSON.stringify(rates) : null };
    const insert = this.#db.insertInto('draft_pairs').values(row);
    await insert.onConflict((conflict) => conflict.columns([...KEY]).doUpdateSet(row)).execute();
  }
}

function keyOf({ sha256, draftSha256, device, threads, gpuLayers }: DraftPairKey) {
  return { sha256, draft_sha256: draftSha256, device, threads, gpu_layers: gpuLayers };
}
