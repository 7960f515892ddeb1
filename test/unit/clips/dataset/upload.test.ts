import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DataSet } from '../../../../src-main/clips/dataset/data-set.ts';
import { destinationOf } from '../../../../src-main/clips/dataset/upload/destination.ts';
import { ClipShardStore } from '../../../../src-main/store/clips/clip-shards.ts';
import type { Db } from '../../../../src-main/store/database.ts';
import type { DataSetProgress } from '../../../../src-preload/contract/data-set.ts';
import { listedRows, madeSound, madeVideo } from '../../../support/clips/data-rows.ts';
import { PublishingHub, TOKEN } from '../../../support/clips/publishing-hub.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';

const REPOSITORY = 'me/clips';
let folder: string;
let db: Db;
let store: ClipShardStore;
let hub: PublishingHub;
let set: DataSet;
const settings = { endpoint: '', repository: REPOSITORY, private: true, token: TOKEN };
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-upload-'));
  db = await memoryDatabase();
  store = new ClipShardStore(db);
  hub = await new PublishingHub().open();
  Object.assign(settings, { endpoint: `${hub.url}/`, repository: REPOSITORY, private: true, token: TOKEN });
  const videos = Array.from({ length: 520 }, (_, number) => madeVideo(number, 16));
  const sounds = Array.from({ length: 3 }, (_, number) => madeSound(number, 16));
  const rows = listedRows({ videos, sounds }, store);
  const notes = () => ({ thresholds: [] });
  set = new DataSet({ store, rows, folder, notes, chance: () => 0, destination: () => destinationOf(settings) });
  for await (const _ of set.export({ flush: true }));
});
afterEach(async () => {
  await set.close();
  await hub.close();
  await db.destroy();
  await rm(folder, { recursive: true, force: true });
});

async function upload(dryRun = false, signal?: AbortSignal): Promise<DataSetProgress> {
  const steps = await Array.fromAsync(set.upload({ dryRun }, signal));
  const done = steps.at(-1) as DataSetProgress;
  expect(done.step).toBe('done');
  return done;
}

const names = async () => (await set.view()).shards.map(({ name }) => name);
/** Once, in place of an answer. */
function answerWith(
  status: number,
  isMeant: (request: IncomingMessage) => boolean,
  headers: Record<string, string> = {},
) {
  let isLeft = true;
  hub.instead = (request, response: ServerResponse) => {
    if (!isLeft || !isMeant(request)) return false;
    isLeft = false;
    response.writeHead(status, headers).end('no');
    return true;
  };
}

