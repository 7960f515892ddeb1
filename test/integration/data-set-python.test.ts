/** @module-tag long */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../src-main/base/sha256.ts';
import { pythonWith } from '../../src-main/bench/axon/official-sdk.ts';
import { DataSet } from '../../src-main/clips/dataset/data-set.ts';
import { ClipShardStore } from '../../src-main/store/clips/clip-shards.ts';
import { listedRows, madeSound, madeVideo } from '../support/clips/data-rows.ts';
import { memoryDatabase } from '../support/memory-database.ts';

const PACKAGES = [
  { name: 'pyarrow', version: '26.0.1' },
  { name: 'duckdb', version: '2.0.1' },
];
const ROWS = 700;

const READ = `
import sys, json, glob, hashlib, struct, pyarrow.parquet as pq, duckdb
folder = sys.argv[1]
def digest(vectors):
    whole = hashlib.sha256()
    for v in vectors:
        whole.update(b"-" if v is None else struct.pack("<%df" % len(v), *v))
    return whole.hexdigest()
videos = [row for file in sorted(glob.glob(folder + "/default/train/*/*.parquet"), key=lambda f: f.split("/")[-1]) for row in pq.read_table(file).to_pylist()]
sounds = pq.read_table(glob.glob(folder + "/sounds/train/*/*.parquet")[0])
ddb = duckdb.sql("select count(*), count(audio_embed), min(submitted_at), sum(end_time - start_time) from read_parquet('%s/default/train/*/*.parquet')" % folder).fetchall()[0]
speakers = duckdb.sql("select audio.path, octet_length(audio.bytes), diar_speakers, diar_timestamps_end from read_parquet('%s/sounds/train/*/*.parquet') order by submitted_at limit 2" % folder).fetchall()
vectors = duckdb.sql("select video_embed from read_parquet('%s/default/train/*/*.parquet') order by submitted_at" % folder).fetchall()
print(json.dumps(dict(
    types={f.name: str(f.type) for f in sounds.schema},
    rows=len(videos), first=videos[1]["description"], licence=videos[1]["licence"], author=videos[0]["author"],
    arrow=digest(row["video_embed"] for row in videos), audio=digest(row["audio_embed"] for row in videos),
    duckdb=digest(row[0] for row in vectors), sums=ddb, speakers=speakers)))
`;

const python = await pythonWith(PACKAGES);
if (!python) {
  const names = PACKAGES.map(({ name, version }) => `${name} ${version}`).join(' and ');
  process.stderr.write(`\n!!! skipped: there is no Python with ${names}, and none can be had.\n\n`);
}

/** As {@link READ} has it. */
function digest(vectors: (Float32Array | null)[]): string {
  const parts = vectors.map((one) =>
    one ? Buffer.from(one.buffer, one.byteOffset, one.byteLength) : Buffer.from('-'),
  );
  return sha256(Buffer.concat(parts)).toString('hex');
}

describe.skipIf(!python)('files of the data set, read by others', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quarry-data-set-python-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('are to pyarrow and DuckDB what they were', async () => {
    const videos = Array.from({ length: ROWS }, (_, at) => madeVideo(at, 64));
    const sounds = Array.from({ length: 20 }, (_, at) => madeSound(at, 64));
    const db = await memoryDatabase();
    const store = new ClipShardStore(db);
    const rows = listedRows({ videos, sounds }, store);
    const notes = () => ({ thresholds: [] });
    const set = new DataSet({ store, rows, folder, notes, destination: () => null, chance: () => 0 });
    for await (const _ of set.export({ flush: true }));
    await set.close();
    await db.destroy();
    const { stdout } = await promisify(execFile)(python as string, ['-c', READ, folder]);
    const read = JSON.parse(stdout);
    expect(read).toMatchObject({ rows: ROWS, first: 'A whale, 1 🐋', licence: 'by', author: null });
    expect(read.arrow).toBe(digest(videos.map(({ videoVector }) => videoVector)));
    expect(read.audio).toBe(digest(videos.map(({ audioVector }) => audioVector)));
    expect(read.duckdb).toBe(read.arrow);
    const heard = videos.filter(({ audioVector }) => audioVector).length;
    expect(read.sums).toEqual([ROWS, heard, 1_790_000_000, ROWS * 12.5]);
    expect(read.speakers).toEqual([
      [null, null, [], []],
      [expect.stringMatching(/^\w{32}\.wav$/), 1_000, ['A', 'B'], [2, 4.25]],
    ]);
    expect(read.types).toMatchObject({
      audio: 'struct<bytes: binary not null, path: string not null>',
      audio_embed: 'list<element: float not null>',
      diar_speakers: 'list<element: string not null>',
      submitted_at: 'int64',
    });
  });
});
