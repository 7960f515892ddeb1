import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WantedModel } from '../../src-main/models/wanted-model.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import type { Download } from '../../src-preload/contract/models.ts';
import { DownloadNode, type DownloadNodeOptions, PeersDouble, sha256Of } from '../support/download-node.ts';
import { Uplink } from '../support/download-uplink.ts';
import { UnrulyServer } from '../support/unruly-server.ts';

const CONTENT = randomBytes(6_000_000);
const SHA256 = sha256Of(CONTENT);
const SEGMENT = 1 << 20;
const never = new AbortController().signal;

const closing: { close(): Promise<void> }[] = [];
let server: UnrulyServer;
beforeEach(async () => {
  server = await serverOf(CONTENT);
});
afterEach(async () => {
  for (const resource of closing.splice(0).toReversed()) await resource.close();
});

async function serverOf(content: Buffer): Promise<UnrulyServer> {
  const opened = await new UnrulyServer(content).open();
  closing.push(opened);
  return opened;
}

async function nodeWith(options: DownloadNodeOptions = {}): Promise<DownloadNode> {
  const node = await DownloadNode.open({ segmentBytes: SEGMENT, attempts: 6, ...options });
  closing.push(node);
  return node;
}

function wanted(change: Partial<WantedModel> = {}): WantedModel {
  return { name: 'qwen', urls: [`${server.origin}/qwen.gguf`], sha256: SHA256, ...change };
}

async function pull(node: DownloadNode, model = wanted()): Promise<Download> {
  await node.downloads.start(model);
  return await node.downloads.finished(model.name, never);
}

/** Resolves when the download is so. */
async function until(node: DownloadNode, isSo: (download: Download) => boolean): Promise<Download> {
  const ending = new AbortController();
  for await (const [download] of node.downloads.watch(ending.signal)) {
    if (download && isSo(download)) return download;
  }
  throw new Error('the downloads were closed');
}

async function expectWhole(node: DownloadNode): Promise<void> {
  expect((await node.file('qwen')).equals(CONTENT)).toBe(true);
  expect(await readdir(node.folder)).toEqual(['qwen.gguf']);
}

