import { rm } from 'node:fs/promises';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { AskedThread, ThreadEnded } from '../../base/asked-thread.ts';
import { makeFolder } from '../../base/folder.ts';
import type { ClipVector } from '../../store/clips/clips.ts';
import type { IndexAnswer, IndexOrder, IndexThreadData, ShelfName } from './index-orders.ts';
import type { Near } from './shelf.ts';

export interface ClipIndexOptions<Kind extends string = string> {
  /**
   * Vectors as they are kept, some at a time, in an order of their ids.
   * @param after the last of the page before; null for the beginning @param rows at the most @returns nothing after the last
   */
  pages: (space: string, kind: Kind, after: string | null, rows: number) => Promise<ClipVector[]>;
  /** For what has no room in memory, as long as this is open. Nothing else lies there. */
  folder: string;
  /** Of all vectors, in memory; the rest is read from the disk for each question. Default: half a GB, 250,000 of 512 numbers. */
  memoryBytes?: number;
}

export interface NearestOptions<Kind extends string = string> extends ShelfName<Kind> {
  /** So many are wanted for each, up to {@link MOST_NEAREST}. */
  count: number;
  /** Clips that are passed over. */
  except?: readonly string[];
}

/** Vectors that are read at once. */
const PAGE = 250;
const MEMORY_BYTES = 512 * 2 ** 20;
/** Of the thread, beside vectors and ids. */
const HEAP_MIB = 256;
export const MOST_NEAREST = 1_000;
/** Whoever asks is given another thread when the first one dies, but not for ever: it may be the question that kills it. */
const TRIES = 2;

type IndexThread = AskedThread<IndexOrder, IndexAnswer>;

/** Vectors of one space and kind in the thread. */
interface LoadedShelf {
  /** Fails with what loading fails of. */
  loaded: Promise<void>;
  /** What has changed since loading began: it is done after it, as pages may be older. Null afterwards. */
  changes: IndexOrder[] | null;
}

/**
 * The nearest clips by the cosine of their vectors: exact, in a thread of its own. It reads what is kept when it is first asked for a space and kind, or told to
 * {@link load} it, and again when the thread has died. A resource.
 */
