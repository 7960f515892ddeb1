import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { type FileLock, tryLock } from '../../base/file-lock.ts';

/** In the model folder; it stays there, empty, when nobody holds it. */
export const LOCK_FILE = 'library.lock';

/** Keeps a model folder for one process: of two, each would take the other's unfinished files for leftovers. */
export class LibraryLock {
  readonly #folder: string;
  #lock: FileLock | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Idempotent. Does nothing where the folder is not there, nothing can be written, or the drive knows no locks.
   * @throws MODELS_IN_USE
   */
  take(): void {
    if (this.#lock || !existsSync(this.#folder)) return;
    try {
      this.#lock = tryLock(join(this.#folder, LOCK_FILE));
    } catch {
      return; // nothing can be written there, or the drive knows no locks
    }
    if (!this.#lock) throw inUse(this.#folder);
  }

  /** Idempotent. */
  release(): void {
    this.#lock?.close();
    this.#lock = undefined;
  }

  /** Gives the folder up while it is exchanged for another: Windows renames none in which a file is open. */
  async without(exchange: () => Promise<void>): Promise<void> {
    const held = this.#lock !== undefined;
    this.release();
    try {
      await exchange();
    } finally {
      if (held) this.take();
    }
  }
}

function inUse(folder: string): QuarryError {
  return new QuarryError({
    code: 'MODELS_IN_USE',
    message: say('library.inUse', { folder }),
    hint: say('library.ownFolder'),
    field: 'models.folder',
  });
}
