import { openAsBlob } from 'node:fs';
import { type CommitOperation, commitIter, createRepo, HubApiError, listFiles } from '@huggingface/hub';
import type { DataSetProgress } from '../../../../src-preload/contract/data-set.ts';
import { say, told } from '../../../../src-preload/contract/saying.ts';
import { unlessAborted } from '../../../base/unless-aborted.ts';
import type { ClipShardStore, StoredShard } from '../../../store/clips/clip-shards.ts';
import type { Destination } from './destination.ts';
import { HubFetch, HubNonsense, STAND_IN } from './hub-fetch.ts';
import { explainUploadError } from './upload-errors.ts';
import { type PlannedFile, planUpload, type RemoteFile, type UploadPlan } from './upload-plan.ts';

export interface UploadOptions {
  store: ClipShardStore;
  folder: string;
  destination: Destination & { token: string };
  /** Says what would be done, and does nothing of it. */
  dryRun: boolean;
  /** Unix milliseconds. */
  now: () => number;
  signal: AbortSignal;
}

/** Files of one commit, and bytes: what was committed is not sent again after a kill. */
const [MOST_FILES, MOST_BYTES] = [20, 1_000_000_000];
/** A repository with more files is not ours; nor is one whose listing has more pages, of a thousand each. */
const [MOST_REMOTE_FILES, MOST_PAGES] = [200_000, 500];

/**
 * Brings the data set to where it is published: only what is not there, in commits of some files each, by the protocol of the hub (no Xet). What was replaced is deleted there.
 * A kill, wherever it comes, leaves what was committed; the next upload looks and goes on.
 */
export class Upload {
  readonly #options: UploadOptions;
  readonly #hub: HubFetch;
  readonly #url: string;

  constructor(options: UploadOptions) {
    this.#options = options;
    const { endpoint, repository, token } = options.destination;
    this.#hub = new HubFetch({ endpoint, token, signal: options.signal, now: options.now });
    this.#url = `${endpoint}/datasets/${repository}`;
  }

