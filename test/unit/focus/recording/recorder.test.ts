import { appendFile, mkdtemp, open, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Changes } from '../../../../src-main/base/changes.ts';
import { sha256 } from '../../../../src-main/base/sha256.ts';
import type { Signer } from '../../../../src-main/base/signing.ts';
import { Library } from '../../../../src-main/focus/library/library.ts';
import { linkChunk } from '../../../../src-main/focus/recording/chunk-chain.ts';
import { Recorder, type RecorderOptions } from '../../../../src-main/focus/recording/recorder.ts';
import { RecordingFiles } from '../../../../src-main/focus/recording/recording-files.ts';
import { identityFromSeed, verify } from '../../../../src-main/mesh/transport/identity.ts';
import { type Db, openDatabase } from '../../../../src-main/store/database.ts';
import {
  FocusRecordingStore,
  type NewRecording,
  type StoredChunk,
} from '../../../../src-main/store/focus/focus-recordings.ts';
import type { RecordingGrant } from '../../../../src-preload/contract/focus.ts';
import { LONGEST_RECORDING_MS, MAX_CHUNK_BYTES } from '../../../../src-preload/contract/focus-limits.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';
import { until } from '../../../support/until.ts';

const TASK: NewRecording = {
  title: 'Mend the CSV import',
  description: 'of a budget app',
  surface: 'tab',
  sound: { microphone: false, system: false },
  width: 1280,
  height: 720,
};
const NO_VIDEOS = { without: <T>(_: string, work: () => Promise<T>) => work() };
const signer = identityFromSeed(Buffer.alloc(32, 7));

let dir: string;
let db: Db;
let store: FocusRecordingStore;
let files: RecordingFiles;
let now: number;
let recorder: Recorder;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-focus-'));
  db = await memoryDatabase();
  store = new FocusRecordingStore(db);
  files = new RecordingFiles(join(dir, 'focus'));
  now = 1_000_000;
  recorder = recorderWith({});
  await recorder.open();
});
afterEach(async () => {
  await recorder.close();
  await db.destroy();
  await rm(dir, { recursive: true, force: true });
});

function recorderWith(options: Partial<RecorderOptions>): Recorder {
  const common = { store, files, signer, changes: new Changes(), free: async () => 1e12, now: () => now };
  return new Recorder({ ...common, budget: () => 1e9, ...options });
}

const bytesOf = (part: number, chunk: number) => Buffer.from(`part ${part} chunk ${chunk};`);

/** Hands over the next chunk, a second after the one before. */
async function hand(
  grant: RecordingGrant,
  chunk: number,
  by = recorder,
  bytes: Uint8Array = bytesOf(grant.part, chunk),
) {
  now += 1_000;
  const activeMs = grant.activeMs + (chunk - grant.nextChunk + 1) * 1_000;
  const activity = { activeMs, motion: chunk, keys: 1, clicks: null, moves: null, picture: null };
  return await by.take(grant.token, { part: grant.part, chunk, activity, bytes });
}

async function record(seconds: number): Promise<RecordingGrant> {
  const grant = await recorder.begin(TASK);
  for (let chunk = 0; chunk < seconds; chunk++) await hand(grant, chunk);
  return grant;
}

const libraryNeeds = () => ({ store, files, recorder, videos: NO_VIDEOS, signer: signer.id, verify });
const library = () => new Library(libraryNeeds());
const whole = { brokenAt: null };

