import { setImmediate as aTurn } from 'node:timers/promises';
import { type Insertable, sql, type Updateable } from 'kysely';
import type { VideoRef } from '../../../src-preload/contract/data.ts';
import type { JobState } from '../../../src-preload/contract/data-names.ts';
import { JOB_STATES } from '../../../src-preload/contract/data-names.ts';
import type { Db } from '../database.ts';
import type { ClipJobRow, ClipOrderRow } from './clip-tables.ts';

export type StoredJob = Omit<ClipJobRow, 'number'> & { number: number };
export type NewJob = Omit<Insertable<ClipJobRow>, 'number'>;
export type JobChanges = Omit<Updateable<ClipJobRow>, 'number' | 'source' | 'video'>;

/** A video that is being worked on; after a kill it goes on with the first of them. */
const GOING: readonly JobState[] = ['fetching', 'cutting', 'describing'];

/** A few milliseconds. */
const RETRIED_AT_ONCE = 300;

export interface JobSums {
  rows: Record<JobState, number>;
  /** Of what was fetched and lies here. */
  bytes: number;
}

/** The videos of which clips are made, and what is looked for. What a method has written when it returns survives the death of the process. */
export class ClipJobStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Those that are not there yet. @returns how many these are */
  async add(jobs: readonly NewJob[]): Promise<number> {
    return await this.#db.transaction().execute(async (db) => {
      let added = 0;
      for (const job of jobs) {
        const once = db
          .insertInto('clip_jobs')
          .values(job)
          .onConflict((at) => at.columns(['source', 'video']).doNothing());
        added += Number((await once.executeTakeFirst()).numInsertedOrUpdatedRows ?? 0n);
      }
      return added;
    });
  }

  /** Ids of those videos of a source that are there. */
  async known(source: VideoRef['source'], ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const rows = this.#db
      .selectFrom('clip_jobs')
      .select('video')
      .where('source', '=', source)
      .where('video', 'in', ids);
    return new Set((await rows.execute()).map(({ video }) => video));
  }

  async get(number: number): Promise<StoredJob | undefined> {
    return await this.#db.selectFrom('clip_jobs').selectAll().where('number', '=', number).executeTakeFirst();
  }

  async set(number: number, changes: JobChanges): Promise<void> {
    await this.#db.updateTable('clip_jobs').set(changes).where('number', '=', number).execute();
  }

  /** What was begun, in its order; then what somebody chose, and what was found for the order. @param now Unix milliseconds */
  async next(now: number, { isOrdered }: { isOrdered: boolean }): Promise<StoredJob | undefined> {
    const begun = (await this.going())[0];
    return begun ?? (await this.#waiting(0, now)) ?? (isOrdered ? await this.#waiting(1, now) : undefined);
  }

  /** When the first that waits may be tried; undefined where none waits. */
  async nextDueAt({ isOrdered }: { isOrdered: boolean }): Promise<number | undefined> {
    const first = [await this.#waiting(0), isOrdered ? await this.#waiting(1) : undefined];
    const due = first.flatMap((job) => (job ? [job.due_at] : []));
    return due.length > 0 ? Math.min(...due) : undefined;
  }

  async #waiting(isOrdered: number, now = Number.MAX_SAFE_INTEGER): Promise<StoredJob | undefined> {
    const rows = this.#db.selectFrom('clip_jobs').selectAll().where('state', '=', 'waiting');
    const due = rows.where('is_ordered', '=', isOrdered).where('due_at', '<=', now);
    return await due.orderBy('due_at').orderBy('number').limit(1).executeTakeFirst();
  }

  /** Those that are worked on. */
  async going(): Promise<StoredJob[]> {
    const rows = this.#db.selectFrom('clip_jobs').selectAll().where('state', 'in', GOING);
    return await rows.orderBy('number').execute();
  }

  /** The newest first. */
  async page({ state, before, limit }: { state?: JobState | undefined; before?: number | undefined; limit: number }) {
    let rows = this.#db.selectFrom('clip_jobs').selectAll();
    if (state !== undefined) rows = rows.where('state', '=', state);
    if (before !== undefined) rows = rows.where('number', '<', before);
    return await rows.orderBy('number', 'desc').limit(limit).execute();
  }

  /** What has failed waits again, some hundreds at once, with turns for others in between. @param number of one, which may have been left out, too @returns how many */
  async retry(number: number | undefined, now: number): Promise<number> {
    const again = { state: 'waiting', reason: null, tries: 0, due_at: 0, changed_at: now } as const;
    const rows = this.#db.updateTable('clip_jobs').set(again);
    if (number !== undefined) {
      const one = rows.where('number', '=', number).where('state', 'in', ['failed', 'skipped']);
      return Number((await one.executeTakeFirst()).numUpdatedRows);
    }
    const failed = this.#db.selectFrom('clip_jobs').select('number').where('state', '=', 'failed');
    const some = rows.where('number', 'in', failed.orderBy('number').limit(RETRIED_AT_ONCE));
    for (let all = 0; ; await aTurn()) {
      const retried = Number((await some.executeTakeFirst()).numUpdatedRows);
      all += retried;
      if (retried < RETRIED_AT_ONCE) return all;
    }
  }

  /** Those of which something was fetched that lies here, and which nobody works on: the oldest first. */
  async fetched(limit: number): Promise<StoredJob[]> {
    const rows = this.#db.selectFrom('clip_jobs').selectAll().where(sql<boolean>`bytes > 0`); // as in its index
    return await rows.where('state', 'not in', GOING).orderBy('changed_at').limit(limit).execute();
  }

  async sums(): Promise<JobSums> {
    const rows = await this.#db.selectFrom('clip_sums').selectAll().where('of', 'in', JOB_STATES).execute();
    const counts = Object.fromEntries(rows.map((row) => [row.of, row.rows])) as Record<JobState, number>;
    return { rows: counts, bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0) };
  }

  async order(): Promise<ClipOrderRow | undefined> {
    return await this.#db.selectFrom('clip_order').selectAll().executeTakeFirst();
  }

  /** In place of the one before. */
  async setOrder(order: Omit<ClipOrderRow, 'id'>): Promise<void> {
    const row = { id: 1, ...order } as const;
    await this.#db
      .insertInto('clip_order')
      .values(row)
      .onConflict((at) => at.column('id').doUpdateSet(order))
      .execute();
  }

  /** Whether what waits is worked on. */
  async setOn(isOn: boolean): Promise<void> {
    await this.#db
      .updateTable('clip_order')
      .set({ is_on: isOn ? 1 : 0 })
      .execute();
  }

  /** Where the search for a topic goes on; nothing where another is looked for by now. */
  async setCursors(topic: string, cursors: string): Promise<void> {
    await this.#db.updateTable('clip_order').set({ cursors }).where('topic', '=', topic).execute();
  }
}
