import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { SUBMISSION_KINDS, type SubmissionKind } from '../../../src-preload/contract/data-names.ts';
import type { DataSetProgress } from '../../../src-preload/contract/data-set.ts';
import { ifMissing } from '../../base/swallowed.ts';
import type { ClipShardStore, NewShard, ShardClip, StoredShard } from '../../store/clips/clip-shards.ts';
import { drawBatch } from './batch-size.ts';
import { LeftOut } from './left-out.ts';
import type { DataRows } from './shards/data-rows.ts';
import type { WrittenFile } from './shards/parquet-file.ts';
import { shardName, shardPath } from './shards/shard-names.ts';
import type { RowsOf } from './shards/shard-orders.ts';
import { ShardWriter } from './shards/shard-writer.ts';
import { ulid } from './shards/ulid.ts';

export interface ExportOptions {
  store: ClipShardStore;
  rows: DataRows;
  /** Where files lie; nothing else is under the names of {@link shardName}. */
  folder: string;
  /** The last file of a kind may have fewer rows than it was drawn, but not fewer than this. Infinity: it waits for more. */
  least: (kind: SubmissionKind) => number;
  /** Unix milliseconds. */
  now: () => number;
  /** Uniform in [0, 1). */
  chance: () => number;
  signal: AbortSignal;
}

/** Rows that are handed to the writer at once. A sound of two minutes has 3.8 MB, which are copied for it in one go: 3 ms each. */
const ROWS_AT_ONCE: Record<SubmissionKind, number> = { videos: 64, sounds: 2 };

/**
 * Writes files of the data set: those that have rows which were taken down anew without them, and of what is in none as many as it fills. A file is on the disk before it
 * is written down with its clips; a kill before that leaves a file that nobody knows, which the next export sweeps away.
 */
export class ShardExport {
  readonly #options: ExportOptions;
  readonly #writer = new ShardWriter();
  readonly #leftOut: LeftOut;
  readonly #files: DataSetProgress['files'] = [];
  #done = 0;
  #of: number | null = null;

  constructor(options: ExportOptions) {
    this.#options = options;
    this.#leftOut = new LeftOut(options.store);
  }

  /** How far it is; ends with `done`. @throws what reading rows, writing and the signal throw: files that were written before stay */
  async *run(): AsyncGenerator<DataSetProgress> {
    try {
      await this.#sweep();
      yield* this.#renew();
      for (const kind of SUBMISSION_KINDS) yield* this.#write(kind);
      yield this.#progress('done');
    } finally {
      await this.#writer.close();
    }
  }

  /** Only those of which rows were taken down. @throws as {@link run} */
  async *renew(): AsyncGenerator<DataSetProgress> {
    try {
      await this.#sweep();
      yield* this.#renew();
    } finally {
      await this.#writer.close();
    }
  }

