import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MOST_ENTRY_BYTES } from '../../../../../src-preload/contract/competition-numbers.ts';
import { hexPattern } from '../../../../../src-preload/contract/limits.ts';
import { say } from '../../../../../src-preload/contract/saying.ts';
import { removeLeftovers, writeAtomically } from '../../../../base/atomic-file.ts';
import { makeFolder } from '../../../../base/folder.ts';
import { readHashed } from '../../../../base/hashed-file.ts';
import { Recent } from '../../../../base/recent.ts';
import { sha256 } from '../../../../base/sha256.ts';
import { ifMissing } from '../../../../base/swallowed.ts';
import { refused } from './competition-problems.ts';

/** What is being brought is forgotten when nothing of it comes for so long, milliseconds; and of so many only the newest are kept. */
const BROUGHT_MS = 10 * 60_000;
const MOST_AT_ONCE = 4;
const IS_ARTEFACT = hexPattern(32);

/** One piece of a file that is brought. */
export interface Piece {
  /** Of the whole file. */
  sha256: string;
  bytes: number;
  /** Its first byte. */
  from: number;
  piece: Uint8Array;
}

/** Files of own submissions, each in a file that is called by its SHA-256. */
export class Artefacts {
  readonly #folder: string;
  readonly #coming = new Recent<Buffer>(BROUGHT_MS, Date.now, MOST_AT_ONCE);

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Removes what nobody needs, and what was cut off. @param needed their hashes */
  async tidy(needed: ReadonlySet<string>): Promise<void> {
    await removeLeftovers(this.#folder, () => true);
    const files = (await readdir(this.#folder).catch(ifMissing)) ?? [];
    const lost = files.filter((file) => IS_ARTEFACT.test(file) && !needed.has(file));
    await Promise.all(lost.map((file) => this.remove(file)));
  }

  /** Takes a piece; the last one makes the file. @returns the first byte that is wanted next @throws BAD_REQUEST for other bytes than were announced */
  async bring({ sha256: hash, bytes, from, piece }: Piece): Promise<number> {
    const had = from === 0 ? Buffer.alloc(0) : (this.#coming.get(hash) ?? Buffer.alloc(0));
    if (from !== had.length) return had.length;
    const all = Buffer.concat([had, piece]);
    if (all.length > bytes || bytes > MOST_ENTRY_BYTES) throw refused(say('competitor.otherBytes'), 'piece');
    this.#coming.set(hash, all);
    if (all.length < bytes) return all.length;
    this.#coming.set(hash, Buffer.alloc(0));
    await this.put(hash, all);
    return bytes;
  }

  /** On the disk when it resolves. */
  async put(hash: string, bytes: Uint8Array): Promise<void> {
    if (sha256(bytes).toString('hex') !== hash) throw refused(say('competitor.otherBytes'), 'piece');
    await makeFolder(this.#folder, 0o700);
    await writeAtomically(join(this.#folder, hash), bytes, 0o600);
  }

  /** @returns undefined where it is not there, or was changed */
  async read(hash: string): Promise<Buffer | undefined> {
    return await readHashed(join(this.#folder, hash), hash);
  }

  async remove(hash: string): Promise<void> {
    await rm(join(this.#folder, hash), { force: true });
  }
}
