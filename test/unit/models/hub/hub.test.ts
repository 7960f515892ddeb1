import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpClient } from '../../../../src-main/models/downloads/http-client.ts';
import { Hub } from '../../../../src-main/models/hub/hub.ts';
import { HUB_MODELS } from '../../../support/hub-data.ts';
import { HUB_TOKEN, HubServer } from '../../../support/hub-server.ts';

let server: HubServer;
let client: HttpClient;
let hub: Hub;
beforeEach(async () => {
  server = await new HubServer(HUB_MODELS).open();
  open();
});
afterEach(async () => {
  await client.close();
  await server.close();
});

function open({ hasToken = false, deadlineMs = 15_000, endpoint = server.url } = {}): void {
  const { origin } = new URL(endpoint);
  client = new HttpClient({
    userAgent: 'quarry/test',
    isNamed: (asked) => asked === origin,
    proxies: { httpProxy: '', httpsProxy: '' },
    ...(hasToken && { token: { origin, value: HUB_TOKEN } }),
  });
  hub = new Hub({ endpoint, client, hasToken, deadlineMs });
}

const search = (text = '', more = {}) => hub.search({ text, sort: 'downloads', limit: 30, ...more });
const answers = (body: string, status = 200, headers = {}) => {
  server.instead = (_, response) => Boolean(response.writeHead(status, headers).end(body));
};

describe('a search', () => {
  it('asks for GGUF repositories in an order, and tells what is known of each', async () => {
    const { models, next } = await search('qwen3', { sort: 'newest' });
    expect(models.map(({ id }) => id)).toEqual([
      'unsloth/Qwen3-4B-Instruct-2507-GGUF',
      'mradermacher/Qwen3-30B-A3B-Thinking-2507-i1-GGUF',
    ]);
    expect(models[0]).toMatchObject({ downloads: 512_480, gated: false, gguf: { total: 4_022_468_096 } });
    expect(next).toBeNull();
    const { searchParams } = new URL(server.asked[0]?.path ?? '', server.url);
    expect(Object.fromEntries(searchParams)).toMatchObject({ search: 'qwen3', filter: 'gguf', sort: 'lastModified' });
  });

  it('comes page by page, always from the server that the settings name', async () => {
    const first = await search('', { limit: 4 });
    const second = await search('', { limit: 4, after: first.next ?? '' });
    expect([first.models.length, second.models.length, second.next]).toEqual([4, 2, null]);
    answers('[]', 200, { link: '<http://192.168.0.1/api/models?cursor=elsewhere>; rel="next"' });
    expect((await search()).next).toBe('elsewhere');
  });

  it('leaves out what has no sound name, and takes a wrong type of what is only for show as not told', async () => {
    answers(JSON.stringify([{ id: 'gpt2' }, { id: '../../x/y' }, { id: 'a/b', likes: 'many', tags: 7, gated: {} }, 5]));
    expect((await search()).models).toEqual([{ id: 'a/b', downloads: 0, likes: 0 }]);
  });
});

describe('a repository', () => {
  it('is told with its files, its commit and their hashes', async () => {
    const repository = await hub.repository('bartowski/Llama-3.2-3B-Instruct-GGUF');
    expect(repository.siblings).toHaveLength(8);
    expect(repository.siblings[1]?.lfs).toMatchObject({ size: 1.92e9 });
    expect(hub.fileUrl(repository, 'a b/c+d.gguf')).toBe(
      `${server.url}/bartowski/Llama-3.2-3B-Instruct-GGUF/resolve/${repository.sha}/a%20b/c%2Bd.gguf`,
    );
  });

  it.each([
    ['a name that leads elsewhere', { id: 'a/../b' }],
    ['a commit that is none', { sha: '../main' }],
    ['a hash that is none', { siblings: [{ rfilename: 'a.gguf', lfs: { sha256: 'x', size: 1 } }] }],
    ['a negative length', { siblings: [{ rfilename: 'a.gguf', size: -1 }] }],
    ['too many files', { siblings: new Array(20_001).fill({ rfilename: 'a' }) }],
    ['no list of files', { siblings: 'none' }],
  ])('with %s is not taken', async (_, wrong) => {
    answers(JSON.stringify({ id: 'a/b', sha: 'a'.repeat(40), siblings: [], ...wrong }));
    await expect(hub.repository('a/b')).rejects.toMatchObject({ code: 'PROTOCOL' });
  });
});

