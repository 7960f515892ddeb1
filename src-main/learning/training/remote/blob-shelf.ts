import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256OfFile } from '../../../base/sha256.ts';
import { ifMissing } from '../../../base/swallowed.ts';
import { Turns } from '../../../base/turns.ts';
import { CHUNK_BYTES, MOST_READS } from './limits.ts';
import { ADAPTER_FILES, type Blob, type BytesMessage, type ReadMessage, type SentFiles } from './messages.ts';
import { Nonsense } from './nonsense.ts';

interface Source {
  size: number;
  /** Reads so many bytes at a place. */
  read(at: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** What lies here, and how far it was read. */
type Lying = Source & { sent: number };

export interface BlobShelfOptions {
  send: (message: BytesMessage) => void;
  /** Something that lies here cannot be read. */
  onError: (error: unknown) => void;
  /** A share of something was sent. @param isNew for the first time */
  onBytes: (bytes: number, isNew: boolean) => void;
}

/** Bytes that the other side may read, chunk by chunk. Nothing is sent that was not asked for, and no more than a few chunks are made ready at a time. */
export class BlobShelf {
  readonly #options: BlobShelfOptions;
  readonly #sources = new Map<number, Lying>();
  #turns = new Turns();
  #lastId = 0;
  #reads = 0;

  constructor(options: BlobShelfOptions) {
    this.#options = options;
  }

  /** @param sha256 of them, 64 hex */
  offerBytes(bytes: Uint8Array, sha256: string): Blob {
    const read = async (at: number, length: number) => bytes.subarray(at, at + length);
    return this.#add({ size: bytes.length, read, close: async () => undefined }, sha256);
  }

  /** What of an adapter's files is in a folder. */
  async offerFiles(folder: string, signal?: AbortSignal): Promise<SentFiles> {
    const files: SentFiles = [];
    for (const name of ADAPTER_FILES) {
      const blob = await this.#offerFile(join(folder, name), signal);
      if (blob) files.push({ name, blob });
    }
    return files;
  }

  /** Nothing can be read any more. */
  async clear(): Promise<void> {
    const sources = [...this.#sources.values()];
    this.#sources.clear();
    await this.#turns.ended();
    for (const source of sources) await source.close();
  }

  /** The other side reads through another channel from now on: what it has asked for through the one before it asks for again. */
  restart(): void {
    this.#turns = new Turns();
    this.#reads = 0;
  }

  /** @throws Nonsense */
  answer({ blob, at }: ReadMessage): void {
    const source = this.#sources.get(blob);
    if (!source) return; // it was on its way when that was taken off the shelf
    if (at % CHUNK_BYTES !== 0 || at >= source.size) throw new Nonsense('a place where nothing is to be read');
    if (++this.#reads > MOST_READS) throw new Nonsense('more is asked for than was read');
    const turns = this.#turns;
    void turns.take(async () => {
      try {
        const bytes = await source.read(at, Math.min(CHUNK_BYTES, source.size - at));
        if (this.#turns !== turns || this.#sources.get(blob) !== source) return;
        this.#options.send({ type: 'bytes', blob, at, data: Buffer.from(bytes).toString('base64') });
        const isNew = at >= source.sent;
        if (isNew) source.sent = at + bytes.length;
        this.#options.onBytes(bytes.length, isNew);
      } catch (error) {
        this.#options.onError(error);
      } finally {
        if (this.#turns === turns) this.#reads--;
      }
    });
  }

  async #offerFile(path: string, signal: AbortSignal | undefined): Promise<Blob | undefined> {
    const file = await open(path, 'r').catch(ifMissing);
    if (!file) return undefined;
    try {
      const { size } = await file.stat();
      const sha256 = await sha256OfFile(path, signal);
      const read = async (at: number, length: number) => {
        const bytes = Buffer.allocUnsafe(length);
        const { bytesRead } = await file.read(bytes, 0, length, at);
        if (bytesRead !== length) throw new Error(`${path} became shorter while it was sent`);
        return bytes;
      };
      return this.#add({ size, read, close: () => file.close() }, sha256);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  #add(source: Source, sha256: string): Blob {
    const id = ++this.#lastId;
    this.#sources.set(id, { ...source, sent: 0 });
    return { id, size: source.size, sha256 };
  }
}
