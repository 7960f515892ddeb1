import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hasHiddenPictures } from '../../../../src-main/focus/media/codec/vp9-packet.ts';
import { edit } from '../../../../src-main/focus/media/edit.ts';
import type { EditJob } from '../../../../src-main/focus/media/media-tasks.ts';
import { remux } from '../../../../src-main/focus/media/remux.ts';
import type { Span } from '../../../../src-preload/contract/focus.ts';
import { seeAll, writePainted, type Yuv } from '../../../support/painted-video.ts';
import { type Packet, readWebm, wholeParts, writeStream } from '../../../support/webm.ts';

const ignored = () => undefined;
const SIZE = { width: 64, height: 48 };
const WHOLE: EditJob = { spans: null, mute: false, boxes: [], container: 'webm', tags: null };
/** Pictures of both parts: at an even rate in the first, now and then in the second, as of a screen on which little moves. */
const TIMES = [
  Array.from({ length: 100 }, (_, index) => index * 100),
  Array.from({ length: 40 }, (_, index) => index * 250 + (index % 3) * 40),
];

let dir: string;
let video: string;
/** With their times in the video. */
let packets: Packet[];
let durationMs: number;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-edit-'));
  video = join(dir, 'video.webm');
  const parts = ['part-0.webm', 'part-1.webm'].map((name) => join(dir, name));
  packets = [];
  for (const [index, part] of parts.entries()) {
    const paint = (x: number, y: number, atMs: number) => painted(x, y, atMs + index * 10_000);
    const made = await writePainted(part, { ...SIZE, times: TIMES[index] ?? [], sound: 10, paint });
    packets.push(...made.map((packet) => ({ ...packet, atMs: packet.atMs + index * 10_000 })));
  }
  ({ durationMs } = await remux(await wholeParts(parts), video, ignored));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** What is at a time can be told by its brightness; and its red by whether that is in the spans of {@link SECRET}. */
const SECRET: readonly Span[] = [
  { fromMs: 2_500, toMs: 5_300 },
  { fromMs: 9_100, toMs: 13_050 },
];
function painted(x: number, y: number, atMs: number): Yuv {
  const isSecret = SECRET.some(({ fromMs, toMs }) => atMs >= fromMs && atMs < toMs);
  return [20 + ((3 * x + 2 * y + Math.round(0.09 * atMs)) % 200), 128, isSecret ? 230 : 90];
}

async function edited(job: Partial<EditJob>) {
  const to = join(dir, `edited-${(await readdir(dir)).length}.webm`);
  const made = await edit(video, to, { ...WHOLE, ...job }, ignored);
  const bytes = await readFile(to);
  return { made, bytes, ...(await readWebm(bytes)) };
}

/** Empty pictures are the same again and again. */
const isIn = (bytes: Buffer, { data }: Packet) => data.length > 24 && bytes.includes(data);

const isWithin = (spans: readonly Span[], { kind, atMs }: Packet) =>
  spans.some(({ fromMs, toMs }) => atMs >= fromMs && (kind === 'video' ? atMs < toMs : atMs + 20 <= toMs));

/** When the pictures of spans begin in a video of these spans alone. */
function timesOf(spans: readonly Span[]): number[] {
  const times: number[] = [];
  let base = 0;
  for (const span of spans) {
    const within = packets.filter((packet) => packet.kind === 'video' && isWithin([span], packet));
    const first = within[0]?.atMs ?? 0;
    times.push(...within.map(({ atMs }) => base + atMs - first));
    base += Math.min(span.toMs, durationMs) - first;
  }
  return times;
}

