import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { link, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type FileFetchOptions, fetchFile } from '../../src-main/clips/sources/file-fetch.ts';
import { quickClient } from '../support/clip-sources.ts';
import { type Quirk, SourceServer } from '../support/clip-sources-server.ts';
import { startChild } from '../support/killed-child.ts';

const MiB = 1 << 20;
const FILE = randomBytes(24 * MiB);

async function opened(file = FILE, etag?: string | null) {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-fetch-'));
  const server = await new SourceServer().open();
  onTestFinished(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });
  server.replies = () => ({ file, ...(etag !== undefined && { etag }) });
  const to = join(folder, 'video');
  const options: FileFetchOptions = {
    client: quickClient(server.origin),
    url: new URL('/video?secret=1', server.origin),
    to,
    seconds: null,
    mostSeconds: 300,
    mostBytes: 64 * MiB,
    signal: new AbortController().signal,
  };
  const fetch = (more: Partial<FileFetchOptions> = {}) => fetchFile({ ...options, ...more });
  /** Fetches some of it, and lets go. */
  const begin = async (bytes: number) => {
    const ending = new AbortController();
    const onProgress = (have: number) => have >= bytes && ending.abort(new Error('enough'));
    await expect(fetch({ signal: ending.signal, onProgress })).rejects.toThrow('enough');
    server.asked.length = 0;
  };
  return { folder, server, to, fetch, begin };
}

const firstRead = (server: SourceServer) => Number(/\d+/.exec(server.reads[0] ?? '')?.[0]);

it('goes on where a process was killed in the midst of it', async () => {
  const { server, to, fetch, folder } = await opened();
  server.stallsAt = 16 * MiB;
  const child = startChild(join(import.meta.dirname, '../support/clip-sources-child.ts'), [
    `${server.origin}/video?secret=1`,
    to,
  ]);
  let printed = '';
  for await (const text of child.stdout) {
    printed += text;
    if (Number(printed.trim().split('\n').at(-1)) >= 12 * MiB) break;
  }
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  expect((await stat(to)).size).toBeLessThan(FILE.length);
  server.asked.length = 0;
  server.stallsAt = undefined;
  expect(await fetch()).toEqual({ bytes: FILE.length, url: `${server.origin}/video` });
  expect(firstRead(server)).toBeGreaterThanOrEqual(8 * MiB);
  expect((await readFile(to)).equals(FILE)).toBe(true);
  expect(await readdir(folder)).toEqual(['video']);
});

it.each([
  ['Tue, 03 Nov 2026 10:00:00 GMT', Date.UTC(2026, 10, 3, 10)],
  ['some day', undefined],
])('says when the file was changed last: %s', async (modified, at) => {
  const { server, fetch } = await opened();
  server.replies = () => ({ file: FILE.subarray(0, MiB), modified });
  expect((await fetch()).changedAt).toBe(at);
});

it('begins anew where the server has another file by now', async () => {
  const { server, to, fetch, begin } = await opened();
  await begin(2 * MiB);
  const other = randomBytes(FILE.length);
  server.replies = () => ({ file: other, etag: '"2"' });
  await fetch();
  expect(firstRead(server)).toBe(0);
  expect((await readFile(to)).equals(other)).toBe(true);
});

it('begins anew where nothing tells that it is the same file', async () => {
  const { server, to, fetch, begin } = await opened(FILE, null);
  await begin(2 * MiB);
  await fetch();
  expect(firstRead(server)).toBe(0);
  expect((await readFile(to)).equals(FILE)).toBe(true);
});

it('takes all of it from a server that knows no ranges', async () => {
  const { server, to, fetch } = await opened();
  server.quirks.push(...Array.from({ length: 4 }, (): Quirk => withoutRanges));
  expect((await fetch()).bytes).toBe(FILE.length);
  expect((await readFile(to)).equals(FILE)).toBe(true);
});

const withoutRanges: Quirk = (_, response) => {
  response.writeHead(200, { 'content-length': FILE.length, etag: '"1"' }).end(FILE);
  return true;
};

it('goes on over lines that break, and gives up where they break at once', async () => {
  const { server, to, fetch } = await opened();
  const breaks: Quirk = ({ headers }, response) => {
    const start = Number(/bytes=(\d+)/.exec(headers.range ?? '')?.[1] ?? 0);
    const range = `bytes ${start}-${FILE.length - 1}/${FILE.length}`;
    response.writeHead(206, { 'content-range': range, 'content-length': FILE.length - start, etag: '"1"' });
    response.write(FILE.subarray(start, start + MiB), () => setTimeout(() => response.destroy(), 20));
    return true;
  };
  const passes: Quirk = () => false;
  server.quirks.push(passes, passes, breaks, passes, breaks);
  await fetch();
  expect((await readFile(to)).equals(FILE)).toBe(true);
  const dies: Quirk = (_, response) => {
    response.destroy();
    return true;
  };
  server.quirks.push(...Array.from({ length: 20 }, () => dies));
  await expect(fetch()).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED', retryable: true });
});