describe('a download', () => {
  it('fetches a file over several lines, checks it and hands it over', async () => {
    const node = await nodeWith();
    expect(await pull(node)).toMatchObject({ state: 'done', received: CONTENT.length, bytes: CONTENT.length });
    await expectWhole(node);
    expect(node.adopted).toEqual([{ name: 'qwen', sha256: SHA256, source: new URL(server.origin).host }]);
    expect(server.reads.length).toBe(Math.ceil(CONTENT.length / SEGMENT));
  });

  it('tells the hash of a file that nobody knew the hash of', async () => {
    const node = await nodeWith();
    await pull(node, wanted({ sha256: undefined }));
    expect(node.adopted[0]?.sha256).toBe(SHA256);
  });

  it('takes an empty file and a very small one for what they are', async () => {
    for (const content of [Buffer.alloc(0), Buffer.from('x')]) {
      server = await serverOf(content);
      const node = await nodeWith();
      await pull(node, wanted({ sha256: sha256Of(content) }));
      expect(await node.file('qwen')).toEqual(content);
    }
  });

  it('takes a file of unknown length, and no more of it than is allowed', async () => {
    server.quirk = () => ({ ignoreRange: true, withoutLength: true });
    const node = await nodeWith();
    await pull(node);
    await expectWhole(node);
    const strict = await nodeWith({ maxBytes: 1_000_000 });
    await expect(pull(strict)).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED', message: /longer than 1 MB/ });
  });

  it('gets over lines that break, without asking for a byte twice', async () => {
    server.quirk = (_, number) => (number > 0 && number < 4 ? { dropAfter: 200_000 } : undefined);
    const node = await nodeWith();
    await pull(node);
    await expectWhole(node);
    const asked = server.reads.map(({ range }) => range?.start ?? 0);
    expect(new Set(asked).size).toBe(asked.length);
  });

  it('gets over a server that stands still', async () => {
    server.quirk = (_, number) => (number > 0 && number < 5 ? { stallAfter: 100_000 } : undefined);
    // On a busy machine a line may seem to stand still that does not.
    const node = await nodeWith({ stallMs: 300, attempts: 1_000 });
    await pull(node);
    await expectWhole(node);
  });

  it('does with fewer lines where a server says that there are too many', async () => {
    server.quirk = (_, number) =>
      number > 1 && number < 5 ? { status: 429, headers: { 'retry-after': '60' } } : undefined;
    const node = await nodeWith();
    await pull(node);
    await expectWhole(node);
  });

  it('waits as long as a server asks it to', async () => {
    server.quirk = (_, number) => (number === 0 ? { status: 503, headers: { 'retry-after': '1' } } : undefined);
    const node = await nodeWith();
    const started = performance.now();
    await node.downloads.start(wanted());
    const waiting = await until(node, ({ problem }) => problem !== null);
    expect(waiting).toMatchObject({ state: 'downloading', problem: { message: /patience/ } });
    await node.downloads.finished('qwen', never);
    expect(performance.now() - started).toBeGreaterThan(990);
  });

  it('manages with a server that knows no ranges and drops the line', async () => {
    server.quirk = (_, number) => ({ ignoreRange: true, dropAfter: number === 1 ? 3_000_000 : undefined });
    const node = await nodeWith();
    await pull(node);
    await expectWhole(node);
  });

  it('begins again, once, when the file changes in the middle of it', async () => {
    const newer = randomBytes(5_000_000);
    server.quirk = (_, number) => (number < 3 ? undefined : { content: newer, etag: '"2"' });
    const node = await nodeWith();
    await pull(node, wanted({ sha256: undefined }));
    expect((await node.file('qwen')).equals(newer)).toBe(true);
  });

  it('gives up when the file keeps changing', async () => {
    server.quirk = (_, number) => ({ etag: `"${number}"` });
    const node = await nodeWith();
    await expect(pull(node)).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED', message: /keeps changing/ });
  });

  it('refuses a file of another length than is wanted', async () => {
    const node = await nodeWith();
    await expect(pull(node, wanted({ bytes: 5 }))).rejects.toMatchObject({ message: /has 6000000 bytes, not 5/ });
  });

  it('says what was expected and what came when bytes are wrong, and keeps nothing', async () => {
    server.quirk = () => ({ flipByte: 3_000_000 });
    const node = await nodeWith();
    const failure = await pull(node).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'MODEL_INVALID', message: expect.stringContaining(SHA256), hint: /deleted/ });
    expect(await readdir(node.folder)).toEqual([]);
    server.quirk = () => undefined;
    await node.downloads.resume('qwen');
    await node.downloads.finished('qwen', never);
    await expectWhole(node);
  });

  it('says what to do when the server does not let it in', async () => {
    server.quirk = () => ({ status: 401 });
    const node = await nodeWith();
    await expect(pull(node)).rejects.toMatchObject({
      code: 'DOWNLOAD_FAILED',
      hint: /terms .*HF_TOKEN.*import a file/,
    });
    expect(node.downloads.list()).toMatchObject([{ state: 'failed', problem: { fault: 'forbidden' } }]);
    expect(server.asked).toHaveLength(1);
  });

  it('keeps what the library could not take, unless it is no model', async () => {
    let refusal: QuarryError | undefined = new QuarryError({ code: 'BAD_REQUEST', message: 'The name is taken.' });
    const node = await nodeWith({
      adopt: async (path) => {
        if (refusal) throw refusal;
        await rm(path);
      },
    });
    await expect(pull(node)).rejects.toMatchObject({ message: 'The name is taken.' });
    const before = server.asked.length;
    refusal = new QuarryError({ code: 'MODEL_INVALID', message: 'It is no GGUF file.' });
    await node.downloads.resume('qwen');
    await expect(node.downloads.finished('qwen', never)).rejects.toMatchObject({ code: 'MODEL_INVALID' });
    expect(server.asked).toHaveLength(before);
    expect(await readdir(node.folder)).toEqual([]);
  });
});

