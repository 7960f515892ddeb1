import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256OfFile } from '../../../../src-main/base/sha256.ts';
import { DataSet, type DataSetOptions } from '../../../../src-main/clips/dataset/data-set.ts';
import type { DataRecord } from '../../../../src-main/clips/dataset/shards/columns.ts';
import type { DataRows, SoundRow, VideoRow } from '../../../../src-main/clips/dataset/shards/data-rows.ts';
import { parquetRecords } from '../../../../src-main/clips/dataset/shards/parquet-records.ts';
import { ClipShardStore } from '../../../../src-main/store/clips/clip-shards.ts';
import type { Db } from '../../../../src-main/store/database.ts';
import type { DataSetProgress } from '../../../../src-preload/contract/data-set.ts';
import { listedRows, madeClip, madeSound, madeVideo } from '../../../support/clips/data-rows.ts';
import { longestTurn } from '../../../support/longest-turn.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';
import { resourceContract } from '../../../support/resource-contract.ts';

let folder: string;
let db: Db;
let store: ClipShardStore;
let now = 1_790_000_000_000;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-data-set-'));
  db = await memoryDatabase();
  store = new ClipShardStore(db);
});
afterEach(async () => {
  await db.destroy();
  await rm(folder, { recursive: true, force: true });
});

const videos = (count: number) => Array.from({ length: count }, (_, number) => madeVideo(number));
const sounds = (count: number) => Array.from({ length: count }, (_, number) => madeSound(number));

function dataSet(rows: { videos?: VideoRow[]; sounds?: SoundRow[] } | DataRows, more: Partial<DataSetOptions> = {}) {
  return new DataSet({
    ...{ store, folder, now: () => now++, chance: () => 0.4, destination: () => null },
    rows: 'rows' in rows ? rows : listedRows(rows, store),
    notes: () => ({ thresholds: [{ name: 'novelty', value: 0.1 }] }),
    ...more,
  });
}

async function all(steps: AsyncIterable<DataSetProgress>): Promise<DataSetProgress> {
  const list = await Array.fromAsync(steps);
  expect(list.at(-1)?.step).toBe('done');
  return list.at(-1) as DataSetProgress;
}

const records = async (name: string): Promise<DataRecord[]> =>
  (await Array.fromAsync(parquetRecords(join(folder, name)))).flat();
const files = async () =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((one) => one.isFile())
    .map((one) => one.name);
const clipsIn = (rows: DataRecord[]) => rows.map(({ uuid }) => String(uuid).replaceAll('-', ''));

