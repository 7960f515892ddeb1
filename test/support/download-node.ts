import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { type ByteRange, type ByteSource, SourceError } from '../../src-main/models/downloads/byte-source.ts';
import { Downloads, type DownloadsOptions } from '../../src-main/models/downloads/downloads.ts';
import { HttpClient } from '../../src-main/models/downloads/http-client.ts';
import { httpSources } from '../../src-main/models/downloads/http-source.ts';

export interface DownloadNodeOptions extends Partial<DownloadsOptions> {
  /** After so many milliseconds without a byte a line counts as dead. Default: as people have it, longer than a busy machine keeps one waiting. */
  stallMs?: number;
}

/** Downloads in a folder of their own, with real web sources; complete files become NAME.gguf there. */
export class DownloadNode {
  readonly folder: string;
  readonly adopted: { name: string; sha256: string; source: string }[] = [];
  /** Asked after the web, or before it. */
  peers: ByteSource[] = [];
  peersFirst = false;
  downloads: Downloads;
  readonly #client: HttpClient;
  readonly #options: Partial<DownloadsOptions>;

  private constructor(folder: string, { stallMs, ...options }: DownloadNodeOptions) {
    this.folder = folder;
    this.#options = options;
    this.#client = new HttpClient({
      userAgent: 'quarry/test',
      isNamed: () => true,
      stallMs,
      proxies: { httpProxy: '', httpsProxy: '' },
    });
    this.downloads = this.#make();
  }

  static async open(options: DownloadNodeOptions = {}): Promise<DownloadNode> {
    const node = new DownloadNode(await mkdtemp(join(tmpdir(), 'quarry-downloads-')), options);
    await node.downloads.open({ resume: true });
    return node;
  }

  /** As when the node ends and starts again. */
  async restart({ resume = true } = {}): Promise<void> {
    await this.downloads.close();
    this.downloads = this.#make();
    await this.downloads.open({ resume });
  }

  async file(name: string): Promise<Buffer> {
    return await readFile(join(this.folder, `${name}.gguf`));
  }

  async close(): Promise<void> {
    await this.downloads.close();
    await this.#client.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  #make(): Downloads {
    return new Downloads({
      folder: this.folder,
      log: pino({ level: 'silent' }),
      sources: (wanted) => {
        const web = httpSources(wanted, this.#client);
        return this.peersFirst ? [...this.peers, ...web] : [...web, ...this.peers];
      },
      adopt: async (path, { name }, { sha256, source }) => {
        await rename(path, join(this.folder, `${name}.gguf`));
        this.adopted.push({ name, sha256, source });
      },
      random: () => 0,
      restMs: 10,
      ...this.#options,
    });
  }
}

/** Peers that have all of a file, or lose it after so many bytes. */
export class PeersDouble implements ByteSource {
  readonly name = 'peers';
  readonly kind = 'peers';
  readonly parallel = 2;
  given = 0;
  opened = 0;
  readonly #content: Buffer;
  readonly #most: number;
  #isOpen = false;

  constructor(content: Buffer, most = Number.POSITIVE_INFINITY) {
    this.#content = content;
    this.#most = most;
  }

  async open(): Promise<{ bytes: number }> {
    this.opened++;
    this.#isOpen = true;
    return { bytes: this.#content.length };
  }

  async *read({ start, end }: ByteRange, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const last = Math.min(end, this.#content.length);
    for (let at = start; at < last; at += 65_536) {
      signal.throwIfAborted();
      if (!this.#isOpen) throw new SourceError('lost', 'the source is not open');
      if (this.given >= this.#most) throw new SourceError('lost', 'all peers are gone');
      const piece = this.#content.subarray(at, Math.min(last, at + 65_536));
      this.given += piece.length;
      yield piece;
    }
  }

  async close(): Promise<void> {
    this.#isOpen = false;
  }
}

export function sha256Of(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
