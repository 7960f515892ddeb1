/** @module-tag long */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/fetch';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { NodeClient } from '../../src-main/cli/terminal/node-client.ts';
import type { BeginRecording, RecordingGrant } from '../../src-preload/contract/focus.ts';
import { CHUNK_KEY_HEADER, CHUNK_PATH, MAX_CHUNK_BYTES } from '../../src-preload/contract/focus-limits.ts';
import { writePainted } from '../support/painted-video.ts';
import { QuarryProcess, temporaryFolder } from '../support/quarry-process.ts';
import { readWebm } from '../support/webm.ts';

const TASK: BeginRecording = {
  title: 'Mend the CSV import',
  description: '',
  surface: 'tab',
  sound: { microphone: false, system: false },
  width: 1280,
  height: 720,
};

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let node: QuarryProcess;
let url: string;
let authorization: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  await start();
});
afterAll(async () => {
  await node.stop();
  await folder.remove();
});

async function start(): Promise<void> {
  node = new QuarryProcess(['start', '--headless', '--role', 'client', '--port', '0', '--data', folder.path]);
  [, url = ''] = await node.printed(/(http:\/\/127\.0\.0\.1:\d+)\/v1/);
  authorization = `Bearer ${(await readFile(join(folder.path, 'local.token'), 'utf8')).trim()}`;
}

const client = () => createORPCClient<NodeClient>(new RPCLink({ url: `${url}/rpc`, headers: { authorization } }));

/** `quarry focus` in a terminal. */
async function focus(...args: string[]) {
  const command = new QuarryProcess(['focus', ...args, '--data', folder.path]);
  return { code: await command.ended(), out: command.stdout, err: command.stderr };
}

interface Handing {
  grant: Pick<RecordingGrant, 'token' | 'part'>;
  chunk: number;
  /** Of the recording, with it. Default: a second for each chunk. */
  activeMs?: number;
  body?: RequestInit['body'];
  headers?: Record<string, string>;
  query?: string;
}