describe('Recorder', () => {
  it('keeps chunks in the order of the page, with what was done in each, and signs them as a chain', async () => {
    const { id } = await record(3);
    expect(recorder.live).toMatchObject({ recording: { id, activeMs: 3_000 }, paused: false });
    const recording = await recorder.finish(id);
    expect(recording).toMatchObject({ state: 'draft', ended: 'finished', activeMs: 3_000, endedAt: now });
    expect(await readFile(files.part(id, 0), 'utf8')).toBe('part 0 chunk 0;part 0 chunk 1;part 0 chunk 2;');
    expect(await library().check(id)).toMatchObject({ chunks: 3, ...whole });
    expect(await library().activity(id)).toMatchObject([{ motion: 0 }, { motion: 1 }, { motion: 2, clicks: null }]);
    expect(await library().motion(id, 2)).toEqual([1, 2]);
    expect(await library().motion(id, 10)).toEqual([0, 1, 2]);
    await expect(library().motion('another', 2)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(recorder.live).toBeNull();
  });

  it('takes a chunk once that comes twice, and none out of order, of another time, size or key', async () => {
    const grant = await record(2);
    expect(await hand(grant, 1)).toEqual({ nextChunk: 2, ended: null });
    await expect(hand(grant, 3)).rejects.toThrow('does not follow');
    await expect(hand(grant, 1, recorder, Buffer.from('another'))).rejects.toThrow('does not follow');
    await expect(hand(grant, 2, recorder, Buffer.alloc(0))).rejects.toThrow('1 to');
    await expect(hand(grant, 2, recorder, Buffer.alloc(MAX_CHUNK_BYTES + 1))).rejects.toThrow('1 to');
    await expect(hand({ ...grant, token: 'x' }, 2)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    const early = { activeMs: 1_999, motion: 0, keys: 0, clicks: 0, moves: 0, picture: null };
    const backwards = { part: 0, chunk: 2, activity: early, bytes: bytesOf(0, 2) };
    await expect(recorder.take(grant.token, backwards)).rejects.toThrow('before');
    expect(await store.chunks(grant.id)).toHaveLength(2);
  });

  it('records one thing at a time, unless its page has fallen silent', async () => {
    const grant = await record(2);
    await expect(recorder.begin({ ...TASK, title: 'Another' })).rejects.toThrow(TASK.title);
    now += 11_000;
    await recorder.begin({ ...TASK, title: 'Another' });
    expect(await library().get(grant.id)).toMatchObject({ state: 'interrupted', activeMs: 2_000 });
    await expect(hand(grant, 2)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('interrupts what its page is not heard of for, later while it is paused, and takes the page in again', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const changes = new Changes();
      const watched = recorderWith({ changes });
      const grant = await watched.begin(TASK);
      await hand(grant, 0, watched);
      const after = async (ms: number) => {
        now += ms;
        await vi.advanceTimersByTimeAsync(1_000);
      };
      await after(9_000);
      expect(watched.isLive(grant.id)).toBe(true);
      watched.setPaused(grant.id, true);
      await after(60_000);
      expect(watched.isLive(grant.id)).toBe(true);
      await after(30_000);
      await until(async () => expect((await library().get(grant.id)).state).toBe('interrupted'));
      expect([watched.live, vi.getTimerCount()]).toEqual([null, 0]);
      const again = await watched.goOn(grant.id, false);
      expect(again).toMatchObject({ part: 0, nextChunk: 1 });
      await hand(again, 1, watched);
      await after(10_000);
      await until(async () => expect((await library().get(grant.id)).state).toBe('interrupted'));
      await watched.close();
    } finally {
      vi.useRealTimers();
    }
  });

  it('goes on in one page: another one takes over only what no page is heard of for', async () => {
    const first = await recorder.begin(TASK, 'page 1');
    await hand(first, 0);
    await expect(recorder.goOn(first.id, true, 'page 2')).rejects.toThrow(TASK.title);
    const again = await recorder.goOn(first.id, false, 'page 1'); // its answer was lost, say
    await hand(again, 1);
    now += 10_000;
    const second = await recorder.goOn(first.id, true, 'page 2');
    await hand(second, 0);
    await expect(hand(again, 2)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(recorder.goOn(first.id, false, 'page 1')).rejects.toThrow(TASK.title); // it wakes up
    await hand(second, 1);
    expect(await recorder.finish(first.id)).toMatchObject({ activeMs: 4_000 });
  });

  it('does not take a page for gone while the disk is slow with what it sent', async () => {
    const grant = await recorder.begin(TASK, 'page 1');
    await hand(grant, 0);
    const slow = Promise.withResolvers<void>();
    const added = vi.spyOn(store, 'addChunk').mockImplementationOnce(() => slow.promise);
    const taken = hand(grant, 1);
    await until(() => expect(added).toHaveBeenCalled());
    now += 30_000;
    await expect(recorder.goOn(grant.id, true, 'page 2')).rejects.toThrow(TASK.title);
    slow.resolve();
    expect(await taken).toMatchObject({ nextChunk: 2 });
    await expect(recorder.goOn(grant.id, true, 'page 2')).rejects.toThrow(TASK.title);
  });

  it('goes on at another node in the same stream, and with a new part for a new page', async () => {
    const { id } = await record(2);
    const next = recorderWith({});
    await next.open(); // the first was killed
    expect(await library().get(id)).toMatchObject({ state: 'interrupted' });
    const same = await next.goOn(id, false);
    expect(same).toMatchObject({ part: 0, nextChunk: 2, activeMs: 2_000 });
    await hand(same, 2, next);
    const another = await next.goOn(id, true);
    expect(another).toMatchObject({ part: 1, nextChunk: 0, activeMs: 3_000 });
    await hand(another, 0, next);
    await next.finish(id);
    await expect(next.goOn(id, false)).rejects.toThrow('come to its end');
    expect(await library().get(id)).toMatchObject({ activeMs: 4_000, state: 'draft' });
    expect(await library().check(id)).toMatchObject({ chunks: 4, ...whole });
    await next.close();
  });

  it('cuts off what was amid it when the power went, and chunks whose bytes are gone', async () => {
    const { id } = await record(3);
    await appendFile(files.part(id, 0), 'half of a chu');
    await writeFile(files.part(id, 1), 'of a part that began');
    await recorderWith({}).open();
    expect((await stat(files.part(id, 0))).size).toBe(45);
    await expect(stat(files.part(id, 1))).rejects.toThrow('ENOENT');
    await store.setState(id, 'recording');
    await truncate(files.part(id, 0), 31);
    await recorderWith({}).open();
    expect((await stat(files.part(id, 0))).size).toBe(30);
    expect(await library().get(id)).toMatchObject({ activeMs: 2_000, bytes: 30, state: 'interrupted' });
    expect(await library().check(id)).toMatchObject({ chunks: 2, ...whole });
  });

  it('takes no more than there was time for, but what waited, and what comes when the clock was put back', async () => {
    const grant = await recorder.begin(TASK);
    const nothing = { motion: 0, keys: 0, clicks: 0, moves: 0, picture: null };
    const claim = (chunk: number, activeMs: number) =>
      recorder.take(grant.token, { part: 0, chunk, activity: { ...nothing, activeMs }, bytes: bytesOf(0, chunk) });
    now += 800;
    await expect(claim(0, 60_000)).rejects.toThrow('shows 60 seconds');
    now += 60_000;
    for (const chunk of [0, 1, 2]) expect(await claim(chunk, (chunk + 1) * 20_000)).toMatchObject({ ended: null });
    await expect(claim(3, 70_000)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    now -= 3_600_000;
    expect(await claim(3, 61_000)).toMatchObject({ nextChunk: 4 });
    now += 1_000;
    expect(await claim(4, 62_000)).toMatchObject({ nextChunk: 5 });
    now += 20_000;
    const { activeMs, token } = await recorder.goOn(grant.id, false);
    expect(activeMs).toBe(62_000);
    const activity = { ...nothing, activeMs: 63_000 };
    expect(await recorder.take(token, { part: 0, chunk: 5, activity, bytes: bytesOf(0, 5) })).toMatchObject({
      nextChunk: 6,
    });
  });

  it('forgets the last seconds, on the disk too, across parts, and goes on with a new part', async () => {
    const grant = await record(2);
    const { grant: second, forgottenMs } = await recorder.forgetLast(grant.id, 1);
    expect([forgottenMs, second.part, second.nextChunk]).toEqual([1_000, 1, 0]);
    for (const chunk of [0, 1, 2]) await hand(second, chunk);
    const { grant: third, forgottenMs: more } = await recorder.forgetLast(grant.id, 600);
    expect(more).toBe(4_000);
    expect(await store.chunks(grant.id)).toEqual([]);
    await expect(stat(files.part(grant.id, 0))).rejects.toThrow('ENOENT');
    await hand(third, 0);
    await recorder.finish(grant.id);
    expect(await library().check(grant.id)).toMatchObject({ chunks: 1, ...whole });
  });

  it('finds out what was changed behind it: bytes, what was done, order, and another’s recording', async () => {
    const { id } = await record(3);
    await recorder.finish(id);
    const text = await readFile(files.part(id, 0), 'utf8');
    await writeFile(files.part(id, 0), text.replace('chunk 1', 'chunk X'));
    expect(await library().check(id)).toMatchObject({ chunks: 3, brokenAt: 1 });
    await writeFile(files.part(id, 0), text);
    await db.updateTable('focus_chunks').set({ keys: 99 }).where('chunk', '=', 2).execute();
    expect(await library().check(id)).toMatchObject({ chunks: 3, brokenAt: 2 });
    await db.deleteFrom('focus_chunks').where('chunk', '=', 0).execute();
    expect(await library().check(id)).toMatchObject({ chunks: 2, brokenAt: 0 });
  });

  it('checks a recording of which seconds are forgotten meanwhile as it was before, and forgets them then', async () => {
    const { id } = await record(30);
    let forgot: ReturnType<Recorder['forgetLast']> | undefined;
    const meanwhile: typeof verify = (...signed) => {
      forgot ??= recorder.forgetLast(id, 20);
      return verify(...signed);
    };
    const checking = new Library({ ...libraryNeeds(), verify: meanwhile }).check(id);
    expect(await checking).toMatchObject({ chunks: 30, ...whole });
    expect(await forgot).toMatchObject({ forgottenMs: 20_000 });
    expect(await library().check(id)).toMatchObject({ chunks: 10, ...whole });
  });

  it('checks old recordings with the key that the node had then, and goes on with none of another key', async () => {
    const { id } = await record(3);
    await recorder.finish(id);
    const interrupted = await record(2);
    await recorder.close();
    const restored = identityFromSeed(Buffer.alloc(32, 8));
    const later = new Library({ ...libraryNeeds(), signer: restored.id });
    expect(await later.check(id)).toEqual({ chunks: 3, ...whole, otherSigner: signer.id });
    expect(await library().check(id)).toEqual({ chunks: 3, ...whole, otherSigner: null });
    const next = recorderWith({ signer: restored });
    await next.open();
    await expect(next.goOn(interrupted.id, true)).rejects.toMatchObject({
      said: { message: { key: 'focus.otherKey' } },
    });
    expect(await next.finish(interrupted.id)).toMatchObject({ state: 'draft' });
    const fresh = await next.begin(TASK);
    await hand(fresh, 0, next);
    expect(await later.check(fresh.id)).toMatchObject({ ...whole, otherSigner: null });
    await next.close();
  });

  it('writes down whose key signed recordings of before that was kept, where it is that of today', async () => {
    const { id } = await record(2);
    await recorder.finish(id);
    await db.updateTable('focus_recordings').set({ signer: null }).execute();
    const other = identityFromSeed(Buffer.alloc(32, 8)).id;
    await new Library({ ...libraryNeeds(), signer: other }).open();
    expect(await store.signerOf(id)).toBeNull();
    expect(await library().check(id)).toMatchObject(whole);
    await library().open();
    expect(await store.signerOf(id)).toBe(signer.id);
  });

  it('finds out what was rewritten in its file and its rows alike: sums, links, signatures, and in whose name', async () => {
    const { id } = await record(3);
    const { startedAt } = await recorder.finish(id);
    const forger = identityFromSeed(Buffer.alloc(32, 9));
    const forged = Buffer.from('part 0 chunk X;');
    const text = await readFile(files.part(id, 0), 'utf8');
    await writeFile(files.part(id, 0), text.replace('part 0 chunk 1;', forged.toString()));
    const set = async (values: Partial<StoredChunk>, chunk: number) => {
      const { sha256: sum, link, signature } = { ...(await store.chunks(id))[chunk], ...values } as StoredChunk;
      const row = db.updateTable('focus_chunks').set({ sha256: sum, link, signature });
      await row.where('recording', '=', id).where('chunk', '=', chunk).execute();
    };
    await set({ sha256: sha256(forged).toString('hex') }, 1);
    expect(await library().check(id)).toMatchObject({ brokenAt: 1 });
    const root = { recording: id, startedAt, signer: signer.id };
    const relink = async (by: Signer, named: typeof root) => {
      let previous: string | undefined;
      for (const [at, { link: _link, signature: _signature, sha256: _sum, ...about }] of (
        await store.chunks(id)
      ).entries()) {
        const bytes = at === 1 ? forged : bytesOf(0, at);
        const linked = linkChunk(named, previous, { ...about, bytes }, by);
        await set(linked, at);
        previous = linked.link;
      }
    };
    await relink(forger, root);
    expect(await library().check(id)).toMatchObject({ brokenAt: 0 });
    await relink(forger, { ...root, signer: forger.id });
    expect(await library().check(id)).toMatchObject({ brokenAt: 0 });
    await store.setSigner(id, forger.id);
    expect(await library().check(id)).toMatchObject({ ...whole, otherSigner: forger.id });
  });

  it('finds out what was added behind a part, and that the last chunks are gone', async () => {
    const { id } = await record(3);
    await appendFile(files.part(id, 0), 'amid a chunk');
    expect(await library().check(id)).toMatchObject({ chunks: 3, ...whole });
    await recorder.finish(id);
    expect(await library().check(id)).toMatchObject({ chunks: 3, ...whole });
    await appendFile(files.part(id, 0), 'added');
    expect(await library().check(id)).toMatchObject({ chunks: 3, brokenAt: 2 });
    await truncate(files.part(id, 0), 45);
    await db.deleteFrom('focus_chunks').where('chunk', '=', 2).execute();
    await truncate(files.part(id, 0), 30);
    expect(await library().check(id)).toMatchObject({ chunks: 2, brokenAt: 2 });
  });

  it('counts what was made of recordings, and lets it give way to what is recorded, the oldest first', async () => {
    const ids = [];
    for (const at of [1, 2, 3]) {
      const { id } = await record(1);
      await recorder.finish(id);
      await writeFile(files.video(id), 'x'.repeat(100));
      await writeFile(files.strip(id).picture, 'x'.repeat(10));
      await utimes(files.video(id), at, at);
      ids.push(id);
    }
    await writeFile(join(files.folder, 'notes.txt'), 'no recording');
    const recorded = (await store.sums()).bytes;
    const tight = recorderWith({ budget: () => recorded + 250 });
    await tight.open();
    expect((await tight.room()).bytes).toBe(recorded + 330);
    const grant = await tight.begin(TASK);
    expect(await files.made()).toEqual(ids.slice(1).map((id) => ({ id, bytes: 110 })));
    expect(await hand(grant, 0, tight, Buffer.alloc(60))).toMatchObject({ ended: null });
    expect(await files.made()).toEqual([{ id: ids[2], bytes: 110 }]);
    expect(await hand(grant, 1, tight, Buffer.alloc(200))).toMatchObject({ ended: 'budget' });
    expect(await files.made()).toEqual([]);
    await tight.close();
  });

  it('counts what was exported and waits to be taken, and lets it give way after the videos, the oldest first', async () => {
    const { id } = await record(1);
    await recorder.finish(id);
    const [older, newer] = [files.export(id, '0'.repeat(12)), files.export(id, '1'.repeat(12))];
    await writeFile(files.video(id), 'x'.repeat(50));
    for (const [at, path] of [older, newer].entries()) {
      await writeFile(path, 'x'.repeat(100));
      await utimes(path, at + 1, at + 1);
    }
    await writeFile(`${older}.${'2'.repeat(12)}.tmp`, 'still being written');
    const recorded = (await store.sums()).bytes;
    const tight = recorderWith({ budget: () => recorded + 150 });
    await tight.open();
    expect((await tight.room()).bytes).toBe(recorded + 250);
    await tight.begin(TASK);
    expect(await files.made()).toEqual([{ id, bytes: 100, exported: newer }]);
    expect((await tight.room()).bytes).toBe(recorded + 100);
    await tight.close();
  });

  it('finds recordings by how their ids begin, however many there are', async () => {
    const about = { ...TASK, description: '' };
    const idOf = (index: number) => `${index.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
    for (let index = 0; index < 230; index++) {
      await store.begin(idOf(index), about, { startedAt: 1_000 + index, signer: signer.id });
    }
    expect(await library().find('00000000')).toMatchObject([{ id: idOf(0) }]);
    expect(await library().find(idOf(229))).toMatchObject([{ id: idOf(229) }]);
    expect(await library().find('0000000f')).toMatchObject([{ id: idOf(15) }]);
    expect(await library().find('000000')).toHaveLength(2);
    expect(await library().find('f')).toEqual([]);
  });

  it('ends at the longest time, at the budget, and on a drive that is nearly full', async () => {
    const grant = await recorder.begin(TASK);
    now += LONGEST_RECORDING_MS;
    const activity = { activeMs: LONGEST_RECORDING_MS, motion: 0, keys: 0, clicks: 0, moves: 0, picture: null };
    const taken = await recorder.take(grant.token, { part: 0, chunk: 0, activity, bytes: bytesOf(0, 0) });
    expect(taken).toEqual({ nextChunk: 1, ended: 'longest' });
    expect(await library().get(grant.id)).toMatchObject({ state: 'draft', ended: 'longest' });

    const tight = recorderWith({ budget: () => 45 });
    await tight.open();
    const second = await tight.begin(TASK);
    expect(await hand(second, 0, tight)).toMatchObject({ ended: null });
    expect(await hand(second, 1, tight)).toMatchObject({ ended: 'budget' });
    await expect(tight.begin(TASK)).rejects.toMatchObject({ code: 'DISK_FULL' });

    let free = 2e9;
    const full = recorderWith({ free: async () => free });
    const third = await full.begin(TASK);
    free = 1e8;
    const large = Buffer.alloc(MAX_CHUNK_BYTES);
    expect(await hand(third, 0, full, large)).toMatchObject({ ended: null });
    expect(await hand(third, 1, full, large)).toMatchObject({ ended: 'disk' });
    await expect(full.begin(TASK)).rejects.toMatchObject({ code: 'DISK_FULL' });
  });

  it('ends where the drive takes no more, with all that it took', async () => {
    const grant = await record(3);
    const any = await open(join(dir, 'any'), 'w');
    await any.close();
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    const write = vi.spyOn(Object.getPrototypeOf(any), 'write').mockRejectedValue(full);
    expect(await hand(grant, 3)).toEqual({ nextChunk: 3, ended: 'disk' });
    write.mockRestore();
    expect(await library().check(grant.id)).toMatchObject({ chunks: 3, ...whole });
    const recording = await store.get(grant.id);
    expect(recording).toMatchObject({ state: 'draft', ended: 'disk', activeMs: 3_000 });
    await expect(hand(grant, 4)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('keeps nothing of what was never recorded', async () => {
    const { id } = await recorder.begin(TASK);
    await expect(recorder.finish(id)).rejects.toThrow('not one second');
    expect(await store.get(id)).toBeUndefined();
    const next = await recorder.begin(TASK);
    await recorder.close();
    expect(await store.get(next.id)).toBeUndefined();
  });

  it('deletes every trace, but nothing that is being recorded', async () => {
    const { id } = await record(2);
    await expect(library().remove([id])).rejects.toThrow(TASK.title);
    await recorder.finish(id);
    await library().remove([id, id]);
    expect(await store.get(id)).toBeUndefined();
    expect(await store.chunks(id)).toEqual([]);
    await expect(stat(files.of(id))).rejects.toThrow('ENOENT');
    expect(await recorder.room()).toMatchObject({ count: 0, bytes: 0 });
  });

  it('begins no part where there is nothing to forget', async () => {
    const { id } = await record(1);
    for (let times = 0; times < 5; times++) await recorder.forgetLast(id, 60);
    const { forgottenMs, grant } = await recorder.forgetLast(id, 60);
    expect([forgottenMs, grant.part, grant.nextChunk]).toEqual([0, 1, 0]);
    expect(await readdir(files.of(id))).toEqual(['part-1.webm']);
    await hand(grant, 0);
    await recorder.finish(id);
    expect(await library().check(id)).toMatchObject({ chunks: 1, ...whole });
  });

  it('leaves nothing in the log of the database of what was forgotten or deleted', async () => {
    await db.destroy();
    const path = join(dir, 'quarry.db');
    db = await openDatabase(path);
    store = new FocusRecordingStore(db);
    recorder = recorderWith({});
    const { id } = await record(3);
    const logged = async () => (await stat(`${path}-wal`)).size;
    expect(await logged()).toBeGreaterThan(0);
    await recorder.forgetLast(id, 1);
    expect(await logged()).toBe(0);
    await recorder.finish(id);
    expect(await logged()).toBeGreaterThan(0);
    await library().remove([id]);
    expect(await logged()).toBe(0);
  });

  it('goes on with nothing that is being deleted', async () => {
    const { id } = await record(2);
    await recorder.close();
    const removed = vi.spyOn(files, 'remove');
    let goesOn: Promise<unknown> | undefined;
    removed.mockImplementationOnce(async (of) => {
      goesOn = recorder.goOn(id, false).catch((error: unknown) => error);
      await Promise.race([goesOn, pause(50)]);
      await files.remove(of);
    });
    await library().remove([id]);
    expect(await goesOn).toMatchObject({ said: { message: { key: 'focus.unknown' } } });
    removed.mockRestore();
  });

  it('finds recordings by their words', async () => {
    for (const title of ['One % of it', 'Two']) {
      await hand(await recorder.begin({ ...TASK, title }), 0);
      now += 20_000;
    }
    const found = await library().list({ text: '% of', limit: 10 });
    expect(found.recordings.map(({ title }) => title)).toEqual(['One % of it']);
    expect((await library().list({ text: '', limit: 1 })).more).toBe(true);
  });
});
