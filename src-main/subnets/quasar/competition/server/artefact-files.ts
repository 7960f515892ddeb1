import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hexPattern } from '../../../../../src-preload/contract/limits.ts';
import { removeLeftovers, writeAtomically } from '../../../../base/atomic-file.ts';
import { readHashed } from '../../../../base/hashed-file.ts';
import { severalAtOnce } from '../../../../base/several-at-once.ts';
import { sha256 } from '../../../../base/sha256.ts';
import { ifMissing } from '../../../../base/swallowed.ts';

const HASH = hexPattern(32);
const SUFFIX = '.bin';
/** Files that are looked at together: with all of a year at once, nobody else would have a turn. */
const LOOKS = 16;

/** Whether a file of the folder is an artefact. */
const isArtefact = (name: string) => name.endsWith(SUFFIX) && HASH.test(name.slice(0, -SUFFIX.length));

/** Artefacts in a folder, each under its SHA-256: the same bytes are kept once. */
export class ArtefactFiles {
  readonly #folder: string;
  #bytes = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async open(): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    await removeLeftovers(this.#folder, () => true);
    this.#bytes = (await this.#files()).reduce((sum, { size }) => sum + size, 0);
  }

  /** Of all that is kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** On the disk when it resolves. @returns its SHA-256, 64 hex */
  async keep(artefact: Uint8Array): Promise<string> {
    const hash = sha256(artefact).toString('hex');
    if (await this.has(hash)) return hash;
    await writeAtomically(this.#path(hash), artefact);
    this.#bytes += artefact.length;
    return hash;
  }

  async has(hash: string): Promise<boolean> {
    return (await stat(this.#path(hash)).catch(ifMissing)) !== undefined;
  }

  /** The bytes of a hash; undefined where they are not there, or are others by now. */
  async read(hash: string): Promise<Buffer | undefined> {
    return await readHashed(this.#path(hash), hash);
  }

  /** Hashes of all, those first that have been kept for longest. */
  async oldestFirst(): Promise<string[]> {
    const files = (await this.#files()).toSorted((a, b) => a.mtimeMs - b.mtimeMs);
    return files.map(({ name }) => name.slice(0, -SUFFIX.length));
  }

  async remove(hash: string): Promise<void> {
    const found = await stat(this.#path(hash)).catch(ifMissing);
    if (!found) return;
    await rm(this.#path(hash));
    this.#bytes -= found.size;
  }

  async #files(): Promise<{ name: string; size: number; mtimeMs: number }[]> {
    const names = (await readdir(this.#folder)).filter(isArtefact);
    return severalAtOnce(names, LOOKS, async (name) => {
      const { size, mtimeMs } = await stat(join(this.#folder, name));
      return { name, size, mtimeMs };
    });
  }

  #path(hash: string): string {
    return join(this.#folder, `${hash}${SUFFIX}`);
  }
}
