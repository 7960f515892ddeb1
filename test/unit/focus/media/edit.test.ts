import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { edit } from '../../../../src-main/focus/media/edit.ts';
import type { EditJob } from '../../../../src-main/focus/media/media-tasks.ts';
import { remux } from '../../../../src-main/focus/media/remux.ts';
import { type Packet, readWebm, type StreamOptions, writeStream } from '../../../support/webm.ts';

let dir: string;
let video: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-edit-'));
  video = join(dir, 'video.webm');
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const ignored = () => undefined;

/** A recording of two parts, made one. @returns its packets, with their times in it */
async function recorded(options: Partial<StreamOptions> = {}): Promise<Packet[]> {
  const parts = ['part-0.webm', 'part-1.webm'].map((name) => join(dir, name));
  const streams = [
    { seconds: 10, sound: true, ...options },
    { seconds: 10, sound: true, ...options },
  ];
  const packets = await Promise.all(parts.map((part, index) => writeStream(part, streams[index] as StreamOptions)));
  await remux(parts, video, ignored);
  return packets.flatMap((part, index) => part.map((packet) => ({ ...packet, atMs: packet.atMs + index * 10_000 })));
}

async function edited(job: Partial<EditJob>) {
  const to = join(dir, `edited-${(await readdir(dir)).length}.webm`);
  const made = await edit(video, to, { spans: null, mute: false, ...job }, ignored);
  const bytes = await readFile(to);
  return { made, bytes, ...(await readWebm(bytes)) };
}

const isIn = (bytes: Buffer, { data }: Packet) => bytes.includes(data);

it.each([
  ['the middle', [{ fromMs: 4_000, toMs: 8_000 }]],
  ['a start and an end between key frames', [{ fromMs: 2_500, toMs: 7_333 }]],
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
      { fromMs: 0, toMs: 4_000 },
      { fromMs: 4_000, toMs: 6_000 },
    ],
  ],
])('keeps %s, and not one packet of what was cut', async (_, spans) => {
  const packets = await recorded();
  const { made, bytes, video: pictures, durationMs } = await edited({ spans });
  const isKept = ({ kind, atMs }: Packet) =>
    made.kept.some(({ fromMs, toMs }) => atMs >= fromMs && (kind === 'video' ? atMs < toMs : atMs + 20 <= toMs));
  const [kept, cut] = [packets.filter(isKept), packets.filter((packet) => !isKept(packet))];
  expect(cut.filter((packet) => isIn(bytes, packet))).toEqual([]);
  expect(kept.filter((packet) => !isIn(bytes, packet))).toEqual([]);
  expect(made.kept.map(({ fromMs }) => fromMs)).toEqual(spans.map(({ fromMs }) => Math.ceil(fromMs / 2_000) * 2_000));
  expect(made.kept.map(({ toMs }) => toMs)).toEqual(spans.map(({ toMs }) => Math.min(toMs, 20_000)));
  const lengths = made.kept.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  expect([made.durationMs, durationMs]).toEqual([lengths, lengths]);
  expect(pictures?.[0]).toMatchObject({ isKey: true, atMs: 0 });
});

it('takes the whole', async () => {
  const packets = await recorded();
  const { made, bytes } = await edited({});
  expect(packets.filter((packet) => !isIn(bytes, packet))).toEqual([]);
  expect(made).toMatchObject({ durationMs: 20_000, hasSound: true, kept: [{ fromMs: 0, toMs: 20_000 }] });
});

it('leaves all sound out where it is muted', async () => {
  const packets = await recorded();
  const { made, bytes, audio, video: pictures } = await edited({ mute: true, spans: [{ fromMs: 0, toMs: 5_000 }] });
  expect(made.hasSound).toBe(false);
  expect(audio).toBeNull();
  expect(pictures).toHaveLength(50);
  expect(packets.filter(({ kind }) => kind === 'audio').filter((packet) => isIn(bytes, packet))).toEqual([]);
});

it('mutes a video that has no sound', async () => {
  await recorded({ sound: false });
  expect((await edited({ mute: true })).made).toMatchObject({ hasSound: false, durationMs: 20_000 });
});

it.each([[{ fromMs: 2_001, toMs: 3_999 }], [{ fromMs: 18_001, toMs: 19_000 }], [{ fromMs: 30_000, toMs: 40_000 }]])(
  'says so of a span without a key frame: %o',
  async (span) => {
    await recorded();
    const failed = edited({ spans: [{ fromMs: 0, toMs: 1_000 }, span] });
    await expect(failed).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      field: 'spans',
      said: { message: { key: 'focus.video.noKeyFrame' } },
    });
  },
);
