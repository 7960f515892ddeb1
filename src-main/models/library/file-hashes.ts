import { sha256OfFile } from '../../base/sha256.ts';
import { TaskSet } from '../../base/task-set.ts';
import { Turns } from '../../base/turns.ts';
import { type FileMark, sameMark } from './library-note.ts';
import { failureOf } from './long-work.ts';

interface Known extends FileMark {
  sha256: Promise<string>;
}

/** SHA-256 of files, computed once for each state of a file however many ask, and one file at a time: disks like that. */
export class FileHashes {
  readonly #known = new Map<string, Known>();
  readonly #closing = new AbortController();
  readonly #reading = new TaskSet();
  readonly #turns = new Turns();

  /** The hash of a file in a known state. @throws CANCELLED when closed meanwhile */
  of(path: string, mark: FileMark): Promise<string> {
    const known = this.#known.get(path);
    if (known && sameMark(known, mark)) return known.sha256;
    const sha256 = this.#turns.take(() => this.read(path));
    const entry = { ...mark, sha256 };
    this.#known.set(path, entry);
    sha256.catch(() => {
      if (this.#known.get(path) === entry) this.#known.delete(path); // whoever asks next has it read again
    });
    return sha256;
  }

  /** Reads the file at once, whatever was known of it. @throws CANCELLED when aborted, or closed meanwhile */
  async read(path: string, signal?: AbortSignal, onBytes?: (bytes: number) => void): Promise<string> {
    const end = AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])]);
    try {
      return await this.#reading.add(sha256OfFile(path, end, onBytes));
    } catch (error) {
      throw failureOf(error, end);
    }
  }

  /** Ends what is being read. Idempotent. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#turns.ended();
    await this.#reading.ended();
  }
}
