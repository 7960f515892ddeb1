import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeFile } from '../../src-main/focus/media/media-job.ts';
import { nodeSpawner, type ProcessSpawner } from '../../src-main/process/process-spawner.ts';
import { playIn, recordCanvas } from '../support/canvas-recording.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { readWebm, wholeParts, writeStream } from '../support/webm.ts';

let dir: string;
let to: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-media-'));
  to = join(dir, 'video.webm');
});
afterEach(() => rm(dir, { recursive: true, force: true }));

async function part(seconds: number) {
  const path = join(dir, 'part-0.webm');
  await writeStream(path, { seconds, sound: true });
  return await wholeParts([path]);
}

/** Its child never hears what it is to do. @param onSent called in the place of that */
function deaf(onSent?: () => void): ProcessSpawner {
  return {
    spawn: (launch, listeners) => ({ ...nodeSpawner.spawn(launch, listeners), send: () => onSent?.() }),
  };
}

/**
 * Says ten times a second how far it is: so many times before its child hears what it is to do, and then until the child says
 * something, however long it takes to start.
 */
function talking(times: number): ProcessSpawner {
  return {
    spawn(launch, listeners) {
      let heard = false;
      const onMessage = (message: unknown) => {
        heard = true;
        listeners.onMessage(message);
      };
      const onExit: typeof listeners.onExit = (exit) => {
        heard = true;
        listeners.onExit(exit);
      };
      const child = nodeSpawner.spawn(launch, { ...listeners, onMessage, onExit });
      const send = async (message: object) => {
        for (let told = 0; told < times || !heard; told++) {
          if (told === times) child.send(message);
          await pause(100);
          listeners.onMessage({ done: 0 });
        }
      };
      return { ...child, send: (message) => void send(message) };
    },
  };
}

/** Ends the child as soon as it was given its task. */
function killing(): ProcessSpawner {
  return {
    spawn(launch, listeners) {
      const child = nodeSpawner.spawn(launch, listeners);
      const send = (message: object, onTaken?: () => void) => {
        child.send(message, onTaken);
        child.kill();
      };
      return { ...child, send };
    },
  };
}

describe('a video is made by a process of its own', () => {
  it('which leaves it for its owner alone', async () => {
    const done: number[] = [];
    const made = await makeFile({ task: 'remux', parts: await part(20) }, to, { onDone: (part) => done.push(part) });
    expect(made).toMatchObject({ durationMs: 20_000, hasSound: true });
    expect((await stat(to)).size).toBe(made.bytes);
    if (process.platform !== 'win32') expect((await stat(to)).mode & 0o777).toBe(0o600);
    expect(done.every((part) => part >= 0 && part <= 1)).toBe(true);
    expect(await readdir(dir)).toEqual(['part-0.webm', 'video.webm']);
  });

  it('and whose faults are named here', async () => {
    await makeFile({ task: 'remux', parts: await part(4) }, to);
    const failed = makeFile(
      {
        task: 'edit',
        from: to,
        spans: [{ fromMs: 1, toMs: 2 }],
        mute: false,
        boxes: [],
        container: 'webm',
        tags: null,
      },
      join(dir, 'cut'),
    );
    await expect(failed).rejects.toMatchObject({ said: { message: { key: 'focus.video.noPictureIn' } } });
    expect(await readdir(dir)).toEqual(['part-0.webm', 'video.webm']);
  });

  it('and is not there where it was cancelled or has died', async () => {
    const parts = await part(4);
    const controller = new AbortController();
    const { signal } = controller;
    const reason = new Error('nobody wants it any more');
    const spawner = deaf(() => setTimeout(() => controller.abort(reason), 50));
    await expect(makeFile({ task: 'remux', parts }, to, { signal, spawner })).rejects.toBe(reason);
    const dead = makeFile({ task: 'remux', parts }, to, { spawner: killing() });
    await expect(dead).rejects.toMatchObject({ code: 'INTERNAL', said: { message: { key: 'focus.video.died' } } });
    expect(await readdir(dir)).toEqual(['part-0.webm']);
  });

  it('and is ended where it says nothing for too long, and not where it says how far it is', async () => {
    const parts = await part(4);
    const silent = makeFile({ task: 'remux', parts }, to, { spawner: deaf(), quietMs: 100 });
    await expect(silent).rejects.toMatchObject({ code: 'INTERNAL', said: { message: { key: 'focus.video.stuck' } } });
    expect(await readdir(dir)).toEqual(['part-0.webm']);
    const began = performance.now();
    const told: number[] = [];
    await makeFile({ task: 'remux', parts }, to, { spawner: talking(30), quietMs: 1_500, onDone: (d) => told.push(d) });
    expect(performance.now() - began).toBeGreaterThan(1_500);
    expect(told.length).toBeGreaterThanOrEqual(30);
  });

  it('and replaces another only where it may', async () => {
    const parts = await part(4);
    await writeFile(to, 'another');
    const refused = makeFile({ task: 'remux', parts }, to);
    await expect(refused).rejects.toMatchObject({ said: { message: { key: 'focus.video.exists' } } });
    expect(await readFile(to, 'utf8')).toBe('another');
    await makeFile({ task: 'remux', parts }, to, { overwrite: true });
    expect((await stat(to)).size).toBeGreaterThan(1_000);
  });
});

