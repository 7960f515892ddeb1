import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { PoliteClientOptions } from '../../src-main/clips/sources/polite-client.ts';
import { foundVideoSchema } from '../../src-preload/contract/data.ts';
import type { QuarryError } from '../../src-preload/contract/errors.ts';
import { quickClient, SOURCE_CASES, type SourceCase } from '../support/clip-sources.ts';
import { type Quirk, recorded, SourceServer, sendJson } from '../support/clip-sources-server.ts';

const FILE = randomBytes(3 << 20);
const signal = new AbortController().signal;
const LIMITS = { mostSeconds: 300, mostBytes: 64 << 20, signal };

/** What is made of the recorded answers, by kind of source. */
const EXPECTED: Record<string, { found: unknown; looked: unknown }> = JSON.parse(recorded('found.json'));
/** As it would be said of the server itself rather than of the test's. */
const elsewhere = (value: unknown, origin: string) =>
  JSON.parse(JSON.stringify(value).replaceAll(origin, 'ORIGIN').replaceAll(new URL(origin).host, 'HOST'));

async function opened(kind: string, more: Partial<PoliteClientOptions> = {}) {
  const server = await new SourceServer().open();
  onTestFinished(() => server.close());
  const of = SOURCE_CASES[kind]?.(server.origin) as SourceCase;
  server.replies = of.replies(FILE);
  const source = of.open(server.origin, quickClient(server.origin, more));
  return { of, server, source, search: (from?: string) => source.search(of.topic, { from, signal }) };
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'quarry-sources-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

const status =
  (code: number, headers: Record<string, string> = {}): Quirk =>
  (_, response) => {
    response.writeHead(code, { 'content-length': 0, ...headers }).end();
    return true;
  };
const says =
  (json: string, headers: Record<string, string | number> = {}): Quirk =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(json);
    return true;
  };
const times = (count: number, quirk: Quirk) => Array.from({ length: count }, () => quirk);

/** Sends a piece again and again until nobody listens. */
function endless(response: ServerResponse, piece: string, ms: number): true {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(piece), ms);
  response.once('close', () => clearInterval(timer));
  return true;
}

it('an item of the archive under several licences is under none that is known', async () => {
  const { server, source, of } = await opened('archive');
  const item = JSON.parse(recorded('archive-item.json'));
  const by = 'https://creativecommons.org/licenses/by/4.0/';
  for (const other of ['https://creativecommons.org/licenses/by-nd/4.0/', 'https://example.org/none']) {
    item.metadata.licenseurl = [`${by}?a`, other];
    server.quirks.push(says(JSON.stringify(item)));
    expect(await source.look(of.id, signal)).toMatchObject({ licence: 'unknown' });
  }
  item.metadata.licenseurl = [by, by];
  server.quirks.push(says(JSON.stringify(item)));
  expect(await source.look(of.id, signal)).toMatchObject({ licence: 'by', licenceUrl: by });
});

it('files of the archive that it lends and gives nobody are none: who hands in clips of them is not excused', async () => {
  const { server, source, of } = await opened('archive');
  const item = JSON.parse(recorded('archive-item.json'));
  const others = item.files.map((file: object) => ({ ...file, private: 'true' }));
  server.quirks.push(says(JSON.stringify({ ...item, files: others })));
  expect(await source.look(of.id, signal)).toBeNull();
  server.quirks.push(says(JSON.stringify({ ...item, files: [...others, ...item.files] })));
  expect(await source.look(of.id, signal)).not.toBeNull();
});

