import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { remux } from '../../../../src-main/focus/media/remux.ts';
import {
  type Packet,
  readWebm,
  recordedStream,
  type StreamOptions,
  wholeParts,
  writeStream,
} from '../../../support/webm.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-remux-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const ignored = () => undefined;
const CLUSTER = Buffer.from([0x1f, 0x43, 0xb6, 0x75]);
const dataOf = (packets: readonly Packet[] | null, kind: Packet['kind']) =>
  (packets ?? []).filter((packet) => packet.kind === kind).map(({ data }) => data.toString('hex'));

async function remuxed(...streams: StreamOptions[]) {
  const parts = streams.map((_, index) => join(dir, `part-${index}.webm`));
  const packets = await Promise.all(streams.map((stream, index) => writeStream(parts[index] ?? '', stream)));
  const to = join(dir, 'video.webm');
  const made = await remux(await wholeParts(parts), to, ignored);
  const bytes = await readFile(to);
  return { made, bytes, packets, ...(await readWebm(bytes)) };
}

it('gives a stream a duration and cues, and leaves its packets as they are', async () => {
  const { made, video, audio, durationMs, packets, bytes } = await remuxed({ seconds: 6, sound: true });
  const [first = []] = packets;
  expect(made).toEqual({ durationMs: 6_000, bytes: bytes.length, hasSound: true, kept: [{ fromMs: 0, toMs: 6_000 }] });
  expect(durationMs).toBe(6_000);
  expect(dataOf(video, 'video')).toEqual(dataOf(first, 'video'));
  expect(dataOf(audio, 'audio')).toEqual(dataOf(first, 'audio'));
  expect(bytes.includes(Buffer.from([0x1c, 0x53, 0xbb, 0x6b]))).toBe(true); // cues
});

it('puts parts one after the other', async () => {
  const { made, video, audio, packets } = await remuxed({ seconds: 3, sound: true }, { seconds: 4, sound: true });
  expect(made).toMatchObject({ durationMs: 7_000, hasSound: true });
  expect(dataOf(video, 'video')).toEqual(dataOf(packets.flat(), 'video'));
  expect(dataOf(audio, 'audio')).toEqual(dataOf(packets.flat(), 'audio'));
  expect(video?.map(({ atMs }) => atMs)).toEqual(Array.from({ length: 70 }, (_, index) => index * 100));
  expect(video?.filter(({ isKey }) => isKey).map(({ atMs }) => atMs)).toEqual([0, 2_000, 3_000, 5_000]);
});

it('takes parts whose pictures have another size', async () => {
  const { made, video, packets } = await remuxed({ seconds: 2, width: 320 }, { seconds: 2, width: 640 });
  expect(made).toMatchObject({ durationMs: 4_000, hasSound: false });
  expect(dataOf(video, 'video')).toEqual(dataOf(packets.flat(), 'video'));
});

it.each([
  ['at first', [false, true]],
  ['later', [true, false, true]],
  ['in the end', [true, false]],
])('fills up where a part has no sound %s', async (_, sounds) => {
  const { made, audio, packets } = await remuxed(...sounds.map((sound) => ({ seconds: 3, sound })));
  expect(made).toMatchObject({ durationMs: sounds.length * 3_000, hasSound: true });
  const silence = (data: string) => data === 'f8fffe';
  expect(dataOf(audio, 'audio').filter((data) => !silence(data))).toEqual(dataOf(packets.flat(), 'audio'));
  const times = (audio ?? []).map(({ atMs }) => atMs);
  const gaps = [...times, sounds.length * 3_000].map((at, index) => at - (times[index - 1] ?? 0));
  expect(Math.max(...gaps)).toBeLessThanOrEqual(1_100);
});

it('says so where codecs differ', async () => {
  const differ = remuxed({ seconds: 2, codec: 'vp9' }, { seconds: 2, codec: 'vp8' });
  await expect(differ).rejects.toMatchObject({ code: 'BAD_REQUEST', said: { message: { key: 'focus.video.differ' } } });
});

