import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/fetch';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sha256 } from '../../src-main/base/sha256.ts';
import type { NodeClient } from '../../src-main/cli/terminal/node-client.ts';
import { findMediaTool } from '../../src-main/clips/media/find-media-tool.ts';
import type { DataState } from '../../src-preload/contract/data.ts';
import { QuarryProcess, temporaryFolder } from '../support/quarry-process.ts';
import { until } from '../support/until.ts';

const programs = await findMediaTool();
const lacking = 'lacks' in programs ? 'there is no ffmpeg' : undefined;
const MODELS = fileURLToPath(new URL('../fixtures/clips/tiny-models/', import.meta.url));
const VIDEOS = 3;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let node: QuarryProcess;
let url: string;
let authorization: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  if ('lacks' in programs) return;
  await mkdir(join(folder.path, 'data'), { recursive: true });
  const videos = join(folder.path, 'videos');
  await mkdir(videos);
  for (let at = 0; at < VIDEOS; at++) {
    const seconds = 12 + 3 * at;
    await promisify(execFile)(programs.ffmpeg, [
      ...['-loglevel', 'error', '-f', 'lavfi', '-i', `testsrc2=size=160x90:rate=10:duration=${seconds}`],
      ...['-f', 'lavfi', '-i', `sine=frequency=${300 + 100 * at}:duration=${seconds}`],
      ...['-c:v', 'mpeg4', '-g', '20', '-c:a', 'aac', join(videos, `shapes ${at}.mp4`)],
    ]);
  }
  const settings = [
    ...['[data]', `folders = ${JSON.stringify([videos])}`, 'sources = ["folder"]', '[data.models]'],
    ...[`pictures = ${JSON.stringify(join(MODELS, 'tiny-pictures'))}`],
    ...[`sounds = ${JSON.stringify(join(MODELS, 'tiny-sounds'))}`, ''],
  ];
  await writeFile(join(folder.path, 'data', 'quarry.toml'), settings.join('\n'));
  await start();
});
afterAll(async () => {
  await node?.stop();
  await folder.remove();
});

const data = () => join(folder.path, 'data');

async function start(): Promise<void> {
  node = new QuarryProcess(['start', '--headless', '--role', 'client', '--port', '0', '--data', data()], {
    // A machine on which tests run is in use, and may be hot.
    ...{ QUARRY_POLICY_USER_ACTIVE: 'off', QUARRY_POLICY_HEAT: 'off', QUARRY_POLICY_ON_BATTERY: 'off' },
  });
  [, url = ''] = await node.printed(/(http:\/\/127\.0\.0\.1:\d+)\/v1/);
  authorization = `Bearer ${(await readFile(join(data(), 'local.token'), 'utf8')).trim()}`;
}

const client = () => createORPCClient<NodeClient>(new RPCLink({ url: `${url}/rpc`, headers: { authorization } })).data;

async function state(): Promise<DataState> {
  for await (const now of await client().state()) return now;
  throw new Error('The node told nothing.');
}

it.skipIf(lacking !== undefined)(
  'makes clips of the videos of a folder, over a kill, and gives them to whoever has a ticket',
  { tags: ['long'] },
  async () => {
    await client().mine({ topic: 'shapes', most: VIDEOS });
    await until(async () => expect((await state()).clips).toBeGreaterThan(0));
    await node.stop('SIGKILL');
    await start();
    await until(async () => expect(await state()).toMatchObject({ mining: 'off', clips: VIDEOS }), 100);
    const { clips } = await client().clips({});
    expect(clips.map(({ title, licence, describedBy }) => `${title} ${licence} ${describedBy}`).sort()).toEqual(
      Array.from({ length: VIDEOS }, (_, at) => `shapes ${at} own speech`),
    );
    const [clip] = clips;
    if (!clip) throw new Error('There is no clip.');
    expect(clip.space).toMatch(/^tiny-pictures@.+\+tiny-sounds@/);
    expect((await client().clips({ like: clip.clip })).clips.length).toBe(VIDEOS - 1);
    const { video, poster } = await client().play({ clip: clip.clip });
    const [whole, part, picture] = await Promise.all([
      fetch(url + video),
      fetch(url + video, { headers: { range: 'bytes=0-9' } }),
      fetch(url + poster),
    ]);
    expect([whole.status, part.status, whole.headers.get('content-type')]).toEqual([200, 206, 'video/mp4']);
    expect(sha256(await whole.bytes()).toString('hex')).toBe(clip.sha256);
    expect([...(await picture.bytes()).subarray(0, 2)]).toEqual([0xff, 0xd8]);
    await client().removeClip({ clip: clip.clip });
    expect((await fetch(url + video)).status).toBe(404);
    const files = (await readdir(join(data(), 'clips'), { recursive: true })).filter((name) =>
      /\.(mp4|jpg)$/.test(name),
    );
    expect(files.length).toBe(2 * (VIDEOS - 1));
  },
);

it.runIf(lacking !== undefined)(`skipped: ${lacking}`, () => undefined);
