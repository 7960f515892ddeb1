import { randomBytes } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { SubmissionKind } from '../../../../src-preload/contract/data-names.ts';
import { AskedThread } from '../../../base/asked-thread.ts';
import { syncFolder } from '../../../base/atomic-file.ts';
import { makeFolder } from '../../../base/folder.ts';
import { ignoring } from '../../../base/swallowed.ts';
import type { WrittenFile } from './parquet-file.ts';
import type { RowsOf, ShardAnswer, ShardOrder } from './shard-orders.ts';

/** Beside rows of one group, as numbers one by one. */
const HEAP_MIB = 512;

/** Writes files of the data set, one after the other, in a thread of its own: a thousand rows are seconds of work. A resource, open from the beginning. */
export class ShardWriter {
  readonly #thread = new AskedThread<ShardOrder, ShardAnswer>({
    entry: 'clips/dataset/shards/shard-thread',
    memoryMiB: HEAP_MIB,
  });
  #temporary: string | undefined;
  #path = '';

  /** What was not finished is gone. Idempotent. */
  async close(): Promise<void> {
    await this.#thread.close();
    if (this.#temporary) await rm(this.#temporary, { force: true });
  }

  /** @param path as it will be called, once it is whole */
  async begin(kind: SubmissionKind, path: string): Promise<void> {
    await makeFolder(dirname(path));
    this.#path = path;
    this.#temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
    await this.#thread.ask({ what: 'begin', kind, path: this.#temporary });
  }

  async write(rows: RowsOf): Promise<void> {
    await this.#thread.ask({ what: 'rows', ...rows });
  }

  /** Writes the rows of another file, but for those of some clips. */
  async copy(from: string, without: readonly string[]): Promise<void> {
    await this.#thread.ask({ what: 'copy', from, without: [...without] });
  }

  /** It is whole, on the disk, and under its name. @throws what the system says */
  async finish(): Promise<WrittenFile> {
    const written = (await this.#thread.ask({ what: 'finish' })) as WrittenFile;
    await rename(this.#temporary as string, this.#path);
    this.#temporary = undefined;
    await syncFolder(dirname(this.#path));
    return written;
  }

  /** Gives up what was begun. */
  async drop(): Promise<void> {
    await this.#thread.ask({ what: 'drop' }).catch(ignoring('what is left of it is swept away at the next export'));
    this.#temporary = undefined;
  }
}
