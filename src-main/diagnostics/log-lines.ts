import { type FileHandle, open, stat } from 'node:fs/promises';
import { ifMissing } from '../base/swallowed.ts';

/** A longer line is cut; nobody writes such a line on purpose. */
const MAX_LINE_BYTES = 65_536;
const CHUNK_BYTES = 262_144;
const NEWLINE = 0x0a;

/** Reads the lines of a file that grows, from the start or from near its end. Holds one chunk and one line at a time. */
export class LogLines {
  readonly #path: string;
  readonly #handle: FileHandle;
  readonly #inode: bigint;
  #position: number;
  #rest = Buffer.alloc(0);
  /** Up to the next newline: the end of a line that began before our start, or that was cut. */
  #skipping: boolean;

  private constructor(path: string, handle: FileHandle, inode: bigint, position: number) {
    this.#path = path;
    this.#handle = handle;
    this.#inode = inode;
    this.#position = position;
    this.#skipping = position > 0;
  }

  /**
   * @param tailBytes how far from its end to begin; a line that is cut by that is left out. Default: at the start.
   * @returns undefined when there is no such file
   */
  static async open(path: string, tailBytes = Number.POSITIVE_INFINITY): Promise<LogLines | undefined> {
    const handle = await open(path, 'r').catch(ifMissing);
    if (!handle) return undefined;
    try {
      const { ino, size } = await handle.stat({ bigint: true });
      return new LogLines(path, handle, ino, Math.max(0, Number(size) - tailBytes));
    } catch {
      await handle.close();
      return undefined;
    }
  }

  /** Whether every line that the file holds can be had: it is read from its start. */
  get isWhole(): boolean {
    return !this.#skipping && this.#position === 0;
  }

  /** The next complete lines; none when it has not grown. */
  async read(): Promise<string[]> {
    for (;;) {
      const bytes = await this.#readChunk();
      if (bytes.length === 0) return [];
      const lines = this.#split(bytes);
      if (lines.length > 0) return lines;
    }
  }

  /** Whether another file has taken its place: nothing more is written to this one. */
  async isReplaced(): Promise<boolean> {
    const now = await stat(this.#path, { bigint: true }).catch(ifMissing);
    return now !== undefined && now.ino !== this.#inode;
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  async #readChunk(): Promise<Buffer> {
    const { size } = await this.#handle.stat();
    if (size < this.#position) this.#startOver(); // somebody emptied it
    const buffer = Buffer.alloc(Math.min(CHUNK_BYTES, size - this.#position));
    const { bytesRead } = await this.#handle.read(buffer, 0, buffer.length, this.#position);
    this.#position += bytesRead;
    return buffer.subarray(0, bytesRead);
  }

  #startOver(): void {
    this.#position = 0;
    this.#rest = Buffer.alloc(0);
    this.#skipping = false;
  }

  #split(bytes: Buffer): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      if (this.#skipping) this.#skipping = false;
      else lines.push(textOf(Buffer.concat([this.#rest, bytes.subarray(start, end)])));
      this.#rest = Buffer.alloc(0);
      start = end + 1;
    }
    if (this.#skipping) return lines;
    this.#rest = Buffer.concat([this.#rest, bytes.subarray(start)]);
    if (this.#rest.length > MAX_LINE_BYTES) {
      lines.push(textOf(this.#rest));
      this.#rest = Buffer.alloc(0);
      this.#skipping = true;
    }
    return lines;
  }
}

function textOf(line: Buffer): string {
  return line.length > MAX_LINE_BYTES ? `${line.toString('utf8', 0, MAX_LINE_BYTES)}…` : line.toString('utf8');
}
