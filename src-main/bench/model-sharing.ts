import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { Address } from 'hyperdht';
import { sha256OfFile } from '../inference/model-file.ts';
import { BootstrapNode } from '../mesh/bootstrap.ts';
import type { ModelToShare } from '../mesh/sharing/model-sharing.ts';
import type { PeerSource } from '../mesh/sharing/peer-source.ts';
import type { ByteRange } from '../models/downloads/byte-source.ts';
import { BareCore } from './bare-core.ts';
import { ModelSeederProcess } from './model-seeder-process.ts';
import { type BenchEvent, benchRow } from './row.ts';
import { openSharingNode } from './sharing-node.ts';

export interface BenchModelSharingOptions {
  /** Runs of each side. Default 5. */
  runs?: number;
  /** Length of the file. Default 256 MiB. */
  bytes?: number;
}

const MEBIBYTE = 1024 * 1024;
const SEEDERS = [1, 4];
/** Bytes a second of one slow seeder: of four, too, far below what this machine can do. */
const SLOW = 4 * MEBIBYTE;
/** Of a file that slow seeders give. */
const SLOW_BYTES = 24 * MEBIBYTE;
/** Length of the ranges that are read, as a download does. */
const RANGE_BYTES = 16 * MEBIBYTE;

/**
 * A file from peers ÷ the same bytes by a bare Hypercore over HyperDHT. Every seeder is a process of its own; all are on the
 * loopback interface. Ours counts from looking for seeders until the file is on disk, flushed, and its SHA-256 checked; the
 * peer's from connecting until all blocks are in its database.
 */