describe.each(Object.keys(SOURCE_CASES))('%s', (kind) => {
  it('finds videos page by page, each with its licence and how it is to be attributed', async () => {
    const { search, server } = await opened(kind);
    const first = await search();
    expect(elsewhere(first.found, server.origin)).toEqual(EXPECTED[kind]?.found);
    for (const video of first.found) expect(foundVideoSchema.parse(video)).toEqual(video);
    expect(first.next).not.toBeNull();
    const second = await search(first.next ?? '');
    expect(second.next).toBeNull();
    const ids = [...first.found, ...second.found].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(server.asked.every(({ headers }) => headers['user-agent'] === 'Quarry/test (test@example.org)')).toBe(true);
  });

  it('looks at one, which is as it was found', async () => {
    const { of, source, server } = await opened(kind);
    const video = await source.look(of.id, signal);
    expect(foundVideoSchema.parse(video)).toEqual(video);
    expect(elsewhere(video, server.origin)).toEqual(EXPECTED[kind]?.looked);
  });

  it('knows none that is gone, and asks for none that was never an id of it', async () => {
    const { of, source, server } = await opened(kind);
    expect(await source.look(of.gone, signal)).toBeNull();
    server.asked.length = 0;
    for (const id of of.odd) expect(await source.look(id, signal)).toBeNull();
    expect(server.asked).toEqual([]);
    const to = join(await folder(), 'video');
    await expect(source.fetch(of.gone, to, LIMITS)).rejects.toMatchObject({
      code: 'DOWNLOAD_FAILED',
      retryable: false,
    });
  });

  it('fetches it', async () => {
    const { of, source } = await opened(kind);
    const to = join(await folder(), 'video');
    const told: number[] = [];
    const fetched = await source.fetch(of.id, to, { ...LIMITS, onProgress: (bytes) => told.push(bytes) });
    expect(fetched.bytes).toBe(FILE.length);
    expect(fetched.url).not.toContain('?');
    expect((await readFile(to)).equals(FILE)).toBe(true);
    expect(told.at(-1)).toBe(FILE.length);
    await expect(stat(`${to}.note`)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('fetches none that allows no derivatives, and none that is too large', async () => {
    const { of, source } = await opened(kind);
    const to = join(await folder(), 'video');
    await expect(source.fetch(of.noDerivatives, to, LIMITS)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    const fetched = source.fetch(of.id, to, { ...LIMITS, mostBytes: 1 << 20 });
    await expect(fetched).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED', retryable: false });
  });

  it('goes on where it was interrupted, and begins anew where the file has become another', async () => {
    const { of, source, server } = await opened(kind);
    const to = join(await folder(), 'video');
    const ending = new AbortController();
    server.stallsAt = 2 << 20;
    const interrupted = source.fetch(of.id, to, {
      ...LIMITS,
      signal: ending.signal,
      onProgress: (bytes) => bytes > 1 << 20 && ending.abort(new Error('enough')),
    });
    await expect(interrupted).rejects.toThrow('enough');
    server.stallsAt = undefined;
    server.asked.length = 0;
    await source.fetch(of.id, to, LIMITS);
    expect(Number(/\d+/.exec(server.reads[0] ?? '')?.[0])).toBeGreaterThanOrEqual(1 << 20);
    expect((await readFile(to)).equals(FILE)).toBe(true);
  });

  it('waits as long as it is asked to, and tells whoever asks where that is long', async () => {
    const { search, server } = await opened(kind);
    server.quirks.push(status(429, { 'retry-after': '0' }), status(503));
    expect((await search()).found.length).toBeGreaterThan(0);
    server.quirks.push(status(429, { 'retry-after': '60' }));
    const refused = await search().catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'RATE_LIMIT', retryable: true });
    expect((refused as QuarryError).retryAfterMs).toBeGreaterThan(50_000);
    const asked = server.asked.length;
    await expect(search()).rejects.toMatchObject({ code: 'RATE_LIMIT' });
    expect(server.asked.length).toBe(asked);
  });

  it('tries again after a failure of the server, and not for ever', async () => {
    const { search, server } = await opened(kind);
    server.quirks.push(status(500));
    expect((await search()).found.length).toBeGreaterThan(0);
    server.quirks.push(...times(3, status(500)));
    await expect(search()).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED', retryable: true });
    expect(server.quirks).toEqual([]);
  });

  it.each<[string, Quirk]>([
    ['JSON that is cut off', says('{"response": {"docs": [')],
    ['no JSON', says('<html>')],
    ['JSON of another shape', says('{"response": 7, "query": 7, "data": 7, "total": "x"}')],
    ['JSON within JSON, thousands deep', says('['.repeat(100_000))],
    ['another type of content', says('{}', { 'content-type': 'text/html' })],
    ['50 MB that are told', says(' ', { 'content-length': 50_000_000 })],
    ['404, where it is searched,', status(404)],
    ['no end', (_, response) => endless(response, ' '.repeat(1 << 20), 1)],
  ])('does not take %s for an answer', async (_, quirk) => {
    const { search, server } = await opened(kind);
    server.quirks.push(quirk);
    await expect(search()).rejects.toMatchObject({ code: 'PROTOCOL', retryable: true });
  });

  it('does not wait for ever for an answer that comes byte by byte', async () => {
    const { search, server } = await opened(kind, { deadlineMs: 300 });
    server.quirks.push((_, response) => endless(response, ' ', 20));
    await expect(search()).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED', retryable: true });
  });

  it.each(['http://10.0.0.1/x', 'http://127.0.0.1:9/x', 'https://[::1]/x', 'http://169.254.169.254/latest'])(
    'is not led into a private network: %s',
    async (location) => {
      const { search, server } = await opened(kind);
      server.quirks.push(status(302, { location }));
      await expect(search()).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED', retryable: false });
    },
  );

  it('keeps what people write within its limits, and lets it steer nothing', async () => {
    const { of, search, server } = await opened(kind);
    const words = `\u202eevil\u0007 <script>alert(1)</script>&lt;b&gt; \u001b[31m\u2066${'long 😀'.repeat(20_000)}`;
    server.quirks.push((_, response) => sendJson(response, of.wording(words)));
    const { found } = await search();
    for (const video of found) expect(foundVideoSchema.parse(video)).toEqual(video);
    const text = JSON.stringify(found);
    expect(text).toContain('long');
    expect(text).not.toMatch(/\\u00|\\u202e|\\u2066|[\u202a-\u202e\u2066-\u2069]/);
    expect(found.every(({ title, attribution }) => title.isWellFormed() && attribution.isWellFormed())).toBe(true);
  });

  it('takes no page that was not given out', async () => {
    const { of, source } = await opened(kind);
    for (const from of ['-1', 'x', '99999999999', '1 OR 1']) {
      await expect(source.search(of.topic, { from, signal })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    }
  });

  it('ends when it is told to', async () => {
    const { of, source, server } = await opened(kind);
    const ending = new AbortController();
    server.quirks.push((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
      ending.abort(new Error('told to'));
      return true;
    });
    await expect(source.search(of.topic, { signal: ending.signal })).rejects.toThrow('told to');
  });
});
