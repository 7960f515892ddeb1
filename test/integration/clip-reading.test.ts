/** @module-tag long */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { cosine } from '../../src-main/base/cosine.ts';
import { Renumbering } from '../../src-main/clips/library/renumbering.ts';
import { FfmpegTool } from '../../src-main/clips/media/ffmpeg-tool.ts';
import { findMediaTool } from '../../src-main/clips/media/find-media-tool.ts';
import type { Span } from '../../src-main/clips/media/media.ts';
import { VectorModels } from '../../src-main/clips/models/vector-models.ts';
import { fetchFile } from '../../src-main/clips/sources/file-fetch.ts';
import type { Source } from '../../src-main/clips/sources/source.ts';
import type { ClipVectorsByKind } from '../../src-main/store/clips/clips.ts';
import { openDatabase } from '../../src-main/store/database.ts';
import { ClipLook } from '../../src-main/subnets/omega/clips/checking/look-closely.ts';
import { lieAbout } from '../../src-main/subnets/omega/clips/checking/read-again.ts';
import { quickClient } from '../support/clip-sources.ts';
import { SourceServer } from '../support/clip-sources-server.ts';
import { foundVideo, openClipWorld } from '../support/clip-world.ts';
import { type OddFilm, writeOddFilm } from '../support/clips/odd-films.ts';
import { tinyModels } from '../support/tiny-clip-models.ts';

/*
 * A stretch of a video is the same numbers, whoever reckons them: the miner that makes a clip of it, the same one that reckons its clips anew, and the validator that fetches the video once more. Real
 * files, fetched over HTTP, read by ffmpeg and models.
 */

const programs = await findMediaTool();
const signal = new AbortController().signal;
/** As good as equal: 0.8° apart. */
const SAME = 0.9999;

const FILMS: Record<string, OddFilm> = {
  // Its beginning has nearly all of its bytes: a share of them is fewer seconds than the same share of its length.
  heavy: { seconds: 330, noisySeconds: 50, keySeconds: 7, format: 'matroska' },
  silent: { seconds: 40, keySeconds: 5, hasSound: false, format: 'webm' },
  long: { seconds: 150, keySeconds: 3, format: 'webm' },
};

/** Much is decoded, by a process that gives way to all others. */
const timeout = 600_000;