describe('a download with several sources', () => {
  it('leaves a server that broke for a mirror, and asks only for what is missing', async () => {
    const mirror = await serverOf(CONTENT);
    server.quirk = (_, number) => (number > 2 ? { status: 500 } : undefined);
    const node = await nodeWith();
    await pull(node, wanted({ urls: [`${server.origin}/a`, `${mirror.origin}/b`] }));
    await expectWhole(node);
    const fromMirror = mirror.reads.reduce((sum, { range }) => sum + (range?.last ?? 0) - (range?.start ?? 0) + 1, 0);
    expect(fromMirror).toBe(CONTENT.length - 2 * SEGMENT);
    expect(node.adopted[0]?.source).toContain(', ');
  });

  it('falls back to peers, and from peers to the server', async () => {
    server.quirk = (_, number) => (number > 1 && number < 8 ? { status: 502 } : undefined);
    const node = await nodeWith();
    const peers = new PeersDouble(CONTENT, 2_000_000);
    node.peers = [peers];
    await pull(node);
    await expectWhole(node);
    expect(peers.given).toBeGreaterThanOrEqual(2_000_000);
    expect(server.asked.length).toBeGreaterThan(8);
  });

  it('fetches it all again from one server when bytes of several are not the file', async () => {
    const corrupt = await serverOf(CONTENT);
    corrupt.quirk = () => ({ flipByte: 5_900_000 });
    server.quirk = (_, number) => (number > 1 && number < 9 ? { status: 500 } : undefined);
    const node = await nodeWith();
    await pull(node, wanted({ urls: [`${server.origin}/a`, `${corrupt.origin}/b`] }));
    await expectWhole(node);
    expect(node.adopted[0]?.source).toBe(new URL(server.origin).host);
  });

  it('takes the file of the server that has it, whichever of several gave wrong bytes', async () => {
    const mirrors = [await serverOf(CONTENT), await serverOf(CONTENT), await serverOf(CONTENT)];
    const urls = mirrors.map(({ origin }) => `${origin}/qwen`);
    for (const good of mirrors) {
      for (const mirror of mirrors) mirror.quirk = () => (mirror === good ? undefined : { flipByte: 3_000_000 });
      const node = await nodeWith();
      await pull(node, wanted({ urls }));
      await expectWhole(node);
      expect(node.adopted[0]?.source).toBe(new URL(good.origin).host);
    }
  });

  it('asks the next server when bytes of several are not the file, and the first has another one', async () => {
    const mirror = await serverOf(CONTENT);
    server.quirk = (_, number) => (number > 1 && number < 9 ? { status: 500 } : { flipByte: 100 });
    const node = await nodeWith();
    await pull(node, wanted({ urls: [`${server.origin}/a`, `${mirror.origin}/b`] }));
    await expectWhole(node);
    expect(node.adopted[0]?.source).toBe(new URL(mirror.origin).host);
  });

  it('asks peers when the only server has another file, and passes over a server that is gone', async () => {
    const gone = await serverOf(CONTENT);
    gone.quirk = () => ({ status: 404 });
    server.quirk = () => ({ flipByte: 100 });
    const node = await nodeWith();
    node.peers = [new PeersDouble(CONTENT)];
    await pull(node, wanted({ urls: [`${server.origin}/a`, `${gone.origin}/b`] }));
    await expectWhole(node);
    expect(node.adopted[0]?.source).toBe('peers');
  });

  it('gives up when nobody has the wanted file, and asks each only once', async () => {
    const mirror = await serverOf(CONTENT);
    for (const liar of [server, mirror]) liar.quirk = () => ({ flipByte: 100 });
    const node = await nodeWith();
    const failure = await pull(node, wanted({ urls: [`${server.origin}/a`, `${mirror.origin}/b`] })).catch((e) => e);
    expect(failure).toMatchObject({ code: 'MODEL_INVALID', hint: /take qwen out of pins.json/ });
    for (const liar of [server, mirror]) expect(liar.reads).toHaveLength(Math.ceil(CONTENT.length / SEGMENT));
  });

  it('leaves a server whose file keeps changing for a mirror', async () => {
    const mirror = await serverOf(CONTENT);
    server.quirk = (_, number) => ({ etag: `"${number}"` });
    for (const sha256 of [SHA256, undefined]) {
      const node = await nodeWith();
      await pull(node, wanted({ sha256, urls: [`${server.origin}/a`, `${mirror.origin}/b`] }));
      await expectWhole(node);
    }
  });

  it('keeps good bytes when the mark of a file changes whose hash is known', async () => {
    const mirror = await serverOf(CONTENT);
    server.quirk = (_, number) => (number > 2 ? { status: 500 } : undefined);
    mirror.quirk = (_, number) => ({ etag: number < 3 ? '"1"' : '"2"' });
    const node = await nodeWith();
    await pull(node, wanted({ urls: [`${server.origin}/a`, `${mirror.origin}/b`] }));
    await expectWhole(node);
    const again = mirror.reads.filter(({ range }) => (range?.start ?? 0) < 2 * SEGMENT);
    expect(again).toEqual([]);
    expect(node.adopted[0]?.source).toContain(', ');
  });

  it('keeps the bytes of its only server when the mark changes of a file whose hash is known', async () => {
    const node = await nodeWith();
    const later = (range?: { start: number }) => (range?.start ?? 0) >= 2 * SEGMENT;
    server.quirk = ({ range }) => (later(range) ? { stallAfter: 0 } : undefined);
    await node.downloads.start(wanted());
    await until(node, ({ received }) => received === 2 * SEGMENT);
    server.quirk = () => ({ etag: '"2"' });
    server.cut();
    await node.downloads.finished('qwen', never);
    await expectWhole(node);
    expect(server.reads.filter(({ range }) => !later(range))).toHaveLength(2);
  });

  it('goes on with a mirror whose lines break, after a server that gave nothing, without a hash', async () => {
    const mirror = await serverOf(CONTENT);
    server.quirk = (_, number) => (number > 0 ? { status: 500 } : undefined);
    mirror.quirk = (_, number) => (number > 0 && number < 5 ? { dropAfter: 200_000 } : undefined);
    const node = await nodeWith();
    await pull(node, wanted({ sha256: undefined, urls: [`${server.origin}/a`, `${mirror.origin}/b`] }));
    await expectWhole(node);
    expect(node.adopted[0]?.source).toBe(new URL(mirror.origin).host);
  });

  it('asks a server at once when no peer has the file', async () => {
    const node = await nodeWith({ restMs: 60_000 });
    const peers = new PeersDouble(CONTENT, 0);
    node.peersFirst = true;
    node.peers = [peers];
    await pull(node);
    await expectWhole(node);
    expect(peers.opened).toBe(1);
  });

  it('asks a server when what peers gave is not the file', async () => {
    const lying = Buffer.from(CONTENT);
    lying[77] = (lying[77] ?? 0) ^ 1;
    server.quirk = (_, number) => (number < 2 ? { status: 500 } : undefined);
    const node = await nodeWith();
    node.peers = [new PeersDouble(lying)];
    await pull(node);
    await expectWhole(node);
  });

  it('does not put bytes of two servers together when nobody knows the hash', async () => {
    const mirror = await serverOf(randomBytes(CONTENT.length));
    server.quirk = (_, number) => (number > 2 && number < 10 ? { status: 500 } : undefined);
    const node = await nodeWith();
    await pull(node, wanted({ sha256: undefined, urls: [`${server.origin}/a`, `${mirror.origin}/b`] }));
    await expectWhole(node);
  });

  it('uses only the sources that it may use', async () => {
    const node = await nodeWith();
    const peers = new PeersDouble(CONTENT);
    node.peers = [peers];
    await node.downloads.start(wanted(), { from: 'peers' });
    await node.downloads.finished('qwen', never);
    await expectWhole(node);
    expect(server.asked).toEqual([]);
  });

  it('says so when there is no source', async () => {
    const node = await nodeWith();
    await expect(pull(node, wanted({ urls: [] }))).rejects.toMatchObject({ message: /nowhere to get qwen from/ });
  });
});

