import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import SQLite from 'better-sqlite3';
import { cosine } from '../../base/cosine.ts';
import { greatest } from '../../base/greatest.ts';
import { bytesOf } from '../../base/packed-numbers.ts';
import { seededRandom } from '../../base/seeded-random.ts';
import { ignoring } from '../../base/swallowed.ts';
import { ClipIndex } from '../../clips/index/clip-index.ts';
import type { ClipVector } from '../../store/clips/clips.ts';
import { type BenchEvent, benchRow, note } from '../row.ts';

export interface BenchClipIndexOptions {
  /** Runs of each side. Default 5. */
  runs?: number | undefined;
  /** Vectors. Default 100,000; beside more than a million no peer is measured. */
  rows?: number | undefined;
}

const DIMENSIONS = 512;
/** So many are different: they are made again and again. */
const DIFFERENT = 8_192;
const MOST_BESIDE_PEERS = 1_000_000;
const NEAREST = 8;
const PAGE = 256;
const NAME = { space: 'bench', kind: 'video' };
const TIME = { bench: 'data', unit: 'ms (less is better)' };

/** The nearest of many vectors of 512 numbers: beside a plain scan in JavaScript and sqlite-vec; eight questions at once; and from a file. */
export async function* benchClipIndex({
  runs = 5,
  rows = 100_000,
}: BenchClipIndexOptions = {}): AsyncGenerator<BenchEvent> {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-bench-index-'));
  try {
    const some = madeVectors(DIFFERENT, 1);
    const [query, ...others] = madeVectors(NEAREST, 2) as [Float32Array, ...Float32Array[]];
    const size = `${rows.toLocaleString('en')} × ${DIMENSIONS}`;
    for (const [place, memoryBytes] of [
      ['memory', Number.POSITIVE_INFINITY],
      ['a file', 0],
    ] as const) {
      yield note(`reading ${size} into ${place}`);
      const index = new ClipIndex({ folder: join(folder, 'index'), memoryBytes, pages: pagesOf(some, rows) });
      const loading = await milliseconds(() => index.load(NAME));
      const ask = (asked: Float32Array[]) => index.nearest(asked, { ...NAME, count: NEAREST });
      const ours = await measured(runs, () => ask([query]));
      const eight = await measured(runs, () => ask([query, ...others]));
      await index.close();
      yield row({ case: `load ${size} into ${place}`, goal: null, ours: [loading] });
      yield row({ case: `nearest of ${size} in ${place}`, goal: rows === 100_000 ? '≤ 80' : null, ours });
      const peer = ours.map((each) => 8 * each);
      yield row({ case: `of 8 at once, ${place}`, goal: '< 1', ours: eight, peerName: '8 × one', peer });
      if (memoryBytes > 0 && rows <= MOST_BESIDE_PEERS) yield* besidePeers({ some, rows, runs, query, folder, ours });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Beside {
  some: Float32Array[];
  rows: number;
  runs: number;
  query: Float32Array;
  folder: string;
  ours: number[];
}

async function* besidePeers({ some, rows, runs, query, folder, ours }: Beside): AsyncGenerator<BenchEvent> {
  const plain = await measured(runs, async () => plainScan(some, rows, query));
  yield row({ case: 'beside a plain scan', goal: null, ours, peerName: 'JavaScript', peer: plain });
  yield note('writing the same for sqlite-vec');
  const vec = await sqliteVec(some, { rows, runs, query, path: join(folder, 'vec.db') }).catch(
    ignoring('there is no sqlite-vec for this system: no peer then'),
  );
  if (vec) yield row({ case: 'beside sqlite-vec', goal: null, ours, peerName: 'sqlite-vec', peer: vec });
}

function plainScan(some: readonly Float32Array[], rows: number, query: Float32Array): void {
  const numbers = Array.from({ length: rows }, (_, at) => at);
  greatest(numbers, NEAREST, (at) => cosine(some[at % DIFFERENT] as Float32Array, query));
}

async function sqliteVec(
  some: readonly Float32Array[],
  { rows, runs, query, path }: Pick<Beside, 'rows' | 'runs' | 'query'> & { path: string },
): Promise<number[]> {
  const { load } = await import('sqlite-vec');
  const db = new SQLite(path);
  try {
    load(db);
    db.exec(`CREATE VIRTUAL TABLE rows USING vec0(vector float[${DIMENSIONS}] distance_metric=cosine)`);
    const insert = db.prepare('INSERT INTO rows (rowid, vector) VALUES (?, ?)');
    db.transaction(() => {
      for (let at = 0; at < rows; at++) insert.run(BigInt(at + 1), bytesOf(some[at % DIFFERENT] as Float32Array));
    })();
    const nearest = db.prepare(`SELECT rowid, distance FROM rows WHERE vector MATCH ? AND k = ${NEAREST}`);
    return await measured(runs, async () => nearest.all(bytesOf(query)));
  } finally {
    db.close();
  }
}

/** As a database would give them. */
function pagesOf(some: readonly Float32Array[], rows: number) {
  return async (_space: string, _kind: string, after: string | null): Promise<ClipVector[]> => {
    const from = after === null ? 0 : Number.parseInt(after, 16) + 1;
    return Array.from({ length: Math.min(PAGE, rows - from) }, (_, at) => ({
      id: (from + at).toString(16).padStart(32, '0'),
      vector: some[(from + at) % DIFFERENT] as Float32Array,
    }));
  };
}

function madeVectors(count: number, seed: number): Float32Array[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => Float32Array.from({ length: DIMENSIONS }, () => random.normal()));
}

/** After once that does not count. */
async function measured(runs: number, work: () => Promise<unknown>): Promise<number[]> {
  await work();
  const times: number[] = [];
  for (let run = 0; run < runs; run++) times.push(await milliseconds(work));
  return times;
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const row = (about: Omit<Parameters<typeof benchRow>[0], 'bench' | 'unit'>): BenchEvent => ({
  type: 'row',
  row: benchRow({ ...TIME, ...about }),
});
