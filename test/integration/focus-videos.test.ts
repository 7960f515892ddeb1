import { existsSync } from 'node:fs';
import { appendFile, copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Changes } from '../../src-main/base/changes.ts';
import { Library } from '../../src-main/focus/library/library.ts';
import { Videos, type VideosOptions } from '../../src-main/focus/media/videos.ts';
import { Recorder, type RecorderOptions } from '../../src-main/focus/recording/recorder.ts';
import { RecordingFiles } from '../../src-main/focus/recording/recording-files.ts';
import { identityFromSeed, verify } from '../../src-main/mesh/transport/identity.ts';
import { nodeSpawner } from '../../src-main/process/process-spawner.ts';
import type { Db } from '../../src-main/store/database.ts';
import { FocusRecordingStore, type NewRecording } from '../../src-main/store/focus/focus-recordings.ts';
import type { ExportRecording, RecordingGrant } from '../../src-preload/contract/focus.ts';
import { memoryDatabase } from '../support/memory-database.ts';
import { paintedStream } from '../support/painted-video.ts';
import { readWebm, recordedStream } from '../support/webm.ts';

const TASK: NewRecording = {
  title: 'Mend the CSV import',
  description: '',
  surface: 'tab',
  sound: { microphone: false, system: false },
  width: 320,
  height: 180,
};
/** As who asks for an export leaves it. */
const AS_IT_IS: Omit<ExportRecording, 'id'> = { mute: false, boxes: [], container: 'webm', metadata: true };
const signer = identityFromSeed(Buffer.alloc(32, 7));

let dir: string;
let db: Db;
let store: FocusRecordingStore;
let files: RecordingFiles;
let recorder: Recorder;
/** Chunks come faster than they would be recorded, so it begins a while ago. */
let aheadMs: number;
let videos: Videos;
/** Processes that were started. */
let started: number;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-videos-'));
  db = await memoryDatabase();
  store = new FocusRecordingStore(db);
  files = new RecordingFiles(join(dir, 'focus'));
  aheadMs = -120_000;
  const onLive: RecorderOptions['onLive'] = (recording) => videos.leave(recording);
  const room = { budget: () => 1e12, free: async () => 1e12, now: () => Date.now() + aheadMs };
  recorder = new Recorder({ store, files, signer, ...room, changes: new Changes(), onLive });
  await recorder.open();
  started = 0;
  videos = videosWith({});
});
afterEach(async () => {
  await videos.close();
  await recorder.close();
  await db.destroy();
  await rm(dir, { recursive: true, force: true });
});

function videosWith(options: Partial<VideosOptions>): Videos {
  const spawner: VideosOptions['spawner'] = {
    spawn(launch, listeners) {
      started++;
      return nodeSpawner.spawn(launch, listeners);
    },
  };
  const isLive = (id: string) => recorder.isLive(id);
  return new Videos({ store, files, isLive, spawner, free: async () => 1e12, ...options });
}

const library = () => new Library({ store, files, recorder, videos, signer: signer.id, verify });

/** Records a stream of so many seconds, in chunks, as a page does. @returns its packets */
async function record(grant: RecordingGrant, seconds: number, stream = recordedStream({ seconds, sound: true })) {
  const { bytes, packets } = await stream;
  const size = Math.ceil(bytes.length / seconds);
  for (let chunk = 0; chunk < seconds; chunk++) {
    const activity = {
      activeMs: grant.activeMs + (chunk + 1) * 1_000,
      motion: 7,
      keys: null,
      clicks: null,
      moves: null,
      picture: null,
    };
    const piece = bytes.subarray(chunk * size, (chunk + 1) * size);
    aheadMs += 1_000;
    await recorder.take(grant.token, { part: grant.part, chunk, activity, bytes: piece });
  }
  return packets;
}

async function recorded(seconds: number, stream?: ReturnType<typeof recordedStream>): Promise<string> {
  const grant = await recorder.begin(TASK);
  await record(grant, seconds, stream);
  await recorder.finish(grant.id);
  return grant.id;
}

/** Ten pictures a second that can be decoded, each of another brightness. */
function painted(seconds: number) {
  const times = Array.from({ length: seconds * 10 }, (_, index) => index * 100);
  const paint = (_x: number, _y: number, atMs: number) => [20 + ((atMs / 20) % 200), 128, 128] as const;
  return paintedStream({ width: 64, height: 48, times, sound: seconds, paint });
}

