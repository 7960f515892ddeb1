import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ByteRange } from '../../../../src-main/models/downloads/byte-source.ts';
import { HttpClient, type HttpClientOptions } from '../../../../src-main/models/downloads/http-client.ts';
import { HttpSource, httpSources } from '../../../../src-main/models/downloads/http-source.ts';
import { SmallProxy } from '../../../support/small-proxy.ts';
import { type Quirk, UnrulyServer } from '../../../support/unruly-server.ts';

const CONTENT = randomBytes(300_000);
const WHOLE = { start: 0, end: CONTENT.length };
const never = new AbortController().signal;
/** The least that undici counts in ticks of its own: a machine that stands still ticks once, and nobody is blamed for it. */
const STALL_MS = 1_001;

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

function clientOf(options: Partial<HttpClientOptions> = {}): HttpClient {
  const proxies = { httpProxy: '', httpsProxy: '' };
  const client = new HttpClient({ userAgent: 'quarry/test', isNamed: () => true, proxies, ...options });
  closing.push(client);
  return client;
}

function sourceOf(options: Partial<HttpClientOptions> = {}): HttpSource {
  return new HttpSource(new URL(`${server.origin}/model.gguf?download=true`), clientOf(options));
}

async function readAll(source: HttpSource, range: ByteRange, signal = never): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of source.read(range, signal)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** What is wrong once the source was opened. */
function afterOpening(quirk: Quirk): void {
  server.quirk = (_, number) => (number === 0 ? undefined : quirk);
}

describe('HttpSource, opened', () => {
  it('tells length and strong ETag, and asks for one byte only', async () => {
    expect(await sourceOf().open(never)).toEqual({ bytes: CONTENT.length, validator: '"1"' });
    expect(server.asked[0]).toMatchObject({
      path: '/model.gguf?download=true',
      range: { start: 0, last: 0 },
      headers: { 'user-agent': 'quarry/test', 'accept-encoding': 'identity' },
    });
  });

  it('takes the date where the ETag is weak', async () => {
    const date = 'Thu, 01 Jan 2026 00:00:00 GMT';
    server.quirk = () => ({ etag: 'W/"1"', headers: { 'last-modified': date } });
    expect(await sourceOf().open(never)).toEqual({
      bytes: CONTENT.length,
      validator: date,
      changedAt: Date.parse(date),
    });
  });

  it('reads over one line where the server knows no ranges', async () => {
    server.quirk = () => ({ ignoreRange: true });
    const source = sourceOf();
    expect(await source.open(never)).toEqual({ bytes: CONTENT.length, validator: '"1"' });
    expect(source.parallel).toBe(1);
  });

  it('does not make up a length that the server does not tell', async () => {
    server.quirk = () => ({ ignoreRange: true, withoutLength: true });
    expect(await sourceOf().open(never)).toEqual({ bytes: undefined, validator: '"1"' });
  });

  it('knows an empty file', async () => {
    server = await serverOf(Buffer.alloc(0));
    expect(await sourceOf().open(never)).toMatchObject({ bytes: 0 });
  });

  it.each([
    [401, 'gone', /only to accounts/],
    [403, 'gone', /only to accounts/],
    [404, 'gone', /no such file/],
    [410, 'gone', /no such file/],
    [429, 'busy', /patience/],
    [503, 'busy', /patience/],
    [500, 'lost', /problem of its own/],
    [418, 'gone', /makes no sense/],
  ])('has words for status %i', async (status, reason, message) => {
    server.quirk = () => ({ status });
    await expect(sourceOf().open(never)).rejects.toMatchObject({ reason, message: expect.stringMatching(message) });
  });

  it('passes on how long a busy server wants to be left alone', async () => {
    server.quirk = () => ({ status: 429, headers: { 'retry-after': '7' } });
    await expect(sourceOf().open(never)).rejects.toMatchObject({ reason: 'busy', retryAfterMs: 7_000 });
  });

  it('says so when nobody answers', async () => {
    const source = sourceOf();
    await server.close();
    await expect(source.open(never)).rejects.toMatchObject({ reason: 'lost', message: /nobody answers/ });
  });

  it('does not take a range that makes no sense', async () => {
    server.quirk = () => ({ headers: { 'content-range': 'bytes 0-0/many' } });
    await expect(sourceOf().open(never)).rejects.toMatchObject({ reason: 'gone' });
  });
});