it('stops at the most that may be, also where the server does not say how much there is', async () => {
  const { server, to, fetch } = await opened();
  await expect(fetch({ mostBytes: MiB })).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED', retryable: false });
  const endless: Quirk = (_, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write(Buffer.alloc(256 << 10)), 1);
    response.once('close', () => clearInterval(timer));
    return true;
  };
  server.quirks.push(endless, endless);
  await expect(fetch({ mostBytes: 3 * MiB })).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED', retryable: false });
  expect((await stat(to)).size).toBeLessThanOrEqual(3 * MiB + 1);
});

it('does not wait for ever for a file that comes byte by byte', async () => {
  const { server, fetch } = await opened(Buffer.alloc(MiB));
  server.trickle = { bytes: 1, ms: 5 };
  const fetched = fetch({ least: { bytes: 64 << 10, ms: 100 } });
  await expect(fetched).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED', retryable: true });
});

it('gives up a server that has another file each time, however much of it comes', async () => {
  const { server, fetch } = await opened();
  let files = 0;
  const breaks: Quirk = ({ headers }, response) => {
    const isLook = headers.range === 'bytes=0-0';
    const etag = `"${isLook ? ++files : files}"`;
    const [start = 0, end = 0] = (headers.range ?? '').match(/\d+/g)?.map(Number) ?? [];
    const range = `bytes ${start}-${end}/${FILE.length}`;
    response.writeHead(206, { 'content-range': range, 'content-length': end - start + 1, etag });
    if (isLook) return !!response.end(FILE.subarray(0, 1));
    response.write(FILE.subarray(start, start + MiB), () => setTimeout(() => response.destroy(), 20));
    return true;
  };
  server.quirks.push(...Array.from({ length: 60 }, () => breaks));
  await expect(fetch()).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED', retryable: true });
  expect(files).toBeLessThan(8);
});

it('lets go of what takes for ever, though something comes all the time, and goes on with it later', async () => {
  const { server, fetch, to } = await opened(FILE.subarray(0, 4 * MiB));
  server.trickle = { bytes: 64 << 10, ms: 20 };
  await expect(fetch({ mostMs: 300 })).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED', retryable: true });
  const have = (await stat(to)).size;
  expect(have).toBeGreaterThan(0);
  expect(have).toBeLessThan(4 * MiB);
  server.trickle = undefined;
  server.asked.length = 0;
  expect((await fetch()).bytes).toBe(4 * MiB);
  expect(firstRead(server)).toBe(have);
});

it('fetches of a long video that is played from the front no more than is wanted', async () => {
  const webm = Buffer.concat([Buffer.from('1a45dfa3', 'hex'), FILE]);
  const { to, fetch } = await opened(webm);
  const { bytes } = await fetch({ seconds: 3_600 });
  expect(bytes).toBeLessThan(8 * MiB);
  expect((await readFile(to)).equals(webm.subarray(0, bytes))).toBe(true);
  expect((await fetch({ seconds: 3_600, mostBytes: 8 * MiB })).bytes).toBe(bytes);
  expect((await fetch({ seconds: 300 })).bytes).toBe(webm.length);
});

it('fetches all of one whose index is at its end', async () => {
  const mp4 = Buffer.concat([
    Buffer.from('000000186674797069736f6d', 'hex'),
    Buffer.alloc(12),
    Buffer.from('7fffffff6d646174', 'hex'),
    FILE,
  ]);
  const { fetch } = await opened(mp4);
  expect((await fetch({ seconds: 3_600 })).bytes).toBe(mp4.length);
  const short = fetch({ seconds: 3_600, mostBytes: 8 * MiB });
  await expect(short).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED', retryable: false });
});

it('writes into nothing that lay there before under another name', async () => {
  const { folder, to, fetch } = await opened(Buffer.from('new'));
  const own = join(folder, 'own');
  await writeFile(own, 'precious');
  await link(own, to);
  await fetch();
  expect([await readFile(own, 'utf8'), await readFile(to, 'utf8')]).toEqual(['precious', 'new']);
});

it('knows nothing of an empty file, nor of one that is gone', async () => {
  const { server, fetch } = await opened(Buffer.alloc(0));
  await expect(fetch()).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED' });
  server.replies = () => undefined;
  await expect(fetch()).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED', retryable: false });
});
