import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { writeAtomically } from '../../base/atomic-file.ts';
import { makeFolder } from '../../base/folder.ts';
import { sha256 } from '../../base/sha256.ts';
import { ignoring } from '../../base/swallowed.ts';
import { readRunningNode } from '../../client/running-node.ts';

const OTHERS = 0o077;
const MOST_NODES = 100;
const MOST_PATH_BYTES = 4_096;

/**
 * The data folders of the nodes that this user runs, one small file each, so that commands find them all. Where the system keeps what
 * does not outlive it; whether a node still runs says the lock of its folder.
 */
export class NodeList {
  readonly #folder: string;

  /** @param folder default: one of this user's own among the system's temporary files */
  constructor(folder = join(tmpdir(), `quarry-nodes-${process.getuid?.() ?? 'mine'}`)) {
    this.#folder = folder;
  }

  /** Never throws: a node runs as well without. */
  async add(dataDir: string): Promise<void> {
    try {
      await makeFolder(this.#folder, 0o700);
      if (await this.#isOwn()) await writeAtomically(this.#noteOf(dataDir), resolve(dataDir), 0o600);
    } catch {
      // only `quarry ps` on another folder misses it
    }
  }

  async remove(dataDir: string): Promise<void> {
    await rm(this.#noteOf(dataDir), { force: true }).catch(ignoring('it is looked at again whenever nodes are listed'));
  }

  /** Data folders with a running node; forgets those of nodes that were killed. */
  async running(): Promise<string[]> {
    if (!(await this.#isOwn())) return [];
    const names = (await readdir(this.#folder)).filter((name) => /^[0-9a-f]{16}$/.test(name)).slice(0, MOST_NODES);
    const found = await Promise.all(names.map((name) => this.#check(join(this.#folder, name))));
    return found.filter((dataDir) => dataDir !== undefined).sort();
  }

  async #check(note: string): Promise<string | undefined> {
    const { size } = (await stat(note).catch(ignoring('it was just taken away'))) ?? { size: 0 };
    if (size > MOST_PATH_BYTES) return undefined;
    const dataDir = await readFile(note, 'utf8').catch(ignoring('it was just taken away'));
    if (dataDir === undefined || !isAbsolute(dataDir)) return undefined;
    if (await readRunningNode(dataDir)) return dataDir;
    await this.remove(dataDir);
    return undefined;
  }

  /** In a folder that all may write to, somebody else could have made it first. */
  async #isOwn(): Promise<boolean> {
    const info = await stat(this.#folder).catch(ignoring('nobody has added anything yet'));
    if (!info?.isDirectory()) return false;
    return process.platform === 'win32' || (info.uid === process.getuid?.() && (info.mode & OTHERS) === 0);
  }

  #noteOf(dataDir: string): string {
    return join(this.#folder, sha256(resolve(dataDir)).toString('hex').slice(0, 16));
  }
}