async function lastPictureMs(chunks: readonly Buffer[]): Promise<number> {
  const { video } = await readWebm(Buffer.concat(chunks));
  return video?.at(-1)?.atMs ?? 0;
}

const chromium = findChromium();
describe.skipIf(!chromium)('what a browser recorded', () => {
  let browser: Awaited<ReturnType<typeof launchChromium>>;
  beforeAll(async () => {
    browser = await launchChromium(chromium ?? '', ['--autoplay-policy=no-user-gesture-required']);
  });
  afterAll(() => browser?.close());

  it('becomes one video that it can play and seek: two parts of other sizes, the first killed amid a cluster; then cut', async () => {
    const [first, second] = await Promise.all([
      recordCanvas(browser, { width: 320, height: 180, ms: 5_500, sound: true }),
      recordCanvas(browser, { width: 640, height: 360, ms: 3_300, sound: false }),
    ]);
    const parts = ['part-0.webm', 'part-1.webm'].map((name) => join(dir, name)) as [string, string];
    // The last chunk never came, and the one before it has lost some bytes.
    await writeFile(parts[0], Buffer.concat(first.slice(0, -1)).subarray(0, -500));
    await writeFile(parts[1], Buffer.concat(second));
    const made = await makeFile({ task: 'remux', parts: await wholeParts(parts) }, to);
    expect(made.hasSound).toBe(true);
    const seconds = made.durationMs / 1_000;
    const played = await playIn(browser, await readFile(to), [1, seconds - 1, 2]);
    expect(played.widths).toEqual([320, 640, 320]);
    expect(played.duration).toBeCloseTo(seconds, 1);
    // All that was recorded is in it but those bytes: how much that is, is chance, as a busy browser begins late.
    const cameMs = (await Promise.all([first.slice(0, -1), second].map(lastPictureMs))).reduce(
      (sum, at) => sum + at,
      0,
    );
    expect(made.durationMs).toBeGreaterThan(cameMs - 1_000);
    const cut = join(dir, 'cut.webm');
    const spans = [{ fromMs: 1_000, toMs: 3_500 }];
    const { kept, durationMs } = await makeFile(
      { task: 'edit', from: to, spans, mute: true, boxes: [], container: 'webm', tags: null },
      cut,
    );
    const { video } = await readWebm(await readFile(to));
    expect(kept[0]?.fromMs).toBe(video?.find(({ atMs }) => atMs >= 1_000)?.atMs);
    expect(kept[0]?.toMs).toBeLessThanOrEqual(3_500);
    const again = await playIn(browser, await readFile(cut), [0.1]);
    expect(again.duration).toBeCloseTo(durationMs / 1_000, 1);
    const covered = join(dir, 'covered.mp4');
    const boxes = [{ fromMs: 2_000, toMs: 3_000, x: 0, y: 0, width: 0.5, height: 0.5 }];
    const anew = { task: 'edit', from: to, spans: null, mute: false, container: 'mp4', tags: null } as const;
    await makeFile({ ...anew, boxes }, covered);
    const inMp4 = await playIn(browser, await readFile(covered), [2.5, seconds - 1], 'video/mp4');
    expect(inMp4.widths).toEqual([320, 640]);
    expect(inMp4.duration).toBeCloseTo(seconds, 1);
  });
});