describe('what a hub may not do', () => {
  it.each([
    ['a page', '<html>'],
    ['no list', '{"error":"no"}'],
    ['other things', '[1,2,3]'],
    ['a deep nest', '['.repeat(100_000)],
    ['more than anybody reads', `["${'x'.repeat(9 << 20)}"]`],
    ['a million entries', `[${'0,'.repeat(1_000_000)}0]`],
  ])('%s is told as no hub', async (_, body) => {
    answers(body);
    await expect(search()).rejects.toMatchObject({ code: 'PROTOCOL', hint: 'Check the setting models.endpoint.' });
  });

  it('sends nobody round in circles, or into this computer’s network', async () => {
    server.instead = (_, response) => Boolean(response.writeHead(302, { location: '/api/models?again' }).end());
    await expect(search()).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED', message: /round in circles/ });
    answers('', 302, { location: 'http://127.0.0.1:1/secrets' });
    await expect(search()).rejects.toMatchObject({ message: /own network/ });
  });

  it('keeps nobody waiting by dripping', async () => {
    open({ deadlineMs: 300 });
    let drip: NodeJS.Timeout | undefined;
    server.instead = (_, response: ServerResponse) => {
      response.writeHead(200);
      drip = setInterval(() => response.write(' '), 20);
      return true;
    };
    await expect(search()).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED', message: /did not answer in time/ });
    clearInterval(drip);
  });

  it('gets the token of no other server, and passes it to none', async () => {
    const other = await new HubServer([]).open();
    open({ hasToken: true });
    await search();
    expect(server.asked.at(-1)?.authorization).toBe(`Bearer ${HUB_TOKEN}`);
    answers('', 302, { location: `${other.url}/api/models` });
    await client.close();
    client = new HttpClient({
      ...{ userAgent: 'quarry/test', isNamed: () => true, proxies: { httpProxy: '', httpsProxy: '' } },
      token: { origin: server.url, value: HUB_TOKEN },
    });
    hub = new Hub({ endpoint: server.url, client, hasToken: true });
    await search();
    expect(other.asked).toEqual([{ path: '/api/models', authorization: undefined }]);
    await other.close();
  });
});

describe('a refusal is told with what to do', () => {
  it.each([
    [401, false, 'UNAUTHORIZED', /private, or there is none/, /enter a token/],
    [403, true, 'UNAUTHORIZED', /does not show a\/b/, /token in models\.token is still valid/],
    [404, false, 'MODEL_NOT_FOUND', /no repository a\/b/, /search for it/],
    [429, false, 'RATE_LIMIT', /asked too often/, /With a token/],
    [500, false, 'DOWNLOAD_FAILED', /problem of its own/, /Try again/],
  ] as const)('%i', async (status, hasToken, code, message, hint) => {
    open({ hasToken });
    answers('no', status, { 'retry-after': '30' });
    await expect(hub.repository('a/b')).rejects.toMatchObject({ code, message, hint });
    if (status === 429) await expect(hub.repository('a/b')).rejects.toMatchObject({ retryAfterMs: 30_000 });
  });

  it('of a server that is no hub, and of one that nobody answers at', async () => {
    answers('no', 404);
    await expect(search()).rejects.toMatchObject({ code: 'PROTOCOL', message: /as Hugging Face does/ });
    const { url } = server;
    await server.close();
    open({ endpoint: url });
    await expect(search()).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED', message: /nothing answers there/ });
  });

  it('offline, told by a name that has no address', async () => {
    client = new HttpClient({
      ...{ userAgent: 'quarry/test', witness: 'hub.invalid', proxies: { httpProxy: '', httpsProxy: '' } },
      lookUp: (_, __, done) => done(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), []),
    });
    hub = new Hub({ endpoint: 'http://hub.invalid', client, hasToken: false });
    await expect(search()).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED', message: /seems to be offline/ });
  });
});