  /** What a kill has left, and files that were replaced. */
  async #sweep(): Promise<void> {
    const { folder, store } = this.#options;
    const here = (await store.all()).filter(({ replaced_at }) => replaced_at === null);
    const written = new Set(here.map(({ kind, ulid }) => shardName(kind, ulid)));
    const files = (await readdir(folder, { recursive: true, withFileTypes: true }).catch(ifMissing)) ?? [];
    for (const file of files) {
      const path = join(file.parentPath, file.name);
      const name = relative(folder, path).split(sep).join('/');
      if (file.isFile() && OURS.test(name) && !written.has(name)) await rm(path, { force: true });
    }
  }

  async *#renew(): AsyncGenerator<DataSetProgress> {
    const { store, signal } = this.#options;
    const takenDown = await store.takenDownInShards();
    const shards = await store.all();
    for (const [old, clips] of takenDown) {
      signal.throwIfAborted();
      const shard = shards.find(({ ulid }) => ulid === old);
      if (!shard) continue;
      yield this.#progress('writing');
      await this.#without(shard, clips);
      this.#leftOut.add('takenDown', clips.length);
    }
  }

  async #without(old: StoredShard, clips: readonly string[]): Promise<void> {
    const { store, folder, now } = this.#options;
    const path = shardPath(folder, old.kind, old.ulid);
    let shard: NewShard | null = null;
    if (clips.length < old.rows) {
      const name = await this.#begin(old.kind);
      await this.#writer.copy(path, clips);
      shard = this.#shard(old.kind, name, await this.#writer.finish());
    }
    await store.replace(old.ulid, shard, now());
    if (shard) this.#tell(shard);
    await rm(path, { force: true });
  }

  async *#write(kind: SubmissionKind): AsyncGenerator<DataSetProgress> {
    const { rows, least, chance } = this.#options;
    let left = await rows.waiting(kind);
    [this.#done, this.#of] = [0, left];
    const begin = () => new OpenShard(kind, drawBatch(kind, chance()));
    let shard = begin();
    if (left < Math.min(shard.size, least(kind))) return;
    for await (const page of pages(kind, rows)) {
      this.#options.signal.throwIfAborted();
      left -= page.rows.length;
      this.#done += page.rows.length;
      for (let some = await this.#leftOut.sort(page); some.length > 0; ) {
        some = await this.#fill(shard, some);
        if (shard.room > 0) break;
        await this.#finish(shard);
        shard = begin();
        if (left + some.length < Math.min(shard.size, least(kind))) return;
      }
      yield this.#progress(shard.clips.length > 0 ? 'writing' : 'reading');
    }
    if (shard.clips.length >= least(kind) && shard.clips.length > 0) await this.#finish(shard);
    else if (shard.ulid) await this.#writer.drop();
  }

  /** @returns what has no room in it */
  async #fill(shard: OpenShard, rows: RowsOf['rows']): Promise<RowsOf['rows']> {
    shard.ulid ??= await this.#begin(shard.kind);
    const some = rows.slice(0, shard.room) as RowsOf['rows'];
    await this.#writer.write({ kind: shard.kind, rows: some } as RowsOf);
    for (const { clip, source, id } of some) shard.clips.push({ clip, source, video: id });
    return rows.slice(some.length) as RowsOf['rows'];
  }

  async #finish(shard: OpenShard): Promise<void> {
    const made = this.#shard(shard.kind, shard.ulid as string, await this.#writer.finish());
    await this.#options.store.add(made, shard.clips);
    this.#tell(made);
  }

  async #begin(kind: SubmissionKind): Promise<string> {
    const name = ulid(this.#options.now(), randomBytes);
    await this.#writer.begin(kind, shardPath(this.#options.folder, kind, name));
    return name;
  }

  #shard(kind: SubmissionKind, name: string, { facts, ...written }: WrittenFile): NewShard {
    return { ulid: name, kind, ...written, facts: JSON.stringify(facts), created_at: this.#options.now() };
  }

  #tell({ kind, ulid: name, rows, bytes }: NewShard): void {
    this.#files.push({ name: shardName(kind, name), rows, bytes });
  }

  #progress(step: DataSetProgress['step']): DataSetProgress {
    const leftOut = this.#leftOut.list();
    return { step, done: this.#done, of: this.#of, files: [...this.#files], leftOut, url: null };
  }
}

const OURS = /^(default|sounds)\/train\/\d{3}\/[^/]+$/;

/** A file that is being written. */
class OpenShard {
  readonly kind: SubmissionKind;
  readonly size: number;
  readonly clips: ShardClip[] = [];
  /** None before its first row. */
  ulid: string | undefined;

  constructor(kind: SubmissionKind, size: number) {
    this.kind = kind;
    this.size = size;
  }

  get room(): number {
    return this.size - this.clips.length;
  }
}

/** Rows, some at a time. */
async function* pages(kind: SubmissionKind, rows: DataRows): AsyncGenerator<RowsOf> {
  let some: RowsOf['rows'][number][] = [];
  for await (const row of rows.rows(kind)) {
    if (some.push(row) < ROWS_AT_ONCE[kind]) continue;
    yield { kind, rows: some } as RowsOf;
    some = [];
  }
  if (some.length > 0) yield { kind, rows: some } as RowsOf;
}