describe('a download without internet', () => {
  /** A node whose web servers can be cut off. */
  async function nodeOn(uplink: Uplink, options: DownloadNodeOptions = {}): Promise<DownloadNode> {
    closing.push(uplink);
    return await nodeWith({ sources: uplink.sources, attempts: 2, ...options });
  }

  const waits = ({ state, nextTryAt }: Download) => state === 'offline' && nextTryAt !== null;

  it('says that it waits, and until when, for as long as it takes; then it goes on by itself', async () => {
    const uplink = new Uplink();
    const node = await nodeOn(uplink);
    await node.downloads.start(wanted());
    const waiting = await until(node, waits);
    expect(waiting.problem).toMatchObject({ fault: 'offline', hint: /goes on by itself/ });
    await until(node, () => uplink.tries > 6); // far more than the attempts after which a server is given up
    expect(node.downloads.list()).toMatchObject([{ state: 'offline' }]);
    uplink.up = true;
    await node.downloads.finished('qwen', never);
    await expectWhole(node);
    expect(node.downloads.list()).toMatchObject([{ state: 'done', problem: null, nextTryAt: null }]);
  });

  it('waits less each time it is told to, and longer each time it is not', async () => {
    const uplink = new Uplink();
    const node = await nodeOn(uplink, { restMs: 3_600_000, random: () => 1 });
    const before = Date.now();
    await node.downloads.start(wanted());
    const { nextTryAt } = await until(node, waits);
    expect(nextTryAt ?? 0).toBeGreaterThan(before + 30_000);
    const tries = uplink.tries;
    expect(await node.downloads.tryNow('qwen')).toMatchObject({ state: 'offline' });
    await until(node, (download) => uplink.tries > tries && waits(download));
    uplink.up = true;
    await node.downloads.tryNow('qwen');
    await node.downloads.finished('qwen', never);
    await expectWhole(node);
  });

  it('still waits after a restart, keeps what came before, and can be paused', async () => {
    const uplink = new Uplink();
    uplink.up = true;
    const node = await nodeOn(uplink, { attempts: 1_000 });
    server.quirk = ({ range }) => ((range?.start ?? 0) >= SEGMENT ? { dropAfter: 0 } : undefined);
    await node.downloads.start(wanted());
    await until(node, ({ received }) => received === SEGMENT);
    uplink.up = false;
    await until(node, waits);
    await node.restart();
    expect(await until(node, waits)).toMatchObject({ received: SEGMENT });
    expect(await node.downloads.pause('qwen')).toMatchObject({ state: 'paused', nextTryAt: null });
    server.quirk = () => undefined;
    uplink.up = true;
    await node.downloads.tryNow('qwen');
    await node.downloads.finished('qwen', never);
    await expectWhole(node);
  });

  it('is another thing than a server that refuses, and than a server in trouble', async () => {
    const node = await nodeWith();
    server.quirk = () => ({ status: 404 });
    await expect(pull(node)).rejects.toMatchObject({ hint: /another model, or import/ });
    expect(node.downloads.list()).toMatchObject([{ state: 'failed', problem: { fault: 'missing' } }]);
    server.quirk = () => ({ status: 500 });
    await expect(pull(node)).rejects.toMatchObject({ hint: /later, choose another model, or import/ });
    expect(node.downloads.list()).toMatchObject([{ state: 'failed', problem: { fault: 'server' } }]);
  });
});