describe('an export', () => {
  it('writes files of as many rows as were drawn, and leaves the rest', async () => {
    const set = dataSet({ videos: videos(1_100) });
    const done = await all(set.export({ flush: false }));
    expect(done.files.map(({ rows }) => rows)).toEqual([512, 512]);
    const view = await set.view();
    expect(view.waiting).toEqual({ videos: 76, sounds: 0 });
    expect(view.least).toEqual({ videos: 512, sounds: 128 });
    for (const shard of view.shards) {
      expect(shard.name).toMatch(/^default\/train\/\d{3}\/[0-9A-HJKMNP-TV-Z]{26}\.parquet$/);
      expect(await sha256OfFile(join(folder, shard.name))).toBe(shard.sha256);
    }
    const rows = (await Promise.all(view.shards.map(({ name }) => records(name)))).flat();
    expect(clipsIn(rows)).toEqual(videos(1_024).map(({ clip }) => clip));
    expect((await all(set.export({ flush: false }))).files).toEqual([]);
  });

  it('writes the rest, too, where it is told to, and everything once', async () => {
    const set = dataSet({ videos: videos(600), sounds: sounds(3) });
    expect((await all(set.export({ flush: true }))).files.map(({ rows }) => rows)).toEqual([512, 88, 3]);
    expect((await all(set.export({ flush: true }))).files).toEqual([]);
    expect((await set.view()).waiting).toEqual({ videos: 0, sounds: 0 });
    expect(await files()).toHaveLength(4);
  });

  it('writes the rest when the node stops, where there is a data set and that is enough', async () => {
    const { signal } = new AbortController();
    const counts = async () => (await dataSet({}).view()).shards.map(({ rows }) => rows);
    await dataSet({ videos: videos(40) }).flushAtStop(signal);
    expect(await counts()).toEqual([]);
    await all(dataSet({ videos: videos(1) }).export({ flush: true }));
    await dataSet({ videos: videos(32), sounds: sounds(7) }).flushAtStop(signal);
    expect(await counts()).toEqual([1]);
    await dataSet({ videos: videos(33), sounds: sounds(8) }).flushAtStop(signal);
    expect(await counts()).toEqual([1, 32, 8]);
  });

  it('keeps every field as it was', async () => {
    await all(dataSet({ videos: videos(5), sounds: sounds(5) }).export({ flush: true }));
    const shards = await dataSet({}).view();
    const rows = await Promise.all(shards.shards.map(({ name }) => records(name)));
    const made = madeVideo(4);
    expect(rows[0]?.[4]).toEqual({
      ...{
        uuid: expect.stringMatching(/^\w{8}-\w{4}-\w{4}-\w{4}-\w{12}$/),
        source: 'commons',
        source_id: 'File:Video 1.webm',
      },
      ...{ title: 'Ein «Film», Nr. 4', start_time: 4, end_time: 16.5, words: 'hello' },
      ...{ description: 'A whale, 4 🐋', described_by: 'title', width: 640, height: 360 },
      video_embed: Array.from(made.videoVector as Float32Array),
      audio_embed: Array.from(made.audioVector as Float32Array),
      description_embed: Array.from(made.descriptionVector as Float32Array),
      ...{
        description_relevance_score: 0.5,
        query_relevance_score: 0.25,
        query: 'whales',
        submitted_at: 1_790_000_004n,
      },
      ...{ space: made.space, sha256: made.sha256, licence: 'bySa', licence_url: made.licenceUrl },
      ...{ author: null, attribution: 'Film 4, CC BY', page: 'https://example.org/1' },
    });
    expect(rows[0]?.[0]).toMatchObject({ words: null, audio_embed: null, query_relevance_score: null });
    expect(rows[1]?.[1]).toMatchObject({
      audio: { bytes: new Uint8Array(1_000).fill(1), path: `${madeClip(1)}.wav` },
      ...{ diar_timestamps_start: [0, 2.5], diar_timestamps_end: [2, 4.25], diar_speakers: ['A', 'B'] },
      ...{ inverse_der: 0.9, audio_quality_score: null, total_score: 0.7 },
    });
    expect(rows[1]?.[0]).toMatchObject({ audio: null, diar_speakers: [], diar_timestamps_start: [] });
  });

  it('leaves out what may not be given away, and says why', async () => {
    const rows = videos(12);
    rows[3] = { ...(rows[3] as VideoRow), licence: 'byNd' };
    rows.push(madeVideo(5)); // twice
    const set = dataSet({ videos: rows });
    await set.takeDown({ source: 'commons', id: 'File:Video 2.webm', reason: 'asked for' });
    const done = await all(set.export({ flush: true }));
    expect(done.files.map(({ rows: count }) => count)).toEqual([7]);
    expect(done.leftOut.map(({ why, rows: count }) => [why.text, count])).toEqual([
      ['Their licence does not allow it.', 1],
      ['They were taken down.', 4],
      ['They are in a file already.', 1],
    ]);
  });

  it('says that another one runs, and ends with whoever stops reading', async () => {
    const set = dataSet({ videos: videos(600) });
    const first = set.export({ flush: true });
    await first.next();
    await expect(set.export({ flush: true }).next()).rejects.toMatchObject({ code: 'OVERLOADED' });
    await first.return(undefined);
    await all(set.export({ flush: true }));
    expect((await set.view()).waiting.videos).toBe(0);
    expect((await files()).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('is ended by its signal, and by closing: what was written stays', async () => {
    const stop = new AbortController();
    const endless: DataRows = {
      rows: async function* (kind) {
        for (let number = 0; ; number++) {
          if (number === 600) stop.abort();
          yield (kind === 'videos' ? madeVideo(number) : madeSound(number)) as never;
        }
      },
      waiting: async () => 1e9,
    };
    const set = dataSet(endless);
    await expect(Array.fromAsync(set.export({ flush: false }, stop.signal))).rejects.toMatchObject({
      code: 'CANCELLED',
    });
    expect((await set.view()).shards.map(({ rows }) => rows)).toEqual([512]);
    await set.close();
    await expect(set.export({ flush: false }).next()).rejects.toMatchObject({ code: 'CANCELLED' });
    expect((await files()).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('tells what reading rows fails of, and leaves nothing half', async () => {
    const broken: DataRows = {
      rows: async function* () {
        yield madeVideo(1) as never;
        throw new Error('disk');
      },
      waiting: async () => 512,
    };
    await expect(all(dataSet(broken).export({ flush: true }))).rejects.toThrow('disk');
    expect(await files()).toEqual([]);
  });

  it('sweeps away what a kill has left, and nothing else', async () => {
    const left = join(folder, 'default', 'train', '007', '01ARYZ6S410000000000000000.parquet');
    await mkdir(dirname(left), { recursive: true });
    await writeFile(left, 'of no use');
    await writeFile(`${left}.0123456789ab.tmp`, 'half');
    await writeFile(join(folder, 'notes.txt'), 'somebody’s');
    await all(dataSet({ videos: videos(2) }).export({ flush: true }));
    const now = await files();
    expect(now).toContain('notes.txt');
    expect(now.filter((name) => name.endsWith('.tmp'))).toEqual([]);
    expect(existsSync(left)).toBe(false);
  });

  it('leaves turns to others', async () => {
    const rows = Array.from({ length: 1_024 }, (_, number) => madeVideo(number, 512));
    const set = dataSet({ videos: rows });
    const end = longestTurn();
    await all(set.export({ flush: false }));
    const { longest, all: whole } = end();
    expect(longest).toBeLessThan(whole / 10); // milliseconds are longer on a slow processor
  });
});

it('leaves turns to others while sounds of two minutes are written', async () => {
  const wavOfEach = () => new Uint8Array(44 + 2 * 120 * 16_000).fill(1);
  const set = dataSet({ sounds: sounds(24).map((row) => ({ ...row, wav: wavOfEach() })) });
  const end = longestTurn();
  await all(set.export({ flush: true }));
  const { longest, all: whole } = end();
  expect(longest).toBeLessThan(whole / 10);
});

describe('what is taken down', () => {
  it('leaves files at the next export: they are written anew, under another name', async () => {
    const set = dataSet({ videos: videos(20) });
    await all(set.export({ flush: true }));
    const [old] = (await set.view()).shards;
    expect(await set.takeDown({ source: 'commons', id: 'File:Video 1.webm', reason: 'a' })).toMatchObject({
      reason: 'a',
    });
    expect((await set.view()).shards[0]?.takenDown).toBe(4);
    const done = await all(set.export({ flush: false }));
    expect(done.files.map(({ rows }) => rows)).toEqual([16]);
    const [shard, ...others] = (await set.view()).shards;
    expect(others).toEqual([]);
    expect(shard).toMatchObject({ rows: 16, takenDown: 0 });
    expect(existsSync(join(folder, old?.name ?? ''))).toBe(false);
    const gone = [4, 5, 6, 7].map(madeClip);
    expect(clipsIn(await records(shard?.name ?? ''))).toEqual(
      videos(20)
        .map(({ clip }) => clip)
        .filter((clip) => !gone.includes(clip)),
    );
    // An undone one comes into the next file.
    await set.undoTakeDown({ source: 'commons', id: 'File:Video 1.webm' });
    expect((await all(set.export({ flush: true }))).files.map(({ rows }) => rows)).toEqual([4]);
  });

  it('takes a file with it of which nothing is left', async () => {
    const set = dataSet({ videos: videos(4) });
    await all(set.export({ flush: true }));
    await set.takeDown({ source: 'commons', id: 'File:Video 0.webm', reason: 'a' });
    await all(set.export({ flush: true }));
    expect((await set.view()).shards).toEqual([]);
    expect(await files()).toEqual(['README.md']);
  });
});

describe('the card', () => {
  it('says what is in the files, and is the same for the same files', async () => {
    const set = dataSet({ videos: videos(6), sounds: sounds(2) });
    await all(set.export({ flush: true }));
    const card = await readFile(join(folder, 'README.md'), 'utf8');
    await expect(card).toMatchFileSnapshot('../../../fixtures/clips/data-set-card.md');
    await all(set.export({ flush: true }));
    expect(await readFile(join(folder, 'README.md'), 'utf8')).toBe(card);
  });
});

resourceContract('the data set', {
  make: async (undo) => {
    const own = await memoryDatabase();
    undo(() => own.destroy());
    const shards = new ClipShardStore(own);
    const set = new DataSet({
      store: shards,
      rows: listedRows({}, shards),
      folder: '/nowhere',
      destination: () => null,
      notes: () => ({ thresholds: [] }),
    });
    return { open: () => undefined, close: () => set.close() };
  },
});
