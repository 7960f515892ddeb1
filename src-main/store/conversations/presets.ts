import { type Preset, presetSchema } from '../../../src-preload/contract/conversations.ts';
import type { Db } from '../database.ts';
import type { TableGroup } from '../migrate.ts';
import { soundFields } from './kept-turns.ts';

interface PresetTables {
  /** `options`: what is set, as JSON. */
  presets: { name: string; options: string };
}

const SCHEMA = ['CREATE TABLE presets (name TEXT PRIMARY KEY, options TEXT NOT NULL) STRICT, WITHOUT ROWID'];

export const presets: TableGroup<PresetTables> = { migrations: { '0515-presets': SCHEMA } };

/** How answers are made, by names that people gave. */
export class PresetStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** By their names. */
  async list(): Promise<Preset[]> {
    const rows = await this.#db.selectFrom('presets').selectAll().orderBy('name').execute();
    return rows.map(({ name, options }) => ({ name, options: soundFields(presetSchema.shape.options, options) }));
  }

  /** Takes the place of one with the same name. */
  async put({ name, ...preset }: Preset): Promise<void> {
    const options = JSON.stringify(preset.options);
    const put = this.#db.insertInto('presets').values({ name, options });
    await put.onConflict((conflict) => conflict.column('name').doUpdateSet({ options })).execute();
  }

  /** Idempotent. */
  async remove(name: string): Promise<void> {
    await this.#db.deleteFrom('presets').where('name', '=', name).execute();
  }
}