it.each([
  ['the middle', [{ fromMs: 4_000, toMs: 8_000 }]],
  ['a start and an end between key frames', [{ fromMs: 2_500, toMs: 7_333 }]],
  ['one picture', [{ fromMs: 4_301, toMs: 4_401 }]],
  ['a piece of one group', [{ fromMs: 4_301, toMs: 5_301 }]],
  ['over two parts', [{ fromMs: 7_900, toMs: 13_050 }]],
  [
    'several',
    [
      { fromMs: 0, toMs: 1_000 },
      { fromMs: 3_100, toMs: 6_010 },
      { fromMs: 15_999, toMs: 99_999 },
    ],
  ],
  [
    'neighbours',
    [
      { fromMs: 0, toMs: 3_950 },
      { fromMs: 3_950, toMs: 6_000 },
    ],
  ],
])('keeps %s, each picture at its time, and not one packet of what was cut', async (_, spans) => {
  const { made, bytes, video: pictures, durationMs: told } = await edited({ spans });
  expect(pictures?.map(({ atMs }) => atMs)).toEqual(timesOf(spans));
  expect(packets.filter((packet) => !isWithin(made.kept, packet) && isIn(bytes, packet))).toEqual([]);
  const sounds = packets.filter((packet) => packet.kind === 'audio' && isWithin(made.kept, packet));
  expect(sounds.filter((packet) => !isIn(bytes, packet))).toEqual([]);
  const lengths = made.kept.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  expect([made.durationMs, told]).toEqual([lengths, lengths]);
  expect(pictures?.[0]).toMatchObject({ isKey: true, atMs: 0 });
});

it('shows in every picture what was there at its time', async () => {
  const spans = [{ fromMs: 4_730, toMs: 9_050 }];
  const { bytes, made } = await edited({ spans });
  expect(made.kept).toEqual([{ fromMs: 4_800, toMs: 9_050 }]);
  await seeAll(bytes, ({ atMs, at }) => {
    for (const [x, y] of [
      [5, 5],
      [40, 30],
    ] as const) {
      const [was] = painted(x, y, atMs + 4_800);
      const difference = Math.abs(at(x, y)[0] - was);
      expect(Math.min(difference, 200 - difference)).toBeLessThan(24);
    }
  });
});

it('shows nothing of what was cut, in any picture', async () => {
  const spans = [
    { fromMs: 0, toMs: 2_500 },
    { fromMs: 5_300, toMs: 9_100 },
    { fromMs: 13_050, toMs: 99_999 },
  ];
  const { bytes, video: pictures } = await edited({ spans });
  let seen = 0;
  await seeAll(bytes, ({ at }) => {
    seen++;
    for (let y = 0; y < SIZE.height; y += 2)
      for (let x = 0; x < SIZE.width; x += 2) expect(at(x, y)[2]).toBeLessThan(110);
  });
  expect(seen).toBe(pictures?.length);
  let secrets = 0;
  await seeAll(await readFile(video), ({ at }) => {
    if (at(10, 10)[2] > 200) secrets++;
  });
  expect(secrets).toBeGreaterThan(30); // they are in the video, and would be found
});

it('encodes anew only what has to be', async () => {
  const { bytes } = await edited({ spans: [{ fromMs: 2_500, toMs: 9_050 }] });
  const copied = { fromMs: 4_000, toMs: 9_050 };
  const whole = packets.filter(({ kind, atMs }) => kind === 'video' && atMs >= copied.fromMs && atMs < copied.toMs);
  expect(whole.filter(({ data }) => !bytes.includes(data))).toEqual([]);
});

it('takes the whole', async () => {
  const { made, bytes } = await edited({});
  expect(packets.filter(({ data }) => !bytes.includes(data))).toEqual([]);
  expect(made).toMatchObject({ durationMs, hasSound: true, kept: [{ fromMs: 0, toMs: durationMs }] });
});

