import { createHash } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type Hypercore from 'hypercore';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { ignoring } from '../../base/swallowed.ts';
import { CoreStore } from '../transport/core-store.ts';
import { BLOCK_BYTES, blockLength, fileCoreKey, keepBlocksIn } from './file-core.ts';

/** Bytes that are read and appended at once while the index is built. */
const BATCH_BYTES = 32 * BLOCK_BYTES;

/** The index of a file that is shared: a core whose tree is on disk in `folder`, and whose blocks are the file itself. */
export class SharedFile {
  readonly treeHash: string;
  readonly core: Hypercore;
  readonly #store: CoreStore;
  readonly #file: FileHandle;

  private constructor(treeHash: string, core: Hypercore, store: CoreStore, file: FileHandle) {
    this.treeHash = treeHash;
    this.core = core;
    this.#store = store;
    this.#file = file;
  }

  /**
   * Reads the file once, checks its SHA-256 and builds the index, from nothing: an index that was begun before is removed.
   *
   * @param onProgress bytes done
   * @throws MODEL_INVALID when the file is not what it should be; CANCELLED when `signal` aborts
   */
  static async build(options: {
    folder: string;
    path: string;
    bytes: number;
    sha256: string;
    onProgress: (bytes: number) => void;
    signal: AbortSignal;
  }): Promise<string> {
    const { folder, path, bytes } = options;
    await rm(join(folder, 'index'), { recursive: true, force: true });
    const store = new CoreStore(join(folder, 'index'));
    const file = await open(path);
    try {
      const growing = store.get({ name: 'file' });
      await growing.ready();
      keepBlocksIn(blocksOfFile(file, bytes), growing);
      if ((await appendAll(growing, file, options)) !== options.sha256) throw changed(path);
      const core = await store.staticify(growing);
      return (await core.treeHash()).toString('hex');
    } finally {
      await store.close();
      await file.close();
    }
  }

  /** Opens an index that is complete. @throws MODEL_INVALID when it is damaged */
  static async open(options: { folder: string; path: string; bytes: number; treeHash: string }): Promise<SharedFile> {
    const { folder, path, bytes, treeHash } = options;
    const file = await open(path);
    const store = new CoreStore(join(folder, 'index'));
    try {
      const core = store.get({ key: fileCoreKey(treeHash, bytes) });
      await core.ready();
      if (core.byteLength !== bytes || (await core.treeHash()).toString('hex') !== treeHash) throw changed(path);
      keepBlocksIn(blocksOfFile(file, bytes), core);
      return new SharedFile(treeHash, core, store, file);
    } catch (error) {
      await store.close().catch(ignoring('what went wrong first is thrown'));
      await file.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#store.close();
    await this.#file.close();
  }
}

async function appendAll(
  core: Hypercore,
  file: FileHandle,
  { bytes, onProgress, signal }: { bytes: number; onProgress: (bytes: number) => void; signal: AbortSignal },
): Promise<string> {
  const hash = createHash('sha256');
  for (let done = 0; done < bytes; ) {
    if (signal.aborted) throw new QuarryError({ code: 'CANCELLED', message: say('sharing.cancelled') });
    const batch = await readFully(file, done, Math.min(BATCH_BYTES, bytes - done));
    hash.update(batch);
    await core.append(cut(batch));
    done += batch.length;
    onProgress(done);
  }
  return hash.digest('hex');
}

function cut(batch: Buffer): Buffer[] {
  const count = Math.ceil(batch.length / BLOCK_BYTES);
  return Array.from({ length: count }, (_, index) => batch.subarray(index * BLOCK_BYTES, (index + 1) * BLOCK_BYTES));
}

function blocksOfFile(file: FileHandle, bytes: number) {
  return {
    get: (index: number) => readFully(file, index * BLOCK_BYTES, blockLength(index, bytes)),
    put: () => {},
  };
}

async function readFully(file: FileHandle, position: number, length: number): Promise<Buffer> {
  // Of its own, not of a pool: hashes and streams hold on to parts of it.
  const buffer = Buffer.allocUnsafeSlow(length);
  for (let filled = 0; filled < length; ) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) throw changed('the file');
    filled += bytesRead;
  }
  return buffer;
}

function changed(path: string): QuarryError {
  return new QuarryError({
    code: 'MODEL_INVALID',
    message: say('sharing.otherFile', { path }),
    hint: say('sharing.verify'),
  });
}
