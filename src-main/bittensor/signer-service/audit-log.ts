import { type FileHandle, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { syncFolder } from '../../base/atomic-file.ts';
import { sha256 } from '../../base/sha256.ts';
import { Turns } from '../../base/turns.ts';
import {
  type AuditEntry,
  type FileEnd,
  fileEnd,
  firstLine,
  fullFiles,
  fullName,
  fullPath,
  giveNumber,
  hasNumber,
  NOTHING,
  numberIn,
} from './audit-files.ts';

export interface AuditLogOptions {
  /** Unix milliseconds. Default `Date.now` */
  now?: () => number;
  /** Bytes from which on a file is full, and another one is begun. Default 16 MiB */
  mostBytes?: number;
}

const MOST_BYTES = 16 << 20;

const hashOf = (line: Uint8Array | string) => sha256(line).toString('hex');

/**
 * Who asked for what, and what came of it: lines of JSON that are only ever added to, each on the disk before anybody is answered. Each has the hash of
 * the one before it, so that none can be changed or left out in the middle without a trace. A file that is full gets a number and stays; the next one goes
 * on after its last line, so that of all the files the last one alone is looked at by whoever opens it. Nothing is ever deleted. A resource.
 */
export class AuditLog {
  readonly #path: string;
  readonly #now: () => number;
  readonly #mostBytes: number;
  readonly #turns = new Turns();
  #file: FileHandle | undefined;
  #bytes = 0;
  /** From how many bytes on the file is to get its number. */
  #fullAt: number;
  /** The number of the last file that is full: also of one that lies elsewhere by now. */
  #full = 0;
  #before = NOTHING;
  #failed: unknown;

  constructor(path: string, { now = Date.now, mostBytes = MOST_BYTES }: AuditLogOptions = {}) {
    this.#path = path;
    this.#now = now;
    this.#mostBytes = mostBytes;
    this.#fullAt = mostBytes;
  }

  /** Hash of the last line: whoever writes it down elsewhere can tell later whether lines were cut off at the end. */
  get newest(): string {
    return this.#before;
  }

  /** Why nothing more is written, and so nothing more may be done; undefined while all is well. */
  get failure(): unknown {
    return this.#failed;
  }

  /** Goes on with the file, or begins it, and says so in it. Idempotent. @throws CONFIG_INVALID where the file is no log */
  open(about: Record<string, unknown> = {}): Promise<void> {
    return this.#turns.take(async () => {
      if (this.#file) return;
      const file = await this.#openNewest();
      try {
        this.#file = file;
        await this.#begin(file, about);
      } catch (error) {
        this.#file = undefined;
        await file.close();
        throw error;
      }
    });
  }

  /** Killed while a file got its number, it has that already. */
  async #openNewest(): Promise<FileHandle> {
    const file = await open(this.#path, 'a+', 0o600);
    const last = (await fullFiles(this.#path)).at(-1) ?? 0;
    if (!(await hasNumber(file, this.#path, last))) return file;
    await file.close();
    await rm(this.#path);
    return open(this.#path, 'a+', 0o600);
  }

  async #begin(file: FileHandle, about: Record<string, unknown>): Promise<void> {
    await syncFolder(dirname(this.#path));
    const own = lastOf(await fileEnd(file), this.#path);
    this.#full = (await fullFiles(this.#path)).at(-1) ?? 0;
    if (own.last) this.#full = Math.max(this.#full, numberIn(this.#path, after(await firstLine(file))));
    // Killed between a file that is full and the next one: that goes on where the other ends.
    const end = own.last || this.#full === 0 ? own : await this.#endOfFull(this.#full);
    if (end.last) this.#before = hashOf(end.last);
    if (own.isTorn) await file.appendFile('\n');
    this.#bytes = (await file.stat()).size;
    await this.#write({ event: 'start', ...about, ...this.#after(), ...(end.isTorn && { afterTorn: true }) });
  }

  async #endOfFull(number: number): Promise<FileEnd> {
    const path = fullPath(this.#path, number);
    const file = await open(path, 'r');
    try {
      return lastOf(await fileEnd(file), path);
    } finally {
      await file.close();
    }
  }

  /** Adds a line; it is on the disk when this resolves. @throws what the file system says, then and from then on: nothing is done unseen */
  append(entry: AuditEntry): Promise<void> {
    return this.#turns.take(() => this.#append(entry));
  }

  /** Says so in it. Idempotent. */
  close(): Promise<void> {
    return this.#turns.take(async () => {
      const file = this.#file;
      if (!file) return;
      try {
        if (!this.#failed) await this.#write({ event: 'stop' });
      } finally {
        this.#file = undefined;
        await file.close();
      }
    });
  }

  async #append(entry: AuditEntry): Promise<void> {
    if (this.#failed) throw this.#failed;
    if (!this.#file) throw new Error('The audit log is not open.');
    if (this.#bytes >= this.#fullAt) await this.#continue(this.#file);
    await this.#write(entry);
  }

  /** Gives the file that is full its number, and begins the next one. Where it keeps its name, it is gone on with. */
  async #continue(full: FileHandle): Promise<void> {
    let number: number;
    try {
      number = Math.max(this.#full, (await fullFiles(this.#path)).at(-1) ?? 0) + 1; // none is ever replaced
      await giveNumber(this.#path, number);
    } catch (error) {
      this.#fullAt = this.#bytes + this.#mostBytes;
      return this.#write({ event: 'not_continued', error: (error as NodeJS.ErrnoException).code });
    }
    try {
      this.#file = await open(this.#path, 'ax', 0o600);
      await syncFolder(dirname(this.#path));
    } catch (error) {
      this.#failed = error;
      throw error;
    } finally {
      if (this.#file !== full) await full.close();
    }
    [this.#full, this.#bytes, this.#fullAt] = [number, 0, this.#mostBytes];
    await this.#write({ event: 'continue', ...this.#after() });
  }

  /** Which file comes before this one, where there is one: so that it is missed where it is gone. */
  #after(): { after?: string } {
    return this.#full > 0 ? { after: fullName(this.#path, this.#full) } : {};
  }

  async #write({ event, ...entry }: AuditEntry): Promise<void> {
    const at = new Date(this.#now()).toISOString();
    const line = JSON.stringify({ at, event, ...entry, before: this.#before });
    try {
      await this.#file?.appendFile(`${line}\n`);
      await this.#file?.datasync();
    } catch (error) {
      this.#failed = error; // a part of it may be there: nothing is added to that
      throw error;
    }
    this.#bytes += Buffer.byteLength(line) + 1;
    this.#before = hashOf(line);
  }
}

/** @throws CONFIG_INVALID for a file that ends with no line */
function lastOf(end: FileEnd, path: string): FileEnd {
  if (!end.isTooLong) return end;
  throw new QuarryError({ code: 'CONFIG_INVALID', message: say('bittensor.signer.noAudit', { path }) });
}

/** What a line says that comes before its file. */
function after(line: Buffer | undefined): unknown {
  try {
    return line && JSON.parse(line.toString('utf8')).after;
  } catch {
    return undefined; // whoever reads the log is told of it
  }
}
