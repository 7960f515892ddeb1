/** @module-tag long */
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/fetch';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seededRandom } from '../../src-main/base/seeded-random.ts';
import { sha256 } from '../../src-main/base/sha256.ts';
import type { NodeClient } from '../../src-main/cli/terminal/node-client.ts';
import { ClipFolder } from '../../src-main/clips/kept/clip-folder.ts';
import { findMediaTool } from '../../src-main/clips/media/find-media-tool.ts';
import { MediaPlace } from '../../src-main/clips/media/media-place.ts';
import { MANIFEST_FILE, readClipModel } from '../../src-main/clips/models/files/model-manifest.ts';
import { VectorModels } from '../../src-main/clips/models/vector-models.ts';
import { fileVectors } from '../../src-main/clips/reading/vectors-by-kind.ts';
import { ClipStore } from '../../src-main/store/clips/clips.ts';
import { openDatabase } from '../../src-main/store/database.ts';
import type { MeasuredModel } from '../../src-preload/contract/data-calibration.ts';
import { plainCaption } from '../support/fake-world/captions.ts';
import { writeFilm } from '../support/fake-world/film.ts';
import { randomScene } from '../support/fake-world/scene.ts';
import { makeNoise, NOISES } from '../support/fake-world/sounds.ts';
import { ownToken, QuarryProcess, quarry, temporaryFolder } from '../support/quarry-process.ts';
import { tinyModelFolder } from '../support/tiny-clip-models.ts';
import { until } from '../support/until.ts';

/** From a library of real films, read by real ffmpeg and models, to clips that are scored: as somebody at a terminal does it. */
const programs = await findMediaTool();
const lacking = 'lacks' in programs ? 'there is no ffmpeg' : undefined;
const [VIDEOS, NEVER] = [52, new AbortController().signal];

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
  if (lacking !== undefined) return;
  await makeModels();
  await makeLibrary();
  const settings = ['[data]', 'sources = ["folder"]', '[data.models]'];
  for (const kind of ['pictures', 'sounds']) settings.push(`${kind} = ${JSON.stringify(modelFolder(kind))}`);
  for (const kind of ['voice', 'words', 'speakers']) settings.push(`${kind} = "none"`);
  await writeFile(join(data(), 'quarry.toml'), `${settings.join('\n')}\n`);
}, 300_000);
afterAll(() => folder.remove());

const data = () => join(folder.path, 'data');
const modelFolder = (kind: string) => join(folder.path, 'models', kind);

/** Of pictures nobody has measured them; of sounds somebody has. */
async function makeModels(): Promise<void> {
  for (const kind of ['pictures', 'sounds'] as const)
    await cp(tinyModelFolder(`tiny-${kind}`), modelFolder(kind), { recursive: true });
  const manifest = join(modelFolder('pictures'), MANIFEST_FILE);
  const { thresholds: _, ...unmeasured } = JSON.parse(await readFile(manifest, 'utf8'));
  await writeFile(manifest, JSON.stringify(unmeasured));
}

async function makeLibrary(): Promise<void> {
  await mkdir(data());
  const [pictures, sounds] = [
    await readClipModel(modelFolder('pictures'), 'pictures'),
    await readClipModel(modelFolder('sounds'), 'sounds'),
  ];
  const media = await new MediaPlace({ path: () => undefined }).tool();
  if (!pictures || !media) throw new Error('There is nothing to make clips with.');
  const models = new VectorModels({ pictures, sounds });
  const db = await openDatabase(join(data(), 'quarry.db'));
  try {
    const tools = { media, models, signal: NEVER };
    const random = seededRandom(5);
    for (let at = 0; at < VIDEOS; at++) await makeClip(new ClipStore(db), at, tools, random);
  } finally {
    await models.close();
    await db.destroy();
  }
}

