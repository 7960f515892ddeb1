import { setImmediate } from 'node:timers/promises';
import type { Kysely, Selectable } from 'kysely';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { Ask } from './leases.ts';
import type { DatasetRow, ResultTables } from './results-tables.ts';

/** What is known of a data set before its rows are there. */
export interface DatasetAbout {
  name: string;
  /** What sort of challenge its rows make: `elr`. */
  kind: string;
  /** Where it came from, for people. */
  source: string;
}

/** What is known once they are. */
export interface DatasetFacts {
  rows: number;
  /** Of the rows, UTF-8. */
  bytes: number;
  /** Of all rows in their order, 64 hex. */
  sha256: string;
  /** Empty where none was told. */
  licence: string;
}

export interface Dataset extends DatasetAbout, DatasetFacts {
  /** Another one for each import: what it stands for never changes. */
  id: number;
  /** Unix milliseconds. */
  importedAt: number;
}

/** Data sets that one database has. */
export const MOST_DATASETS = 500;
/** Rows that one call takes, and bytes of them: it is one statement. */
export const ROWS_TOGETHER = { rows: 500, bytes: 4 * 1024 * 1024 };
/** Rows that are forgotten in one go. */
const FORGOTTEN_TOGETHER = 200;
/** An import that has brought nothing for so long was ended from outside, milliseconds. */
const ABANDONED_MS = 60 * 60_000;

/**
 * Data sets, and how they come in: under an id of its own that nobody looks at, until all of its rows are there and one statement publishes it. The
 * newest of a name is the data set of that name. What was left behind by an import that ended on the way, or by a data set that was replaced, goes
 * with the next import or removal.
 *
 * Any method may throw what those of `ResultsDb` do.
 */
export class StoredDatasets {
  readonly #ask: Ask;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** By their names. */
  async list(): Promise<Dataset[]> {
    const all = await this.#ask((db) => inOrder(db).execute());
    const newest = new Map(all.filter(isPublished).map((row) => [row.name, datasetOf(row)])); // the last of a name stays
    return [...newest.values()];
  }

  /** One row's JSON, by its place from 0; undefined where its data set was replaced or removed meanwhile. */
  async row(dataset: number, index: number): Promise<string | undefined> {
    const found = await this.#ask((db) =>
      db
        .selectFrom('dataset_rows')
        .select('data')
        .where('dataset', '=', dataset)
        .where('row_index', '=', index)
        .executeTakeFirst(),
    );
    return found?.data;
  }

  /** Begins an import. @returns the id under which its rows come in. @throws BAD_REQUEST where there are too many */
  async begin(about: DatasetAbout, now: number): Promise<number> {
    await this.#sweep(now);
    if ((await this.list()).filter(({ name }) => name !== about.name).length >= MOST_DATASETS) {
      const message = say('datasets.tooManySets', { most: MOST_DATASETS });
      throw new QuarryError({ code: 'BAD_REQUEST', message, hint: say('datasets.removeSome') });
    }
    const nothing = { rows: 0, bytes: 0, sha256: '', licence: '' };
    const values = { ...about, ...nothing, state: 'importing' as const, changed_at: now };
    const { id } = await this.#ask((db) =>
      db.insertInto('datasets').values(values).returning('id').executeTakeFirstOrThrow(),
    );
    return id;
  }

  /** Adds rows to an import, at most as {@link ROWS_TOGETHER} says; all or none. @param from the place of the first */
  async append(dataset: number, from: number, rows: readonly string[], now: number): Promise<void> {
    const values = rows.map((data, at) => ({ dataset, row_index: from + at, data }));
    await this.#ask((db) =>
      db.transaction().execute(async (all) => {
        await changeImport(all, dataset, { changed_at: now });
        await all.insertInto('dataset_rows').values(values).execute();
      }),
    );
  }

  /** Lets everybody see an import, at once, in place of what had its name. */
  async publish(about: DatasetAbout & Pick<Dataset, 'id'>, facts: DatasetFacts, now: number): Promise<Dataset> {
    const { id, name } = about;
    // Also where the clock of whoever imported the one before was ahead.
    const before = (await this.list()).find((one) => one.name === name)?.importedAt ?? 0;
    const importedAt = Math.max(now, before + 1);
    const changes = { ...facts, state: 'published' as const, changed_at: importedAt };
    await this.#ask((db) => changeImport(db, id, changes));
    await this.#sweep(now);
    return { ...about, ...facts, importedAt };
  }

  /** Gives an import up. Does nothing once it is published. */
  async discard(dataset: number, now: number): Promise<void> {
    await this.#ask((db) =>
      db
        .updateTable('datasets')
        .set({ state: 'retired' })
        .where('id', '=', dataset)
        .where('state', '=', 'importing')
        .execute(),
    );
    await this.#sweep(now);
  }

  /** @returns whether there was one of that name */
  async remove(name: string, now: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#ask((db) =>
      db
        .updateTable('datasets')
        .set({ state: 'retired' })
        .where('name', '=', name)
        .where('state', '=', 'published')
        .executeTakeFirstOrThrow(),
    );
    await this.#sweep(now);
    return numUpdatedRows > 0n;
  }

  /** Forgets what nobody can see any more, with turns for others in between. */
  async #sweep(now: number): Promise<void> {
    const all = await this.#ask((db) => inOrder(db).execute());
    const newest = new Map(all.filter(isPublished).map(({ name, id }) => [name, id]));
    for (const { id, name, state, changed_at: changedAt } of all) {
      const isReplaced = state === 'published' && newest.get(name) !== id;
      const isAbandoned = state === 'importing' && changedAt < now - ABANDONED_MS;
      if (state === 'retired' || isReplaced || isAbandoned) await this.#forget(id);
    }
  }

  async #forget(dataset: number): Promise<void> {
    // First of all, so that an import which is alive after all finds out.
    await this.#ask((db) => db.updateTable('datasets').set({ state: 'retired' }).where('id', '=', dataset).execute());
    for (;;) {
      const { numDeletedRows } = await this.#ask((db) => deleteRows(db, dataset).executeTakeFirstOrThrow());
      if (numDeletedRows === 0n) break;
      await setImmediate();
    }
    await this.#ask((db) => db.deleteFrom('datasets').where('id', '=', dataset).execute());
  }
}

/** By name, the newest last. */
function inOrder(db: Kysely<ResultTables>) {
  return db.selectFrom('datasets').selectAll().orderBy('name').orderBy('changed_at').orderBy('id');
}

const isPublished = ({ state }: Pick<DatasetRow, 'state'>) => state === 'published';

function deleteRows(db: Kysely<ResultTables>, dataset: number) {
  const some = db
    .selectFrom('dataset_rows')
    .select('row_index')
    .where('dataset', '=', dataset)
    .orderBy('row_index')
    .limit(FORGOTTEN_TOGETHER);
  return db.deleteFrom('dataset_rows').where('dataset', '=', dataset).where('row_index', 'in', some);
}

/** @throws CANCELLED where somebody else took it for abandoned */
async function changeImport(
  db: Kysely<ResultTables>,
  dataset: number,
  changes: Partial<Omit<Selectable<DatasetRow>, 'id'>>,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('datasets')
    .set(changes)
    .where('id', '=', dataset)
    .where('state', '=', 'importing')
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 1n) return;
  throw new QuarryError({ code: 'CANCELLED', message: say('datasets.abandoned') });
}

function datasetOf(row: Selectable<DatasetRow>): Dataset {
  const { id, name, kind, rows, bytes, sha256, source, licence, changed_at: importedAt } = row;
  return { id, name, kind, rows, bytes, sha256, source, licence, importedAt };
}