describe('a drive that is full', () => {
  it('is noticed before anything is fetched', async () => {
    let free = 1_000;
    const node = await nodeWith({ freeSpace: async () => free });
    await expect(pull(node)).rejects.toMatchObject({ code: 'DISK_FULL' });
    expect(node.downloads.list()).toMatchObject([{ state: 'paused', problem: { code: 'DISK_FULL' } }]);
    expect(server.reads).toEqual([]);
    free = Number.POSITIVE_INFINITY;
    await node.downloads.resume('qwen');
    await node.downloads.finished('qwen', never);
    await expectWhole(node);
  });

  it('is not filled by two downloads that both count on the same bytes', async () => {
    const node = await nodeWith({ freeSpace: async () => (64 << 20) + 10_000_000 });
    server.quirk = () => ({ stallAfter: 0 });
    await node.downloads.start(wanted());
    await expect.poll(() => server.reads.length).toBeGreaterThan(0);
    await pull(node, wanted({ name: 'second' })).then(
      () => expect.unreachable(),
      (failure: unknown) => expect(failure).toMatchObject({ code: 'DISK_FULL' }),
    );
    expect(node.downloads.list()[0]?.state).toBe('downloading');
  });

  it('is not filled by a file of unknown length', async () => {
    const content = Buffer.alloc(40 << 20);
    server = await serverOf(content);
    server.quirk = () => ({ ignoreRange: true, withoutLength: true });
    const node = await nodeWith({ freeSpace: async () => 64 << 20 });
    await expect(pull(node, wanted({ sha256: undefined }))).rejects.toMatchObject({ code: 'DISK_FULL' });
  });
});