async function prepared(id: string, by = videos): Promise<number[]> {
  return (await Array.fromAsync(by.prepare(id))).map(({ done }) => done);
}

async function stripOf(id: string) {
  const steps = await Array.fromAsync(videos.strip(id));
  const [made, ...more] = steps.flatMap((step) => (step.type === 'done' ? [step.strip] : []));
  if (!made || more.length > 0) throw new Error('It has to come, once.');
  return { strip: made, progress: steps.flatMap((step) => (step.type === 'progress' ? [step.done] : [])) };
}

it('makes the video once for all who ask, and not again', async () => {
  const id = await recorded(4);
  await expect(videos.view(id)).rejects.toMatchObject({ said: { message: { key: 'focus.video.notPrepared' } } });
  const told = await Promise.all([prepared(id), prepared(id)]);
  expect(told.map((steps) => steps.at(-1))).toEqual([1, 1]);
  expect(await prepared(id)).toEqual([1]);
  expect(started).toBe(1);
  const { path } = await videos.view(id);
  const file = videos.fileOf(path.split('/').at(-1) ?? '', 'video');
  expect(file).toBe(files.video(id));
  expect((await readWebm(await readFile(files.video(id)))).durationMs).toBe(4_000);
});

it('shows the video of a recording that was made while the clock was ahead', async () => {
  aheadMs = 24 * 3_600_000;
  const id = await recorded(4);
  await prepared(id);
  expect(await videos.view(id)).toMatchObject({ path: expect.stringContaining('/focus/video/') });
});

it('makes the video again where it is one of other chunks, or another one than was made, however new its file is', async () => {
  const id = await recorded(4);
  const other = await recorded(2);
  for (const each of [id, other]) await prepared(each);
  await copyFile(files.video(other), files.video(id));
  await expect(videos.view(id)).rejects.toMatchObject({ said: { message: { key: 'focus.video.notPrepared' } } });
  await copyFile(files.aboutVideo(other), files.aboutVideo(id));
  await expect(videos.view(id)).rejects.toMatchObject({ said: { message: { key: 'focus.video.notPrepared' } } });
  await writeFile(files.aboutVideo(id), '{"link":');
  await prepared(id);
  expect((await readWebm(await readFile(files.video(id)))).durationMs).toBe(4_000);
});

it('has nothing in it that somebody put behind what was recorded', async () => {
  const id = await recorded(4);
  const before = await readFile(files.part(id, 0));
  await appendFile(files.part(id, 0), before.subarray(before.lastIndexOf(Buffer.from([0x1f, 0x43, 0xb6, 0x75]))));
  await prepared(id);
  const { video, durationMs } = await readWebm(await readFile(files.video(id)));
  expect([video?.length, durationMs]).toEqual([40, 4_000]);
});

it('has none of a recording that goes on, and after it another with all of it', async () => {
  const grant = await recorder.begin(TASK);
  await record(grant, 4);
  await expect(prepared(grant.id)).rejects.toMatchObject({ said: { message: { key: 'focus.busy' } } });
  await recorder.close();
  await prepared(grant.id);
  const { path } = await videos.view(grant.id);
  const next = await recorder.goOn(grant.id, true);
  expect(existsSync(files.video(grant.id))).toBe(false);
  expect(videos.fileOf(path.split('/').at(-1) ?? '', 'video')).toBeUndefined();
  await record(next, 3);
  await recorder.finish(grant.id);
  await prepared(grant.id);
  expect((await readWebm(await readFile(files.video(grant.id)))).durationMs).toBe(7_000);
});

it('has nothing of seconds that were forgotten after a video was made', async () => {
  const first = await recorder.begin(TASK);
  const secrets = await record(first, 6);
  await recorder.close();
  await prepared(first.id);
  await recorder.goOn(first.id, true);
  const { forgottenMs } = await recorder.forgetLast(first.id, 3);
  expect(forgottenMs).toBe(3_000);
  await recorder.finish(first.id);
  await prepared(first.id);
  const folder = await readdir(files.of(first.id));
  const bytes = Buffer.concat(await Promise.all(folder.map((name) => readFile(join(files.of(first.id), name)))));
  const last = secrets.filter(({ atMs }) => atMs >= 4_000);
  expect(last.filter(({ data }) => bytes.includes(data))).toEqual([]);
});