async function hand({
  grant,
  chunk,
  activeMs = (chunk + 1) * 1_000,
  body = `chunk ${chunk};`,
  headers,
  query = '',
}: Handing): Promise<Response> {
  const about = `part=${grant.part}&chunk=${chunk}&activeMs=${activeMs}&motion=7${query}`;
  return await fetch(`${url}${CHUNK_PATH}?${about}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/octet-stream', [CHUNK_KEY_HEADER]: grant.token, ...headers },
    body,
    ...(typeof body === 'object' && { duplex: 'half' as const }),
  });
}

it('takes chunks of whoever is let in and has the key of the recording, and goes on after the node was killed', async () => {
  const grant = await client().focus.begin(TASK);
  const first = await hand({ grant, chunk: 0, query: '&keys=3&clicks=&moves=12' });
  expect([first.status, await first.json()]).toEqual([200, { nextChunk: 1, ended: null }]);
  expect(await client().focus.activity({ id: grant.id })).toMatchObject([
    { motion: 7, keys: 3, clicks: null, moves: 12 },
  ]);
  expect(await client().focus.motion({ id: grant.id, bars: 120 })).toEqual([7]);

  expect((await hand({ grant: { ...grant, token: 'x'.repeat(43) }, chunk: 1 })).status).toBe(401);
  expect((await hand({ grant, chunk: 1, headers: { authorization: 'Bearer nobody' } })).status).toBe(403);
  expect((await hand({ grant, chunk: 1, headers: { origin: 'https://evil.example' } })).status).toBe(403);
  expect((await hand({ grant, chunk: 1, headers: { 'content-type': 'text/plain' } })).status).toBe(415);
  expect((await hand({ grant, chunk: 2 })).status).toBe(400);
  expect((await hand({ grant, chunk: 1, query: '&keys=-1' })).status).toBe(400);
  expect((await hand({ grant, chunk: 1, query: '&motion=99999' })).status).toBe(400);

  await node.stop('SIGKILL');
  const [left] = JSON.parse((await focus('list', '--json')).out);
  expect(left).toMatchObject({ id: grant.id, state: 'interrupted' });
  expect((await focus('list')).err).toContain('quarry focus keep ID');
  await start();
  expect((await hand({ grant, chunk: 1 })).status).toBe(401);
  const next = await client().focus.goOn({ id: grant.id, newPart: false });
  expect(next).toMatchObject({ nextChunk: 1, part: 0 });
  expect((await hand({ grant: next, chunk: 1 })).status).toBe(200);
  expect(await client().focus.finish({ id: grant.id })).toMatchObject({ state: 'draft', activeMs: 2_000 });
  expect(await client().focus.check({ id: grant.id })).toEqual({ chunks: 2, brokenAt: null, otherSigner: null });
  const { score, findings } = await client().focus.score({ id: grant.id });
  expect([score, findings.find(({ rule }) => rule === 'length')?.outcome]).toEqual([0, 'failed']);
  await client().focus.remove({ ids: [grant.id] });
  expect((await client().focus.list({})).recordings).toEqual([]);
});

it('keeps what was interrupted as far as it came, without a node', async () => {
  const grant = await client().focus.begin(TASK);
  expect((await hand({ grant, chunk: 0 })).status).toBe(200);
  await node.stop('SIGKILL');
  expect(await focus('keep', grant.id)).toMatchObject({
    code: 0,
    out: expect.stringContaining('is kept as it is, 0:01.'),
  });
  expect(await focus('keep', grant.id)).toMatchObject({ code: 1, err: expect.stringContaining('end') });
  await start();
  expect(await client().focus.get(grant)).toMatchObject({ state: 'draft', activeMs: 1_000 });
  await client().focus.remove({ ids: [grant.id] });
});

it('begins nothing for a task that is in no list, and the recording of one has it from the start', async () => {
  const { focus } = client();
  await expect(focus.begin({ ...TASK, task: { kind: 'boosted', id: 'gone' } })).rejects.toThrow(/no such task/);
  expect((await focus.list({})).recordings).toEqual([]);
  const [task] = (await focus.tasks({ kind: 'suggested' })).tasks;
  const grant = await focus.begin({ ...TASK, task: { kind: 'suggested', id: task?.id ?? '' } });
  expect(await focus.get(grant)).toMatchObject({ title: TASK.title, task: { kind: 'suggested', id: task?.id } });
  expect((await hand({ grant, chunk: 0 })).status).toBe(200);
  await focus.finish({ id: grant.id });
  await focus.remove({ ids: [grant.id] });
});

it('reads no more of a chunk than may be, and stays well', async () => {
  const grant = await client().focus.begin(TASK);
  expect((await hand({ grant, chunk: 0, body: Buffer.alloc(MAX_CHUNK_BYTES) })).status).toBe(200);
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1 << 20;
      if (sent > 1 << 28) controller.close();
      else controller.enqueue(new Uint8Array(1 << 20));
    },
  });
  const answer = await hand({ grant, chunk: 1, body: endless }).catch((error: unknown) => error);
  if (answer instanceof Response) expect(answer.status).toBe(400);
  expect(sent).toBeLessThan(1 << 27);
  expect((await hand({ grant, chunk: 1 })).status).toBe(200);
  await client().focus.finish({ id: grant.id });
});

it('lists, scores, checks, exports and deletes recordings in a terminal', async () => {
  const made = join(folder.path, 'made.webm');
  const times = Array.from({ length: 80 }, (_, index) => index * 50);
  const paint = (_x: number, _y: number, atMs: number) => [20 + atMs / 20, 128, 128] as const;
  await writePainted(made, { width: 64, height: 48, times, sound: 4, paint });
  const grant = await client().focus.begin({ ...TASK, title: 'In a terminal' });
  expect((await hand({ grant, chunk: 0, activeMs: 4_000, body: await readFile(made) })).status).toBe(200);
  await client().focus.finish({ id: grant.id });
  const id = grant.id.slice(0, 8);
  expect(await focus('list', 'terminal')).toMatchObject({ code: 0, out: expect.stringContaining(id) });
  expect((await focus('check', id)).out).toContain('Its one chunk is as it was recorded.');
  expect((await focus('score', id)).out).toMatch(
    /the rules do not accept it[\s\S]*length +failed[\s\S]*draft: not scored yet[\s\S]*shown to no model/,
  );
  expect(await focus('appeal', id, 'It is work.')).toMatchObject({ code: 1, err: expect.stringContaining('no score') });
  expect((await focus('score', id, '--model')).out).toContain('rejected: 0.00. It has 4 seconds');
  expect((await focus('appeal', id, 'It is work.')).out).toContain('rejected: 0.00');
  expect(await focus('appeal', id, ' ')).toMatchObject({ code: 1, err: expect.stringContaining('note must not be') });
  expect((await focus('list', 'terminal')).out).toMatch(/rejected +0\.00/);
  const offered = await focus('market', 'offer', id);
  expect(offered).toMatchObject({ code: 1, err: expect.stringMatching(/market/i) });
  expect(offered.err).not.toContain('not good enough');
  const file = join(folder.path, 'piece.webm');
  expect(await focus('export', id, file, '--from', '0:01', '--to', '0:03', '--mute')).toMatchObject({
    code: 0,
    err: expect.not.stringContaining('Error'),
  });
  expect((await stat(file)).size).toBeGreaterThan(0);
  expect((await stat(file)).size).toBeLessThan((await stat(made)).size);
  const rest = join(folder.path, 'rest.webm');
  expect(await focus('export', id, rest, '--cut', '0:01-0:03', '--mute')).toMatchObject({
    code: 0,
    err: expect.stringMatching(/^(Making the video …\n)?$/), // nothing but that: no row of percents where nobody looks
  });
  expect((await readWebm(await readFile(rest))).durationMs).toBeCloseTo(2_000, -2);
  const both = await focus('export', id, rest, '--cut', '0:01-0:03', '--to', '0:04');
  expect(both).toMatchObject({ code: 1, err: expect.stringContaining('(--from, --to) or what is left out (--cut)') });
  const backwards = await focus('export', id, rest, '--from', '0:03', '--to', '0:01');
  expect(backwards).toMatchObject({ code: 1, err: expect.stringContaining('--to 0:01 is not after --from 0:03.') });
  const covered = join(folder.path, 'covered.mp4');
  expect(await focus('export', id, covered, '--box', '0:01-0:02:0,0,0.5,1')).toMatchObject({ code: 0 });
  const { video, format, tags } = await readWebm(await readFile(covered));
  expect([video?.length, format, tags.title]).toEqual([80, 'MP4', 'In a terminal']);
  const plain = join(folder.path, 'plain.webm');
  expect(await focus('export', id, plain, '--no-metadata')).toMatchObject({ code: 0 });
  expect((await readFile(plain)).includes('In a terminal')).toBe(false);
  expect(await focus('export', id, 'piece.avi')).toMatchObject({
    code: 1,
    err: expect.stringContaining('.webm or .mp4'),
  });
  const left = async () =>
    (await readdir(join(folder.path, 'focus', grant.id))).filter((name) => name.endsWith('.tmp'));
  await expect.poll(left).toEqual([]);
  const there = await focus('export', id, file);
  expect(there).toMatchObject({ code: 1, err: expect.stringMatching(/There is a file already.*--force/s) });
  const before = await readFile(file);
  expect(await focus('export', id, file, '--force')).toMatchObject({ code: 0 });
  expect((await readFile(file)).equals(before)).toBe(false);
  const nowhere = await focus('export', id, join(folder.path, 'nowhere', 'a.webm'));
  expect(nowhere).toMatchObject({ code: 1, err: expect.stringContaining('There is no folder') });
  expect(await focus('delete', id, '--yes')).toMatchObject({ code: 0 });
  expect(await focus('check', id)).toMatchObject({ code: 1, err: expect.stringContaining('no recording') });
});
