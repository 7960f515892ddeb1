import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { syncFolder } from '../../base/atomic-file.ts';
import { sha256 } from '../../base/sha256.ts';
import { ifMissing } from '../../base/swallowed.ts';
import { Turns } from '../../base/turns.ts';

/** What a line tells, beside its time. */
export interface AuditEntry {
  event: 'start' | 'stop' | 'sign' | 'set_weights' | 'refused';
  /** `asked` stands before what is done: whoever is killed in between leaves it without the other. */
  outcome?: 'asked' | 'done' | 'pending' | 'refused' | 'failed';
  /** Of the request: its lines have the same. */
  request?: string;
  /** The address of who asked. */
  from?: string;
  [more: string]: unknown;
}

/** Before the first line. */
const NOTHING = '0'.repeat(64);
const LINE_END = 0x0a;
/** The longest line has 4,096 weights. */
const MOST_LINE_BYTES = 256 << 10;

const hashOf = (line: Uint8Array | string) => sha256(line).toString('hex');

/**
 * Who asked for what, and what came of it: lines of JSON that are only ever added to, each on the disk before anybody is answered. Each has the hash of
 * the one before it, so that none can be changed or left out in the middle without a trace. A resource.
 */
export class AuditLog {
  readonly #path: string;
  readonly #now: () => number;
  readonly #turns = new Turns();
  #file: FileHandle | undefined;
  #before = NOTHING;
  #failed: unknown;

  /** @param now Unix milliseconds. Default `Date.now` */
  constructor(path: string, now: () => number = Date.now) {
    this.#path = path;
    this.#now = now;
  }

  /** Hash of the last line: whoever writes it down elsewhere can tell later whether lines were cut off at the end. */
  get newest(): string {
    return this.#before;
  }

  /** Goes on with the file, or begins it, and says so in it. Idempotent. */
  open(about: Record<string, unknown> = {}): Promise<void> {
    return this.#turns.take(async () => {
      if (this.#file) return;
      const file = await open(this.#path, 'a+', 0o600);
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

  async #begin(file: FileHandle, about: Record<string, unknown>): Promise<void> {
    await syncFolder(dirname(this.#path));
    const { last, isTorn } = await lastLine(file, this.#path);
    if (last) this.#before = hashOf(last);
    if (isTorn) await file.appendFile('\n');
    await this.#append({ event: 'start', ...about, ...(isTorn && { afterTorn: true }) });
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
        if (!this.#failed) await this.#append({ event: 'stop' });
      } finally {
        this.#file = undefined;
        await file.close();
      }
    });
  }

  async #append({ event, ...entry }: AuditEntry): Promise<void> {
    if (this.#failed) throw this.#failed;
    if (!this.#file) throw new Error('The audit log is not open.');
    const at = new Date(this.#now()).toISOString();
    const line = JSON.stringify({ at, event, ...entry, before: this.#before });
    try {
      await this.#file.appendFile(`${line}\n`);
      await this.#file.datasync();
    } catch (error) {
      this.#failed = error; // a part of it may be there: nothing is added to that
      throw error;
    }
    this.#before = hashOf(line);
  }
}

/** @returns the last line; `isTorn` where the power went while it was written */
async function lastLine(file: FileHandle, path: string): Promise<{ last?: Buffer; isTorn: boolean }> {
  const { size } = await file.stat();
  const length = Math.min(size, MOST_LINE_BYTES + 1);
  if (length === 0) return { isTorn: false };
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
  const isTorn = buffer.at(-1) !== LINE_END;
  const end = isTorn ? length : length - 1;
  const before = end === 0 ? -1 : buffer.lastIndexOf(LINE_END, end - 1);
  if (before < 0 && length < size) {
    throw new QuarryError({ code: 'CONFIG_INVALID', message: say('bittensor.signer.noAudit', { path }) });
  }
  return { last: buffer.subarray(before + 1, end), isTorn };
}

/** A line as it was read. */
export interface AuditLine {
  /** From 1 on. */
  number: number;
  /** Undefined for one that is none. */
  entry: (AuditEntry & { at: string }) | undefined;
  hash: string;
  /** `changed`: the line before is not the one that this one came after. `unreadable`: it is no line, and no power cut explains it. */
  fault?: 'changed' | 'unreadable';
}

/** All lines, the oldest first, each held against the one before. Nothing where there is no file. */
export async function* readAudit(path: string): AsyncGenerator<AuditLine, void, undefined> {
  let before = NOTHING;
  let torn: AuditLine | undefined;
  let number = 0;
  for await (const bytes of linesOf(path)) {
    number++;
    const read = parsed(bytes);
    const hash = hashOf(bytes);
    const follows = read?.before === before;
    if (torn) yield { ...torn, ...(!(follows && read.entry.afterTorn === true) && { fault: 'unreadable' }) };
    torn = read ? undefined : { number, entry: undefined, hash };
    if (read) yield { number, entry: read.entry, hash, ...(!follows && { fault: 'changed' }) };
    before = hash;
  }
  if (torn) yield { ...torn, fault: 'unreadable' };
}

function parsed(bytes: Buffer): { entry: AuditEntry & { at: string }; before: unknown } | undefined {
  try {
    const { before, ...entry } = JSON.parse(bytes.toString('utf8'));
    return { entry, before };
  } catch {
    return undefined; // the power went while it was written, or somebody changed it
  }
}

async function* linesOf(path: string): AsyncGenerator<Buffer, void, undefined> {
  const file = await open(path, 'r').catch(ifMissing);
  if (!file) return;
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { fd: file }) as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(LINE_END); end >= 0; end = rest.indexOf(LINE_END)) {
      yield rest.subarray(0, end);
      rest = rest.subarray(end + 1);
    }
    if (rest.length > MOST_LINE_BYTES) break; // what comes is no log: its last line is told as unreadable
  }
  if (rest.length > 0) yield rest;
}
