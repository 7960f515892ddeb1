import type { Ask } from './leases.ts';

/** A miner at an address of its own, with an OpenAI-compatible API. */
export interface Endpoint {
  name: string;
  /** `http://…/v1` */
  url: string;
  /** What is asked for there; empty: whatever it has. */
  model: string;
  /** What it wants to be told; empty: nothing. It stands in the database as it is. */
  apiKey: string;
}

/** The addresses of miners that all who share the database ask. */
export class Endpoints {
  readonly #ask: Ask;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** By name. */
  async list(): Promise<Endpoint[]> {
    const rows = await this.#ask((db) => db.selectFrom('endpoints').selectAll().orderBy('name').execute());
    return rows.map(({ name, url, model, api_key: apiKey }) => ({ name, url, model, apiKey }));
  }

  /** Adds one, or changes the one of this name. */
  async put({ name, url, model, apiKey: api_key }: Endpoint): Promise<void> {
    const values = { url, model, api_key };
    await this.#ask((db) =>
      db
        .insertInto('endpoints')
        .values({ name, ...values, added_at: Date.now() })
        .onConflict((conflict) => conflict.column('name').doUpdateSet(values))
        .execute(),
    );
  }

  /** @returns whether there was one of this name */
  async remove(name: string): Promise<boolean> {
    const { numDeletedRows } = await this.#ask((db) =>
      db.deleteFrom('endpoints').where('name', '=', name).executeTakeFirstOrThrow(),
    );
    return numDeletedRows === 1n;
  }
}