export async function* benchModelSharing(options: BenchModelSharingOptions): AsyncGenerator<BenchEvent> {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-bench-'));
  const bench = new SharingBench(folder);
  try {
    yield* bench.run(options);
  } finally {
    await bench.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Seeder {
  process: ModelSeederProcess;
  core: string;
  node: string;
}

class SharingBench {
  readonly #folder: string;
  readonly #bootstrap = new BootstrapNode({ port: 0 });
  readonly #seeders: Seeder[] = [];
  #runs = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async *run({ runs = 5, bytes = 256 * MEBIBYTE }: BenchModelSharingOptions): AsyncGenerator<BenchEvent> {
    yield { type: 'note', text: 'Writing a file and starting the seeders …' };
    await this.#bootstrap.open();
    const model = await writeRandomModel(join(this.#folder, 'model.gguf'), bytes);
    const slow: number[][] = [];
    for (const seeders of SEEDERS) {
      while (this.#seeders.length < seeders) await this.#addSeeder(model);
      const figures: { ours: number[]; peer: number[] } = { ours: [], peer: [] };
      for (let run = 0; run < runs; run++) {
        figures.ours.push(rate(bytes, await this.#fromPeers(model, bytes)));
        figures.peer.push(rate(bytes, await this.#bare(bytes)));
      }
      const name = `${seeders} seeder${seeders > 1 ? 's' : ''}`;
      const row = {
        bench: 'sharing',
        case: name,
        unit: 'MiB/s',
        goal: '≥ 0.8',
        peerName: 'bare Hypercore',
        ...figures,
      };
      yield { type: 'row', row: benchRow(row) };
      slow.push(await this.#slowly(model, Math.min(runs, 3)));
    }
    const [peer = [], ours = []] = slow;
    const row = { bench: 'sharing', case: '4 slow seeders', unit: 'MiB/s', goal: '≥ 1.5', peerName: '1 slow seeder' };
    yield { type: 'row', row: benchRow({ ...row, ours, peer }) };
    const memory = Math.round(process.resourceUsage().maxRSS / 1024);
    yield { type: 'note', text: `Peak memory of the reading process, both sides: ${memory} MiB` };
  }

  async close(): Promise<void> {
    await Promise.all(this.#seeders.map(({ process }) => process.close()));
    await this.#bootstrap.close();
  }

  get #addresses(): Address[] {
    return [this.#bootstrap.address];
  }

  async #addSeeder(model: ModelToShare): Promise<void> {
    const process = new ModelSeederProcess();
    const folder = join(this.#folder, `seeder-${this.#seeders.length}`);
    const keys = await process.open({ model, folder, bootstrap: this.#addresses });
    this.#seeders.push({ process, ...keys });
  }

  /** The first bytes of the file from seeders that give {@link SLOW} each. */
  async #slowly(model: ModelToShare, runs: number): Promise<number[]> {
    const bytes = Math.min(model.bytes, SLOW_BYTES);
    const figures: number[] = [];
    await Promise.all(this.#seeders.map(({ process }) => process.limit(SLOW)));
    for (let run = 0; run < runs; run++) figures.push(rate(bytes, await this.#fromPeers(model, bytes)));
    await Promise.all(this.#seeders.map(({ process }) => process.limit(null)));
    return figures;
  }

  /** @returns milliseconds */
  async #fromPeers(model: ModelToShare, bytes: number): Promise<number> {
    const folder = await this.#runFolder();
    const node = await openSharingNode({ folder, bootstrap: this.#addresses, uploadLimit: null });
    const source = node.sharing.source({ name: model.name, urls: [], sha256: model.sha256 }, { trust: false });
    try {
      while ((node.sharing.offers()[0]?.seeders ?? 0) < this.#seeders.length)
        await new Promise((met) => setTimeout(met, 5));
      const started = performance.now();
      await source.open(new AbortController().signal);
      const sha256 = await download(source, join(folder, 'model.gguf'), bytes);
      if (bytes === model.bytes && sha256 !== model.sha256) throw new Error('The file is not the one that was shared.');
      return performance.now() - started;
    } finally {
      await source.close();
      await node.close();
      await rm(folder, { recursive: true });
    }
  }

  /** @returns milliseconds */
  async #bare(bytes: number): Promise<number> {
    const folder = await this.#runFolder();
    const core = new BareCore({ folder, bootstrap: this.#addresses });
    try {
      const nodes = this.#seeders.map(({ node }) => node);
      const started = performance.now();
      const fetched = await core.fetch(this.#seeders[0]?.core ?? '', nodes);
      if (fetched !== bytes) throw new Error(`The bare core has ${fetched} bytes.`);
      return performance.now() - started;
    } finally {
      await core.close();
      await rm(folder, { recursive: true });
    }
  }

  async #runFolder(): Promise<string> {
    const folder = join(this.#folder, `run-${this.#runs++}`);
    await mkdir(folder);
    return folder;
  }
}

function rate(bytes: number, ms: number): number {
  return bytes / MEBIBYTE / (ms / 1_000);
}

/** Two ranges at a time, as a download does. @returns SHA-256 of what is in the file, 64 hex */
async function download(source: PeerSource, path: string, bytes: number): Promise<string> {
  const file = await open(path, 'w+');
  try {
    let next = 0;
    const worker = async () => {
      while (next < bytes) {
        const start = next;
        next = Math.min(bytes, start + RANGE_BYTES);
        await readRange(source, file, { start, end: next });
      }
    };
    await Promise.all(Array.from({ length: source.parallel }, worker));
    await file.sync();
  } finally {
    await file.close();
  }
  return await sha256OfFile(path);
}

async function readRange(source: PeerSource, file: FileHandle, range: ByteRange): Promise<void> {
  let at = range.start;
  for await (const chunk of source.read(range, new AbortController().signal)) {
    await file.write(chunk, 0, chunk.length, at);
    at += chunk.length;
  }
}

async function writeRandomModel(path: string, bytes: number): Promise<ModelToShare> {
  const file = await open(path, 'w');
  for (let done = 0; done < bytes; done += MEBIBYTE) await file.write(randomBytes(Math.min(MEBIBYTE, bytes - done)));
  await file.close();
  const facts = { licence: 'Apache-2.0', quantisation: 'Q4_K_M', contextLength: 4_096 };
  return { name: 'model', path, bytes, sha256: await sha256OfFile(path), ...facts };
}