describe('HttpSource, read', () => {
  it('gives exactly the range, on condition that the file is the same', async () => {
    const source = sourceOf();
    await source.open(never);
    expect(await readAll(source, { start: 1_000, end: 250_000 })).toEqual(CONTENT.subarray(1_000, 250_000));
    expect(server.asked[1]).toMatchObject({ range: { start: 1_000, last: 249_999 }, headers: { 'if-range': '"1"' } });
  });

  it('reads past what it does not need where the server knows no ranges', async () => {
    server.quirk = () => ({ ignoreRange: true });
    const source = sourceOf();
    await source.open(never);
    expect(await readAll(source, { start: 200_000, end: 200_010 })).toEqual(CONTENT.subarray(200_000, 200_010));
  });

  it('reads a file of unknown length to its end', async () => {
    server.quirk = () => ({ ignoreRange: true, withoutLength: true });
    const source = sourceOf();
    await source.open(never);
    expect(await readAll(source, { start: 0, end: 1e9 })).toEqual(CONTENT);
  });

  it.each<[string, Quirk]>([
    ['another ETag', { etag: '"2"' }],
    ['another length', { content: randomBytes(200_000) }],
    ['a shorter file', { content: randomBytes(10) }],
  ])('tells from %s that the file has changed', async (_, quirk) => {
    const source = sourceOf();
    await source.open(never);
    afterOpening(quirk);
    await expect(readAll(source, { start: 100, end: 250_000 })).rejects.toMatchObject({ reason: 'changed' });
  });

  it.each<[string, Quirk]>([
    ['another range', { headers: { 'content-range': `bytes 0-9/${CONTENT.length}` } }],
    ['more than the range', { headers: { 'content-range': `bytes 100-${CONTENT.length - 1}/${CONTENT.length}` } }],
    ['no word about the range', { headers: { 'content-range': 'bytes' } }],
    ['a compressed file', { headers: { 'content-encoding': 'gzip' } }],
  ])('does not take %s', async (_, quirk) => {
    const source = sourceOf();
    await source.open(never);
    afterOpening(quirk);
    await expect(readAll(source, { start: 100, end: 200 })).rejects.toMatchObject({ reason: 'gone' });
  });

  it('gives what came before the line broke, then says that it is lost', async () => {
    const source = sourceOf();
    await source.open(never);
    afterOpening({ dropAfter: 120_000 });
    let bytes = 0;
    const reading = async () => {
      for await (const piece of source.read(WHOLE, never)) bytes += piece.length;
    };
    await expect(reading()).rejects.toMatchObject({ reason: 'lost' });
    expect(bytes).toBe(120_000);
  });

  it('gives up a server that stands still', async () => {
    const source = sourceOf({ stallMs: STALL_MS });
    await source.open(never);
    afterOpening({ stallAfter: 1_000 });
    await expect(readAll(source, WHOLE)).rejects.toMatchObject({ reason: 'lost', message: /stopped sending/ });
  });

  it('does not blame the server when nobody reads', async () => {
    server = await serverOf(randomBytes(20 << 20));
    const source = sourceOf({ stallMs: STALL_MS });
    await source.open(never);
    let bytes = 0;
    for await (const piece of source.read({ start: 0, end: 20 << 20 }, never)) {
      if (bytes === 0) await new Promise((resolve) => setTimeout(resolve, 2_200)); // more than undici's clock ticks
      bytes += piece.length;
    }
    expect(bytes).toBe(20 << 20);
  });

  it('ends with its signal, in the middle of it', async () => {
    const source = sourceOf();
    await source.open(never);
    afterOpening({ stallAfter: 1_000 });
    const ending = new AbortController();
    const reading = async () => {
      for await (const _ of source.read(WHOLE, ending.signal)) ending.abort(new Error('enough'));
    };
    await expect(reading()).rejects.toThrow('enough');
  });

  it('uses a connection again', async () => {
    const source = sourceOf();
    await source.open(never);
    for (let count = 0; count < 5; count++) await readAll(source, { start: 0, end: 10 });
    expect(server.connections).toBeLessThanOrEqual(2); // the next may be asked before the last one is put away
  });
});

describe('HttpSource, sent elsewhere', () => {
  it('follows, with the token only as long as it stays with the endpoint', async () => {
    const elsewhere = await serverOf(CONTENT);
    const back = `${server.origin}/back`;
    server.quirk = ({ path }) => {
      if (path === '/same') return { status: 307, headers: { location: `${elsewhere.origin}/other` } };
      return path === '/back' ? undefined : { status: 302, headers: { location: '/same' } };
    };
    elsewhere.quirk = () => ({ status: 302, headers: { location: back } });
    const source = sourceOf({ token: { origin: server.origin, value: 'secret' } });
    await source.open(never);
    expect(await readAll(source, { start: 5, end: 10 })).toEqual(CONTENT.subarray(5, 10));
    const tokens = server.asked.map(({ path, headers }) => [path.split('?')[0], headers.authorization]);
    expect(tokens.slice(0, 3)).toEqual([
      ['/model.gguf', 'Bearer secret'],
      ['/same', 'Bearer secret'],
      ['/back', undefined],
    ]);
    expect(elsewhere.asked[0]?.headers.authorization).toBeUndefined();
    expect(elsewhere.asked[0]?.range).toEqual({ start: 0, last: 0 });
  });

  it('keeps the token from hosts that it is not for', async () => {
    await sourceOf({ token: { origin: 'https://huggingface.co', value: 'secret' } }).open(never);
    expect(server.asked[0]?.headers.authorization).toBeUndefined();
  });

  it('does not go round in circles for ever', async () => {
    server.quirk = () => ({ status: 302, headers: { location: '/again' } });
    await expect(sourceOf().open(never)).rejects.toMatchObject({ reason: 'gone', message: /circles/ });
    expect(server.asked.length).toBeLessThan(12);
  });

  it.each(['file:///etc/passwd', 'http://', ''])('does not follow «%s»', async (location) => {
    server.quirk = () => ({ status: 302, headers: { location } });
    await expect(sourceOf().open(never)).rejects.toMatchObject({ reason: 'gone', message: /cannot be followed/ });
  });
});