it('leaves all sound out where it is muted, also where there is none', async () => {
  const { made, bytes, audio, video: pictures } = await edited({ mute: true, spans: [{ fromMs: 0, toMs: 5_000 }] });
  expect(made.hasSound).toBe(false);
  expect(audio).toBeNull();
  expect(pictures).toHaveLength(50);
  expect(packets.filter(({ kind, data }) => kind === 'audio' && bytes.includes(data))).toEqual([]);
  const silent = join(dir, 'silent.webm');
  await writeStream(join(dir, 'silent-part.webm'), { seconds: 4 });
  await remux(await wholeParts([join(dir, 'silent-part.webm')]), silent, ignored);
  const job = { ...WHOLE, mute: true };
  expect(await edit(silent, join(dir, 'muted.webm'), job, ignored)).toMatchObject({ hasSound: false });
});

it.each([[{ fromMs: 2_001, toMs: 2_099 }], [{ fromMs: 30_000, toMs: 40_000 }]])(
  'says so of a span in which no picture begins: %o',
  async (span) => {
    const failed = edited({ spans: [{ fromMs: 0, toMs: 1_000 }, span] });
    await expect(failed).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      field: 'spans',
      said: { message: { key: 'focus.video.noPictureIn' } },
    });
  },
);

it('says in words what it cannot decode, and leaves other codecs alone', async () => {
  const broken = join(dir, 'broken.webm');
  await writeStream(join(dir, 'broken-part.webm'), { seconds: 4 });
  await remux(await wholeParts([join(dir, 'broken-part.webm')]), broken, ignored);
  const job = { ...WHOLE, spans: [{ fromMs: 500, toMs: 1_000 }] };
  const failed = edit(broken, join(dir, 'failed.webm'), job, ignored);
  await expect(failed).rejects.toMatchObject({ said: { message: { key: 'focus.video.undecodable' } } });
  const other = join(dir, 'other.webm');
  await writeStream(join(dir, 'other-part.webm'), { seconds: 4, codec: 'vp8' });
  await remux(await wholeParts([join(dir, 'other-part.webm')]), other, ignored);
  const refused = edit(other, join(dir, 'refused.webm'), job, ignored);
  await expect(refused).rejects.toMatchObject({ said: { message: { key: 'focus.video.otherCodec' } } });
});

it('leaves no hidden picture of what was cut at the end, which encoders that look ahead put into packets before it', async () => {
  const ahead = join(dir, 'ahead.webm');
  await remux(await wholeParts(['test/fixtures/media/hidden-pictures.webm']), ahead, ignored);
  const ended = async (toMs: number) => {
    const to = join(dir, `ended-${toMs}.webm`);
    await edit(ahead, to, { ...WHOLE, spans: [{ fromMs: 0, toMs }] }, ignored);
    const { video: pictures } = await readWebm(await readFile(to));
    return { count: pictures?.length, hiding: pictures?.filter(({ data }) => hasHiddenPictures(data)).length };
  };
  expect(await ended(1_500)).toEqual({ count: 23, hiding: 0 });
  expect((await ended(90_000)).hiding).toBeGreaterThan(0);
});

