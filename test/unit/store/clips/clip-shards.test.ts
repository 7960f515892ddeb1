import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClipRows } from '../../../../src-main/clips/dataset/clip-rows.ts';
import { UnusableMedia } from '../../../../src-main/clips/media/media.ts';
import { ClipShardStore, type NewShard } from '../../../../src-main/store/clips/clip-shards.ts';
import { ClipStore, type NewClip } from '../../../../src-main/store/clips/clips.ts';
import type { Db } from '../../../../src-main/store/database.ts';
import { madeClip } from '../../../support/clips/data-rows.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';

let db: Db;
let store: ClipShardStore;
beforeEach(async () => {
  db = await memoryDatabase();
  store = new ClipShardStore(db);
});
afterEach(() => db.destroy());

const shard = (ulid: string, rows = 2): NewShard => ({
  ...{ ulid, kind: 'videos', rows, bytes: 100, sha256: '0'.repeat(64), facts: '{}', created_at: 1 },
});
const clip = (number: number, video = `v${number}`) => ({ clip: madeClip(number), source: 'commons' as const, video });

async function addClip(number: number, more: Partial<NewClip> = {}): Promise<void> {
  const values: NewClip = {
    ...{ clip: madeClip(number), source: 'commons', video: `v${number}`, title: 't', topic: 'whales' },
    ...{ from_s: 0, to_s: 10, description: 'd', described_by: 'title', words: null, turns: null, has_sound: 1 },
    ...{ licence: 'by', licence_url: null, author: null, attribution: 'a', page: null, url: null, bytes: 1 },
    ...{ poster_bytes: 1, sha256: '0'.repeat(64), width: 2, height: 2, container: 'webm', space: null, score: null },
    ...{ is_taken_down: 0, created_at: 5, ...more },
  };
  await db.insertInto('clips').values(values).execute();
}

describe('files of the data set, written down', () => {
  it('have a clip once: one that is in another is refused, with all of its file', async () => {
    await store.add(shard('A'), [clip(1), clip(2)]);
    await expect(store.add(shard('B'), [clip(3), clip(2)])).rejects.toThrow(/UNIQUE/);
    expect((await store.all()).map(({ ulid }) => ulid)).toEqual(['A']);
    expect(await store.inFiles('videos', [1, 2, 3].map(madeClip))).toEqual(new Set([madeClip(1), madeClip(2)]));
    await store.add({ ...shard('C'), kind: 'sounds' }, [clip(2)]);
  });

  it('are replaced without what was taken down, and remembered where they were uploaded', async () => {
    await store.add(shard('A'), [clip(1), clip(2)]);
    await store.add(shard('B'), [clip(3), clip(4)]);
    await store.uploaded(['A'], 7, 'https://hub/x');
    await store.takeDown({ source: 'commons', video: 'v1', reason: 'r', at: 3 });
    await store.takeDown({ source: 'commons', video: 'v3', reason: 'r', at: 3 });
    expect(await store.takenDownInShards()).toEqual(
      new Map([
        ['A', [madeClip(1)]],
        ['B', [madeClip(3)]],
      ]),
    );
    await store.replace('A', shard('C', 1), 9);
    await store.replace('B', null, 9);
    const left = (await store.all()).map(({ ulid, replaced_at }) => [ulid, replaced_at]);
    expect(left).toEqual([
      ['A', 9],
      ['C', null],
    ]); // B was never uploaded
    expect(await store.inFiles('videos', [1, 2, 3, 4].map(madeClip))).toEqual(new Set([madeClip(2)]));
    expect(await store.takenDownInShards()).toEqual(new Map());
    await store.forget(['A', 'C']);
    expect((await store.all()).map(({ ulid }) => ulid)).toEqual(['C']);
  });

  it('take down clips of the library with their video, and let them be again', async () => {
    await addClip(1, { video: 'v' });
    await addClip(2, { video: 'v' });
    await addClip(3);
    expect(await store.takeDown({ source: 'commons', video: 'v', reason: 'r', at: 3 })).toBe(2);
    expect(await store.takeDown({ source: 'commons', video: 'v', reason: 'other', at: 4 })).toBe(2);
    expect(await store.takeDowns()).toEqual([{ source: 'commons', video: 'v', reason: 'other', at: 4, clips: 2 }]);
    const isDown = async () =>
      (await db.selectFrom('clips').select('is_taken_down').execute()).map((one) => one.is_taken_down);
    expect(await isDown()).toEqual([1, 1, 0]);
    expect(await store.isTakenDown({ source: 'commons', id: 'v' })).toBe(true);
    await store.undoTakeDown({ source: 'commons', id: 'v' });
    expect(await isDown()).toEqual([0, 0, 0]);
    expect(await store.isTakenDown({ source: 'commons', id: 'v' })).toBe(false);
  });
});