  /** How far it is; ends with `done`. @throws QuarryError with what keeps it from going on */
  async *run(): AsyncGenerator<DataSetProgress> {
    const { destination, signal } = this.#options;
    try {
      yield { step: 'looking', done: 0, of: null, files: [], leftOut: [], url: null };
      yield* this.#upload();
    } catch (error) {
      const cause = signal.aborted ? new DOMException('', 'AbortError') : error;
      throw explainUploadError(cause, destination, this.#hub.retryAfterMs);
    }
  }

  async *#upload(): AsyncGenerator<DataSetProgress> {
    const { store, folder, dryRun, now } = this.#options;
    const remote = await this.#look();
    const plan = await planUpload(await store.all(), { folder, url: this.#url, remote: remote ?? new Map() });
    const progress = progressOf(plan, this.#url);
    if (dryRun) return yield progress('done', 0);
    if (!remote) await this.#create();
    await store.uploaded(ulids(plan.there), now(), this.#url);
    await store.forget(ulids(plan.gone));
    let sent = 0;
    for (const [at, files] of commits(plan).entries()) {
      const remove = at === 0 ? plan.remove : [];
      for await (const bytes of this.#commit(files, remove)) {
        yield progress('uploading', sent + bytes);
      }
      await store.uploaded(ulids(files.flatMap(({ shard }) => shard ?? [])), now(), this.#url);
      await store.forget(ulids(remove.map(({ shard }) => shard)));
      sent += sum(files);
    }
    yield progress('done', sent);
  }

  get #asked() {
    const { endpoint, repository } = this.#options.destination;
    return {
      ...{ hubUrl: endpoint, repo: { type: 'dataset' as const, name: repository }, fetch: this.#hub.fetch },
      accessToken: STAND_IN,
    };
  }

  /** @returns undefined where there is no such repository */
  async #look(): Promise<Map<string, RemoteFile> | undefined> {
    const files = new Map<string, RemoteFile>();
    let pages = 0;
    const fetch: HubFetch['fetch'] = async (...asked) => {
      if (++pages > MOST_PAGES) throw new HubNonsense('a listing without an end');
      return await this.#hub.fetch(...asked);
    };
    try {
      for await (const { type, path, size, oid, lfs } of listFiles({ ...this.#asked, fetch, recursive: true })) {
        if (type !== 'file') continue;
        files.set(path, { size: lfs?.size ?? size, sha256: lfs?.oid, blob: oid });
        if (files.size > MOST_REMOTE_FILES) throw new HubNonsense('a listing without an end');
      }
      return files;
    } catch (error) {
      if (error instanceof HubApiError && error.statusCode === 404) return undefined;
      throw error;
    }
  }

  async #create(): Promise<void> {
    const { isPrivate } = this.#options.destination;
    try {
      await createRepo({ ...this.#asked, visibility: isPrivate ? 'private' : 'public' });
    } catch (error) {
      if (!(error instanceof HubApiError) || error.statusCode !== 409) throw error; // somebody else has made it meanwhile
    }
  }

  /** @returns bytes of these files that were sent so far, whenever there are more */
  async *#commit(files: readonly PlannedFile[], remove: UploadPlan['remove']): AsyncGenerator<number> {
    const operations: CommitOperation[] = remove.map(({ name }) => ({ operation: 'delete', path: name }));
    for (const { name, path } of files) {
      operations.push({ operation: 'addOrUpdate', path: name, content: await openAsBlob(path) });
    }
    const shares = new Map<string, number>();
    const title = `Add ${files.length} and remove ${remove.length} files`;
    const { signal } = this.#options;
    const steps = commitIter({ ...this.#asked, title, operations, useXet: false, abortSignal: signal });
    for (;;) {
      const { done, value } = await unlessAborted(steps.next(), signal);
      if (done) return;
      if (value.event !== 'fileProgress' || value.state !== 'uploading') continue;
      shares.set(value.path, value.progress);
      yield files.reduce((bytes, { name, bytes: all }) => bytes + all * (shares.get(name) ?? 0), 0);
    }
  }
}

/** The first one also removes, so that nothing that was taken down is there longer than it must. */
function commits({ send, remove }: UploadPlan): PlannedFile[][] {
  const groups: PlannedFile[][] = [];
  for (const file of send) {
    const last = groups.at(-1);
    if (last && last.length < MOST_FILES && sum(last) + file.bytes <= MOST_BYTES) last.push(file);
    else groups.push([file]);
  }
  return groups.length === 0 && remove.length > 0 ? [[]] : groups;
}

function progressOf(plan: UploadPlan, url: string) {
  const of = sum(plan.send);
  const files = plan.send.map(({ name, bytes, shard }) => ({ name, bytes, rows: shard?.rows ?? null }));
  const leftOut = [
    { why: told({ text: say('dataSet.there') }), rows: rowsOf(plan.there) },
    { why: told({ text: say('dataSet.replaced') }), rows: rowsOf(plan.remove.map(({ shard }) => shard)) },
    { why: told({ text: say('dataSet.elsewhere', { urls: urlsOf(plan.elsewhere) }) }), rows: rowsOf(plan.elsewhere) },
  ].filter(({ rows }) => rows > 0);
  return (step: DataSetProgress['step'], done: number): DataSetProgress => ({
    ...{ step, done, of, files, leftOut },
    url: step === 'done' ? url : null,
  });
}

const sum = (files: readonly PlannedFile[]) => files.reduce((bytes, file) => bytes + file.bytes, 0);
const rowsOf = (shards: readonly StoredShard[]) => shards.reduce((rows, shard) => rows + shard.rows, 0);
const urlsOf = (shards: readonly StoredShard[]) =>
  [...new Set(shards.map(({ uploaded_to: to }) => to ?? ''))].join(', ');
const ulids = (shards: readonly StoredShard[]) => shards.map(({ ulid }) => ulid);
