import { join } from 'node:path';
import type { VideoRef } from '../../../src-preload/contract/data.ts';
import type {
  DataSetProgress,
  DataSet as DataSetView,
  Shard,
  TakeDown,
} from '../../../src-preload/contract/data-set.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say, told } from '../../../src-preload/contract/saying.ts';
import { writeAtomically } from '../../base/atomic-file.ts';
import { EventQueue } from '../../base/event-queue.ts';
import { makeFolder } from '../../base/folder.ts';
import { LoneWork } from '../../base/lone-work.ts';
import type { ClipShardStore, StoredShard } from '../../store/clips/clip-shards.ts';
import { leastAtStop, leastBatch } from './batch-size.ts';
import { type CardNotes, dataSetCard } from './data-set-card.ts';
import { type ExportOptions, ShardExport } from './export-shards.ts';
import type { DataRows } from './shards/data-rows.ts';
import { shardName } from './shards/shard-names.ts';
import { checked, type Destination } from './upload/destination.ts';
import { CARD } from './upload/upload-plan.ts';

export interface DataSetOptions {
  store: ClipShardStore;
  rows: DataRows;
  /** Where its files lie: nothing else does. Absolute. */
  folder: string;
  /** As the settings say now; null where they say nothing. */
  destination: () => Destination | null;
  /** For the card. */
  notes: () => CardNotes;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
  /** Uniform in [0, 1). Default Math.random. */
  chance?: () => number;
}

/** Progress that nobody has taken yet: only the last of it is of use. */
const MOST_WAITING = 20;

/** The data set that clips become: files on this computer, what was taken down, and bringing it to where it is published. One export or upload at a time. A resource. */
export class DataSet {
  readonly #options: DataSetOptions;
  readonly #now: () => number;
  readonly #work = new LoneWork();
  #begun = 0;

