import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { Address } from 'hyperdht';
import { pino } from 'pino';
import { sha256OfFile } from '../../base/sha256.ts';
import type { ModelToShare } from '../../mesh/sharing/model-sharing.ts';
import { BootstrapNode } from '../../mesh/transport/bootstrap.ts';
import { Downloads } from '../../models/downloads/downloads.ts';
import { type BenchEvent, benchRow } from '../row.ts';
import { BareCore } from './bare-core.ts';
import { ModelSeederProcess } from './model-seeder-process.ts';
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
/** Length of the file that slow seeders give. */
const SLOW_BYTES = 24 * MEBIBYTE;

/**
 * A file from peers ÷ the same bytes by a bare Hypercore over HyperDHT. Every seeder is a process of its own; all are on the
 * loopback interface. Ours is all that `quarry models pull` does, until the file is on disk, flushed, and its SHA-256
 * checked; the peer's counts from connecting until all blocks are in its database.
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
  #seeders: Seeder[] = [];
  #folders = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async *run({ runs = 5, bytes = 256 * MEBIBYTE }: BenchModelSharingOptions): AsyncGenerator<BenchEvent> {
    yield { type: 'note', text: 'Writing a file and starting the seeders …' };
    await this.#bootstrap.open();
    const model = await writeRandomModel(join(this.#folder, 'model.gguf'), bytes);
    for (const seeders of SEEDERS) {
      while (this.#seeders.length < seeders) await this.#addSeeder(model, null);
      const figures: { ours: number[]; peer: number[] } = { ours: [], peer: [] };
      for (let run = 0; run < runs; run++) {
        figures.ours.push(rate(bytes, await this.#fromPeers(model)));
        figures.peer.push(rate(bytes, await this.#bare(bytes)));
      }
      const name = `${seeders} seeder${seeders > 1 ? 's' : ''}`;
      const shared = { bench: 'download', unit: 'MiB/s', goal: '≥ 0.8', peerName: 'bare Hypercore' };
      yield { type: 'row', row: benchRow({ ...shared, case: name, ...figures }) };
    }
    yield await this.#slowSeeders(Math.min(runs, 3));
    const memory = Math.round(process.resourceUsage().maxRSS / 1024);
    yield { type: 'note', text: `Peak memory of the reading process, both sides: ${memory} MiB` };
  }

  async close(): Promise<void> {
    await this.#endSeeders();
    await this.#bootstrap.close();
  }

  get #addresses(): Address[] {
    return [this.#bootstrap.address];
  }

  /** Four seeders that give {@link SLOW} each ÷ one of them. */
  async #slowSeeders(runs: number): Promise<BenchEvent> {
    await this.#endSeeders();
    const model = await writeRandomModel(join(this.#folder, 'small.gguf'), SLOW_BYTES);
    const figures: number[][] = [];
    for (const seeders of SEEDERS) {
      while (this.#seeders.length < seeders) await this.#addSeeder(model, SLOW);
      const own: number[] = [];
      for (let run = 0; run < runs; run++) own.push(rate(SLOW_BYTES, await this.#fromPeers(model)));
      figures.push(own);
    }
    const [peer = [], ours = []] = figures;
    const shared = { bench: 'download', unit: 'MiB/s', goal: '≥ 1.5', peerName: '1 slow seeder' };
    return { type: 'row', row: benchRow({ ...shared, case: '4 slow seeders', ours, peer }) };
  }

  async #addSeeder(model: ModelToShare, uploadLimit: number | null): Promise<void> {
    const process = new ModelSeederProcess();
    const folder = await this.#newFolder();
    const keys = await process.open({ model, folder, bootstrap: this.#addresses, uploadLimit });
    this.#seeders.push({ process, ...keys });
  }

  async #endSeeders(): Promise<void> {
    await Promise.all(this.#seeders.map(({ process }) => process.close()));
    this.#seeders = [];
  }

  /** @returns milliseconds */
  async #fromPeers({ name, bytes, sha256 }: ModelToShare): Promise<number> {
    const folder = await this.#newFolder();
    const node = await openSharingNode({ folder, bootstrap: this.#addresses, uploadLimit: null });
    const downloads = new Downloads({
      folder,
      log: pino({ level: 'silent' }),
      sources: (wanted) => [node.sharing.source(wanted)],
      adopt: (path) => rm(path),
    });
    await downloads.open({ resume: false });
    try {
      while ((node.sharing.offers()[0]?.seeders ?? 0) < this.#seeders.length)
        await new Promise((met) => setTimeout(met, 5));
      const started = performance.now();
      await downloads.start({ name, urls: [], bytes, sha256 });
      await downloads.finished(name, new AbortController().signal);
      return performance.now() - started;
    } finally {
      await downloads.close();
      await node.close();
      await rm(folder, { recursive: true });
    }
  }

  /** @returns milliseconds */
  async #bare(bytes: number): Promise<number> {
    const folder = await this.#newFolder();
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

  async #newFolder(): Promise<string> {
    const folder = join(this.#folder, String(this.#folders++));
    await mkdir(folder);
    return folder;
  }
}

function rate(bytes: number, ms: number): number {
  return bytes / MEBIBYTE / (ms / 1_000);
}

async function writeRandomModel(path: string, bytes: number): Promise<ModelToShare> {
  const file = await open(path, 'w');
  for (let done = 0; done < bytes; done += MEBIBYTE) await file.write(randomBytes(Math.min(MEBIBYTE, bytes - done)));
  await file.close();
  const facts = { licence: 'Apache-2.0', quantisation: 'Q4_K_M', contextLength: 4_096 };
  return { name: 'model', path, bytes, sha256: await sha256OfFile(path), ...facts };
}
