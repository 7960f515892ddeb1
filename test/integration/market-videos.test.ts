import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { videoCheck, videoPictures } from '../../src-main/app/market/video-check.ts';
import { inspectVideo } from '../../src-main/focus/media/media-job.ts';
import { nodeSpawner } from '../../src-main/process/process-spawner.ts';
import { openTestMarket } from '../support/market-server.ts';
import { paintedStream } from '../support/painted-video.ts';
import { recordedStream, streamOf } from '../support/webm.ts';

/** Nobody decodes it here. */
const DELTA = { kind: 'video' as const, isKey: false, data: Buffer.from([0x86, 0, 0, 0, 0]) };

const work = (sound = 0, seconds = 62) =>
  paintedStream({
    ...{ width: 64, height: 48, sound, keyEveryMs: 20_000 },
    times: Array.from({ length: seconds }, (_, index) => index * 1_000),
    paint: (x, y, atMs) => [40 + ((x + y + atMs / 100) % 160), 128, 128],
  });

/** What a stranger uploads is read in a process of its own: only what is a video, whole, and as long as was said, is listed. */
async function judged(bytes: Buffer, durationMs: number) {
  const market = await openTestMarket({
    checkVideo: videoCheck(nodeSpawner),
    picturesOf: videoPictures(nodeSpawner),
  });
  const id = await market.offer(bytes, { durationMs });
  const offer = await market.looked(id);
  const files = (await readdir(market.folder)).filter((name) => name !== `${id}.webm`);
  return { offer, files };
}

it('a video is listed, and nothing of the work on it is left', async () => {
  const { bytes } = await work(61);
  const { offer, files } = await judged(bytes, 61_000);
  expect(offer).toMatchObject({ state: 'submitted' });
  expect(files).toEqual([]);
});

it('a video of another length is not', async () => {
  const { bytes } = await work();
  const { offer } = await judged(bytes, 600_000);
  expect(offer).toMatchObject({ state: 'rejected', reason: expect.stringMatching(/6\d{4} ms, and not 600000/) });
});

it('bytes that are no video are not', async () => {
  const { offer, files } = await judged(randomBytes(50_000), 600_000);
  expect(offer).toMatchObject({ state: 'rejected' });
  expect(files).toEqual([]);
});

it('what begins as a video and goes on as something else is not', async () => {
  const { bytes } = await work();
  const half = Math.floor(bytes.length / 2);
  for (const at of [400, half, bytes.length]) {
    const { offer } = await judged(Buffer.concat([bytes.subarray(0, at), randomBytes(50_000)]), 61_000);
    expect(offer).toMatchObject({ state: 'rejected' });
  }
});

it('a video whose pictures nobody can decode is not', async () => {
  const { bytes } = await recordedStream({ seconds: 61 });
  const { offer } = await judged(bytes, 61_000);
  expect(offer).toMatchObject({ state: 'rejected', reason: expect.stringContaining('cannot be read') });
});

it('a video of hardly any pictures is not, nor one without key frames, nor one that goes on for longer than was said', async () => {
  const size = { width: 64, height: 48 };
  const paint = (x: number, y: number, atMs: number) => [40 + ((x * y + atMs) % 160), 128, 128] as const;
  const few = await paintedStream({ ...size, times: [0, 100, 200, 61_000], keyEveryMs: 1, paint });
  expect((await judged(few.bytes, 62_000)).offer).toMatchObject({
    state: 'rejected',
    reason: expect.stringContaining('4 pictures in'),
  });
  const many = await paintedStream({ ...size, times: [0], paint });
  const deltas = Array.from({ length: 3_600 }, (_, index) => ({ ...DELTA, atMs: 17 * (index + 1) }));
  const keyless = await streamOf([...many.packets, ...deltas], size);
  expect((await judged(keyless, 61_000)).offer).toMatchObject({
    state: 'rejected',
    reason: expect.stringContaining('key frame'),
  });
  expect((await judged((await work(0, 66)).bytes, 60_000)).offer).toMatchObject({
    state: 'rejected',
    reason: expect.stringContaining('goes on for longer'),
  });
});

it('a video with bytes behind its end, or that nobody sees, is not', async () => {
  const { bytes } = await work();
  const free = Buffer.concat([Buffer.from([0xec, 0x10, 0x02, 0, 0]), randomBytes(0x20000)]);
  for (const more of [Buffer.from([0]), randomBytes(4_000_000), free]) {
    const { offer } = await judged(Buffer.concat([bytes, more]), 61_000);
    expect(offer).toMatchObject({ state: 'rejected', reason: expect.stringContaining('belongs to no video') });
  }
  const { offer } = await judged(bytes, 61_000);
  expect(offer.state).toBe('submitted');
});

it('a video that breaks off into pictures nobody can decode is not', async () => {
  const { packets } = await work();
  const bytes = await streamOf(
    packets.map((packet, index) => (index > 30 && !packet.isKey ? { ...packet, data: DELTA.data } : packet)),
    { width: 64, height: 48 },
  );
  const { offer } = await judged(bytes, 61_000);
  expect(offer).toMatchObject({ state: 'rejected', reason: expect.stringContaining('cannot be read') });
});

it('the work on a video ends at its deadline, whatever it says meanwhile', async () => {
  const market = await openTestMarket();
  const id = await market.offer((await work()).bytes);
  await market.looked(id);
  const read = inspectVideo(join(market.folder, `${id}.webm`), 90_000, { deadlineMs: 1 });
  await expect(read).rejects.toMatchObject({ said: { message: { key: 'focus.video.tooSlow' } } });
});

it('a video with another track beside pictures and sound is not', async () => {
  const { bytes } = await work(61);
  const { offer } = await judged(withSubtitles(bytes), 61_000);
  expect(offer).toMatchObject({ state: 'rejected', reason: expect.stringContaining('more in it') });
});

/** The element «tracks» (RFC 9559, 5.1.4) with one more in it: subtitles, which no reader of pictures and sound tells of. */
function withSubtitles(bytes: Buffer): Buffer {
  const entry = Buffer.from([0xae, 0x8e, 0xd7, 0x81, 9, 0x73, 0xc5, 0x81, 9, 0x83, 0x81, 0x11, 0x86, 0x82, 0x53, 0x5f]);
  const at = bytes.indexOf(Buffer.from([0x16, 0x54, 0xae, 0x6b])) + 4;
  const sizeBytes = Math.clz32(bytes[at] ?? 0) - 23;
  const size = Number(BigInt.asUintN(7 * sizeBytes, BigInt(`0x${bytes.toString('hex', at, at + sizeBytes)}`)));
  const head = Buffer.alloc(8);
  head.writeBigUInt64BE((1n << 56n) | BigInt(size + entry.length));
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at + sizeBytes)];
  return Buffer.concat([before, head, entry, after]);
}
