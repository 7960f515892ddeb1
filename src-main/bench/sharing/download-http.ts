import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { entryModule } from '../../base/installation.ts';
import { ignoring } from '../../base/swallowed.ts';
import { Downloads } from '../../models/downloads/downloads.ts';
import { HttpClient } from '../../models/downloads/http-client.ts';
import { httpSources } from '../../models/downloads/http-source.ts';
import { type BenchEvent, benchRow } from '../row.ts';

export interface BenchDownloadOptions {
  /** Runs of each side. Default 5. */
  runs?: number;
  /** Length of the file. Default 1 GiB. */
  bytes?: number;
}

const run = promisify(execFile);
const GOAL = '≥ 0.9';
const UNIT = 'MB/s';

/**
 * Our download ÷ curl, from the same local server (a process of its own, out of memory) to the same drive. Ours is all that
 * `quarry models pull` does: several lines, bytes flushed to the disk, a record of them, and the SHA-256.
 */
export async function* benchDownloadHttp({
  runs = 5,
  bytes = 1 << 30,
}: BenchDownloadOptions): AsyncGenerator<BenchEvent> {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-bench-'));
  const server = new FileServer();
  try {
    const hasher = await findHasher();
    const url = await server.open(bytes);
    const bench = new DownloadBench(folder, url, bytes, hasher);
    yield { type: 'note', text: `${bytes.toLocaleString('en')} bytes, ${runs} runs, into ${folder}` };
    await bench.ours(); // the first time, code is not compiled yet
    const [ours, curl, hashed, flushed]: [number[], number[], number[], number[]] = [[], [], [], []];
    for (let count = 0; count < runs; count++) {
      ours.push(await bench.ours());
      const peer = await bench.curl();
      curl.push(peer.alone);
      hashed.push(peer.withHash);
      flushed.push(peer.withFlush);
    }
    const shared = { bench: 'download', unit: UNIT, goal: GOAL, ours };
    const peers = [
      { peerName: `curl, ${hasher[0]}, fdatasync`, peer: flushed },
      { peerName: `curl, ${hasher[0]}`, peer: hashed },
      { peerName: 'curl alone', peer: curl },
    ];
    for (const peer of peers)
      yield { type: 'row', row: benchRow({ ...shared, ...peer, case: `HTTP ÷ ${peer.peerName}` }) };
    const memory = { case: 'peak memory of our process', unit: 'MB (less is better)', goal: null };
    const peak = (process.resourceUsage().maxRSS * 1_024) / 1e6;
    yield { type: 'row', row: benchRow({ bench: 'download', ...memory, ours: [peak] }) };
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Program and arguments that print a file's SHA-256. */
type Hasher = readonly [program: string, ...args: string[]];

class DownloadBench {
  readonly #folder: string;
  readonly #url: string;
  readonly #bytes: number;
  readonly #hasher: Hasher;
  #sha256 = '';

  constructor(folder: string, url: string, bytes: number, hasher: Hasher) {
    this.#folder = folder;
    this.#url = url;
    this.#bytes = bytes;
    this.#hasher = hasher;
  }

  /** @returns MB/s */
  async ours(): Promise<number> {
    const client = new HttpClient({ userAgent: 'quarry/bench' });
    const downloads = new Downloads({
      folder: this.#folder,
      log: pino({ level: 'silent' }),
      sources: (wanted) => httpSources(wanted, client),
      adopt: async (path, _, { sha256 }) => {
        this.#sha256 = sha256;
        await rm(path);
      },
    });
    await downloads.open({ resume: false });
    const started = performance.now();
    await downloads.start({ name: 'bench', urls: [this.#url], typed: true });
    await downloads.finished('bench', new AbortController().signal);
    const speed = this.#speed(started);
    await downloads.close();
    await client.close();
    return speed;
  }

  /** @returns MB/s: of the transfer, of transfer and hashing, and of both and the flush to the disk that ours includes */
  async curl(): Promise<{ alone: number; withHash: number; withFlush: number }> {
    const path = join(this.#folder, 'curl.bin');
    const [program, ...args] = this.#hasher;
    const started = performance.now();
    await run('curl', ['--silent', '--fail', '--noproxy', '*', '--output', path, this.#url]);
    const alone = this.#speed(started);
    const { stdout } = await run(program, [...args, path]);
    const withHash = this.#speed(started);
    const file = await open(path);
    await file.datasync();
    await file.close();
    const withFlush = this.#speed(started);
    await rm(path);
    if (!stdout.includes(this.#sha256)) throw new Error(`Not the same file: ${stdout} against ${this.#sha256}`);
    return { alone, withHash, withFlush };
  }

  #speed(started: number): number {
    return this.#bytes / 1_000 / (performance.now() - started);
  }
}

class FileServer {
  #child: ChildProcess | undefined;

  /** @returns the file's address */
  async open(bytes: number): Promise<string> {
    const entry = entryModule('bench/sharing/file-server');
    this.#child = fork(fileURLToPath(entry), [String(bytes)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const [port] = await once(this.#child, 'message');
    return `http://127.0.0.1:${port}/bench.gguf`;
  }

  /** Idempotent. */
  async close(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null) return;
    const exited = once(child, 'exit');
    child.disconnect();
    await exited;
  }
}

/** OpenSSL is the fastest of those that systems have: it uses the processor's own SHA-256, as Node does. */
async function findHasher(): Promise<Hasher> {
  if (!(await exists('curl'))) {
    throw new QuarryError({
      code: 'BAD_REQUEST',
      message: 'There is no curl on this machine to measure against.',
      hint: 'Install curl, then run the bench again.',
    });
  }
  return (await exists('openssl')) ? ['openssl', 'dgst', '-sha256'] : ['sha256sum'];
}

async function exists(program: string): Promise<boolean> {
  const asked = run(program, [program === 'openssl' ? 'version' : '--version']);
  return (await asked.catch(ignoring('what cannot be run is not there'))) !== undefined;
}