async function makeClip(
  clips: ClipStore,
  at: number,
  tools: Parameters<typeof fileVectors>[1] & { models: VectorModels },
  random: ReturnType<typeof seededRandom>,
): Promise<void> {
  const [scene, sound] = [
    randomScene(random),
    makeNoise(NOISES[at % 4] ?? 'tone', { seconds: 5, rate: 16_000 }, random),
  ];
  const [video, description] = [`video ${at}`, plainCaption(scene)];
  const clip = sha256(video).toString('hex').slice(0, 32);
  const file = new ClipFolder(join(data(), 'clips')).video({ clip, container: 'webm' });
  await mkdir(dirname(file), { recursive: true });
  const size = { width: 96, height: 96 };
  await writeFilm(file, { shots: [{ scene, seconds: 5 }], sound, ...size, format: 'webm', fps: 4 });
  const [said] = await tools.models.texts([description], NEVER);
  if (!said) throw new Error('The tiny models are not there.');
  const vectors = { ...(await fileVectors(file, tools)), 'described-seen': said.seen };
  const row = {
    ...{ clip, source: 'commons' as const, video, title: video, topic: 'shapes', from_s: 0, to_s: 5, description },
    ...{ described_by: 'title' as const, words: null, turns: null, has_sound: 1, licence: 'by' as const },
    ...{ licence_url: null, author: null, attribution: video, page: null, url: null, bytes: 1, poster_bytes: 1 },
    ...{ sha256: '0'.repeat(64), ...size, container: 'webm', space: tools.models.space, score: null },
    ...{ is_taken_down: 0, created_at: at },
  };
  await clips.add(row, { vectors, job: 0, nextSpan: 0, place: async () => undefined });
}

let client: NodeClient['data'];

async function startNode(): Promise<QuarryProcess> {
  const node = new QuarryProcess(['start', '--headless', '--role', 'client', '--port', '0', '--data', data()], {
    // A machine on which tests run is in use, and may be hot.
    ...{ QUARRY_POLICY_USER_ACTIVE: 'off', QUARRY_POLICY_HEAT: 'off', QUARRY_POLICY_ON_BATTERY: 'off' },
  });
  const [, url = ''] = await node.printed(/(http:\/\/127\.0\.0\.1:\d+)\/v1/);
  const authorization = `Bearer ${await ownToken(data())}`;
  client = createORPCClient<NodeClient>(new RPCLink({ url: `${url}/rpc`, headers: { authorization } })).data;
  return node;
}

/** What all clips are worth, as the library lists them. */
const worths = async () => (await client.clips({ rows: 60 })).clips.map(({ score }) => score?.worth ?? null);
const ofPictures = async () => (await readClipModel(modelFolder('pictures'), 'pictures'))?.manifest;

it.skipIf(lacking !== undefined)(
  'measures the models by the library, and has all clips scored by that',
  { timeout: 300_000 },
  async () => {
    const node = await startNode();
    // Nothing is scored yet, and it says what to do.
    await until(async () => expect(await worths()).toEqual(Array(VIDEOS).fill(0)), 100);
    const [first] = (await client.clips({ rows: 1 })).clips;
    expect(first?.score?.uncounted?.text).toContain('Nobody has measured yet');
    for await (const { abilities } of await client.state()) {
      const scores = abilities.find(({ ability }) => ability === 'scores');
      expect([scores?.isReady, scores?.hint?.text]).toEqual([false, expect.stringContaining('quarry calibrate clips')]);
      break;
    }

    const ended = new QuarryProcess(['calibrate', 'clips', '--data', data()]);
    await until(() => expect(ended.stderr).toContain('clips read'));
    ended.child.kill('SIGINT');
    expect(await ended.ended()).toBe(130);
    expect((await ofPictures())?.thresholds).toBeNull();

    const measured = await quarry(['calibrate', 'clips', '--json', '--data', data()]);
    const [pictures, sounds] = JSON.parse(measured.stdout) as MeasuredModel[];
    expect(pictures).toMatchObject({ kind: 'pictures', clips: VIDEOS, reason: null });
    const { same = 0, novel = 0, unrelated = 1, closest = 0 } = pictures?.thresholds ?? {};
    expect(same).toBeGreaterThan(0.8); // with labelled pictures of this world: .92 to .97
    expect(novel).toBeGreaterThan(0.05);
    expect(unrelated).toBeLessThan(closest);
    // Of four kinds of noise many sound like another one to the tiny model; what was known of it stays.
    expect(sounds).toMatchObject({ kind: 'sounds', thresholds: null });
    expect((await client.thresholds()).map((one) => [one.kind, one.thresholds?.same, one.measured?.by])).toEqual([
      ['pictures', same, VIDEOS],
      ['sounds', 0.874, undefined],
    ]);
    expect((await ofPictures())?.measured?.by).toBe(VIDEOS);

    await until(async () => expect((await worths()).filter((worth) => (worth ?? 0) > 0)).toHaveLength(VIDEOS), 100);
    await node.stop();
  },
);

it.runIf(lacking !== undefined)(`skipped: ${lacking}`, () => undefined);
