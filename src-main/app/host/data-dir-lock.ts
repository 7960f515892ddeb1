import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { type FileLock, tryLock } from '../../base/file-lock.ts';
import { makeFolder } from '../../base/folder.ts';
import { configError } from '../../base/setting.ts';
import { Turns } from '../../base/turns.ts';
import {
  lockPath,
  type RunningNode,
  readNote,
  removeNote,
  removeUnfinishedNotes,
  writeNote,
} from '../../client/running-node.ts';

/**
 * Keeps a data folder for one process, and says beside the lock which one it is. No pid is trusted: the operating
 * system gives the lock up when its process dies. A resource.
 */
export class DataDirLock {
  readonly #dataDir: string;
  readonly #now: () => number;
  readonly #turns = new Turns();
  #lock: FileLock | undefined;
  #startedAt = 0;
  #url: string | undefined;

  constructor(dataDir: string, now: () => number = Date.now) {
    this.#dataDir = dataDir;
    this.#now = now;
  }

  /**
   * Makes the folder if need be. Idempotent.
   * @throws DATA_DIR_IN_USE naming the process; CONFIG_INVALID when it cannot be used; it is free again then
   */
  open(): Promise<void> {
    return this.#turns.take(() => this.#open());
  }

  /** Idempotent. */
  close(): Promise<void> {
    return this.#turns.take(() => this.#release());
  }

  /** Where this node's API is; undefined until that was announced. */
  get url(): string | undefined {
    return this.#url;
  }

  /**
   * Tells other processes of this user, such as the command line, where this node's API is.
   * @param token what the API takes instead of its own token
   */
  async announce(url: string, token?: string): Promise<void> {
    if (!this.#lock) return;
    this.#url = url;
    await writeNote(this.#dataDir, { pid: process.pid, url, token, startedAt: this.#startedAt });
  }

  async #open(): Promise<void> {
    if (this.#lock) return;
    await makeDataDir(this.#dataDir);
    this.#lock = tryLock(lockPath(this.#dataDir));
    if (!this.#lock) throw inUse(this.#dataDir, await readNote(this.#dataDir));
    this.#startedAt = this.#now();
    try {
      await removeUnfinishedNotes(this.#dataDir);
      await writeNote(this.#dataDir, { pid: process.pid, startedAt: this.#startedAt });
    } catch (error) {
      await this.#release();
      throw error;
    }
  }

  async #release(): Promise<void> {
    const lock = this.#lock;
    this.#lock = undefined;
    this.#url = undefined;
    try {
      if (lock) await removeNote(this.#dataDir);
    } finally {
      lock?.close();
    }
  }
}

async function makeDataDir(dataDir: string): Promise<void> {
  try {
    await makeFolder(dataDir, 0o700); // it holds the node's key and ledger
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw configError(say('node.folderNotMade', { dataDir, code: String(code) }), say('node.checkFolder'), 'dataDir');
  }
}

function inUse(dataDir: string, node: RunningNode | undefined): QuarryError {
  const who = !node
    ? say('node.anotherProcess')
    : node.url
      ? say('node.processAt', { pid: String(node.pid), url: node.url })
      : say('node.process', { pid: String(node.pid) });
  return new QuarryError({
    code: 'DATA_DIR_IN_USE',
    message: say('node.folderInUse', { dataDir, who }),
    hint: say('node.ownFolder'),
  });
}