export class ClipIndex<Kind extends string = string> {
  readonly #options: ClipIndexOptions<Kind>;
  readonly #shelves = new Map<string, LoadedShelf>();
  #thread: IndexThread | undefined;
  #opening: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: ClipIndexOptions<Kind>) {
    this.#options = options;
  }

  /** Idempotent. */
  open(): Promise<void> {
    this.#opening ??= this.#prepare();
    return this.#opening;
  }

  /** Whoever waits for an answer gets NOT_RUNNING. Idempotent. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#opening;
    const loading = [...this.#shelves.values()].map(({ loaded }) => loaded);
    await this.#thread?.close();
    await Promise.allSettled(loading);
    await this.#clear();
  }

  /** Reads what is kept of a space and kind, where that was not done yet. @throws as {@link nearest} */
  async load(name: ShelfName<Kind>): Promise<void> {
    await this.#shelf(name).loaded;
  }

  /**
   * For each vector the clips that are nearest to it, the nearest first; of equals, by their ids. Several at once cost less than one after the other.
   * @throws NOT_RUNNING after {@link close}; what `pages` throws; Error where the thread dies of it
   */
  async nearest(
    vectors: readonly Float32Array[],
    { count, except = [], ...name }: NearestOptions<Kind>,
  ): Promise<Near[][]> {
    if (vectors.length === 0) return [];
    const most = Math.min(count, MOST_NEAREST);
    const { found } = await this.#trying(async () => {
      await this.#shelf(name).loaded;
      const order = { shelf: key(name), queries: vectors.length, vectors: joined(vectors), count: most };
      return await ask(this.#running(), { what: 'nearest', ...order, except: [...except] });
    });
    return found;
  }

  /** Says that clips have been kept, with these vectors or others than before. @throws Error where they are of another length than those of their space; as {@link nearest} */
  async add(name: ShelfName<Kind>, clips: readonly ClipVector[]): Promise<void> {
    if (clips.length === 0) return;
    const answer = await this.#change(name, () => put(name, clips));
    if (answer && answer.refused > 0) throw new Error(`vectors of another length than those of ${name.space}`);
  }

  /** Says that clips are no longer kept. @throws as {@link nearest} */
  async remove(name: ShelfName<Kind>, ids: readonly string[]): Promise<void> {
    await this.#change(name, () => ({ what: 'remove', shelf: key(name), ids: [...ids] }));
  }

  async #prepare(): Promise<void> {
    await this.#clear();
    await makeFolder(this.#options.folder, 0o700);
  }

  #clear(): Promise<void> {
    return rm(this.#options.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  /** What nobody has asked for is read when somebody does; then it is among what is kept. */
  async #change(name: ShelfName, order: () => IndexOrder): Promise<IndexAnswer | undefined> {
    const shelf = this.#shelves.get(key(name));
    if (!shelf) return undefined;
    if (!shelf.changes) return await this.#unlessEnded(ask(this.#running(), order()));
    shelf.changes.push(order());
    await shelf.loaded;
    return undefined;
  }

  /** A thread that has died knows nothing: the next one reads it again. */
  async #unlessEnded<T>(asked: Promise<T>): Promise<T | undefined> {
    try {
      return await asked;
    } catch (error) {
      if (error instanceof ThreadEnded && !this.#isClosed) return undefined;
      throw this.#isClosed ? closed() : error;
    }
  }

  async #trying<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await work();
      } catch (error) {
        if (this.#isClosed) throw closed();
        if (!(error instanceof ThreadEnded) || tries >= TRIES) throw error;
      }
    }
  }

  #shelf(name: ShelfName<Kind>): LoadedShelf {
    const known = this.#shelves.get(key(name));
    if (known) return known;
    const changes: IndexOrder[] = [];
    const shelf: LoadedShelf = { changes, loaded: Promise.resolve() };
    this.#shelves.set(key(name), shelf);
    shelf.loaded = this.#read(name, shelf).catch((error: unknown) => {
      if (this.#shelves.get(key(name)) === shelf) this.#shelves.delete(key(name)); // the next who asks tries again
      throw error;
    });
    return shelf;
  }

  /** One page after the other: while the thread takes one, others have their turns. What is damaged, and so of another length, is passed over. */
  async #read(name: ShelfName<Kind>, shelf: LoadedShelf): Promise<void> {
    await this.open();
    const thread = this.#running();
    for (let after: string | null = null; ; ) {
      const page: ClipVector[] = await this.#options.pages(name.space, name.kind, after, PAGE);
      if (page.length === 0) break;
      await thread.ask(
        put(
          name,
          page.filter(({ vector }) => vector.length === page[0]?.vector.length),
        ),
      );
      after = page.at(-1)?.id ?? null;
    }
    const changes = shelf.changes ?? [];
    for (let change = changes.shift(); change; change = changes.shift()) await ask(thread, change);
    shelf.changes = null;
  }

  #running(): IndexThread {
    if (this.#isClosed) throw closed();
    const { folder, memoryBytes = MEMORY_BYTES } = this.#options;
    const data: IndexThreadData = { folder, memoryBytes };
    const onEnd = () => {
      this.#thread = undefined;
      this.#shelves.clear();
    };
    this.#thread ??= new AskedThread({ entry: 'clips/index/index-thread', data, memoryMiB: HEAP_MIB, onEnd });
    return this.#thread;
  }
}

/** Its vectors are given away. */
function ask(thread: IndexThread, order: IndexOrder): Promise<IndexAnswer> {
  return thread.ask(order, 'vectors' in order ? [order.vectors.buffer as ArrayBuffer] : []);
}

const key = ({ space, kind }: ShelfName) => JSON.stringify([space, kind]);

function put(name: ShelfName, clips: readonly ClipVector[]): IndexOrder {
  const vectors = joined(clips.map(({ vector }) => vector));
  return { what: 'put', shelf: key(name), ids: clips.map(({ id }) => id), vectors };
}

/** @throws Error where they are of different lengths */
function joined(vectors: readonly Float32Array[]): Float32Array {
  const length = vectors[0]?.length ?? 0;
  if (vectors.some((vector) => vector.length !== length)) throw new Error('vectors of different lengths');
  const all = new Float32Array(length * vectors.length);
  for (const [at, vector] of vectors.entries()) all.set(vector, at * length);
  return all;
}

const closed = () => new QuarryError({ code: 'NOT_RUNNING', message: say('dataSet.indexClosed') });