it('reads a part that ends amid a block as far as it is whole, wherever that is', async () => {
  const { bytes, packets } = await recordedStream({ seconds: 3, sound: true });
  const [part, other] = [join(dir, 'part-0.webm'), join(dir, 'part-1.webm')];
  const later = await writeStream(other, { seconds: 2, sound: true });
  const ends = packets.map(({ kind, data }) => ({ kind, at: bytes.indexOf(data) + data.length }));
  for (let cut = (ends[20]?.at ?? 0) + 1; cut < bytes.length; cut += 997) {
    await writeFile(part, bytes);
    await truncate(part, cut);
    const to = join(dir, `${cut}.webm`);
    await remux(await wholeParts([part, other]), to, ignored);
    const { video } = await readWebm(await readFile(to));
    const whole = ends.filter(({ kind, at }) => kind === 'video' && at <= cut).length;
    expect(video?.length, `cut at ${cut}`).toBe(whole + later.filter(({ kind }) => kind === 'video').length);
  }
});

it.each([
  ['an element that nobody knows', '818400000000'.repeat(2)],
  ['a second head', `1a45dfa388${'00'.repeat(8)}`],
  ['a block behind the cues', `1c53bb6b80a388${'00'.repeat(8)}`],
])('reads nothing of %s at the end', async (_, junk) => {
  const { bytes, packets } = await recordedStream({ seconds: 3 });
  const [part, to] = [join(dir, 'part-0.webm'), join(dir, 'video.webm')];
  await writeFile(part, Buffer.concat([bytes, Buffer.from(junk, 'hex')]));
  await remux(await wholeParts([part]), to, ignored);
  expect((await readWebm(await readFile(to))).video).toHaveLength(packets.length);
});

it('leaves out parts without one picture, and says so where none has any', async () => {
  const [head, nothing, junk, real] = ['head', 'nothing', 'junk', 'real'].map((name) => join(dir, name)) as [
    string,
    string,
    string,
    string,
  ];
  const { bytes } = await recordedStream({ seconds: 2 });
  await writeFile(head, bytes.subarray(0, 200));
  await writeFile(nothing, '');
  await writeFile(junk, 'no video at all, but some text that is long enough');
  await writeFile(real, bytes);
  const empty = remux(await wholeParts([head, nothing, junk]), join(dir, 'empty.webm'), ignored);
  await expect(empty).rejects.toMatchObject({ said: { message: { key: 'focus.video.empty' } } });
  expect(await remux(await wholeParts([head, nothing, junk, real]), join(dir, 'some.webm'), ignored)).toMatchObject({
    durationMs: 2_000,
  });
});

it('tells how far it is', async () => {
  const part = join(dir, 'part-0.webm');
  await writeStream(part, { seconds: 4 });
  const told: number[] = [];
  await remux(await wholeParts([part]), join(dir, 'video.webm'), (done) => told.push(done));
  expect(told).toEqual(told.toSorted((a, b) => a - b));
  expect(told.at(-1)).toBeGreaterThan(0.8);
  expect(told.at(-1)).toBeLessThanOrEqual(1);
});

it.each([
  ['at the end of a cluster', 0],
  ['amid one', 300],
])('reads nothing that somebody put behind the bytes of a part, which ends %s', async (_, more) => {
  const part = join(dir, 'part-0.webm');
  const packets = await writeStream(part, { seconds: 10 });
  const bytes = (await readFile(part)).lastIndexOf(CLUSTER) + more;
  await remux([{ path: part, bytes }], join(dir, 'video.webm'), ignored);
  const { video } = await readWebm(await readFile(join(dir, 'video.webm')));
  expect(video?.length).toBeGreaterThan(30);
  expect(video?.length).toBeLessThan(95);
  expect(dataOf(video, 'video')).toEqual(dataOf(packets.slice(0, video?.length), 'video'));
});