it('shows nothing of what is under a box, and what is beside it and before and after it as it was', async () => {
  const secret = { fromMs: 4_620, toMs: 6_350 };
  const spot = { x: 16, y: 12, width: 16, height: 10 };
  const isUnder = (x: number, y: number) =>
    x >= spot.x && x < spot.x + spot.width && y >= spot.y && y < spot.y + spot.height;
  const paint = (x: number, y: number, atMs: number): Yuv => {
    const isSecret = isUnder(x, y) && atMs + 100 > secret.fromMs && atMs < secret.toMs;
    return [20 + ((3 * x + 2 * y + Math.round(0.09 * atMs)) % 200), 128, isSecret ? 230 : 90];
  };
  const [part, whole, to] = ['spot-part.webm', 'spot.webm', 'covered.webm'].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ];
  const made = await writePainted(part, { ...SIZE, times: TIMES[0] ?? [], paint });
  await remux(await wholeParts([part]), whole, ignored);
  const area = { x: 16 / 64, y: 12 / 48, width: 16 / 64, height: 10 / 48 };
  await edit(whole, to, { ...WHOLE, boxes: [{ ...secret, ...area }] }, ignored);
  const bytes = await readFile(to);
  const pictures = (await readWebm(bytes)).video ?? [];
  expect(pictures.map(({ atMs }) => atMs)).toEqual(TIMES[0]);
  const isTouched = ({ atMs }: Packet) => atMs >= 4_000 && atMs < 8_000;
  // Pictures before the box may well become the same packets again.
  const secrets = made.filter(({ atMs }) => atMs >= 4_600 && atMs < secret.toMs);
  expect(secrets.filter((packet) => isIn(bytes, packet))).toEqual([]);
  expect(made.filter((packet) => !isTouched(packet) && !bytes.includes(packet.data))).toEqual([]);
  const covered: number[] = [];
  await seeAll(bytes, ({ atMs, at }) => {
    if (at(24, 16)[0] < 20 && at(18, 14)[0] < 20) covered.push(atMs);
    for (let y = 0; y < SIZE.height; y += 2)
      for (let x = 0; x < SIZE.width; x += 2) {
        const [light, , red] = at(x, y);
        expect(red).toBeLessThan(isUnder(x, y) ? 140 : 110);
        if (isUnder(x, y)) continue;
        const difference = Math.abs(light - paint(x, y, atMs)[0]);
        expect(Math.min(difference, 200 - difference)).toBeLessThan(40);
      }
  });
  expect(covered).toEqual(Array.from({ length: 18 }, (_, index) => 4_600 + index * 100));
  let found = 0;
  await seeAll(await readFile(whole), ({ at }) => {
    if (at(24, 16)[2] > 200) found++;
  });
  expect(found).toBe(18); // they are in the video, and would be found
});

const TAGS = { title: 'Mend the import', description: 'It has two dates.', date: Date.UTC(2026, 10, 24) };

it.each(['webm', 'mp4'] as const)(
  'writes a %s file that says what it is, each picture at its time',
  async (container) => {
    const to = join(dir, `tagged.${container}`);
    const spans = [{ fromMs: 2_500, toMs: 12_333 }];
    const made = await edit(video, to, { ...WHOLE, spans, container, tags: TAGS }, ignored);
    const { video: pictures, audio, tags, format } = await readWebm(await readFile(to));
    expect(format).toBe(container === 'mp4' ? 'MP4' : 'WebM');
    expect(pictures?.map(({ atMs }) => atMs)).toEqual(timesOf(spans));
    expect(audio).toHaveLength(
      packets.filter((packet) => packet.kind === 'audio' && isWithin(made.kept, packet)).length,
    );
    expect(tags).toMatchObject({ title: TAGS.title, description: TAGS.description });
    expect(tags.date?.getTime()).toBe(TAGS.date);
    const copied = packets.filter(({ kind, atMs }) => kind === 'video' && atMs >= 4_000 && atMs < 12_333);
    const bytes = await readFile(to);
    expect(copied.filter(({ data }) => !bytes.includes(data))).toEqual([]);
  },
);

/** Seconds since 1904 that boxes of an MP4 of this version tell: when it was made, and when it was changed. */
function timesIn(mp4: Buffer): number[] {
  return ['mvhd', 'tkhd', 'mdhd'].flatMap((type) => {
    const at = mp4.lastIndexOf(type) + 8;
    return [mp4.readUInt32BE(at), mp4.readUInt32BE(at + 4)];
  });
}

it('says nothing of itself where it shall not, not when it was exported either', async () => {
  const { tags, bytes } = await edited({ container: 'mp4' });
  expect([tags.title, tags.description, tags.date]).toEqual([undefined, undefined, undefined]);
  expect(timesIn(bytes)).toEqual([0, 0, 0, 0, 0, 0]);
  const tagged = await edited({ container: 'mp4', tags: TAGS });
  const seconds = TAGS.date / 1_000 + 2_082_844_800;
  expect(timesIn(tagged.bytes)).toEqual(Array.from({ length: 6 }, () => seconds));
});