describe('an upload', () => {
  it('makes a private repository, and brings all files there as they are', async () => {
    const done = await upload();
    expect(hub.faults).toEqual([]);
    expect(hub.repositories.get(REPOSITORY)).toMatchObject({ isPrivate: true, commits: ['Add 4 and remove 0 files'] });
    const there = hub.files(REPOSITORY);
    expect(Object.keys(there).sort()).toEqual([...(await names()), 'README.md'].sort());
    for (const [name, bytes] of Object.entries(there))
      expect(bytes.equals(await readFile(join(folder, name)))).toBe(true);
    expect(done).toMatchObject({ url: `${hub.url}/datasets/me/clips`, done: done.of });
    expect(done.files.map(({ rows }) => rows)).toEqual([512, 8, 3, null]);
    const { shards, destination } = await set.view();
    expect(destination).toEqual({ endpoint: hub.url, repository: REPOSITORY, isPrivate: true });
    expect(shards.every(({ uploadedAt, uploadedTo }) => uploadedAt !== null && uploadedTo === done.url)).toBe(true);
  });

  it('sends nothing again that is there, byte for byte', async () => {
    await upload();
    const { sent } = hub;
    const done = await upload();
    expect(hub.sent).toBe(sent);
    expect(done.files).toEqual([]);
    expect(done.leftOut).toEqual([{ why: expect.objectContaining({ text: 'They are there already.' }), rows: 523 }]);
    expect(hub.repositories.get(REPOSITORY)?.commits).toHaveLength(1);
    // Other bytes under the same name are.
    const [name = ''] = await names();
    hub.repositories.get(REPOSITORY)?.files.set(name, { bytes: Buffer.from('x'), lfs: true });
    expect((await upload()).files.map((file) => file.name)).toEqual([name]);
  });

  it('says what it would do, and does nothing of it', async () => {
    const done = await upload(true);
    expect(done.files.map(({ name }) => name)).toEqual([...(await names()), 'README.md']);
    expect(hub.asked).toEqual(['GET /api/datasets/me/clips/tree/main']);
    expect((await set.view()).shards.every(({ uploadedAt }) => uploadedAt === null)).toBe(true);
  });

  it('deletes what was replaced, with what was taken down, and leaves files of others', async () => {
    await upload();
    hub.repositories.get(REPOSITORY)?.files.set('notes.md', { bytes: Buffer.from('mine'), lfs: false });
    const [old = ''] = await names();
    await set.takeDown({ source: 'commons', id: 'File:Video 1.webm', reason: 'asked for' });
    const dry = await upload(true);
    expect(dry.leftOut.map(({ why, rows }) => [why.text, rows])).toContainEqual(['They were taken down.', 4]);
    expect(Object.keys(hub.files(REPOSITORY))).toContain(old);
    await upload();
    const there = Object.keys(hub.files(REPOSITORY));
    expect(there).not.toContain(old);
    expect(there.sort()).toEqual([...(await names()), 'README.md', 'notes.md'].sort());
    expect((await store.all()).filter(({ replaced_at }) => replaced_at !== null)).toEqual([]);
    expect(hub.faults).toEqual([]);
  });

  it('forgets nothing that was replaced as long as it is where the data set was uploaded to before', async () => {
    await upload();
    const [old = ''] = await names();
    await set.takeDown({ source: 'commons', id: 'File:Video 1.webm', reason: 'asked for' });
    settings.repository = 'me/other';
    const { leftOut } = await upload();
    const said = expect.stringContaining(`still at ${hub.url}/datasets/${REPOSITORY}`);
    expect(leftOut.map(({ why, rows }) => [why.text, rows])).toContainEqual([said, 512]);
    expect(Object.keys(hub.files(REPOSITORY))).toContain(old);
    settings.repository = REPOSITORY;
    await upload();
    expect(Object.keys(hub.files(REPOSITORY)).sort()).toEqual([...(await names()), 'README.md'].sort());
    expect((await store.all()).filter(({ replaced_at }) => replaced_at !== null)).toEqual([]);
  });

  it('deletes a file of which nothing is left, without another', async () => {
    await upload();
    for (const { video } of await db.selectFrom('clip_shard_rows').select('video').distinct().execute()) {
      await store.takeDown({ source: 'commons', video, reason: 'all', at: 1 });
    }
    await upload();
    expect(Object.keys(hub.files(REPOSITORY))).toEqual(['README.md']);
  });

  it('goes on where it was broken off', async () => {
    let puts = 0;
    hub.instead = (request, response) => {
      if (request.method !== 'PUT' || ++puts !== 2) return false;
      response.destroy();
      return true;
    };
    await expect(upload()).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED', retryable: true });
    hub.instead = () => false;
    const kept = [...hub.objects.keys()];
    const asked = hub.asked.length;
    await upload();
    const again = hub.asked.slice(asked).filter((one) => one.startsWith('PUT'));
    expect(again.length).toBeGreaterThan(0);
    expect(again.filter((one) => kept.some((oid) => one.endsWith(oid)))).toEqual([]);
    expect(Object.keys(hub.files(REPOSITORY))).toHaveLength(4);
  });

  it('is ended by its signal', async () => {
    const stop = new AbortController();
    hub.instead = (request) => {
      if (request.method === 'PUT') stop.abort();
      return request.method === 'PUT'; // never answered
    };
    await expect(upload(false, stop.signal)).rejects.toMatchObject({ code: 'CANCELLED' });
    hub.instead = () => false;
    await upload();
  });

  it('takes a repository that somebody else has made meanwhile', async () => {
    hub.repositories.set(REPOSITORY, { isPrivate: false, files: new Map(), commits: [] });
    answerWith(404, ({ url }) => url?.includes('/tree/') ?? false);
    await upload();
    expect(hub.asked).toContain('POST /api/repos/create');
  });

  const isPut = ({ method }: IncomingMessage) => method === 'PUT';
  const isCommit = ({ url }: IncomingMessage) => url?.includes('/commit/') ?? false;
  it.each([
    [401, { code: 'UNAUTHORIZED', message: expect.stringContaining('does not know the token') }],
    [403, { code: 'UNAUTHORIZED', message: expect.stringContaining('me/clips') }],
    [404, { code: 'BAD_REQUEST', message: expect.stringContaining('has no repository') }],
    [409, { code: 'OVERLOADED', retryable: true }],
    [412, { code: 'OVERLOADED', retryable: true }],
    [413, { code: 'BAD_REQUEST', message: expect.stringContaining('refuses it') }],
    [429, { code: 'RATE_LIMIT', retryable: true, retryAfterMs: 7_000 }],
    [500, { code: 'DOWNLOAD_FAILED', retryable: true }],
  ])('says what the hub means by %i, and goes on afterwards', async (status, wanted) => {
    answerWith(status, isCommit, { 'Retry-After': '7' });
    await expect(upload()).rejects.toMatchObject({ ...wanted, hint: expect.stringMatching(/\w/) });
    await upload();
    expect(Object.keys(hub.files(REPOSITORY))).toHaveLength(4);
  });

  it('says that the hub cannot be reached', async () => {
    await hub.close();
    await expect(upload()).rejects.toMatchObject({
      code: 'DOWNLOAD_FAILED',
      message: expect.stringContaining('cannot be reached'),
    });
    hub = await new PublishingHub().open();
  });

  it.each([
    ['of another kind', '<html>', 'text/html'],
    ['without an end', 'x'.repeat(17 * 2 ** 20), 'application/json'],
  ])('says that an answer is none of a hub: %s', async (_, body, type) => {
    hub.instead = (_request, response) => {
      response.writeHead(200, { 'Content-Type': type }).end(body);
      return true;
    };
    await expect(upload()).rejects.toMatchObject({ code: 'PROTOCOL' });
  });

  it('follows no listing of nothing from page to page for ever', async () => {
    let pages = 0;
    hub.instead = (request, response) => {
      const next = pages++ < 3_000 ? { Link: `<${hub.url}${request.url}>; rel="next"` } : {};
      return !!response.writeHead(200, { 'Content-Type': 'application/json', ...next }).end('[]');
    };
    await expect(upload(true)).rejects.toMatchObject({ code: 'PROTOCOL' });
    expect(pages).toBeLessThan(1_000);
  });

  it('sends nothing to where others can read it, and its token to the hub alone', async () => {
    hub.storage = 'http://192.0.2.1';
    await expect(upload()).rejects.toMatchObject({ code: 'PROTOCOL' });
    expect(hub.faults).toEqual([]); // the hub would have told of a token at its storage
  });

  it('follows no redirect to where others can read it', async () => {
    for (const isMeant of [({ url }: IncomingMessage) => url?.includes('/tree/') ?? false, isPut, isCommit]) {
      answerWith(307, isMeant, { Location: 'http://192.0.2.1/elsewhere' });
      await expect(upload()).rejects.toMatchObject({ code: 'PROTOCOL' });
    }
  });

  it('goes where the hub says that its repository is by now', async () => {
    hub.instead = (request, response) => {
      if (request.url?.startsWith('/moved')) request.url = request.url.slice('/moved'.length);
      else if (isCommit(request)) return !!response.writeHead(307, { Location: `/moved${request.url}` }).end();
      return false;
    };
    await upload();
    expect(Object.keys(hub.files(REPOSITORY))).toHaveLength(4);
  });

  it.each([
    ['endpoint', ''],
    ['repository', ''],
    ['token', undefined],
    ['endpoint', 'http://192.0.2.1'],
  ])('asks nobody as long as the settings lack something: %s %s', async (name, value) => {
    Object.assign(settings, { [name]: value });
    await expect(upload()).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      hint: expect.stringContaining('data.upload'),
    });
    expect(hub.asked).toEqual([]);
  });
});