it('keeps no video that was being made when its recording went on', async () => {
  const grant = await recorder.begin(TASK);
  await record(grant, 4);
  await recorder.close();
  let goesOn: Promise<RecordingGrant> | undefined;
  videos = videosWith({
    spawner: {
      spawn(launch, listeners) {
        goesOn = recorder.goOn(grant.id, true);
        return nodeSpawner.spawn(launch, listeners);
      },
    },
  });
  await expect(prepared(grant.id)).rejects.toMatchObject({ said: { message: { key: 'focus.busy' } } });
  await goesOn;
  expect(await readdir(files.of(grant.id))).toEqual(['part-0.webm', 'part-1.webm']);
});

it('keeps no file that was exported, or is being exported, when its recording goes on', async () => {
  const grant = await recorder.begin(TASK);
  await record(grant, 4);
  await recorder.close();
  const exported = videos.export({ id: grant.id, ...AS_IT_IS });
  let path = '';
  while (!path) {
    const { value } = await exported.next();
    if (value?.type === 'done') path = value.path;
  }
  expect(existsSync(path)).toBe(true);
  const stopped = Array.fromAsync(videos.export({ id: grant.id, ...AS_IT_IS }));
  const refused = expect(stopped).rejects.toMatchObject({ said: { message: { key: 'focus.busy' } } });
  await expect.poll(() => started).toBe(3);
  await recorder.goOn(grant.id, true);
  expect((await readdir(files.of(grant.id))).sort()).toEqual(['part-0.webm', 'part-1.webm']);
  await refused;
  await exported.return();
});

it('leaves nothing of a recording that is deleted while its video is made', async () => {
  const id = await recorded(4);
  const making = prepared(id);
  const refused = expect(making).rejects.toMatchObject({ name: 'AbortError' });
  await expect.poll(() => started).toBe(1);
  await library().remove([id]);
  await refused;
  expect(existsSync(files.of(id))).toBe(false);
  await expect(prepared(id)).rejects.toMatchObject({ said: { message: { key: 'focus.unknown' } } });
});

it('exports pieces to a file that is there until it was taken', async () => {
  const id = await recorded(8, painted(8));
  const leaving = new AbortController();
  const steps = videos.export({ id, spans: [{ fromMs: 1_250, toMs: 5_000 }], ...AS_IT_IS, mute: true }, leaving.signal);
  let path = '';
  for await (const step of steps) {
    if (step.type === 'progress') continue;
    path = step.path;
    expect(step).toMatchObject({ durationMs: 3_700, hasSound: false, kept: [{ fromMs: 1_300, toMs: 5_000 }] });
    expect((await readWebm(await readFile(path))).video).toHaveLength(37);
    leaving.abort();
  }
  expect(existsSync(path)).toBe(false);
  expect((await readdir(files.of(id))).sort()).toEqual(['part-0.webm', 'video.json', 'video.webm']);
});

it('tells how far an export is from its beginning, also where nothing has to be joined first', async () => {
  const id = await recorded(8, painted(8));
  const toldOf = async () => {
    const told: number[] = [];
    for await (const step of videos.export({ id, ...AS_IT_IS })) {
      if (step.type === 'done') return told;
      told.push(step.done);
    }
    return told;
  };
  const joinedFirst = await toldOf();
  expect(joinedFirst.toSorted((a, b) => a - b)).toEqual(joinedFirst);
  for (const told of [joinedFirst, await toldOf()]) expect(told[0]).toBeLessThan(0.5);
});

it('stops an export that nobody wants any more, and all work when the node closes', async () => {
  const id = await recorded(4);
  await prepared(id);
  const gone = AbortSignal.abort(new Error('gone'));
  await expect(Array.fromAsync(videos.export({ id, ...AS_IT_IS }, gone))).rejects.toThrow('gone');
  const other = await recorded(4);
  const refused = expect(prepared(other)).rejects.toThrow();
  await expect.poll(() => started).toBe(2);
  await videos.close();
  await refused;
  expect(await readdir(files.of(other))).toEqual(['part-0.webm']);
});

it('leaves nothing of an export that is called off just when it is made', async () => {
  const id = await recorded(8, painted(8));
  await prepared(id);
  const calledOff = new AbortController();
  videos = videosWith({
    spawner: {
      spawn: (launch, listeners) =>
        nodeSpawner.spawn(launch, {
          ...listeners,
          onMessage: (message) => {
            listeners.onMessage(message);
            if (JSON.stringify(message).includes('"result"')) calledOff.abort(new Error('called off'));
          },
        }),
    },
  });
  await expect(Array.fromAsync(videos.export({ id, ...AS_IT_IS }, calledOff.signal))).rejects.toThrow('called off');
  await videos.close();
  expect((await readdir(files.of(id))).sort()).toEqual(['part-0.webm', 'video.json', 'video.webm']);
});