describe('clips of the library as rows', () => {
  it('are those that are in no file, with their vectors and scores', async () => {
    const vectors = [Float32Array.of(1, 0), Float32Array.of(0, 1), Float32Array.of(0.5, 0.5)] as const;
    const score = JSON.stringify({
      ...{ worth: 0.1, uncounted: null, detail: 1, novelty: null, uniqueTokens: 9, check: 'unlooked' },
      ...{ topicRelevance: 0.3, descriptionRelevance: 0.6 },
    });
    await addClip(1, { space: 's', score, words: 'hi' });
    for (const [at, kind] of (['seen', 'heard', 'described-seen'] as const).entries()) {
      const bytes = Buffer.from(vectors[at]?.buffer as ArrayBuffer);
      await db
        .insertInto('clip_vectors')
        .values({ clip: madeClip(1), kind, space: 's', vector: bytes })
        .execute();
    }
    for (let number = 2; number < 350; number++) await addClip(number);
    await store.add(
      shard('A'),
      Array.from({ length: 150 }, (_, at) => clip(at + 2)),
    );
    const rows = new ClipRows({ shards: store, clips: new ClipStore(db), sound: async () => null });
    const list = await Array.fromAsync(rows.rows('videos'));
    expect([list.length, await rows.waiting('videos'), await rows.waiting('sounds')]).toEqual([199, 199, 0]);
    expect(list[0]).toEqual({
      ...{ clip: madeClip(1), source: 'commons', id: 'v1', title: 't', from: 0, to: 10, words: 'hi', space: 's' },
      ...{ sha256: '0'.repeat(64), licence: 'by', licenceUrl: null, author: null, attribution: 'a', page: null },
      ...{ description: 'd', describedBy: 'title', width: 2, height: 2, query: 'whales', queryRelevance: 0.3 },
      ...{ submittedAt: 5, descriptionRelevance: 0.6 },
      ...{ videoVector: vectors[0], audioVector: vectors[1], descriptionVector: vectors[2] },
    });
    expect(list[1]).toMatchObject({ clip: madeClip(152), videoVector: null, descriptionRelevance: null });
    expect(await Array.fromAsync(rows.rows('sounds'))).toEqual([]);
  });

  it('are sounds, too, where somebody has listened', async () => {
    const turns = [
      { from: 0, to: 2, speaker: 'A' },
      { from: 2, to: 3, speaker: 'B' },
    ];
    await addClip(1);
    await addClip(2, { turns: JSON.stringify(turns) });
    await addClip(3, { turns: JSON.stringify(turns) });
    await store.add({ ...shard('A'), kind: 'sounds' }, [clip(3)]);
    const heard = { samples: Float32Array.of(0, 1, -2), rate: 16_000 };
    const rows = new ClipRows({ shards: store, clips: new ClipStore(db), sound: async () => heard });
    expect([await rows.waiting('sounds'), await rows.waiting('videos')]).toEqual([1, 3]);
    const [row, ...others] = await Array.fromAsync(rows.rows('sounds'));
    expect(others).toEqual([]);
    expect(row).toMatchObject({ clip: madeClip(2), turnsFrom: [0, 2], turnsTo: [2, 3], speakers: ['A', 'B'] });
    const wav = Buffer.from(row?.wav ?? []);
    expect([wav.length, wav.toString('latin1', 0, 4), wav.readUInt32LE(24)]).toEqual([50, 'RIFF', 16_000]);
    expect([0, 1, 2].map((at) => wav.readInt16LE(44 + 2 * at))).toEqual([0, 32_767, -32_767]);
  });

  it('are without their sound where a file is damaged, and those behind it come all the same', async () => {
    for (const number of [1, 2]) await addClip(number, { turns: JSON.stringify([{ from: 0, to: 2, speaker: 'A' }]) });
    const sound = async ({ clip: id }: { clip: string }) => {
      if (id === madeClip(1)) throw new UnusableMedia('damaged');
      return { samples: Float32Array.of(0), rate: 16_000 };
    };
    const rows = new ClipRows({ shards: store, clips: new ClipStore(db), sound });
    const list = await Array.fromAsync(rows.rows('sounds'));
    expect(list.map(({ clip: id, wav }) => [id, wav?.length])).toEqual([
      [madeClip(1), undefined],
      [madeClip(2), 46],
    ]);
    const broken = new ClipRows({
      ...{ shards: store, clips: new ClipStore(db) },
      sound: () => Promise.reject(new Error('there is no ffmpeg any more')),
    });
    await expect(Array.fromAsync(broken.rows('sounds'))).rejects.toThrow('no ffmpeg');
  });

  it('are not those of a video that was taken down, and no such clip waits', async () => {
    for (const number of [1, 2, 3]) await addClip(number);
    await db.updateTable('clips').set({ is_taken_down: 1 }).where('clip', '=', madeClip(2)).execute();
    const rows = new ClipRows({ shards: store, clips: new ClipStore(db), sound: async () => null });
    const list = await Array.fromAsync(rows.rows('videos'));
    expect(list.map(({ clip: id }) => id)).toEqual([madeClip(1), madeClip(3)]);
    expect(await rows.waiting('videos')).toBe(2);
  });
});
