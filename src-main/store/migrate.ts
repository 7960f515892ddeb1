import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { say } from '../../src-preload/contract/saying.ts';

/** SQL statements by the name of their migration: `NNNN-what`. Never edit one that has shipped. */
export type Migrations = Readonly<Record<string, readonly string[]>>;

/** Tables that belong together: what makes them, and as a type what their rows are. */
export interface TableGroup<Tables> {
  migrations: Migrations;
  /** Tables that are empty in a backup: they belong to the computer, not to the node. */
  leftOutOfBackups?: readonly string[];
  /** Never there: it only carries the type. */
  readonly tables?: Tables;
}

/** Every table of the groups, as one type. */
export type TablesOf<Group> = (Group extends TableGroup<infer T> ? (tables: T) => void : never) extends (
  tables: infer All,
) => void
  ? All
  : never;

const NAME = /^(\d{4})-[a-z0-9]+(-[a-z0-9]+)*$/;

/**
 * All migrations of a database, in the order in which they run.
 *
 * @param last number of the last one that shipped before there was one counter; those after it follow without a gap.
 * @throws Error when a number is there twice or left out, or a name is of another form: a mistake in the program
 */
export function inOrder(groups: readonly TableGroup<unknown>[], last = 0): Migrations {
  const all = groups.flatMap(({ migrations }) => Object.entries(migrations)).sort(([a], [b]) => (a < b ? -1 : 1));
  let before = 0;
  for (const [name] of all) {
    const number = Number(NAME.exec(name)?.[1] ?? Number.NaN);
    const fits = number <= last ? number > before : number === Math.max(before, last) + 1;
    if (!fits) throw new Error(`The migration ${name} does not follow number ${before}.`);
    before = number;
  }
  return Object.fromEntries(all);
}

/** Where a database remembers its migrations. */
export interface MigrationBook {
  /** Name of the table. */
  table: string;
  lockTable: string;
}

/**
 * Brings a database up to date, all at once or not at all. Of several processes that do so at the same time one does the
 * work and the others wait.
 *
 * @param place what a person calls the database
 * @throws DATABASE_NEWER, and whatever the database itself says
 */
export async function migrate<T>(
  db: Kysely<T>,
  { migrations, book, place }: { migrations: Migrations; book: MigrationBook; place: string },
): Promise<void> {
  await refuseNewer(db, { migrations, book, place });
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => runnable(migrations) },
    migrationTableName: book.table,
    migrationLockTableName: book.lockTable,
    nameComparator: (a, b) => (a < b ? -1 : 1),
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}

function runnable(migrations: Migrations) {
  const entries = Object.entries(migrations).map(([name, statements]) => {
    const up = async (db: Kysely<unknown>) => {
      for (const statement of statements) await sql.raw(statement).execute(db);
    };
    return [name, { up }] as const;
  });
  return Object.fromEntries(entries);
}

/**
 * An older Quarry must not write to tables whose rules it does not know. Changes nothing.
 * @throws DATABASE_NEWER
 */
export async function refuseNewer<T>(
  db: Kysely<T>,
  { migrations, book, place }: { migrations: Migrations; book: MigrationBook; place: string },
): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === book.table)) return;
  const { rows } = await sql<{ name: string }>`SELECT name FROM ${sql.table(book.table)} ORDER BY name`.execute(db);
  const unknown = rows.find(({ name }) => !Object.hasOwn(migrations, name));
  if (!unknown) return;
  throw new QuarryError({
    code: 'DATABASE_NEWER',
    message: say('database.newer', { place, name: unknown.name }),
    hint: say('database.update'),
  });
}