describe('Downloads', () => {
  it('pauses, over a restart too, and goes on with what is missing', async () => {
    const node = await nodeWith();
    server.quirk = ({ range }) => ((range?.start ?? 0) >= 3 * SEGMENT ? { stallAfter: 0 } : undefined);
    await node.downloads.start(wanted());
    await until(node, ({ received }) => received === 3 * SEGMENT);
    expect(await node.downloads.pause('qwen')).toMatchObject({ state: 'paused', received: 3 * SEGMENT, sources: [] });
    await node.restart();
    expect(node.downloads.list()).toMatchObject([{ state: 'paused', received: 3 * SEGMENT, bytes: CONTENT.length }]);
    server.quirk = () => undefined;
    server.asked.length = 0;
    await node.downloads.resume('qwen');
    await node.downloads.finished('qwen', never);
    await expectWhole(node);
    expect(server.reads.every(({ range }) => (range?.start ?? 0) >= 3 * SEGMENT)).toBe(true);
  });

  it('goes on by itself after a restart with what nobody paused, unless told not to', async () => {
    const node = await nodeWith();
    server.quirk = ({ range }) => ((range?.start ?? 0) >= SEGMENT ? { stallAfter: 0 } : undefined);
    await node.downloads.start(wanted());
    await until(node, ({ received }) => received === SEGMENT);
    await node.restart({ resume: false });
    expect(node.downloads.list()).toMatchObject([{ state: 'paused', received: SEGMENT }]);
    server.quirk = () => undefined;
    await node.restart();
    await node.downloads.finished('qwen', never);
    await expectWhole(node);
  });

  it('cancels: what was there is deleted, and whoever waits is told', async () => {
    const node = await nodeWith({ stallMs: 300, attempts: 1_000 }); // what has come is counted when a line stands still
    server.quirk = () => ({ stallAfter: 100_000 });
    await node.downloads.start(wanted());
    const finished = node.downloads.finished('qwen', never);
    const told = expect(finished).rejects.toMatchObject({ code: 'CANCELLED' });
    await until(node, ({ received }) => received > 0);
    await node.downloads.cancel('qwen');
    await told;
    expect(node.downloads.list()).toEqual([]);
    expect(await readdir(node.folder)).toEqual([]);
    await expect(node.downloads.cancel('qwen')).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
  });

  it('gives one download to all who ask for the same file, and refuses another file under its name', async () => {
    const node = await nodeWith();
    await Promise.all([node.downloads.start(wanted()), node.downloads.start(wanted())]);
    await expect(node.downloads.start(wanted({ name: 'QWEN', sha256: 'f'.repeat(64) }))).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: /another file is already called/i,
    });
    await node.downloads.finished('qwen', never);
    await expectWhole(node);
    expect(node.downloads.list()).toHaveLength(1);
  });

  it.each(['../qwen', '', 'tiny', 'a/b'])('refuses the name «%s»', async (name) => {
    const node = await nodeWith();
    await expect(node.downloads.start(wanted({ name }))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('runs so many at a time; others wait for their turn', async () => {
    const node = await nodeWith({ atOnce: 1, bytesPerSecond: 1_000 }); // the first is not done before we look
    await node.downloads.start(wanted());
    await node.downloads.start(wanted({ name: 'second' }));
    expect(node.downloads.list()).toMatchObject([{ state: 'downloading' }, { state: 'waiting' }]);
    node.downloads.limit(null);
    await node.downloads.finished('second', never);
    expect(node.downloads.list()).toMatchObject([{ state: 'done' }, { state: 'done' }]);
  });

  it('keeps to its cap, and lets go when it is lifted', async () => {
    const node = await nodeWith({ bytesPerSecond: 1_000_000 });
    await node.downloads.start(wanted());
    const { received } = await until(node, (download) => download.received > 0 && download.bytesPerSecond > 0);
    expect(received).toBeLessThan(5_000_000);
    node.downloads.limit(null);
    await node.downloads.finished('qwen', never);
    await expectWhole(node);
  });

  it('tells watchers a few times a second at most, up to the end', async () => {
    const node = await nodeWith({ bytesPerSecond: 4_000_000 });
    const ending = new AbortController();
    const seen: Download[] = [];
    const started = performance.now();
    await node.downloads.start(wanted());
    for await (const [download] of node.downloads.watch(ending.signal)) {
      if (download) seen.push(download);
      if (download?.state === 'done') break;
    }
    expect(seen.length).toBeLessThanOrEqual(2 + (performance.now() - started) / 250);
    expect(seen.some(({ state, secondsLeft }) => state === 'downloading' && secondsLeft !== null)).toBe(true);
  });

  it('ends watchers and waiters when it closes, twice if need be', async () => {
    const node = await nodeWith();
    server.quirk = () => ({ stallAfter: 100_000 });
    await node.downloads.start(wanted());
    const watching = (async () => {
      for await (const _ of node.downloads.watch(never));
    })();
    const told = expect(node.downloads.finished('qwen', never)).rejects.toMatchObject({ code: 'NOT_RUNNING' });
    await Promise.all([node.downloads.close(), node.downloads.close()]);
    await watching;
    await told;
    await expect(node.downloads.start(wanted())).rejects.toMatchObject({ code: 'NOT_RUNNING' });
  });

  it('can be held while the folder is moved, but not while one runs or waits', async () => {
    const node = await nodeWith({ atOnce: 1 });
    server.quirk = () => ({ stallAfter: 100_000 });
    const started = Promise.all([node.downloads.start(wanted()), node.downloads.start(wanted({ name: 'second' }))]);
    await expect(node.downloads.hold()).rejects.toMatchObject({ code: 'BAD_REQUEST', message: /being downloaded/ });
    await started;
    await node.downloads.pause('qwen');
    await expect(node.downloads.hold()).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await node.downloads.pause('second');
    {
      using _ = await node.downloads.hold();
      const moved = { code: 'BAD_REQUEST', message: /being moved/ };
      await expect(node.downloads.start(wanted({ name: 'third' }))).rejects.toMatchObject(moved);
      await expect(node.downloads.resume('qwen')).rejects.toMatchObject(moved);
      await expect(node.downloads.cancel('qwen')).rejects.toMatchObject(moved);
      await expect(node.downloads.hold()).rejects.toMatchObject(moved);
      expect(node.downloads.list()).toMatchObject([{ state: 'paused' }, { state: 'paused' }]);
    }
    server.quirk = () => undefined;
    await node.downloads.resume('qwen');
    await node.downloads.finished('qwen', never);
  });

  it('hands nothing over when its file was replaced meanwhile', async () => {
    const node = await nodeWith();
    server.quirk = ({ range }) => ((range?.start ?? 0) >= SEGMENT ? { stallAfter: 0 } : undefined);
    await node.downloads.start(wanted());
    await until(node, ({ received }) => received === SEGMENT);
    await rename(join(node.folder, 'qwen.partial'), join(node.folder, 'moved'));
    await writeFile(join(node.folder, 'qwen.partial'), Buffer.alloc(CONTENT.length));
    server.quirk = () => undefined;
    server.cut();
    await expect(node.downloads.finished('qwen', never)).rejects.toMatchObject({ message: /moved or replaced/ });
    expect(node.adopted).toEqual([]);
    expect((await readFile(join(node.folder, 'moved'))).equals(CONTENT)).toBe(true);
  });

  it('leaves alone what it cannot read, says so, and goes on with it once it can', async () => {
    const node = await nodeWith();
    server.quirk = ({ range }) => ((range?.start ?? 0) >= SEGMENT ? { stallAfter: 0 } : undefined);
    await node.downloads.start(wanted());
    await until(node, ({ received }) => received === SEGMENT);
    await node.downloads.pause('qwen');
    const record = join(node.folder, 'qwen.download.json');
    const state = await readFile(record);
    await rm(record);
    await mkdir(record);
    await node.restart();
    expect(node.downloads.list()).toMatchObject([{ name: 'qwen', state: 'failed', problem: { message: /EISDIR/ } }]);
    const unread = { code: 'DOWNLOAD_FAILED', message: /cannot be read/, hint: /Nothing was deleted/ };
    await expect(node.downloads.start(wanted())).rejects.toMatchObject(unread);
    await expect(node.downloads.resume('qwen')).rejects.toMatchObject(unread);
    await expect(node.downloads.finished('qwen', never)).rejects.toMatchObject(unread);
    await rmdir(record);
    await writeFile(record, state);
    server.quirk = () => undefined;
    server.asked.length = 0;
    await node.downloads.resume('qwen');
    await node.downloads.finished('qwen', never);
    await expectWhole(node);
    expect(server.reads.every(({ range }) => (range?.start ?? 0) >= SEGMENT)).toBe(true);
  });

  it('deletes a download of a newer version only when it is cancelled', async () => {
    const node = await nodeWith();
    await writeFile(join(node.folder, 'qwen.download.json'), '{"version":2}');
    await writeFile(join(node.folder, 'qwen.partial'), 'half of it');
    await node.restart();
    expect(node.downloads.list()).toMatchObject([{ state: 'failed', problem: { message: /newer version/ } }]);
    expect(await readdir(node.folder)).toHaveLength(2);
    await node.downloads.cancel('qwen');
    expect(node.downloads.list()).toEqual([]);
    expect(await readdir(node.folder)).toEqual([]);
  });

  it('is not misled by files in its folder that it cannot read', async () => {
    const node = await nodeWith();
    await writeFile(join(node.folder, 'qwen.download.json.0123456789ab.tmp'), '{');
    await writeFile(join(node.folder, 'odd name.download.json'), '{"version":1}');
    await writeFile(join(node.folder, 'qwen.download.json'), 'torn {');
    await writeFile(join(node.folder, 'qwen.partial'), 'half of it');
    await node.restart();
    expect(node.downloads.list()).toEqual([]);
    await pull(node);
    await expectWhole(node);
  });
});