it('begins nothing where the drive would be full', async () => {
  const id = await recorded(2);
  videos = videosWith({ free: async () => 500 << 20 });
  await expect(prepared(id)).rejects.toMatchObject({ code: 'DISK_FULL' });
  expect(started).toBe(0);
});

it('takes single pictures of a recording, also of one whose video is not made yet', async () => {
  const id = await recorded(8, painted(8));
  const stills = await videos.stills(id, { count: 4, side: 32 });
  expect(stills.map(({ atMs }) => atMs)).toEqual([0, 2_000, 4_000, 6_000]);
  for (const { jpeg } of stills) expect(Buffer.from(jpeg.subarray(0, 3)).toString('hex')).toBe('ffd8ff');
  const exact = await videos.stills(id, { atMs: [3_150], side: 32, exact: true });
  expect(exact.map(({ atMs }) => atMs)).toEqual([3_100]);
  const gone = AbortSignal.abort(new Error('gone'));
  await expect(videos.stills(id, { count: 4, side: 32 }, gone)).rejects.toThrow('gone');
});

it('makes small pictures of a video and finds its chapters when they are asked for, once for all, and keeps them as long as the video', async () => {
  const id = await recorded(8, painted(8));
  await expect(stripOf(id)).rejects.toMatchObject({ said: { message: { key: 'focus.video.notPrepared' } } });
  await prepared(id);
  const [{ strip, progress }, chapters] = await Promise.all([stripOf(id), videos.chapters(id)]);
  expect(progress[0]).toBe(0);
  expect(strip).toMatchObject({ columns: 10, width: 64, height: 48, times: [0, 2_000, 4_000, 6_000] });
  expect(chapters).toEqual([0]);
  expect(started).toBe(2);
  const [, ticket = ''] = /\/focus\/video\/([^/]+)\/strip\.jpg$/.exec(strip.path) ?? [];
  const picture = videos.fileOf(ticket, 'strip') ?? '';
  expect((await readFile(picture)).subarray(0, 3).toString('hex')).toBe('ffd8ff');
  expect((await stripOf(id)).progress).toEqual([]);
  expect(started).toBe(2);
  await files.removeVideo(id);
  expect(await readdir(files.of(id))).toEqual(['part-0.webm']);
});

it('counts what it has made, and deletes at the next opening what a killed node has left', async () => {
  const id = await recorded(4);
  videos = videosWith({ onMade: () => recorder.recount() });
  const { bytes } = await recorder.room();
  await prepared(id);
  expect((await recorder.room()).bytes).toBe(
    bytes + (await stat(files.video(id))).size + (await stat(files.aboutVideo(id))).size,
  );
  await writeFile(files.export(id, '0123456789ab'), 'left');
  await videos.open();
  expect((await readdir(files.of(id))).sort()).toEqual(['part-0.webm', 'video.json', 'video.webm']);
});

it('keeps four exported files at once, of whatever recording, and counts them until they are gone', async () => {
  const id = await recorded(2);
  videos = videosWith({ onMade: () => recorder.recount() });
  await prepared(id);
  const { bytes } = await recorder.room();
  const taking = new AbortController();
  const paths: string[] = [];
  const waiting: Promise<unknown>[] = [];
  for (let count = 0; count < 6; count++) {
    const steps = videos.export({ id, ...AS_IT_IS }, taking.signal);
    let path = '';
    while (!path) {
      const { value } = await steps.next();
      if (value?.type === 'done') path = value.path;
    }
    paths.push(path);
    // Of every other nobody asks for the next step.
    waiting.push(count % 2 ? steps.next() : Promise.resolve());
  }
  expect(paths.map((path) => existsSync(path))).toEqual([false, false, true, true, true, true]);
  const { size } = await stat(paths[5] ?? '');
  expect((await recorder.room()).bytes).toBeGreaterThan(bytes + 3 * size);
  expect((await recorder.room()).bytes).toBeLessThan(bytes + 5 * size);
  taking.abort();
  await Promise.all(waiting);
  expect(paths.map((path) => existsSync(path))).toEqual([false, false, true, false, true, false]);
});
