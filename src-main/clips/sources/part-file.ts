import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { writeAtomically } from '../../base/atomic-file.ts';
import { keptJson } from '../../base/kept-json.ts';
import { openRegular, readAtMost } from '../../base/regular-file.ts';
import { ifMissing } from '../../base/swallowed.ts';
import { writeFully } from '../../base/write-fully.ts';

/** Beside the file while not all of it is here: which bytes it is made of, and how many are surely on the disk. */
const noteSchema = z.object({
  url: z.string().max(4_000),
  validator: z.string().max(1_000),
  bytes: z.number().nullable(),
  have: z.int().min(0),
});
type Note = z.infer<typeof noteSchema>;

/** Of what bytes a file is: the same address, the same mark (a strong ETag), the same length. */
export type PartOf = Pick<Note, 'url' | 'bytes'> & { validator: string | undefined };

const MOST_NOTE_BYTES = 16_384;
/** New bytes are flushed once there are so many of them, or once so many milliseconds have passed. */
const [FLUSH_BYTES, FLUSH_MS] = [8 << 20, 1_000];

const noteOf = (path: string) => `${path}.note`;

/** Deletes what there is of a video that was, or is being, fetched into a file. What lies beside it goes first: a note must never speak of what is not there. */
export async function removeFetched(path: string): Promise<void> {
  await removeBeside(path);
  await rm(path, { force: true });
}

/** Deletes what lies beside the file of a video: all whose names are its own, a dot and more. */
export async function removeBeside(path: string): Promise<void> {
  const names = (await readdir(dirname(path)).catch(ifMissing)) ?? [];
  const beside = names.filter((name) => name.startsWith(`${basename(path)}.`));
  await Promise.all(beside.map((name) => rm(join(dirname(path), name), { force: true })));
}

/**
 * A file that grows from its beginning, over crashes: a note beside it says what it is made of, and how many bytes were flushed. The note is gone once the file is whole.
 */
export class PartFile {
  readonly #path: string;
  readonly #of: PartOf;
  readonly #file: FileHandle;
  /** Bytes that are in it. */
  #have: number;
  #flushed: number;
  #flushedAt = performance.now();

  private constructor(path: string, of: PartOf, file: FileHandle, have: number) {
    this.#path = path;
    this.#of = of;
    this.#file = file;
    this.#have = have;
    this.#flushed = have;
  }

  /** The one that is there, if it is a part of the same; else an empty one in its place. */
  static async open(path: string, of: PartOf): Promise<PartFile> {
    const have = await flushedBytes(path, of);
    if (have === 0) await removeFetched(path); // what lies there may have another name elsewhere: it is not written into
    const file = await open(path, have === 0 ? 'wx+' : 'r+');
    await file.truncate(have);
    return new PartFile(path, of, file, have);
  }

  get have(): number {
    return this.#have;
  }

  async append(chunk: Uint8Array): Promise<void> {
    await writeFully(this.#file, chunk, this.#have);
    this.#have += chunk.length;
    const isDue = this.#have - this.#flushed >= FLUSH_BYTES || performance.now() - this.#flushedAt >= FLUSH_MS;
    if (isDue) await this.#flush();
  }

  /** Its first bytes, as many as there are. */
  async head(most: number): Promise<Buffer> {
    const { bytesRead, buffer } = await this.#file.read(Buffer.alloc(most), 0, most, 0);
    return buffer.subarray(0, bytesRead);
  }

  /** Lets go of it. @param isWhole whether all that was wanted is here */
  async close(isWhole: boolean): Promise<void> {
    try {
      if (this.#have > this.#flushed) await (isWhole ? this.#file.datasync() : this.#flush());
    } finally {
      await this.#file.close();
    }
    if (isWhole) await rm(noteOf(this.#path), { force: true });
  }

  /** First the bytes, then the note: it must never speak of what is not there. */
  async #flush(): Promise<void> {
    await this.#file.datasync();
    this.#flushed = this.#have;
    this.#flushedAt = performance.now();
    const { validator } = this.#of;
    if (validator === undefined) return; // nothing would tell that it is still the same
    const note: Note = { ...this.#of, validator, have: this.#have };
    await writeAtomically(noteOf(this.#path), JSON.stringify(note));
  }
}

async function flushedBytes(path: string, of: PartOf): Promise<number> {
  const note = keptJson(await noteText(noteOf(path)), noteSchema);
  if (note?.url !== of.url || note.validator !== of.validator || note.bytes !== of.bytes) return 0;
  const { size } = (await stat(path).catch(ifMissing)) ?? { size: 0 };
  return size >= note.have ? note.have : 0;
}

async function noteText(path: string): Promise<string> {
  const file = await openRegular(path).catch(ifMissing);
  if (!file) return '';
  try {
    return (await readAtMost(file, MOST_NOTE_BYTES)) ?? '';
  } finally {
    await file.close();
  }
}