describe.skipIf('lacks' in programs)('a stretch of a video as numbers', { timeout }, () => {
  if ('lacks' in programs) return;
  const media = new FfmpegTool({ programs });
  const files = new Map<string, Buffer>();
  let [folder, models, server]: [string, VectorModels, SourceServer] = ['', undefined as never, undefined as never];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quarry-clip-reading-'));
    for (const [name, film] of Object.entries(FILMS)) {
      await writeOddFilm(join(folder, name), film);
      files.set(name, await readFile(join(folder, name)));
    }
    models = new VectorModels(await tinyModels());
    server = await new SourceServer().open();
    server.replies = ({ pathname }) => ({ file: files.get(pathname.slice(1)) as Buffer });
  }, timeout);
  afterAll(async () => {
    await models.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** As sources do that serve files: as much of it is fetched as whoever wants it says. */
  const source: Source = {
    kind: 'commons',
    search: async () => ({ found: [], next: null }),
    look: async (id) => foundVideo(id, { seconds: FILMS[id]?.seconds ?? null, bytes: files.get(id)?.length ?? null }),
    fetch: async (id, to, options) =>
      await fetchFile({
        ...{ ...options, to, client: quickClient(server.origin), url: new URL(`/${id}`, server.origin) },
        seconds: FILMS[id]?.seconds ?? null,
      }),
  };

  /** What a miner makes of a video. @param spans in place of those that it would choose */
  async function mined(id: string, spans?: readonly Span[]) {
    const db = await openDatabase(':memory:');
    const path = await mkdtemp(join(folder, 'mined-'));
    const world = await openClipWorld({
      ...{ db, folder: path, source, media, mostFetched: 1e9 },
      tools: { models: () => models },
    });
    onTestFinished(() => db.destroy());
    await world.search.add(
      [await source.look(id, signal)].flatMap((video) => video ?? []),
      'anything',
      {
        isOrdered: false,
      },
    );
    if (spans) await world.jobs.set(1, { spans: JSON.stringify(spans) });
    await world.miner.resume();
    while (world.miner.state.mining !== 'off') await sleep(20); // as long as it takes: the test has an end
    await world.miner.close();
    const rows = await world.clips.page({}, undefined, 10);
    const clips = rows.map(async (row) => ({ row, vectors: await world.clips.vectors(row.clip, models.space) }));
    return { world, clips: await Promise.all(clips), job: await world.jobs.get(1) };
  }
  type Mined = Awaited<ReturnType<typeof mined>>;

  /** What a validator finds who fetches the video of a clip: why it is another one; null where it is the same. */
  async function looked(id: string, span: Span, { seen, heard }: ClipVectorsByKind) {
    const look = new ClipLook({ source: () => source, media, folder: join(folder, 'looked-at') });
    const { licence, attribution, page } = foundVideo(id);
    const told = {
      video: { source: 'commons' as const, id },
      ...span,
      space: models.space,
      licence,
      attribution,
      page,
    };
    const claimed = { description: '', seen: seen as Float32Array, heard: heard ?? null };
    const thresholds = { same: SAME, novel: 0, unrelated: 0, closest: 0.5 };
    const at = await look.at(told, { signal }, (fetched, within) =>
      lieAbout({ ...told, ...claimed }, fetched, { words: [], thresholds, models, media, signal: within }),
    );
    return typeof at === 'string' ? at : at.found;
  }
  /** As its miner hands it in. */
  const honestly = ({ row, vectors }: Mined['clips'][number]) =>
    looked(row.video, { from: row.from_s, to: row.to_s }, vectors);

  it('is the same for the miner and for whoever looks at it, without sound', async () => {
    const { clips } = await mined('silent');
    expect(clips.length).toBeGreaterThan(0);
    for (const clip of clips) expect([clip.vectors.heard, await honestly(clip)]).toEqual([undefined, null]);
  });

  it('is so where it begins amid two key frames, and where the beginning of a video has most of its bytes', async () => {
    const { clips } = await mined('heavy', [
      { from: 11.3, to: 33.7 },
      { from: 42.021, to: 77.021 },
    ]);
    expect(clips.map(({ vectors }) => Object.keys(vectors))).toEqual(Array(2).fill(expect.arrayContaining(['heard'])));
    for (const clip of clips) expect([clip.row.from_s, await honestly(clip)]).toEqual([clip.row.from_s, null]);
  });

  it('is so, and when it is reckoned anew, where what is cut is longer than a clip is meant to be', async () => {
    const { world, clips } = await mined('long', [{ from: 1.6, to: 121.4 }]);
    const [clip] = clips;
    if (!clip) throw new Error('There is no clip.');
    expect(await honestly(clip)).toBeNull();
    const { row, vectors } = clip;
    await world.clips.setVectors(row, 'others', vectors);
    const done: string[] = [];
    const renumbering = new Renumbering({
      ...{ store: world.clips, folder: world.folder, log: pino({ level: 'silent' }), everyMs: 5 },
      tools: { media: async () => media, models: () => models },
      conditions: { against: () => [], subscribe: () => () => undefined },
      onDone: async (id) => void done.push(id),
    });
    renumbering.open();
    while (done.length === 0) await sleep(20); // as long as it takes: the test has an end
    await renumbering.close();
    const anew = await world.clips.vectors(row.clip, models.space);
    expect(Object.keys(anew).sort()).toEqual(Object.keys(vectors).sort());
    for (const kind of ['seen', 'heard'] as const)
      expect(cosine(vectors[kind] as Float32Array, anew[kind] as Float32Array)).toBeGreaterThan(SAME);
  });

  it('is none where no clip can be cut, whatever is said of it: that is a lie, and no failed fetch', async () => {
    const span = { from: 2.7, to: 122.6 };
    const { clips, job } = await mined('long', [span]);
    const reason = JSON.parse(job?.reason ?? '{}');
    expect([clips.length, reason.said?.text?.key ?? reason.text]).toEqual([0, 'clips.media.tooLong']);
    expect(await looked('long', span, { seen: Float32Array.of(1) })).toMatchObject({
      key: 'clipValidation.lie.tooLong',
    });
  });
});