describe('HttpSource, led into this computer’s own network', () => {
  const refused = { reason: 'gone', message: expect.stringMatching(/own network/) };
  const strict = { isNamed: () => false };

  it.each([
    '127.0.0.1',
    '2130706433',
    '0.0.0.0',
    'localhost',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.100.100.200',
    '[::1]',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '[::ffff:10.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1:7f00:0:100::]',
    '[64:ff9b:1::a00:1]',
    '[2002:a00:1::]',
  ])('does not ask %s', async (host) => {
    const { port } = new URL(server.origin);
    const source = new HttpSource(new URL(`http://${host}:${port}/x.gguf`), clientOf(strict));
    await expect(source.open(never)).rejects.toMatchObject(refused);
    expect(server.asked).toEqual([]);
  });

  it('by the name of another host does not ask there, whatever else the name stands for', async () => {
    const { port } = new URL(server.origin);
    const found = [
      { address: '203.0.113.7', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    const client = clientOf({ ...strict, lookUp: (_, __, done) => done(null, found) });
    const source = new HttpSource(new URL(`http://rebound.example:${port}/x.gguf`), client);
    await expect(source.open(never)).rejects.toMatchObject(refused);
    expect(server.asked).toEqual([]);
  });

  it('goes there by an address that a person typed, and not where that one sends it', async () => {
    const elsewhere = await serverOf(CONTENT);
    const url = new URL(`${server.origin}/model.gguf`);
    const source = new HttpSource(url, clientOf(strict), { typed: true });
    await source.open(never);
    expect(await readAll(source, WHOLE)).toEqual(CONTENT);
    server.quirk = () => ({ status: 302, headers: { location: `${elsewhere.origin}/other` } });
    await expect(new HttpSource(url, clientOf(strict), { typed: true }).open(never)).rejects.toMatchObject(refused);
    expect(elsewhere.asked).toEqual([]);
  });
});

describe('HttpSource, led to what the settings name', () => {
  it('goes there by no redirect of another server: what is named may be in the own network', async () => {
    const named = await serverOf(CONTENT);
    server.quirk = () => ({ status: 302, headers: { location: `${named.origin}/admin` } });
    const client = clientOf({ isNamed: (origin) => origin === named.origin });
    const source = new HttpSource(new URL(`${server.origin}/model.gguf`), client, { typed: true });
    await expect(source.open(never)).rejects.toMatchObject({
      reason: 'gone',
      message: expect.stringMatching(/own network/),
    });
    expect(named.asked).toEqual([]);
    await new HttpSource(new URL(`${named.origin}/model.gguf`), client).open(never);
    expect(named.asked).not.toEqual([]);
  });

  it('tells whom to write to where it asks, and nobody whom that redirects to', async () => {
    const elsewhere = await serverOf(CONTENT);
    server.quirk = ({ path }) =>
      path === '/same'
        ? { status: 302, headers: { location: `${elsewhere.origin}/other` } }
        : { status: 302, headers: { location: '/same' } };
    await sourceOf({ contact: 'me@example.org' }).open(never);
    const told = (at: typeof server) => at.asked.map(({ headers }) => headers['user-agent']);
    expect(told(server)).toEqual(['quarry/test (me@example.org)', 'quarry/test (me@example.org)']);
    expect(told(elsewhere)).toEqual(['quarry/test']);
  });
});

describe('HttpSource behind a proxy', () => {
  it('goes through it, except to hosts that need none', async () => {
    const proxy = await new SmallProxy().open();
    closing.push(proxy);
    const source = sourceOf({ proxies: { httpProxy: proxy.url, noProxy: 'example.org' } });
    await source.open(never);
    expect(await readAll(source, WHOLE)).toEqual(CONTENT);
    expect(proxy.tunnels).toContain(new URL(server.origin).host);
    const before = proxy.tunnels.length;
    await sourceOf({ proxies: { httpProxy: proxy.url, noProxy: '127.0.0.1' } }).open(never);
    expect(proxy.tunnels).toHaveLength(before);
  });
});

describe('httpSources', () => {
  it('names two addresses on one host apart', () => {
    const urls = ['https://a.example/1', 'https://b.example/1', 'https://a.example/2'];
    expect(httpSources({ urls }, clientOf()).map(({ name }) => name)).toEqual([
      'a.example',
      'b.example',
      'a.example (2)',
    ]);
  });
});