  constructor(options: DataSetOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** Ends what is under way: what was written or committed stays. Idempotent. */
  close(): Promise<void> {
    return this.#work.close();
  }

  async view(): Promise<DataSetView> {
    const { store, rows, folder } = this.#options;
    const takenDown = await store.takenDownInShards();
    const destination = this.#options.destination();
    return {
      folder,
      shards: (await this.#shards()).map((shard) => shardView(shard, takenDown.get(shard.ulid)?.length ?? 0)),
      waiting: { videos: await rows.waiting('videos'), sounds: await rows.waiting('sounds') },
      least: { videos: leastBatch('videos'), sounds: leastBatch('sounds') },
      destination: destination && {
        ...{ endpoint: destination.endpoint, repository: destination.repository },
        isPrivate: destination.isPrivate,
      },
    };
  }

  /**
   * Makes files of what is in none, as many as it fills; with `flush` also of the rest. Whoever stops reading how far it is ends it.
   * @throws OVERLOADED while another export or an upload runs; what the system says
   */
  export({ flush }: { flush: boolean }, signal?: AbortSignal): AsyncGenerator<DataSetProgress> {
    return this.#alone((stop) => this.#export(() => (flush ? 1 : Number.POSITIVE_INFINITY), stop), signal);
  }

  /** What a node that stops does with the rest, where there are files already and that is enough for one more. @throws as {@link export} */
  async flushAtStop(signal: AbortSignal): Promise<void> {
    if ((await this.#shards()).length === 0) return; // nobody wants a data set
    for await (const _ of this.#alone((stop) => this.#export(leastAtStop, stop), signal));
  }

  /**
   * Brings to where it is published what is not there, and deletes there what was replaced. What was taken down leaves the files before.
   * @param options.dryRun says what would be done, and does nothing of it
   * @throws CONFIG_INVALID where the settings do not say where to; UNAUTHORIZED, RATE_LIMIT and the like with what the hub says; OVERLOADED as {@link export}
   */
  upload({ dryRun }: { dryRun: boolean }, signal?: AbortSignal): AsyncGenerator<DataSetProgress> {
    return this.#alone((stop) => this.#upload(dryRun, stop), signal);
  }

  /** Newest first. */
  async takeDowns(): Promise<TakeDown[]> {
    return (await this.#options.store.takeDowns()).map(({ video, ...row }) => ({ id: video, ...row }));
  }

  /** No clip of the video is in a file that is written from now on; those that have some are written anew at the next export. */
  async takeDown({ source, id, reason }: VideoRef & { reason: string }): Promise<TakeDown> {
    const at = this.#now();
    const clips = await this.#options.store.takeDown({ source, video: id, reason, at });
    return { source, id, reason, at, clips };
  }

  /** Its clips come into the next file. */
  async undoTakeDown(video: VideoRef): Promise<void> {
    await this.#options.store.undoTakeDown(video);
  }

  async *#export(least: ExportOptions['least'], signal: AbortSignal): AsyncGenerator<DataSetProgress> {
    for await (const progress of this.#writer(least, signal).run()) {
      if (progress.step === 'done') await this.#writeCard();
      yield progress;
    }
  }

  async *#upload(dryRun: boolean, signal: AbortSignal): AsyncGenerator<DataSetProgress> {
    const { store, folder } = this.#options;
    const destination = checked(this.#options.destination());
    if (!dryRun) yield* this.#writer(() => Number.POSITIVE_INFINITY, signal).renew();
    const rows = [...(await store.takenDownInShards()).values()].reduce((sum, clips) => sum + clips.length, 0);
    const takenDown = rows > 0 ? [{ why: told({ text: say('dataSet.takenDown') }), rows }] : [];
    await this.#writeCard();
    const { Upload } = await import('./upload/upload-shards.ts'); // large, and few need it
    const upload = new Upload({ store, folder, destination, dryRun, now: this.#now, signal });
    for await (const progress of upload.run()) yield { ...progress, leftOut: [...takenDown, ...progress.leftOut] };
  }

  #writer(least: ExportOptions['least'], signal: AbortSignal): ShardExport {
    const { store, rows, folder, chance = Math.random } = this.#options;
    return new ShardExport({ store, rows, folder, least, chance, now: this.#now, signal });
  }

  async #writeCard(): Promise<void> {
    const { folder, notes } = this.#options;
    await makeFolder(folder);
    await writeAtomically(join(folder, CARD), dataSetCard(await this.#shards(), notes()));
  }

  async #shards(): Promise<StoredShard[]> {
    return (await this.#options.store.all()).filter(({ replaced_at }) => replaced_at === null);
  }

  async *#alone(
    work: (signal: AbortSignal) => AsyncGenerator<DataSetProgress>,
    signal?: AbortSignal,
  ): AsyncGenerator<DataSetProgress> {
    const progress = new EventQueue<DataSetProgress>({ most: MOST_WAITING, fold: (events) => events.slice(-1) });
    const id = `${++this.#begun}`;
    await this.#work.take(async () => {
      this.#checkIdle();
      this.#work.begin(id, (stop) => followed(work(stop), progress));
    });
    const stop = () => void this.#work.stop(id);
    signal?.addEventListener('abort', stop, { once: true });
    try {
      if (signal?.aborted) stop();
      yield* progress;
    } finally {
      signal?.removeEventListener('abort', stop);
      await this.#work.stop(id);
    }
  }

  #checkIdle(): void {
    if (this.#work.isClosed) throw new QuarryError({ code: 'CANCELLED', message: say('ask.closing') });
    if (!this.#work.runs()) return;
    throw new QuarryError({ code: 'OVERLOADED', message: say('dataSet.busy'), hint: say('dataSet.waitForIt') });
  }
}

/** Never throws: whoever reads is told. */
async function followed(work: AsyncGenerator<DataSetProgress>, progress: EventQueue<DataSetProgress>): Promise<void> {
  try {
    for await (const event of work) progress.push(event);
    progress.end();
  } catch (error) {
    progress.fail(cancelled(error));
  }
}

/** What a signal ends is cancelled. */
function cancelled(error: unknown): unknown {
  if (!(error instanceof Error && error.name === 'AbortError')) return error;
  return new QuarryError({ code: 'CANCELLED', message: say('request.cancelled') }, { cause: error });
}

function shardView({ ulid, kind, facts: _, replaced_at: __, ...shard }: StoredShard, takenDown: number): Shard {
  const { rows, bytes, sha256, created_at, uploaded_at, uploaded_to } = shard;
  return {
    ...{ name: shardName(kind, ulid), kind, rows, bytes, sha256, createdAt: created_at },
    ...{ uploadedAt: uploaded_at, uploadedTo: uploaded_to, takenDown },
  };
}
