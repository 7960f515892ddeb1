import { access, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder, writeAtomically } from '../../base/atomic-file.ts';
import { dataPath } from '../../base/data-folder.ts';
import { ifMissing } from '../../base/swallowed.ts';

/**
 * A file that is there while a node has its database open. Who finds one at the start knows that the node before did not come to its
 * end: it was killed, or the power went. It stays until everything has been looked at since, however often the node is opened and closed.
 */
export class OpenMark {
  readonly #path: string;
  /** Whether it was there before. */
  readonly found: boolean;
  #settled: boolean;

  private constructor(path: string, found: boolean) {
    this.#path = path;
    this.found = found;
    this.#settled = !found;
  }

  /** When it resolves, the mark survives a power cut. */
  static async set(dataDir: string): Promise<OpenMark> {
    const path = dataPath(dataDir, 'openMark');
    const found = await access(path).then(() => true, ifMissing);
    if (!found) await writeAtomically(path, '', 0o600);
    return new OpenMark(path, found ?? false);
  }

  /** What the node before may have left behind was looked at and is sound. */
  settle(): void {
    this.#settled = true;
  }

  /** The database is closed. The mark stays where something has still to be looked at. */
  async remove(): Promise<void> {
    if (!this.#settled) return;
    await rm(this.#path, { force: true });
    await syncFolder(dirname(this.#path));
  }
}
