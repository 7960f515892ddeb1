import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { removeLeftovers, writeAtomically } from '../../../base/atomic-file.ts';
import { makeFolder } from '../../../base/folder.ts';
import { sha256 } from '../../../base/sha256.ts';
import { ifMissing } from '../../../base/swallowed.ts';

/** Of 16 MB at most each: those of a full round, as is usual. */
const MOST_KEPT = 256;

/** Repositories that were fetched, as tar, by what names them: a winner who takes his away holds up no round. Those that were not used longest are removed. */
export class KeptTrees {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @returns undefined where it is not kept */
  async get(artefact: Uint8Array): Promise<Buffer | undefined> {
    const path = this.#path(artefact);
    const tree = await readFile(path).catch(ifMissing);
    const now = new Date();
    if (tree) await utimes(path, now, now);
    return tree;
  }

  async put(artefact: Uint8Array, tree: Buffer): Promise<void> {
    await makeFolder(this.#folder, 0o700);
    await removeLeftovers(this.#folder, () => true);
    await writeAtomically(this.#path(artefact), tree, 0o600);
    const files = (await readdir(this.#folder)).map((name) => join(this.#folder, name));
    const used = await Promise.all(files.map(async (path) => ({ path, at: (await stat(path)).mtimeMs })));
    const old = used.toSorted((a, b) => b.at - a.at).slice(MOST_KEPT);
    for (const { path } of old) await rm(path);
  }

  #path(artefact: Uint8Array): string {
    return join(this.#folder, `${sha256(artefact).toString('hex')}.tar`);
  }
}
