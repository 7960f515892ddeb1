import { sql, type Transaction } from 'kysely';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { say } from '../../src-preload/contract/saying.ts';
import { ListenerSet } from '../base/listener-set.ts';
import { explainSqliteError } from '../base/sqlite-error.ts';
import type { Db, Tables } from './database.ts';

export type Trx = Transaction<Tables>;

/** Operations that share one transaction, and so one flush to the disk. */
const MAX_BATCH = 16;

export interface WriteOptions {
  /**
   * Whether the operation must survive a power cut. Without it, it survives the death of the process only, which costs no
   * flush: for what a restart gives back anyway. Default true.
   */
  flush?: boolean;
}

interface Operation {
  flush: boolean;
  work(trx: Trx): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * The one writer of a database file. Operations that arrive while another is being flushed are committed together, in the
 * order in which they came (group commit): `run` resolves when the commit has returned, so what it resolves to is durable,
 * as far as {@link WriteOptions.flush} asks for it.
 *
 * An operation that throws a QuarryError has refused: it alone fails, and what it wrote before stands. Any other error
 * takes nothing with it but the operation that threw it.
 */
export class Writer {
  readonly #db: Db;
  readonly #path: string;
  readonly #operations: Operation[] = [];
  readonly #listeners = new ListenerSet();
  #draining: Promise<void> | undefined;
  #closed = false;

  private constructor(db: Db, path: string) {
    this.#db = db;
    this.#path = path;
  }

  static async open(db: Db): Promise<Writer> {
    const { rows } = await sql<{ file: string }>`SELECT file FROM pragma_database_list WHERE name = 'main'`.execute(db);
    return new Writer(db, rows[0]?.file || ':memory:');
  }

  /** @throws DISK_FULL (nothing was written, and it may be tried again), NOT_RUNNING after close */
  run<T>(work: (trx: Trx) => Promise<T>, { flush = true }: WriteOptions = {}): Promise<T> {
    if (this.#closed) return Promise.reject(closedError());
    return new Promise<T>((resolve, reject) => {
      this.#operations.push({ flush, work, resolve: (value) => resolve(value as T), reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Calls `listener` after every batch: something may have been written. @returns how to stop that */
  onCommit(listener: () => void): () => void {
    return this.#listeners.subscribe(listener);
  }

  /** Waits for what was asked before; takes no more. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#draining;
  }

  async #drain(): Promise<void> {
    // One turn of the event loop, so that operations asked for in the same turn share the first batch too.
    await new Promise(setImmediate);
    while (this.#operations.length > 0) {
      await this.#commit(this.#operations.splice(0, MAX_BATCH));
      this.#listeners.tell();
      await new Promise(setImmediate);
    }
    this.#draining = undefined;
  }

  async #commit(batch: Operation[]): Promise<void> {
    try {
      const settlements = await this.#inOneGo(batch);
      for (const settle of settlements) settle();
    } catch (error) {
      const [first, ...others] = batch;
      if (others.length === 0) return first?.reject(explainSqliteError(error, this.#path));
      for (const operation of batch) await this.#commit([operation]); // nothing was committed: find the one at fault
    }
  }

  /**
   * One flush covers the commits before it too: they are in the same write-ahead log. Without one, the connection is nobody else’s meanwhile: what others write
   * is flushed.
   */
  async #inOneGo(batch: readonly Operation[]): Promise<(() => void)[]> {
    const flushes = batch.some(({ flush }) => flush);
    return await this.#db.connection().execute(async (connection) => {
      if (!flushes) await sql`PRAGMA synchronous = NORMAL`.execute(connection);
      try {
        return await connection.transaction().execute(async (trx) => {
          const done: (() => void)[] = [];
          for (const operation of batch) done.push(await attempt(operation, trx));
          return done;
        });
      } finally {
        if (!flushes) await sql`PRAGMA synchronous = FULL`.execute(connection);
      }
    });
  }
}

/** Runs an operation inside the transaction; gives back what to tell its caller once that has been committed. */
async function attempt(operation: Operation, trx: Trx): Promise<() => void> {
  try {
    const value = await operation.work(trx);
    return () => operation.resolve(value);
  } catch (error) {
    if (!(error instanceof QuarryError)) throw error;
    return () => operation.reject(error);
  }
}

function closedError(): QuarryError {
  return new QuarryError({ code: 'NOT_RUNNING', message: say('database.closed') });
}
